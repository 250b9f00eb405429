/** The results of messages on the wire. */
import { inEnglish } from '../../domain/wrong.ts';
import type { ValidationIssue } from '../../contract/partner/issue-codes.ts';
import { type MessageError, presentErrors } from '../../supply/messages/message-body.ts';
import type { ImportResult } from '../../supply/messages/receive-import.ts';
import type { SupplyDone, SupplyRefused, SupplyResult } from '../../supply/messages/supply-result.ts';
import type { GuardedResponse } from '../../http/answers/guarded-response.ts';
import { JSON_TYPE } from '../../http/answers/answer-headers.ts';
import { presentProblem } from '../../http/answers/present-problem.ts';

const CODES = {
  invalid: 'SUPPLY_VALIDATION_ERROR',
  'mapping-unknown': 'SUPPLY_MAPPING_UNKNOWN',
  'source-mismatch': 'SUPPLY_SOURCE_MISMATCH',
} as const;

export function answerJson(response: GuardedResponse, value: unknown, status: 200 | 201 = 200): void {
  const body = JSON.stringify(value);
  response.answer({ status, mediaType: JSON_TYPE, cacheControl: 'no-store', body });
}

/** Presents header errors of a message in the form of its other errors. */
export function presentHeaderIssues(response: GuardedResponse, issues: readonly ValidationIssue[]): void {
  const errors = issues.map(({ field, detail }) => ({
    pointer: field.replace('header.', ''),
    code: 'HEADER_INVALID',
    detail,
  }));
  presentProblem(response, 'SUPPLY_VALIDATION_ERROR', { errors });
}

/** The body claims to be gzip and is not. */
export function presentBrokenGzip({ response }: { readonly response: GuardedResponse }): void {
  const detail = 'Content-Encoding is gzip, but the body is not a whole gzip stream.';
  const errors: MessageError[] = [{ pointer: '', code: 'BODY_BROKEN', detail }];
  presentProblem(response, 'SUPPLY_VALIDATION_ERROR', { errors });
}

/** The answer to a message of entries. */
export function presentApplied(response: GuardedResponse, result: SupplyResult): void {
  if (result.kind !== 'done') return presentRefused(response, result);
  const { outcome, warnings, errors } = result;
  const { messageId, revision, changed, unchanged } = outcome;
  const left = errors.count === 0 ? {} : { errors: presentErrors(errors) };
  answerJson(response, {
    messageId,
    revision,
    changed,
    unchanged,
    warnings: presentErrors(warnings),
    ...left,
  });
}

/** The answer to a document or a withdrawal. */
export function presentWritten(response: GuardedResponse, result: SupplyResult, propertyId: string): void {
  if (result.kind !== 'done') return presentRefused(response, result);
  const { messageId, revision, changed, isCreated } = result.outcome;
  const warnings = presentErrors(result.warnings);
  const answer = { propertyId, revision, changed: changed > 0, messageId, warnings };
  answerJson(response, answer, isCreated ? 201 : 200);
}

export function presentImported(response: GuardedResponse, result: ImportResult): void {
  if (result.kind === 'key-reused') return presentProblem(response, 'IDEMPOTENCY_KEY_REUSED');
  if (result.kind === 'ended-badly') {
    const errors = [
      { pointer: '', code: 'BODY_INCOMPLETE', detail: `The body ${inEnglish(result.reason)}.` },
    ];
    const detail = 'The body broke off; the documents before that are written. Send it again.';
    return presentProblem(response, 'SUPPLY_VALIDATION_ERROR', { errors, detail });
  }
  const { messageId, revision, changed, unchanged } = result.outcome;
  const { read, created, rejected } = result.counts;
  const warnings = presentErrors(result.warnings);
  answerJson(response, { messageId, revision, changed, unchanged, warnings, read, created, rejected });
}

function presentRefused(response: GuardedResponse, result: Exclude<SupplyResult, SupplyDone>): void {
  if (result.kind === 'key-reused') return presentProblem(response, 'IDEMPOTENCY_KEY_REUSED');
  if (result.kind === 'property-unknown') return presentProblem(response, 'SUPPLY_PROPERTY_NOT_FOUND');
  const { errors } = result;
  presentProblem(response, CODES[result.kind], {
    errors: presentErrors(errors),
    detail: describe(result, errors),
  });
}

function describe({ messageId }: SupplyRefused, { count, named }: SupplyRefused['errors']): string {
  const more = count > named.length ? `, ${named.length} of them named` : '';
  return `Nothing was applied: ${count} ${count === 1 ? 'mistake' : 'mistakes'}${more}. Stored as ${messageId}.`;
}
