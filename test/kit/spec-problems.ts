/** The problems of the contract (SPEC 7), written out once more by hand: the table of the code is held against them. */
import type { OperationId } from '../../src/contract/partner/operations.ts';
import type { ProblemCode } from '../../src/contract/partner/problems.ts';

interface SpecProblem {
  readonly status: number;
  readonly slug: string;
  /** Of the OpenAPI document; none where no operation answers with it. */
  readonly schema?: string;
  readonly of: 'every operation' | readonly OperationId[];
}

const OF_ONE_PROPERTY: readonly OperationId[] = [
  'getPartnerProperty',
  'getPartnerPropertyAvailability',
  'createPartnerQuote',
];

// prettier-ignore
export const SPEC_PROBLEMS: Readonly<Record<ProblemCode, SpecProblem>> = {
  VALIDATION_ERROR: { status: 400, schema: 'ValidationProblem', slug: 'validation-error', of: 'every operation' },
  INVALID_JSON: { status: 400, schema: 'InvalidJsonProblem', slug: 'invalid-json', of: ['createPartnerQuote'] },
  PARTNER_AUTH_REQUIRED: { status: 401, schema: 'UnauthorizedProblem', slug: 'partner-auth-required', of: 'every operation' },
  INVALID_PARTNER_CREDENTIAL: { status: 401, schema: 'UnauthorizedProblem', slug: 'invalid-partner-credential', of: 'every operation' },
  PARTNER_ACCESS_REVOKED: { status: 401, schema: 'UnauthorizedProblem', slug: 'partner-access-revoked', of: 'every operation' },
  PARTNER_SCOPE_INSUFFICIENT: { status: 403, schema: 'ForbiddenProblem', slug: 'partner-scope-insufficient', of: 'every operation' },
  ORIGIN_NOT_ALLOWED: { status: 403, schema: 'ForbiddenProblem', slug: 'origin-not-allowed', of: 'every operation' },
  PROPERTY_NOT_FOUND: { status: 404, schema: 'PropertyNotFoundProblem', slug: 'property-not-found', of: OF_ONE_PROPERTY },
  PARTNER_OPERATION_NOT_FOUND: { status: 404, slug: 'partner-operation-not-found', of: [] },
  STAY_UNAVAILABLE: { status: 409, schema: 'QuoteConflictProblem', slug: 'stay-unavailable', of: ['createPartnerQuote'] },
  QUOTE_UNAVAILABLE: { status: 409, schema: 'QuoteConflictProblem', slug: 'quote-unavailable', of: ['createPartnerQuote'] },
  PAYLOAD_TOO_LARGE: { status: 413, schema: 'PayloadTooLargeProblem', slug: 'payload-too-large', of: ['createPartnerQuote'] },
  RATE_LIMIT_EXCEEDED: { status: 429, schema: 'RateLimitProblem', slug: 'rate-limit-exceeded', of: 'every operation' },
  INTERNAL_ERROR: { status: 500, schema: 'InternalErrorProblem', slug: 'internal-error', of: 'every operation' },
  PARTNER_API_UNAVAILABLE: { status: 503, schema: 'UnavailableProblem', slug: 'partner-api-unavailable', of: 'every operation' },
  HANDOFF_INVALID: { status: 400, slug: 'handoff-invalid', of: [] },
};

const CODES = Object.keys(SPEC_PROBLEMS) as readonly ProblemCode[];

export function specCodesOf(operationId: OperationId): readonly ProblemCode[] {
  return CODES.filter((code) => {
    const { of } = SPEC_PROBLEMS[code];
    return of === 'every operation' || of.includes(operationId);
  });
}

/** The codes of an operation by status. */
export function specStatusesOf(operationId: OperationId): Readonly<Record<number, readonly ProblemCode[]>> {
  const codes = specCodesOf(operationId);
  return Object.fromEntries(Map.groupBy(codes, (code) => SPEC_PROBLEMS[code].status));
}
