/**
 * The problems of the partner listener (SPEC 7), one row each: meaning, operations, remedy. Schemas, the OpenAPI
 * document, the pages and the tables of `docs/contract.md` derive from the rows.
 */
import type { OperationId } from './request-values.ts';
import type { SampleCall } from './sample-calls.ts';

/** Shared by both listeners for answering with a problem. */
export interface ProblemKind {
  /** A second status exists for PARTNER_OPERATION_NOT_FOUND only: 405 when the path is known. */
  readonly status: number;
  readonly slug: string;
  readonly title: string;
  /** `detail`, unless the sender is more precise. Never internal. */
  readonly detail: string;
  /** The partner's remedy, for the page of `type`. */
  readonly remedy: string;
  /** The problem lists each mistake in `errors`. */
  readonly hasErrors?: true;
}

interface PartnerProblem extends ProblemKind {
  /** Its schema in the OpenAPI document, shared by codes of one status; null without an operation. */
  readonly family: ProblemFamily | null;
  readonly operations: readonly OperationId[] | 'every';
  /** `priceStays` tells it of a property in its answer. */
  readonly isToldOfStays?: true;
  /** Checks, the most likely cause first. */
  readonly checks: readonly string[];
  /** Whether the request may be sent again. */
  readonly retry: string;
  /** Gets this problem with a test token; a test runs each in every language of the pages. */
  readonly testCall: SampleCall;
}

/** A schema of the OpenAPI document, and the answers that have it. */
export interface ProblemSchemaRow {
  readonly description: string;
  /** Description of these answers; that of the schema unless given. */
  readonly answer?: string;
  /** The component of these answers, if they are equal for every operation. */
  readonly component?: string;
}

/** Schemas by name; each allows the codes of its rows. */
export const PROBLEM_FAMILIES = {
  ValidationProblem: {
    description: 'A problem that names each field at fault.',
    answer: 'The request is not valid.',
  },
  InvalidJsonProblem: { description: 'The body of the request is not JSON.' },
  UnauthorizedProblem: {
    description: 'The credential is missing, not valid, or revoked.',
    component: 'Unauthorized',
  },
  ForbiddenProblem: {
    description: 'The credential lacks the scope, or the browser origin is not authorised.',
    component: 'Forbidden',
  },
  PropertyNotFoundProblem: {
    description: 'The property is unknown to this partner.',
    answer: 'The property does not exist or is not offered to this partner.',
    component: 'PropertyNotFound',
  },
  QuoteConflictProblem: { description: 'The stay is not available, or no quote can be made for it.' },
  PayloadTooLargeProblem: {
    description: 'The body of the request is too large.',
    answer: 'The body is larger than the service accepts.',
  },
  RateLimitProblem: {
    description: 'A request limit is used up.',
    answer: 'A request limit is used up. Wait as long as Retry-After says.',
    component: 'TooManyRequests',
  },
  InternalErrorProblem: {
    description: 'Unexpected error; internal details are never shown.',
    answer: 'Unexpected error. Internal details are never shown.',
    component: 'InternalError',
  },
  UnavailableProblem: {
    description: 'The service is temporarily unavailable.',
    component: 'Unavailable',
  },
  FeedCursorInvalidProblem: { description: 'The cursor is not one of this partner.' },
  FeedCursorResetProblem: { description: 'What changed since the cursor can no longer be told.' },
} as const satisfies Record<string, ProblemSchemaRow>;
export type ProblemFamily = keyof typeof PROBLEM_FAMILIES;

/** Schemas of one operation's problems that say more than those of their family; `problem-schemas.ts` adds the members. */
export const PROBLEM_VARIANTS = {
  StayConflictProblem: {
    family: 'QuoteConflictProblem',
    operation: 'getStayOffer',
    description:
      'The stay is not available, or no quote can be made for it: why, and which stays can be had instead.',
  },
} as const satisfies Record<
  string,
  ProblemSchemaRow & { readonly family: ProblemFamily; readonly operation: OperationId }
