/**
 * The table of problems of the partner listener (SPEC 7): what each code means, its status and its slug.
 */
export interface ProblemKind {
  /** A second status exists for PARTNER_OPERATION_NOT_FOUND only: 405 when the path is known. */
  readonly status: number;
  readonly slug: string;
  readonly title: string;
  /** `detail` unless the sender has something more precise to say. Never internal. */
  readonly detail: string;
  /** What the partner can do about it, for the page behind `type`. */
  readonly remedy: string;
  /** The problem names each thing at fault in `errors`. */
  readonly hasErrors?: true;
}

export const PROBLEMS = {
  VALIDATION_ERROR: {
    status: 400,
    slug: 'validation-error',
    title: 'The request is not valid',
    detail: 'One or more fields of the request are not valid; see errors.',
    remedy: 'Correct every field that errors names, then send the request again.',
    hasErrors: true,
  },
  INVALID_JSON: {
    status: 400,
    slug: 'invalid-json',
    title: 'The body is not JSON',
    detail: 'The request body is not valid JSON in UTF-8.',
    remedy: 'Send one JSON object, encoded in UTF-8, as the body.',
  },
  PARTNER_AUTH_REQUIRED: {
    status: 401,
    slug: 'partner-auth-required',
    title: 'A partner credential is required',
    detail: 'The request carries no partner token.',
    remedy: 'Send the token in the header "Authorization: Bearer <token>".',
  },
  INVALID_PARTNER_CREDENTIAL: {
    status: 401,
    slug: 'invalid-partner-credential',
    title: 'The partner credential is not valid',
    detail: 'The partner token is unknown or has expired.',
    remedy: 'Check that the whole token is sent; ask the operator for a new one if it has expired.',
  },
  PARTNER_ACCESS_REVOKED: {
    status: 401,
    slug: 'partner-access-revoked',
    title: 'Access was revoked',
    detail: 'The partner token or its partner is no longer admitted.',
    remedy: 'Ask the operator for a new credential.',
  },
  PARTNER_SCOPE_INSUFFICIENT: {
    status: 403,
    slug: 'partner-scope-insufficient',
    title: 'The credential lacks the scope',
    detail: 'The partner token does not have the scope of this operation.',
    remedy: 'Ask the operator for a credential that has the scope named in the WWW-Authenticate header.',
  },
  ORIGIN_NOT_ALLOWED: {
    status: 403,
    slug: 'origin-not-allowed',
    title: 'The browser origin is not authorised',
    detail: 'The Origin of the request is not on the list of this partner.',
    remedy: 'Call from a server, or ask the operator to add the origin.',
  },
  PROPERTY_NOT_FOUND: {
    status: 404,
    slug: 'property-not-found',
    title: 'Property not found',
    detail: 'The property does not exist or is not offered to this partner.',
    remedy: 'Take propertyId from a search of this partner; properties can be withdrawn at any time.',
  },
  PARTNER_OPERATION_NOT_FOUND: {
    status: 404,
    slug: 'partner-operation-not-found',
    title: 'There is no such operation',
    detail: 'No operation has this method and path.',
    remedy: 'Compare method and path with the API description; on 405 the Allow header lists the methods.',
  },
  STAY_UNAVAILABLE: {
    status: 409,
    slug: 'stay-unavailable',
    title: 'The stay is not available',
    detail: 'No inventory type of the property can host this stay at present.',
    remedy: 'Ask for the availability of the property, or choose other dates or fewer guests.',
  },
  QUOTE_UNAVAILABLE: {
    status: 409,
    slug: 'quote-unavailable',
    title: 'No quote can be made',
    detail: 'No indicative quote can be made for this property and stay.',
    remedy: 'Choose another property; this one gives no quotes for the stay.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    slug: 'payload-too-large',
    title: 'The body is too large',
    detail: 'The request body is larger than the service accepts.',
    remedy: 'Send only the fields of the operation.',
  },
  RATE_LIMIT_EXCEEDED: {
    status: 429,
    slug: 'rate-limit-exceeded',
    title: 'Too many requests',
    detail: 'The request limit of the current 60-second window is used up.',
    remedy: 'Wait as many seconds as Retry-After says.',
  },
  INTERNAL_ERROR: {
    status: 500,
    slug: 'internal-error',
    title: 'Unexpected error',
    detail: 'The service met an unexpected error.',
    remedy: 'Try again later; give correlationId to the operator if it goes on.',
  },
  PARTNER_API_UNAVAILABLE: {
    status: 503,
    slug: 'partner-api-unavailable',
    title: 'The service is temporarily unavailable',
    detail: 'The service can not answer at present.',
    remedy: 'Try again after a short while.',
  },
  HANDOFF_INVALID: {
    status: 400,
    slug: 'handoff-invalid',
    title: 'The handoff value is not valid',
    detail: 'The handoff value was not issued by this service or has been altered.',
    remedy: 'Use the handoff URL of a quote unchanged.',
  },
} as const satisfies Record<string, ProblemKind>;

/** Of PARTNER_AUTH_REQUIRED, when there is an Authorization header without a token that could be one. */
export const NO_BEARER_DETAIL =
  'The Authorization header has no token of the Bearer scheme: send "Bearer <token>".';

export type ProblemCode = keyof typeof PROBLEMS;
export const PROBLEM_CODES = Object.keys(PROBLEMS) as readonly ProblemCode[];

/** The other status of PARTNER_OPERATION_NOT_FOUND: the path is known, with other methods. */
export const METHOD_NOT_ALLOWED_STATUS = 405;
