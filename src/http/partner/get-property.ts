/** GET /v1/properties/{propertyId} (SPEC 4.2). */
import type { ReadModel } from '../../catalogue/bodies/read-model.ts';
import { getPartnerProperty } from '../../contract/partner/operations.ts';
import { validatePath, validateQuery } from '../../contract/reading/validation.ts';
import type { Handler } from '../listener/app.ts';
import { getCredential } from '../hooks/authenticate-hook.ts';
import { JSON_TYPE } from '../answers/media-types.ts';
import { presentIssues, presentProblem } from '../answers/present-problem.ts';
import { rawQueryOf } from '../answers/request-target.ts';
import { issuesOf, type PropertyParams } from './property-params.ts';

export function getPropertyHandler(readModel: ReadModel): Handler {
  const { cacheControl, successStatus: status } = getPartnerProperty;
  return (request, reply) => {
    const path = validatePath(getPartnerProperty, request.params as PropertyParams);
    const query = validateQuery(getPartnerProperty, rawQueryOf(request.raw.url ?? ''));
    if (!path.ok || !query.ok) return presentIssues(reply.raw, issuesOf(path, query));
    const { partnerId } = getCredential(request);
    const body = readModel.findSummary(path.value.propertyId, query.value.locale, partnerId);
    if (body === undefined) presentProblem(reply.raw, 'PROPERTY_NOT_FOUND');
    else reply.raw.answer({ status, mediaType: JSON_TYPE, cacheControl, body });
  };
}