>;

/** Schemas of answers that have several families, in the order above; the code says which. */
export const PROBLEM_UNIONS = {
  QuoteBadRequestProblem: {
    families: ['ValidationProblem', 'InvalidJsonProblem'],
    description: 'The request has fields at fault, or its body is not JSON at all.',
    answer: 'The request is not valid.',
  },
  FeedBadRequestProblem: {
    families: ['ValidationProblem', 'FeedCursorInvalidProblem'],
    description: 'The request has fields at fault, or its cursor is not one of this partner.',
    answer: 'The request is not valid.',
  },
} as const satisfies Record<string, ProblemSchemaRow & { readonly families: readonly ProblemFamily[] }>;

const UNCHANGED = 'Not unchanged: the same request gets the same answer.';
const SEARCH = '$URL/v1/properties?city=Testville';
const QUOTES = '$URL/v1/quotes';
const CHANGES = '$URL/feeds/v1/changes';
/** A test token with every scope, for operations beside the contract. */
const FULL_TOKEN = '$FULL_TEST_TOKEN';
const JSON_TYPE = 'application/json';
const STAY = 'checkIn=$CHECK_IN&checkOut=$CHECK_OUT';

/** Token of the operator's only test call. */
export const OPERATOR_TOKEN = '$OPERATOR_TOKEN';

/** The first call of /docs/testing: it finds test properties. */
export const FIRST_TEST_CALL: SampleCall = call(SEARCH);

