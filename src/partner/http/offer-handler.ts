/** One stay at one property, whole, decided on what the database holds: no quote is stored, and no link is made. */
import { getStayOffer } from '../../contract/partner/extra-operations.ts';
import { validatePath, validateQuery } from '../../contract/reading/validation.ts';
import { reasonCodesOf } from '../../domain/stay-reasons.ts';
import { JSON_TYPE } from '../../http/answers/answer-headers.ts';
import { presentProblem } from '../../http/answers/present-problem.ts';
import { tracedWork, withinDeadline } from '../../http/listener/listener.ts';
import { rawQueryOf } from '../../http/listener/request-head.ts';
import { OUT_OF_RANGE_DETAILS } from '../quotes/decide-visible.ts';
import type { FoundOffer } from '../quotes/find-offer.ts';
import { getBackend, getCredential } from './gates.ts';
import { issuesOf, type PartnerHook, rawSegmentsOf } from './partner-exchange.ts';
import { presentInvalid } from './present-invalid.ts';
import type { Reasons } from './price-handlers.ts';

/** GET /prices/v1/properties/{propertyId}/offer */
export function stayOfferHandler({ partnerReasons }: Reasons): PartnerHook {
  const { cacheControl, successStatus: status } = getStayOffer;
  return async (exchange) => {
    const { request, response } = exchange;
    const path = validatePath(getStayOffer, rawSegmentsOf(exchange));
    const query = validateQuery(getStayOffer, rawQueryOf(request.url ?? ''));
    if (!path.ok || !query.ok) return presentInvalid(exchange, getStayOffer, issuesOf(path, query));
    const { propertyId } = path.value;
    const { stay, guests, childAges, locale } = query.value;
    const { partnerId } = getCredential(exchange);
    response.subject = { propertyId, stay, guests, childAges };
    const asked = {
      propertyId,
      ...stay,
      guests,
      childAges,
      locale,
      partnerId,
      tellsReasons: partnerReasons(),
    };
    const find = (): Promise<FoundOffer> => getBackend(exchange).findOffer(asked);
    const found = await withinDeadline(tracedWork(response.trace, find));
    if ('offer' in found)
      return response.answer({
        status,
        mediaType: JSON_TYPE,
        cacheControl,
        body: JSON.stringify(found.offer),
      });
    if (found.refusal === 'PROPERTY_NOT_FOUND') return presentProblem(response, found.refusal);
    response.subject = { ...response.subject, reasons: reasonCodesOf([found.why.reasons]) };
    const detail = found.reason && OUT_OF_RANGE_DETAILS[found.reason];
    presentProblem(response, found.refusal, { detail, members: found.why });
  };
}
