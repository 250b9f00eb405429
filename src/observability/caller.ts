/** Whose request it is, by ids alone: of a partner's credential, or of an operator token. */
export interface Caller {
  readonly credentialId?: string;
  readonly partnerId?: string;
  readonly operatorTokenId?: string;
}

/** The ids for a log line, and nothing else that the caller may hold. */
export function idsOf({ credentialId, partnerId, operatorTokenId }: Caller): Caller {
  if (operatorTokenId !== undefined) return { operatorTokenId };
  return {
    ...(credentialId !== undefined && { credentialId }),
    ...(partnerId !== undefined && { partnerId }),
  };
}
