/** Rules of every answer of a listener; tests apply them to all answers that they receive. */
import assert from 'node:assert/strict';
import { type AnyProblemCode, problemKindOf } from '../../src/contract/problem-body.ts';
import type { RawAnswer } from './raw-client.ts';

/** Any other header comes from a library, or from a mistake. */
const HEADER_NAMES: ReadonlySet<string> = new Set([
  'x-correlation-id',
  'cache-control',
  'vary',
  'content-type',
  'content-length',
  'x-content-type-options',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'retry-after',
  'location',
  'www-authenticate',
  'allow',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'access-control-allow-methods',
  'access-control-allow-headers',
  'access-control-max-age',
  // By node.
  'date',
  'connection',
  'keep-alive',
]);

/** Headers of pages, which are successes. */
const PAGE_HEADER_NAMES: ReadonlySet<string> = new Set([
  'x-frame-options',
  'referrer-policy',
  'content-security-policy',
  'permissions-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'content-encoding',
]);

/** The exact type, nosniff, the correlation id in header and body, no-store, and a status that fits the code (SPEC 7). */
export function assertWellFormed(answer: RawAnswer, context: string, isHead = false): void {
  if (answer.status < 200) return;
  for (const name of answer.headers.keys()) {
    const isListed = HEADER_NAMES.has(name) || (answer.status < 400 && PAGE_HEADER_NAMES.has(name));
    assert.ok(isListed, `${context}: header ${name}`);
  }
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff', `${context}: nosniff`);
  const correlationId = answer.headers.get('x-correlation-id');
  assert.match(correlationId ?? '', /^[\w-]{8,}$/, `${context}: correlation id`);
  assert.ok(answer.headers.has('date'), `${context}: date`);
  if (answer.status < 400) return;
  assert.equal(answer.headers.get('content-type'), 'application/problem+json', `${context}: type`);
  assert.equal(answer.headers.get('cache-control'), 'no-store', context);
  if (isHead) return;
  const problem = JSON.parse(answer.body) as Record<string, unknown>;
  assert.equal(problem['correlationId'], correlationId, context);
  assert.equal(problem['status'], answer.status, context);
  const code = problem['code'] as AnyProblemCode;
  const kind: ReturnType<typeof problemKindOf> | undefined = problemKindOf(code);
  assert.ok(kind !== undefined, `${context}: code ${code}`);
  assert.equal(Array.isArray(problem['errors']), kind.hasErrors === true, context);
  const isMethodNotAllowed = code.endsWith('OPERATION_NOT_FOUND') && answer.status === 405;
  if (!isMethodNotAllowed) assert.equal(answer.status, kind.status, context);
}

/** The one answer of an exchange that must have exactly one. */
export function onlyAnswer(answers: readonly RawAnswer[], context: string): RawAnswer {
  const final = answers.filter(({ status }) => status >= 200);
  assert.equal(final.length, 1, `${context}: one answer, got ${final.map((a) => a.statusLine).join(' | ')}`);
  return final[0]!;
}

/** `CODE field` of a problem; fields only for validation errors. */
export function summaryOf({ body }: RawAnswer): string {
  const problem = JSON.parse(body) as { code: string; errors?: { field: string; code: string }[] };
  return [problem.code, ...(problem.errors ?? []).map(({ field, code }) => `${field}=${code}`)].join(' ');
}
