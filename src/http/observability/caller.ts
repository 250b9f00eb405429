/** The caller of a request, by ids alone: a partner's credential, or an operator token. */
export interface Caller {
  readonly credentialId?: string;
  readonly partnerId?: string;
  readonly operatorTokenId?: string;
}

/** Only the ids, for a log line. */
export function idsOf({ credentialId, partnerId, operatorTokenId }: Caller): Caller {
  if (operatorTokenId !== undefined) return { operatorTokenId };
  return {
    ...(credentialId !== undefined && { credentialId }),
    ...(partnerId !== undefined && { partnerId }),
  };
}
