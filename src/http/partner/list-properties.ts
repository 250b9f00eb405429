/** GET /v1/properties (SPEC 4.1). */
import type { ReadModel } from '../../catalogue/bodies/read-model.ts';
import { listPartnerProperties } from '../../contract/partner/operations.ts';
import { validateQuery } from '../../contract/reading/validation.ts';
import type { Handler } from '../listener/app.ts';
import { getCredential } from '../hooks/authenticate-hook.ts';
import { JSON_TYPE } from '../answers/media-types.ts';
import { presentIssues } from '../answers/present-problem.ts';
import { rawQueryOf } from '../answers/request-target.ts';

export function listPropertiesHandler(readModel: ReadModel): Handler {
  const { cacheControl, successStatus: status } = listPartnerProperties;
  return (request, reply) => {
    const query = validateQuery(listPartnerProperties, rawQueryOf(request.raw.url ?? ''));
    if (!query.ok) return presentIssues(reply.raw, query.issues);
    const { partnerId } = getCredential(request);
    const body = readModel.search({ ...query.value, partnerId });
    reply.raw.answer({ status, mediaType: JSON_TYPE, cacheControl, body });
    if (reply.raw.isHandedOver) readModel.giveBack(body);
  };
}
