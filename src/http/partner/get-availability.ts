/** GET /v1/properties/{propertyId}/availability (SPEC 4.3). */
import { getPartnerPropertyAvailability } from '../../contract/partner/operations.ts';
import { validatePath, validateQuery } from '../../contract/reading/validation.ts';
import { getBackend, getCredential, type PartnerHook, rawSegmentsOf } from '../hooks/partner-exchange.ts';
import { JSON_TYPE } from '../answers/media-types.ts';
import { presentIssues, presentProblem } from '../answers/present-problem.ts';
import { rawQueryOf } from '../answers/request-target.ts';
import { issuesOf } from './property-issues.ts';

export function getAvailabilityHandler(): PartnerHook {
  const { cacheControl, successStatus: status } = getPartnerPropertyAvailability;
  return (exchange) => {
    const { request, response } = exchange;
    const path = validatePath(getPartnerPropertyAvailability, rawSegmentsOf(exchange));
    const query = validateQuery(getPartnerPropertyAvailability, rawQueryOf(request.url ?? ''));
    if (!path.ok || !query.ok) return presentIssues(response, issuesOf(path, query));
    const body = getBackend(exchange).readModel.findAvailability({
      propertyId: path.value.propertyId,
      checkIn: query.value.stay.checkIn,
      checkOut: query.value.stay.checkOut,
      guests: query.value.guests,
      partnerId: getCredential(exchange).partnerId,
    });
    if (body === undefined) presentProblem(response, 'PROPERTY_NOT_FOUND');
    else response.answer({ status, mediaType: JSON_TYPE, cacheControl, body, encoding: 'latin1' });
  };
}
