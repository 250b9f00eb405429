/** GET /v1/properties (SPEC 4.1). */
import { listPartnerProperties } from '../../contract/partner/operations.ts';
import { validateQuery } from '../../contract/reading/validation.ts';
import { getBackend, getCredential, type PartnerHook } from '../hooks/partner-exchange.ts';
import { JSON_TYPE } from '../answers/media-types.ts';
import { presentIssues } from '../answers/present-problem.ts';
import { rawQueryOf } from '../answers/request-target.ts';

export function listPropertiesHandler(): PartnerHook {
  const { cacheControl, successStatus: status } = listPartnerProperties;
  return (exchange) => {
    const { request, response } = exchange;
    const query = validateQuery(listPartnerProperties, rawQueryOf(request.url ?? ''));
    if (!query.ok) return presentIssues(response, query.issues);
    const { partnerId } = getCredential(exchange);
    const { readModel } = getBackend(exchange);
    const body = readModel.search({ ...query.value, partnerId });
    response.answer({ status, mediaType: JSON_TYPE, cacheControl, body });
    if (response.isHandedOver) readModel.giveBack(body);
  };
}