export const PROBLEMS = {
  VALIDATION_ERROR: {
    status: 400,
    slug: 'validation-error',
    family: 'ValidationProblem',
    operations: 'every',
    title: 'The request is not valid',
    detail: 'One or more fields of the request are not valid; see errors.',
    remedy: 'Correct every field that errors names, then send the request again.',
    hasErrors: true,
    checks: [
      'Read `errors`: each entry names a field, a code and what is expected.',
      'Compare the names of parameters and fields letter by letter; `checkIn` is not `checkin`.',
      'Are `checkIn` and `checkOut` both there, as `YYYY-MM-DD`, the second after the first?',
      'A `field` that begins with `header.` or `request` is about the HTTP message itself.',
    ],
    retry: UNCHANGED,
    testCall: call('$URL/v1/properties?citi=Testville'),
  },
  INVALID_JSON: {
    status: 400,
    slug: 'invalid-json',
    family: 'InvalidJsonProblem',
    operations: ['createPartnerQuote', 'createStayQuote', 'priceStays'],
    title: 'The body is not JSON',
    detail: 'The request body is not valid JSON in UTF-8.',
    remedy: 'Send one JSON object, encoded in UTF-8, as the body.',
    checks: [
      'Is the body there, complete, and in UTF-8 without a byte-order mark?',
      'Is it written by a JSON library? Single quotes, comments and trailing commas are not JSON.',
      'In a shell, are the quotes of the body kept together?',
    ],
    retry: UNCHANGED,
    testCall: call(QUOTES, { body: { mediaType: JSON_TYPE, text: '{' } }),
  },
  PARTNER_AUTH_REQUIRED: {
    status: 401,
    slug: 'partner-auth-required',
    family: 'UnauthorizedProblem',
    operations: 'every',
    title: 'A partner credential is required',
    detail: 'The request carries no partner token.',
    remedy: 'Send the token in the header "Authorization: Bearer <token>".',
    checks: [
      'Is the header `Authorization` sent, and does a proxy of yours let it through?',
      'Does it begin with the scheme, `Bearer`, and a blank?',
      'Is the variable that should hold the token empty?',
    ],
    retry: UNCHANGED,
    testCall: { url: SEARCH },
  },
  INVALID_PARTNER_CREDENTIAL: {
    status: 401,
    slug: 'invalid-partner-credential',
    family: 'UnauthorizedProblem',
    operations: 'every',
    title: 'The partner credential is not valid',
    detail: 'The partner token is unknown or has expired.',
    remedy: 'Check that the whole token is sent; ask the operator for a new one if it has expired.',
    checks: [
      'Is the whole token sent, without a line break at its end?',
      'Is it a token of this service, and not of another environment?',
      'Has it expired? The operator knows, and can issue another.',
    ],
    retry: UNCHANGED,
    testCall: call(SEARCH, { token: 'sp_test_wrong' }),
  },
  PARTNER_ACCESS_REVOKED: {
    status: 401,
    slug: 'partner-access-revoked',
    family: 'UnauthorizedProblem',
    operations: 'every',
    title: 'Access was revoked',
    detail: 'The partner token or its partner is no longer admitted.',
    remedy: 'Ask the operator for a new credential.',
    checks: ['Was the token replaced by a newer one? Use that.', 'Otherwise ask the operator.'],
    retry: UNCHANGED,
    testCall: forced('revoked'),
  },
  PARTNER_SCOPE_INSUFFICIENT: {
    status: 403,
    slug: 'partner-scope-insufficient',
    family: 'ForbiddenProblem',
    operations: 'every',
    title: 'The credential lacks the scope',
    detail: 'The partner token does not have the scope of this operation.',
    remedy: 'Ask the operator for a credential that has the scope named in the WWW-Authenticate header.',
    checks: ['The header `WWW-Authenticate` names the scope that is missing. Ask the operator for it.'],
    retry: UNCHANGED,
    testCall: call(`$URL/v1/properties/test-always/availability?${STAY}`, {
      token: '$NARROW_TEST_TOKEN',
    }),
  },
  ORIGIN_NOT_ALLOWED: {
    status: 403,
    slug: 'origin-not-allowed',
    family: 'ForbiddenProblem',
    operations: 'every',
    title: 'The browser origin is not authorised',
    detail: 'The Origin of the request is not on the list of this partner.',
    remedy: 'Call from a server, or ask the operator to add the origin.',
    checks: [
      'Do you call from a browser? Call from your server instead: anybody can read a token in a browser.',
      'Does your server forward the header `Origin` of its own callers? Leave it out.',
    ],
    retry: UNCHANGED,
    testCall: call(SEARCH, { header: ['Origin', 'https://not-listed.example'] }),
  },
  PROPERTY_NOT_FOUND: {
    status: 404,
    slug: 'property-not-found',
    family: 'PropertyNotFoundProblem',
    operations: [
      'getPartnerProperty',
      'getPartnerPropertyAvailability',
      'createPartnerQuote',
      'createStayQuote',
      'getPropertyContent',
      'getPriceCalendar',
      'getStayOffer',
    ],
    isToldOfStays: true,
    title: 'Property not found',
    detail: 'The property does not exist or is not offered to this partner.',
    remedy: 'Take propertyId from a search of this partner; properties can be withdrawn at any time.',
    checks: [
      'Is the identifier exactly as a search gave it? Upper and lower case differ.',
      'Does a search with the same token still show it? It may have been withdrawn.',
    ],
    retry: 'Not soon: search again instead.',
    testCall: call('$URL/v1/properties/test-hidden'),
  },
  PARTNER_OPERATION_NOT_FOUND: {
    status: 404,
    slug: 'partner-operation-not-found',
    family: null,
    operations: [],
    title: 'There is no such operation',
    detail: 'No operation has this method and path.',
    remedy: 'Compare method and path with the API description; on 405 the Allow header lists the methods.',
    checks: [
      'Does the path begin with `/v1/`, behind the whole base address?',
      'Is there a slash at its end, or an empty part in it?',
      'On 405, the header `Allow` names the methods that the path has.',
    ],
    retry: UNCHANGED,
    testCall: call('$URL/v1/nothing'),
  },
  STAY_UNAVAILABLE: {
    status: 409,
    slug: 'stay-unavailable',
    family: 'QuoteConflictProblem',
    operations: ['createPartnerQuote', 'createStayQuote', 'getStayOffer'],
    isToldOfStays: true,
    title: 'The stay is not available',
    detail: 'No inventory type of the property can host this stay at present.',
    remedy: 'Ask for the availability of the property, or choose other dates or fewer guests.',
    checks: [
      'Ask for the availability of the same stay: `days` shows which nights are open.',
      'Is the stay in the past, or too far ahead? Then `detail` says so.',
      'Try other dates, more nights or fewer guests: operators set minimum and maximum stays.',
    ],
    retry: 'Only when the traveller asks again: a room may become free.',
    testCall: quote('test-sold-out'),
  },
  QUOTE_UNAVAILABLE: {
    status: 409,
    slug: 'quote-unavailable',
    family: 'QuoteConflictProblem',
    operations: ['createPartnerQuote', 'createStayQuote', 'getStayOffer'],
    isToldOfStays: true,
    title: 'No quote can be made',
    detail: 'No indicative quote can be made for this property and stay.',
    remedy: 'Choose another property; this one gives no quotes for the stay.',
    checks: [
      'The stay is free, but has no price here: some operators quote on request only.',
      'Show the property without a price, or choose another one.',
    ],
    retry: 'Not soon: the stay has no rate, or the operator gives no quotes.',
    testCall: quote('test-quote-unavailable'),
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    slug: 'payload-too-large',
    family: 'PayloadTooLargeProblem',
    operations: ['createPartnerQuote', 'createStayQuote', 'priceStays'],
    title: 'The body is too large',
    detail: 'The request body is larger than the service accepts.',
    remedy: 'Send only the fields of the operation.',
    checks: ['A quote request has three fields and some 150 bytes. What else do you send?'],
    retry: UNCHANGED,
    testCall: call(QUOTES, { body: { mediaType: JSON_TYPE, byteCount: 20_000 } }),
  },
  RATE_LIMIT_EXCEEDED: {
    status: 429,
    slug: 'rate-limit-exceeded',
    family: 'RateLimitProblem',
    operations: 'every',
    title: 'Too many requests',
    detail: 'The request limit of the current 60-second window is used up.',
    remedy: 'Wait as many seconds as Retry-After says.',
    checks: [
      'Wait as many seconds as `Retry-After` says; it is authoritative.',
      'Do several of your processes share one token, or one address? They share its limit.',
      'Keep catalogue answers for their 60 seconds instead of asking again.',
      'Is your traffic really higher than your quota? Ask the operator for another quota.',
    ],
    retry: 'Yes, after `Retry-After`.',
    testCall: forced('rate-limited'),
  },
  INTERNAL_ERROR: {
    status: 500,
    slug: 'internal-error',
    family: 'InternalErrorProblem',
    operations: 'every',
    title: 'Unexpected error',
    detail: 'The service met an unexpected error.',
    remedy: 'Try again later; give correlationId to the operator if it goes on.',
    checks: ['Not your mistake. Give the `correlationId` to the operator if it lasts.'],
    retry: 'Yes, after 1, 2, 4 and 8 seconds, then give up.',
    testCall: forced('internal-error'),
  },
  PARTNER_API_UNAVAILABLE: {
    status: 503,
    slug: 'partner-api-unavailable',
    family: 'UnavailableProblem',
    operations: 'every',
    title: 'The service is temporarily unavailable',
    detail: 'The service cannot answer at present.',
    remedy: 'Try again after a short while.',
    checks: ['Not your mistake: the service is starting, stopping, or waiting for its database.'],
    retry: 'Yes, after `Retry-After`, or else after 1, 2, 4 and 8 seconds.',
    testCall: forced('unavailable'),
  },
  FEED_CURSOR_INVALID: {
    status: 400,
    slug: 'feed-cursor-invalid',
    family: 'FeedCursorInvalidProblem',
    operations: ['listChanges'],
    title: 'The cursor is not valid',
    detail: 'The cursor in since was not given to this partner by this service, or has been altered.',
    remedy: 'Send next of an earlier answer unchanged, or begin without since and read the catalogue again.',
    checks: [
      'Is the whole cursor stored, and sent as it came? It is opaque, and may be 400 characters long.',
      'Was it given to another partner, or to a token of the other kind, test or live?',
      'Is `since` sent without a value? Leave it out to begin.',
      'Otherwise the operator has removed the key of the cursor.',
    ],
    retry: 'Not unchanged: begin without `since`, and read the catalogue again.',
    testCall: call(`${CHANGES}?since=not-a-cursor`, { token: FULL_TOKEN }),
  },
  FEED_CURSOR_RESET: {
    status: 410,
    slug: 'feed-cursor-reset',
    family: 'FeedCursorResetProblem',
    operations: ['listChanges'],
    title: 'The cursor no longer works',
    detail: 'What changed since this cursor can no longer be told.',
    remedy: 'Begin without since, read the catalogue again, then follow from the new cursor.',
    checks: [
      'Is the cursor older than the operator keeps changes?',
      'Otherwise the operator restored or replaced the database, or retired the key of the cursor.',
    ],
    retry: 'Not unchanged: begin without `since`, and read the catalogue again.',
    testCall: call(`${CHANGES}?since=test-expired`, { token: FULL_TOKEN }),
  },
  HANDOFF_INVALID: {
    status: 400,
    slug: 'handoff-invalid',
    family: null,
    operations: [],
    title: 'The handoff value is not valid',
    detail: 'The handoff value was not issued by this service or has been altered.',
    remedy: 'Use the handoff URL of a quote unchanged.',
    checks: [
      'No operation for partners gives this problem; it is what a traveller with a damaged link leads to.',
      'Is the whole `handoffUrl` passed on, unchanged, not shortened and not encoded twice?',
    ],
    retry: 'With a new quote.',
    testCall: call('$OPERATOR_URL/handoff/resolve', {
      token: OPERATOR_TOKEN,
      body: { mediaType: JSON_TYPE, json: { handoff: 'x' } },
    }),
  },
} as const satisfies Record<string, PartnerProblem>;

