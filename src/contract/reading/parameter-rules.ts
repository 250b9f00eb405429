/** Reads the parameters of a query, and those of a path. */
import {
  applyStayRule,
  findStayPlace,
  presentIssue,
  presentName,
  requirePresence,
  type Slot,
} from './field-rules.ts';
import type { ValidationIssue } from '../partner/issue-codes.ts';
import { ISSUES_MAX } from '../partner/limits.ts';
import type { Operation, OperationId } from '../partner/operations.ts';
import type { Parameter } from '../partner/parameters.ts';
import { decodePathSegment, readQueryText } from './query-text.ts';
import type { QueryValues } from '../partner/request-values.ts';
import { buildScalarRule, Refusal, type ScalarRule, type ScalarValue, trimmed } from './scalar-rules.ts';

/** The query of the operation when nothing was added to `issues`; undefined otherwise. */
export type QueryRule = (rawQuery: string, issues: ValidationIssue[]) => QueryValues[OperationId] | undefined;

export function buildQueryRule(operation: Operation): QueryRule {
  if (operation.method !== 'GET') return () => ({});
  const { parameters, present } = operation.query;
  const names = parameters.map(({ name }) => name);
  const rules = parameters.map(parameterRule);
  const indexByName = new Map(names.map((name, index) => [name, index]));
  const stayPlace = findStayPlace(operation.stayRule, names);
  const fallbacks = parameters.map(({ fallback }) => fallback);
  return (rawQuery, issues) => {
    const { values: slots, unknownNames } = readQueryText(rawQuery, indexByName, ISSUES_MAX);
    readSlots(slots, rules);
    requirePresence(slots, parameters);
    applyStayRule(slots, stayPlace);
    reportSlots(slots, names, issues);
    for (const [name, refusal] of unknownNames) {
      if (issues.length < ISSUES_MAX) issues.push(presentIssue(presentName(name), refusal));
    }
    return issues.length === 0 ? present(fillIn(slots, fallbacks)) : undefined;
  };
}

function parameterRule(parameter: Parameter): ScalarRule {
  const rule = buildScalarRule(parameter.schema);
  return parameter.trimmed === true ? trimmed(rule) : rule;
}

/** Replaces each text by its value or by why it is refused. */
function readSlots(slots: Slot[], rules: readonly ScalarRule[]): void {
  for (let index = 0; index < rules.length; index += 1) {
    const text = slots[index];
    if (typeof text === 'string') slots[index] = rules[index]?.readText(text);
  }
}

function reportSlots(slots: readonly Slot[], names: readonly string[], issues: ValidationIssue[]): void {
  for (let index = 0; index < names.length; index += 1) {
    const slot = slots[index];
    if (slot instanceof Refusal) issues.push(presentIssue(names[index] ?? '', slot));
  }
}

/** Values that their schemas admit by now, and the default wherever a parameter was absent. */
function fillIn(slots: readonly Slot[], fallbacks: readonly unknown[]): unknown[] {
  return slots.map((slot, index) => slot ?? fallbacks[index]);
}

/** Values by name; what is wrong is added to `issues`. */
export type PathRule = (
  rawSegments: Readonly<Record<string, string>>,
  issues: ValidationIssue[],
) => Record<string, ScalarValue>;

const malformed = new Refusal('FORMAT_INVALID', 'Must be percent-encoded UTF-8.');

export function buildPathRule(operation: Operation): PathRule {
  const fields = operation.pathParameters.map(({ name, schema }) => ({
    name,
    rule: buildScalarRule(schema),
  }));
  return (rawSegments, issues) => {
    const values: Record<string, ScalarValue> = {};
    for (const { name, rule } of fields) {
      const text = decodePathSegment(rawSegments[name] ?? '');
      const read = text === undefined ? malformed : rule.readText(text);
      if (read instanceof Refusal) issues.push(presentIssue(name, read));
      else values[name] = read;
    }
    return values;
  };
}
