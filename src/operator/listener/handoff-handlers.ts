/** Handlers of handoffs: the operator's web application resolves them, its booking system reports bookings. */
import { buildBodyRule } from '../../contract/reading/validation.ts';
import {
  type RecordConversionRequest,
  RecordConversionRequestSchema,
} from '../../contract/operator/handoff-schemas.ts';
import type { ValidationIssue } from '../../contract/partner/issue-codes.ts';
import { getMoney } from '../../domain/money.ts';
import type { Clock } from '../../runtime/clock.ts';
import {
  type ConversionConflict,
  type ConversionOutcome,
  type ConversionReport,
  CONVERSIONS_PER_QUOTE_MAX,
  type ConversionStore,
} from '../../storage/conversions/store.ts';
import { JSON_TYPE } from '../../http/answers/answer-headers.ts';
import { presentIssues, presentProblem } from '../../http/answers/present-problem.ts';
import type { OperatorExchange, OperatorHook } from './operator-exchange.ts';
import type { HandoffResolution } from '../../partner/quotes/resolve-handoff.ts';
import type { Hook } from '../../http/listener/exchange.ts';
import { tracedWork, withinDeadline } from '../../http/listener/listener.ts';
import { findRepeatedKey } from '../../supply/native/json-text.ts';
import type { GuardedResponse } from '../../http/answers/guarded-response.ts';
import { parseJsonBody } from '../../http/listener/request-body.ts';

/** POST /handoff/resolve: `{"handoff": "..."}`, answered with what became of it. */
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

// POST /handoff/conversions: a report of what became of a quote.

export interface RecordConversionDeps {
  readonly conversions: Pick<ConversionStore, 'recordConversion'>;
  readonly clock: Clock;
}

const readBody = buildBodyRule(RecordConversionRequestSchema);

const CONFLICTS: Readonly<Record<ConversionConflict, string>> = {
  otherQuote: 'The reference belongs to another quote. Use one reference for each booking.',
  otherTotal:
    'The reference was reported with another total or currency. Cancel it, and report a new reference.',
  tooMany: `The quote has ${CONVERSIONS_PER_QUOTE_MAX} references already. Report further bookings of another quote.`,
  cancelledBefore: 'The reference was cancelled. Report the new booking under a new reference.',
};

export function recordConversionHandler({ conversions, clock }: RecordConversionDeps): OperatorHook {
  return async (exchange) => {
    const report = readReport(exchange, clock());
    if (report === undefined) return;
    const outcome = await conversions.recordConversion(report);
    if (outcome.kind === 'recorded' || outcome.kind === 'known') {
      const { quoteId, reference, status } = report;
      const body = JSON.stringify({ quoteId, reference, status, recorded: outcome.kind === 'recorded' });
      return exchange.response.answer({ status: 200, mediaType: JSON_TYPE, cacheControl: 'no-store', body });
    }
    refuse(exchange, outcome);
  };
}

function refuse(
  { response }: OperatorExchange,
  outcome: Exclude<ConversionOutcome, { readonly kind: 'recorded' | 'known' }>,
): void {
  switch (outcome.kind) {
    case 'quoteUnknown':
      return presentProblem(response, 'QUOTE_NOT_FOUND');
    case 'currencyDiffers': {
      const detail = `Must be ${outcome.currency}, the currency of the quote.`;
      return presentIssues(response, [{ field: 'currency', code: 'NOT_ALLOWED', detail }]);
    }
    case 'conflict':
      return presentProblem(response, 'CONVERSION_CONFLICT', { detail: CONFLICTS[outcome.reason] });
  }
}

/** Undefined when it was refused. */
function readReport({ response, body }: OperatorExchange, atMs: number): ConversionReport | undefined {
  const json = parseStrictJson(response, body);
  if (json === undefined) return undefined;
  const issues: ValidationIssue[] = [];
  const request = readBody(json.value, issues) as RecordConversionRequest;
  if (issues.length === 0) issues.push(...findHalfAmount(request));
  if (issues.length > 0) {
    presentIssues(response, issues);
    return undefined;
  }
  const { quoteId, reference, status, total, currency } = request;
  const isTold = total !== undefined && currency !== undefined;
  return {
    quoteId,
    reference,
    status,
    atMs,
    total: isTold ? Number(getMoney(total)) : null,
    currency: isTold ? currency : null,
  };
}

/** An amount without its currency says nothing, nor does a currency without an amount. */
function findHalfAmount({ total, currency }: RecordConversionRequest): readonly ValidationIssue[] {
  if ((total === undefined) === (currency === undefined)) return [];
  const field = total === undefined ? 'total' : 'currency';
  return [{ field, code: 'REQUIRED', detail: 'total and currency go together: this one is missing.' }];
}

/** The body as JSON; undefined when it was refused: it is no JSON, or a key is ambiguous. */
function parseStrictJson(
  response: GuardedResponse,
  body: Uint8Array,
): { readonly value: unknown } | undefined {
  const json = parseJsonBody(body);
  if (!json.ok) {
    presentProblem(response, 'INVALID_JSON');
  } else if (findRepeatedKey(json.text) === undefined) {
    return { value: json.value };
  } else {
    const detail = 'A key appears twice in one object of the body; keep one of them.';
    presentProblem(response, 'INVALID_JSON', { detail });
  }
  return undefined;
}