/** Detail of PARTNER_AUTH_REQUIRED for an Authorization header without a possible token. */
export const NO_BEARER_DETAIL =
  'The Authorization header has no token of the Bearer scheme: send "Bearer <token>".';

export type ProblemCode = keyof typeof PROBLEMS;
export const PROBLEM_CODES = Object.keys(PROBLEMS) as readonly ProblemCode[];

export type StayCode = {
  [Code in ProblemCode]: (typeof PROBLEMS)[Code] extends { readonly isToldOfStays: true } ? Code : never;
}[ProblemCode];
export const STAY_CODES = PROBLEM_CODES.filter(
  (code): code is StayCode => rowOfProblem(code).isToldOfStays === true,
);

/** In the order of the table. */
export function codesOfOperation(operationId: OperationId): readonly ProblemCode[] {
  return PROBLEM_CODES.filter((code) => {
    const { operations } = rowOfProblem(code);
    return operations === 'every' || operations.includes(operationId);
  });
}

export function rowOfProblem(code: ProblemCode): PartnerProblem {
  return PROBLEMS[code];
}

/** The other status of PARTNER_OPERATION_NOT_FOUND: the path is known, with other methods. */
export const METHOD_NOT_ALLOWED_STATUS = 405;

function call(url: string, more: Omit<SampleCall, 'url'> = {}): SampleCall {
  return { url, token: '$TEST_TOKEN', ...more };
}

function forced(answer: string): SampleCall {
  return call(SEARCH, { header: ['Stayport-Test', answer] });
}

function quote(propertyId: string): SampleCall {
  const stay = { checkIn: '$CHECK_IN', checkOut: '$CHECK_OUT', guests: 2 };
  return call(QUOTES, { body: { mediaType: JSON_TYPE, json: { propertyId, stay, locale: 'en-GB' } } });
}
