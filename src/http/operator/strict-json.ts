/** JSON bodies of the small operations of the operator listener. */
import { findRepeatedKey } from '../../supply/native/json-text.ts';
import type { GuardedResponse } from '../answers/guarded-response.ts';
import { presentProblem } from '../answers/present-problem.ts';
import { parseJsonBody } from '../listener/request-body.ts';

/** The body as JSON; undefined when it was refused: it is no JSON, or a key is ambiguous. */
export function parseStrictJson(
  response: GuardedResponse,
  body: Uint8Array,
): { readonly value: unknown } | undefined {
  const json = parseJsonBody(body);
  if (!json.ok) {
    presentProblem(response, 'INVALID_JSON');
  } else if (findRepeatedKey(new TextDecoder().decode(body)) === undefined) {
    return { value: json.value };
  } else {
    const detail = 'A key appears twice in one object of the body; keep one of them.';
    presentProblem(response, 'INVALID_JSON', { detail });
  }
  return undefined;
}
