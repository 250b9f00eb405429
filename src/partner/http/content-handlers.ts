/** Pictures, times and terms of properties: the read model chooses the properties, the content cache has the rest. */
import { hash } from 'node:crypto';
import { getPropertyContent, listPropertyContent } from '../../contract/partner/extra-operations.ts';
import type { Operation } from '../../contract/partner/operations.ts';
import { validatePath, validateQuery } from '../../contract/reading/validation.ts';
import { isKnownEtag, JSON_TYPE } from '../../http/answers/answer-headers.ts';
import { presentProblem } from '../../http/answers/present-problem.ts';
import { withinDeadline } from '../../http/listener/listener.ts';
import { rawQueryOf } from '../../http/listener/request-head.ts';
import { getBackend, getCredential } from './gates.ts';
import { issuesOf, type PartnerExchange, type PartnerHook, rawSegmentsOf } from './partner-exchange.ts';
import { presentInvalid } from './present-invalid.ts';

/** Digits of an ETag: 132 bits of the answer's hash. */
const ETAG_LENGTH = 22;
/** A card without its texts is better than a page that waits: content that is not in memory by then is refused. */
const CONTENT_MS_MAX = 2_000;

/** GET /content/v1/properties */
export function listContentHandler(): PartnerHook {
  return async (exchange) => {
    const { request, response } = exchange;
    const query = validateQuery(listPropertyContent, rawQueryOf(request.url ?? ''));
    if (!query.ok) return presentInvalid(exchange, listPropertyContent, query.issues);
    const { city, country, page, pageSize, locale } = query.value;
    const { readModel, readContent } = getBackend(exchange);
    const { partnerId } = getCredential(exchange);
    const { propertyIds, found } = readModel.findPage({ ...query.value, partnerId });
    response.subject = { city, country, page, found };
    const items = await withinDeadline(readContent(propertyIds, locale), CONTENT_MS_MAX);
    const { total } = found;
    const pagination = { page, pageSize, total, hasMore: page * pageSize < total };
    sendTagged(exchange, listPropertyContent, { items, pagination });
  };
}

/** GET /content/v1/properties/{propertyId} */
export function getContentHandler(): PartnerHook {
  return async (exchange) => {
    const { request, response } = exchange;
    const path = validatePath(getPropertyContent, rawSegmentsOf(exchange));
    const query = validateQuery(getPropertyContent, rawQueryOf(request.url ?? ''));
    if (!path.ok || !query.ok) return presentInvalid(exchange, getPropertyContent, issuesOf(path, query));
    const { propertyId } = path.value;
    response.subject = { propertyId };
    const { readModel, readContent } = getBackend(exchange);
    const isVisible = readModel.isVisible(propertyId, getCredential(exchange).partnerId);
    const read = isVisible ? readContent([propertyId], query.value.locale) : Promise.resolve([]);
    const [content] = await withinDeadline(read, CONTENT_MS_MAX);
    if (content === undefined) presentProblem(response, 'PROPERTY_NOT_FOUND');
    else sendTagged(exchange, getPropertyContent, content);
  };
}

function sendTagged(
  { request, response }: PartnerExchange,
  { successStatus: status, cacheControl }: Operation,
  answer: object,
): void {
  const body = Buffer.from(JSON.stringify(answer));
  const etag = `"${hash('sha256', body, 'base64url').slice(0, ETAG_LENGTH)}"`;
  const headers = ['ETag', etag];
  response.answer(
    isKnownEtag(request.headers['if-none-match'], etag)
      ? { status: 304, cacheControl, headers }
      : { status, mediaType: JSON_TYPE, cacheControl, body, headers },
  );
}
