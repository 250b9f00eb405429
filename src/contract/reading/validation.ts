/**
 * Turns the raw path, query and body of a request into typed values, or into every issue that they have (SPEC 4).
 *
 * Dates come out as days since 1970-01-01. Issues come in the order of the table of operations, names that it does
 * not have behind them, at most ISSUES_MAX. Never throws, whatever comes in.
 */
import { type BodyRule, buildBodyRule } from './body-rules.ts';
import type { ValidationIssue } from '../partner/issue-codes.ts';
import { OPERATIONS, type Operation, type OperationId } from '../partner/operations.ts';
import { buildPathRule, buildQueryRule, type PathRule, type QueryRule } from './parameter-rules.ts';
import type { BodyValues, PathValues, QueryValues } from '../partner/request-values.ts';

export type Validated<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly issues: readonly ValidationIssue[] };

interface RequestRules {
  readonly path: PathRule;
  readonly query: QueryRule;
  readonly body: BodyRule;
}

const RULES: ReadonlyMap<OperationId, RequestRules> = new Map(
  OPERATIONS.map((operation) => [
    operation.operationId,
    {
      path: buildPathRule(operation),
      query: buildQueryRule(operation),
      body: buildBodyRule(operation.bodySchema),
    },
  ]),
);

/**
 * `rawQuery` is the text after the first `?`, undecoded; empty when there is none. An operation that is not a GET
 * takes any query and reads none of it (SPEC 4).
 */
export function validateQuery<Id extends OperationId>(
  operation: Operation<Id>,
  rawQuery: string,
): Validated<QueryValues[Id]> {
  const issues: ValidationIssue[] = [];
  const value = rulesOf(operation).query(rawQuery, issues);
  return issues.length === 0 ? { ok: true, value: value as QueryValues[Id] } : { ok: false, issues };
}

/** `rawSegments` are the path segments as they came, percent escapes and all, by name of the path parameter. */
export function validatePath<Id extends OperationId>(
  operation: Operation<Id>,
  rawSegments: Readonly<Record<string, string>>,
): Validated<PathValues[Id]> {
  const issues: ValidationIssue[] = [];
  const value = rulesOf(operation).path(rawSegments, issues);
  return issues.length === 0 ? { ok: true, value: value as PathValues[Id] } : { ok: false, issues };
}

/** `body` is what JSON.parse gave (`parseJsonBody`). An operation without a body takes anything and reads nothing. */
export function validateBody<Id extends OperationId>(
  operation: Operation<Id>,
  body: unknown,
): Validated<BodyValues[Id]> {
  const issues: ValidationIssue[] = [];
  const value = rulesOf(operation).body(body, issues);
  return issues.length === 0 ? { ok: true, value: value as BodyValues[Id] } : { ok: false, issues };
}

function rulesOf(operation: Operation): RequestRules {
  const rules = RULES.get(operation.operationId);
  if (rules === undefined) throw new TypeError(`no such operation: ${operation.operationId}`);
  return rules;
}
