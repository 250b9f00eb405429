/** POST /v1/quotes (SPEC 4.4). */
import { parseJsonBody } from '../../contract/reading/json-body.ts';
import { createPartnerQuote } from '../../contract/partner/operations.ts';
import { validateBody } from '../../contract/reading/validation.ts';
import { tracedWork } from '../../observability/tracing/tracing.ts';
import type { CreatedQuote, UnofferedNights } from '../../quotes/create-quote.ts';
import { withinDeadline } from '../answers/answer-deadline.ts';
import { getBackend, getCredential, type PartnerHook } from '../hooks/partner-exchange.ts';
import { JSON_TYPE } from '../answers/media-types.ts';
import { presentIssues, presentProblem } from '../answers/present-problem.ts';

const UNOFFERED_DETAILS: Readonly<Record<UnofferedNights, string>> = {
  past: 'The stay begins in the past, in the timezone of the property.',
  'beyond-horizon': 'The stay goes beyond the nights that are offered so far ahead.',
};

export function createQuoteHandler(): PartnerHook {
  const { cacheControl, successStatus: status } = createPartnerQuote;
  return async (exchange) => {
    const { response } = exchange;
    const json = parseJsonBody(exchange.body);
    if (!json.ok) return presentProblem(response, 'INVALID_JSON');
    const valid = validateBody(createPartnerQuote, json.value);
    if (!valid.ok) return presentIssues(response, valid.issues);

    const { propertyId, stay, locale } = valid.value;
    const { partnerId, credentialId } = getCredential(exchange);
    const create = (): Promise<CreatedQuote> =>
      getBackend(exchange).createQuote({ propertyId, ...stay, locale, partnerId, credentialId });
    const created = await withinDeadline(tracedWork(response.trace, create));
    if (created.refusal !== undefined) {
      const detail = created.reason === undefined ? undefined : UNOFFERED_DETAILS[created.reason];
      return presentProblem(response, created.refusal, { detail });
    }
    const headers = ['Location', created.quote.handoffUrl];
    response.answer({ status, mediaType: JSON_TYPE, cacheControl, body: created.body, headers });
  };
}
