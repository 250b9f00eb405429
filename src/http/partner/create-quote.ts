/** POST /v1/quotes (SPEC 4.4). */
import { parseJsonBody } from '../../contract/reading/json-body.ts';
import { createPartnerQuote } from '../../contract/partner/operations.ts';
import { validateBody } from '../../contract/reading/validation.ts';
import { tracedWork } from '../../observability/tracing/tracing.ts';
import type { CreatedQuote, QuoteRequest } from '../../quotes/create-quote.ts';
import { withinDeadline } from '../answers/answer-deadline.ts';
import type { Handler } from '../listener/app.ts';
import { getCredential } from '../hooks/authenticate-hook.ts';
import type { RequestBody } from './body-parsing.ts';
import { JSON_TYPE } from '../answers/media-types.ts';
import { presentIssues, presentProblem } from '../answers/present-problem.ts';

/** Rejects with StorageUnavailable when the quote can't be stored; any other rejection is a bug. */
export type CreateQuote = (request: QuoteRequest) => Promise<CreatedQuote>;

const NO_BODY = new Uint8Array();

export function createQuoteHandler(createQuote: CreateQuote): Handler {
  const { cacheControl, successStatus: status } = createPartnerQuote;
  return async (request, reply) => {
    const body = request.body as RequestBody | undefined;
    if (body?.refusal !== undefined) return presentProblem(reply.raw, body.refusal);
    const json = parseJsonBody(body?.bytes ?? NO_BODY);
    if (!json.ok) return presentProblem(reply.raw, 'INVALID_JSON');
    const valid = validateBody(createPartnerQuote, json.value);
    if (!valid.ok) return presentIssues(reply.raw, valid.issues);

    const { propertyId, stay, locale } = valid.value;
    const { partnerId, credentialId } = getCredential(request);
    const create = (): Promise<CreatedQuote> =>
      createQuote({ propertyId, ...stay, locale, partnerId, credentialId });
    const created = await withinDeadline(tracedWork(reply.raw.trace, create));
    if (created.refusal !== undefined) return presentProblem(reply.raw, created.refusal);
    const headers = ['Location', created.quote.handoffUrl];
    reply.raw.answer({ status, mediaType: JSON_TYPE, cacheControl, body: created.body, headers });
  };
}
