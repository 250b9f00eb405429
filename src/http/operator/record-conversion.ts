/** POST /handoff/conversions: the operator's booking system reports what became of a quote. */
import { buildBodyRule } from '../../contract/reading/validation.ts';
import {
  type RecordConversionRequest,
  RecordConversionRequestSchema,
} from '../../contract/operator/conversion-schemas.ts';
import type { ValidationIssue } from '../../contract/partner/issue-codes.ts';
import { getMoney } from '../../domain/money.ts';
import type { Clock } from '../../runtime/clock.ts';
import {
  CONVERSIONS_PER_QUOTE_MAX,
  type ConversionConflict,
  type ConversionOutcome,
  type ConversionReport,
  type ConversionStore,
} from '../../storage/conversions/store.ts';
import { JSON_TYPE } from '../answers/answer-headers.ts';
import { presentIssues, presentProblem } from '../answers/present-problem.ts';
import { parseStrictJson } from './strict-json.ts';
import type { OperatorExchange, OperatorHook } from './operator-exchange.ts';

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
