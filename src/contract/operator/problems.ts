/** The problems of the operator listener: those that it shares with the partner listener, and its own. */
import { type ProblemKind, PROBLEMS } from '../partner/problems.ts';

const { VALIDATION_ERROR, INVALID_JSON, HANDOFF_INVALID, PAYLOAD_TOO_LARGE, INTERNAL_ERROR } = PROBLEMS;

export const OPERATOR_PROBLEMS = {
  VALIDATION_ERROR,
  INVALID_JSON,
  HANDOFF_INVALID,
  OPERATOR_AUTH_REQUIRED: {
    status: 401,
    slug: 'operator-auth-required',
    title: 'An operator token is required',
    detail: 'The request carries no operator token.',
    remedy: 'Send the token in the header "Authorization: Bearer <token>"; "operator-token issue" makes one.',
  },
  OPERATOR_TOKEN_INVALID: {
    status: 401,
    slug: 'operator-token-invalid',
    title: 'The operator token is not valid',
    detail: 'The operator token is unknown, expired or revoked.',
    remedy: 'Check that the whole token is sent; "operator-token list" shows which ones are in force.',
  },
  OPERATOR_SCOPE_INSUFFICIENT: {
    status: 403,
    slug: 'operator-scope-insufficient',
    title: 'The operator token lacks the scope',
    detail: 'The operator token does not have the scope of this operation.',
    remedy: 'Issue a token that has the scope named in the WWW-Authenticate header.',
  },
  OPERATOR_HOST_NOT_ALLOWED: {
    status: 421,
    slug: 'operator-host-not-allowed',
    title: 'The host name is not one of this listener',
    detail: 'The Host of the request is a DNS name that this listener does not answer.',
    remedy: 'Call it by its address, or add the name to OPERATOR_ALLOWED_HOSTS.',
  },
  CONSOLE_SESSION_REQUIRED: {
    status: 401,
    slug: 'console-session-required',
    title: 'A session of the console is required',
    detail: 'The request carries no session of the console, or one that has ended.',
    remedy: 'Run "stayport console link", open the link in a browser and sign in.',
  },
  CONSOLE_LINK_INVALID: {
    status: 401,
    slug: 'console-link-invalid',
    title: 'The link or passkey does not work',
    detail: 'The link is unknown, used or expired; the passkey is unknown, or did not answer what was asked.',
    remedy:
      'Run "stayport console link" again: a link works once, and for a minute unless --ttl says otherwise. Sign in with it if a passkey does not work.',
  },
  CONSOLE_ROLE_INSUFFICIENT: {
    status: 403,
    slug: 'console-role-insufficient',
    title: 'The role does not include this',
    detail: 'The role of the session may not do this; nothing was changed.',
    remedy:
      'Sign in with a link of a role that may: "stayport console link --role operator" or "--role admin".',
  },
  CONSOLE_SIGN_IN_TOO_OLD: {
    status: 403,
    slug: 'console-sign-in-too-old',
    title: 'The sign-in is too old for this',
    detail: 'What only an administrator may do needs a sign-in of the last 5 minutes; nothing was changed.',
    remedy: 'Sign in again with a passkey or a new link of the role admin, then repeat it.',
  },
  CONSOLE_FORM_REFUSED: {
    status: 403,
    slug: 'console-form-refused',
    title: 'The form was not sent by a page of this session',
    detail: 'Origin or form token are missing or wrong; nothing was changed.',
    remedy: 'Open the page again and send its form.',
  },
  CONSOLE_ACT_REFUSED: {
    status: 422,
    slug: 'console-act-refused',
    title: 'This cannot be done',
    detail: 'Nothing was changed; the detail of the answer says what prevents it.',
    remedy: 'Do what the detail says, then try again.',
  },
  CONSOLE_ATTEMPTS_EXCEEDED: {
    status: 429,
    slug: 'console-attempts-exceeded',
    title: 'Too many wrong links, passkeys or sessions',
    detail: 'More than 20 wrong links, passkeys or sessions came from this address within a minute.',
    remedy: 'Wait for the seconds that Retry-After says.',
  },
  OPERATOR_OPERATION_NOT_FOUND: {
    status: 404,
    slug: 'operator-operation-not-found',
    title: 'There is no such operation',
    detail: 'No operation of this listener has this method and path.',
    remedy: 'Compare method and path with /openapi.json; on 405 the Allow header lists the methods.',
  },
  SUPPLY_VALIDATION_ERROR: {
    status: 400,
    slug: 'supply-validation-error',
    title: 'The message is not valid',
    detail: 'Nothing was applied; errors names each mistake and its place.',
    remedy: 'Correct every entry that errors names, then send the message again.',
    hasErrors: true,
  },
  SUPPLY_MAPPING_UNKNOWN: {
    status: 422,
    slug: 'supply-mapping-unknown',
    title: 'No name of the message is mapped',
    detail: 'Nothing was applied: none of the room types and rate plans is mapped.',
    remedy: 'Run "stayport mapping set" for the names that errors lists, and check the source.',
    hasErrors: true,
  },
  SUPPLY_SOURCE_MISMATCH: {
    status: 403,
    slug: 'supply-source-mismatch',
    title: 'Another source owns this',
    detail: 'Nothing was applied: the token, the document or the price belongs to another source.',
    remedy: "Send with the right token and source, or change the document's owner or the type's priceSource.",
    hasErrors: true,
  },
  SUPPLY_PROPERTY_NOT_FOUND: {
    status: 404,
    slug: 'supply-property-not-found',
    title: 'There is no such property',
    detail: 'No property has this id, or it was withdrawn.',
    remedy: 'Check the id; send the document first.',
  },
  SUPPLY_NOT_FOUND: {
    status: 404,
    slug: 'supply-not-found',
    title: 'The name is not known',
    detail: 'No source, mapping, feed, message or published calendar has this name.',
    remedy: 'Compare the name with the list of its kind.',
  },
  SUPPLY_CONFLICT: {
    status: 409,
    slug: 'supply-conflict',
    title: 'The request conflicts with the present state',
    detail: 'Nothing was changed; the detail of the answer says what prevents it.',
    remedy: 'Do what the detail says, then send the request again.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 409,
    slug: 'idempotency-key-reused',
    title: 'The key was used for another message',
    detail: 'Within 24 hours the same source sent another message with this Idempotency-Key.',
    remedy: 'Use a new key for each new message, and the same one only to repeat it.',
  },
  SUPPLY_REVISION_LOST: {
    status: 409,
    slug: 'supply-revision-lost',
    title: 'The revision is not in the database any more',
    detail: 'The database went back to an earlier state, by a failover or a restore: the revision is lost.',
    remedy: 'Send again the messages that were answered since then; the same Idempotency-Key may be used.',
  },
  SUPPLY_PAYLOAD_TOO_LARGE: {
    status: 413,
    slug: 'supply-payload-too-large',
    title: 'The message is too large',
    detail: 'The body is larger than SUPPLY_BODY_LIMIT_BYTES.',
    remedy: 'Send several smaller messages.',
  },
  QUOTE_NOT_FOUND: {
    status: 404,
    slug: 'quote-not-found',
    title: 'There is no such quote',
    detail: 'No stored quote has this id: it is wrong, or the quote was deleted.',
    remedy:
      'Send the quoteId that /handoff/resolve answered; QUOTE_RETENTION_DAYS says how long quotes are kept.',
  },
  CONVERSION_CONFLICT: {
    status: 409,
    slug: 'conversion-conflict',
    title: 'The reference belongs to another booking',
    detail: 'Nothing was changed; the detail of the answer says what differs.',
    remedy: 'Use one reference for each booking; after a cancellation report a new one.',
  },
  PAYLOAD_TOO_LARGE,
  INTERNAL_ERROR,
  OPERATOR_API_UNAVAILABLE: {
    status: 503,
    slug: 'operator-api-unavailable',
    title: 'The service is temporarily unavailable',
    detail: 'The service cannot answer at present.',
    remedy: 'Try again after a short while; the log has the reason.',
  },
} as const satisfies Record<string, ProblemKind>;

export type OperatorProblemCode = keyof typeof OPERATOR_PROBLEMS;
export const OPERATOR_PROBLEM_CODES = Object.keys(OPERATOR_PROBLEMS) as readonly OperatorProblemCode[];
