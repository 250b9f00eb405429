/** How the body of a problem is built, whichever listener answers with it (SPEC 2, RFC 9457). */
import { OPERATOR_PROBLEMS, type OperatorProblemCode } from './operator/problems.ts';
import { type ProblemCode, type ProblemKind, PROBLEMS } from './partner/problems.ts';

export type AnyProblemCode = ProblemCode | OperatorProblemCode;

/** One entry of `errors`; its other members are the code's own. */
export interface ProblemIssue {
  readonly code: string;
  readonly detail: string;
}

export interface ProblemParts {
  /** Without a slash at its end. */
  readonly problemsBaseUrl: string;
  readonly correlationId: string;
  /** Replaces the code's usual detail. For people; never internal information. */
  readonly detail?: string | undefined;
  /** At least one with a code that has errors, and none with any other code. */
  readonly errors?: readonly ProblemIssue[] | undefined;
  /** Beside those of every problem, where the operation's answers have such. */
  readonly members?: object | undefined;
  /** 405 for an unknown operation; every other code has its one status. */
  readonly status?: number | undefined;
}

/** A Problem, or a ValidationProblem when it has `errors`. */
export interface ProblemBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: AnyProblemCode;
  readonly correlationId: string;
  readonly errors?: readonly ProblemIssue[];
}

const KINDS: Readonly<Record<AnyProblemCode, ProblemKind>> = { ...OPERATOR_PROBLEMS, ...PROBLEMS };

export function problemKindOf(code: AnyProblemCode): ProblemKind {
  return KINDS[code];
}

/** The body of a problem answer. Throws when `errors` and the code do not fit together: that is a bug. */
export function makeProblem(code: AnyProblemCode, parts: ProblemParts): ProblemBody {
  const kind = KINDS[code];
  assertErrorsFit(code, kind, parts.errors);
  return {
    type: `${parts.problemsBaseUrl}/${kind.slug}`,
    title: kind.title,
    status: parts.status ?? kind.status,
    detail: parts.detail ?? kind.detail,
    code,
    correlationId: parts.correlationId,
    ...(parts.errors === undefined ? {} : { errors: parts.errors }),
    ...parts.members,
  };
}

/** The same as JSON text. */
export function formatProblem(code: AnyProblemCode, parts: ProblemParts): string {
  return JSON.stringify(makeProblem(code, parts));
}

function assertErrorsFit(
  code: AnyProblemCode,
  kind: ProblemKind,
  errors: readonly ProblemIssue[] | undefined,
): void {
  const hasErrors = kind.hasErrors === true;
  const areGiven = errors !== undefined && errors.length > 0;
  if (hasErrors !== areGiven) throw new TypeError(`${code} ${hasErrors ? 'needs' : 'takes no'} errors`);
}
