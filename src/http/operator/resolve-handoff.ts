/** POST /handoff/resolve: `{"handoff": "..."}` from the operator's web application, answered with what became of it. */
import type { ValidationIssue } from '../../contract/partner/issue-codes.ts';
import type { HandoffResolution } from '../../quotes/resolve-handoff.ts';
import type { Hook } from '../listener/exchange.ts';
import { tracedWork, withinDeadline } from '../listener/listener.ts';
import { JSON_TYPE } from '../answers/answer-headers.ts';
import { presentIssues, presentProblem } from '../answers/present-problem.ts';
import { parseStrictJson } from './strict-json.ts';

export function resolveHandoffHandler(resolveHandoff: (value: string) => Promise<HandoffResolution>): Hook {
  return async ({ response, body }) => {
    const json = parseStrictJson(response, body);
    if (json === undefined) return;
    const read = readHandoff(json.value);
    if (!read.ok) return presentIssues(response, read.issues);

    const resolve = (): Promise<HandoffResolution> => resolveHandoff(read.handoff);
    const resolution = await withinDeadline(tracedWork(response.trace, resolve));
    if (resolution.refusal !== undefined) return presentProblem(response, resolution.refusal);
    const answer = JSON.stringify(resolution);
    response.answer({ status: 200, mediaType: JSON_TYPE, cacheControl: 'no-store', body: answer });
  };
}

type ReadHandoff =
  | { readonly ok: true; readonly handoff: string }
  | { readonly ok: false; readonly issues: readonly ValidationIssue[] };

/** An object with the text `handoff` and nothing else. */
function readHandoff(value: unknown): ReadHandoff {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { ok: false, issues: [issue('body', 'TYPE_INVALID', 'Must be an object.')] };
  }
  const issues = Object.keys(value)
    .filter((name) => name !== 'handoff')
    .map((name) => issue(name, 'UNKNOWN_FIELD', 'The body has no field of this name at this place.'));
  const handoff: unknown = Object.hasOwn(value, 'handoff') ? Reflect.get(value, 'handoff') : undefined;
  if (handoff === undefined) issues.unshift(issue('handoff', 'REQUIRED', 'The field is missing.'));
  else if (typeof handoff !== 'string') issues.unshift(issue('handoff', 'TYPE_INVALID', 'Must be text.'));
  else if (issues.length === 0) return { ok: true, handoff };
  return { ok: false, issues };
}

function issue(field: string, code: ValidationIssue['code'], detail: string): ValidationIssue {
  return { field, code, detail };
}
