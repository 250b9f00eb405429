/** An example body of each problem, with the issues that validation finds in an invalid request. */
import type { ValidationIssue } from '../partner/issue-codes.ts';
import type { Operation } from '../partner/operations.ts';
import type { ProblemCode } from '../partner/problems.ts';
import { makeProblem, type ProblemBody } from '../problem-body.ts';
import { validateBody, validateQuery } from '../reading/validation.ts';
import type { ExampleDates } from '../partner/example-dates.ts';
import { EXAMPLE_CORRELATION_ID } from '../partner/examples.ts';

interface ProblemExampleParts {
  readonly operation: Operation;
  readonly problemsBaseUrl: string;
  readonly dates: ExampleDates;
}

export function buildProblemExample(code: ProblemCode, parts: ProblemExampleParts): ProblemBody {
  const { operation, problemsBaseUrl, dates } = parts;
  return makeProblem(code, {
    problemsBaseUrl,
    correlationId: EXAMPLE_CORRELATION_ID,
    errors: code === 'VALIDATION_ERROR' ? findIssues(operation, dates) : undefined,
    members: operation.examples(dates).problemMembers?.[code],
  });
}

function findIssues(operation: Operation, dates: ExampleDates): readonly ValidationIssue[] {
  const { query, body } = operation.examples(dates).faulty;
  const validated = body === undefined ? validateQuery(operation, query) : validateBody(operation, body);
  return validated.ok ? [] : validated.issues;
}
