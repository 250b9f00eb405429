/**
 * An operation of the operator listener as a row, from which routing, rights, body limits and the OpenAPI document
 * derive. A new operation needs its row, its handler and its test.
 */
import type { TSchema } from 'typebox';
import type { Parameter } from '../partner/parameters.ts';
import type { OperatorProblemCode } from './problems.ts';
import type { OperatorScope } from './operator-scopes.ts';

export interface OperatorOperation<Id extends string = string> {
  readonly operationId: Id;
  /** A path with GET answers HEAD as well. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** OpenAPI path template. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** Undefined: needs no token, and is answered as long as the process runs. */
  readonly scope: OperatorScope | undefined;
  readonly pathParameters?: readonly Parameter[];
  readonly queryParameters?: readonly Parameter[];
  readonly headerParameters?: readonly Parameter[];
  readonly body?: OperatorBody;
  /** At least one. */
  readonly successes: readonly OperatorSuccess[];
  /** The operation's own codes; those of its token and of the listener are added (`problemCodesOf`). */
  readonly problemCodes: readonly OperatorProblemCode[];
}

export interface OperatorBody {
  /** `whole`: read into memory before the handler runs. `stream`: the handler reads `exchange.request` itself. */
  readonly reading: 'whole' | 'stream';
  /** The setting that limits it; without one, its handler limits the stream. */
  readonly limit?: 'BODY_LIMIT_BYTES' | 'SUPPLY_BODY_LIMIT_BYTES';
  readonly tooLargeCode?: OperatorProblemCode;
  /** A body without a media type counts as the first one. */
  readonly mediaTypes: readonly string[];
  readonly schema?: TSchema;
}

export interface OperatorSuccess {
  readonly status: 200 | 201 | 204 | 304;
  readonly description: string;
  /** Absent without a body. */
  readonly mediaType?: string;
  readonly schema?: TSchema;
}

const TOKEN_CODES = [
  'OPERATOR_AUTH_REQUIRED',
  'OPERATOR_TOKEN_INVALID',
  'OPERATOR_SCOPE_INSUFFICIENT',
] as const satisfies readonly OperatorProblemCode[];

/** Every code that an operation can answer, its own first. */
export function problemCodesOf({
  problemCodes,
  scope,
  body,
}: OperatorOperation): readonly OperatorProblemCode[] {
  return [
    ...new Set<OperatorProblemCode>([
      ...problemCodes,
      'VALIDATION_ERROR',
      ...(scope === undefined ? [] : TOKEN_CODES),
      ...(body?.limit === undefined ? [] : [tooLargeCodeOf(body)]),
      'OPERATOR_HOST_NOT_ALLOWED',
      'INTERNAL_ERROR',
      'OPERATOR_API_UNAVAILABLE',
    ]),
  ];
}

export function tooLargeCodeOf({ tooLargeCode }: OperatorBody): OperatorProblemCode {
  return tooLargeCode ?? 'PAYLOAD_TOO_LARGE';
}
