/** GET /v1/properties/{propertyId}/availability (SPEC 4.3). */
import type { ReadModel } from '../../catalogue/bodies/read-model.ts';
import { getPartnerPropertyAvailability } from '../../contract/partner/operations.ts';
import { validatePath, validateQuery } from '../../contract/reading/validation.ts';
import type { Handler } from '../listener/app.ts';
import { getCredential } from '../hooks/authenticate-hook.ts';
import { JSON_TYPE } from '../answers/media-types.ts';
import { presentIssues, presentProblem } from '../answers/present-problem.ts';
import { rawQueryOf } from '../answers/request-target.ts';
import { issuesOf, type PropertyParams } from './property-params.ts';

export function getAvailabilityHandler(readModel: ReadModel): Handler {
  const { cacheControl, successStatus: status } = getPartnerPropertyAvailability;
  return (request, reply) => {
    const path = validatePath(getPartnerPropertyAvailability, request.params as PropertyParams);
    const query = validateQuery(getPartnerPropertyAvailability, rawQueryOf(request.raw.url ?? ''));
    if (!path.ok || !query.ok) return presentIssues(reply.raw, issuesOf(path, query));
    const body = readModel.findAvailability({
      propertyId: path.value.propertyId,
      checkIn: query.value.stay.checkIn,
      checkOut: query.value.stay.checkOut,
      guests: query.value.guests,
      partnerId: getCredential(request).partnerId,
    });
    if (body === undefined) presentProblem(reply.raw, 'PROPERTY_NOT_FOUND');
    else reply.raw.answer({ status, mediaType: JSON_TYPE, cacheControl, body });
  };
}
