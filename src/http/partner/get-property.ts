/** GET /v1/properties/{propertyId} (SPEC 4.2). */
import { getPartnerProperty } from '../../contract/partner/operations.ts';
import { validatePath, validateQuery } from '../../contract/reading/validation.ts';
import { getBackend, getCredential, type PartnerHook, rawSegmentsOf } from '../hooks/partner-exchange.ts';
import { JSON_TYPE } from '../answers/media-types.ts';
import { presentIssues, presentProblem } from '../answers/present-problem.ts';
import { rawQueryOf } from '../answers/request-target.ts';
import { issuesOf } from './property-issues.ts';

export function getPropertyHandler(): PartnerHook {
  const { cacheControl, successStatus: status } = getPartnerProperty;
  return (exchange) => {
    const { request, response } = exchange;
    const path = validatePath(getPartnerProperty, rawSegmentsOf(exchange));
    const query = validateQuery(getPartnerProperty, rawQueryOf(request.url ?? ''));
    if (!path.ok || !query.ok) return presentIssues(response, issuesOf(path, query));
    const { partnerId } = getCredential(exchange);
    const body = getBackend(exchange).readModel.findSummary(
      path.value.propertyId,
      query.value.locale,
      partnerId,
    );
    if (body === undefined) presentProblem(response, 'PROPERTY_NOT_FOUND');
    else response.answer({ status, mediaType: JSON_TYPE, cacheControl, body, encoding: 'latin1' });
  };
}
