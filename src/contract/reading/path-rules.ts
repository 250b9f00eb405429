/** Reads the parameters of a path. */
import { presentIssue } from './field-rules.ts';
import type { ValidationIssue } from '../partner/issue-codes.ts';
import type { Operation } from '../partner/operations.ts';
import { decodePathSegment } from './query-text.ts';
import { buildScalarRule, Refusal, type ScalarValue } from './scalar-rules.ts';

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
