/** What the two operations on one property have in common. */
import type { ValidationIssue } from '../../contract/partner/issue-codes.ts';
import type { Validated } from '../../contract/reading/validation.ts';

/** All issues of path and query together, the path's first. */
export function issuesOf(...parts: readonly Validated<unknown>[]): readonly ValidationIssue[] {
  return parts.flatMap((part) => (part.ok ? [] : part.issues));
}
