/** The problems of the operator listener: those that it shares with the partner listener, and its own. */
import { type ProblemKind, PROBLEMS } from '../partner/problems.ts';
import { SUPPLY_PROBLEMS } from './supply-problems.ts';

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
  OPERATOR_OPERATION_NOT_FOUND: {
    status: 404,
    slug: 'operator-operation-not-found',
    title: 'There is no such operation',
    detail: 'No operation of this listener has this method and path.',
    remedy: 'Compare method and path with /openapi.json; on 405 the Allow header lists the methods.',
  },
  ...SUPPLY_PROBLEMS,
  PAYLOAD_TOO_LARGE,
  INTERNAL_ERROR,
  OPERATOR_API_UNAVAILABLE: {
    status: 503,
    slug: 'operator-api-unavailable',
    title: 'The service is temporarily unavailable',
    detail: 'The service can not answer at present.',
    remedy: 'Try again after a short while; the log tells why.',
  },
} as const satisfies Record<string, ProblemKind>;

export type OperatorProblemCode = keyof typeof OPERATOR_PROBLEMS;
export const OPERATOR_PROBLEM_CODES = Object.keys(OPERATOR_PROBLEMS) as readonly OperatorProblemCode[];
