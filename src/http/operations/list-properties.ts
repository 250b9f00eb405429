/** GET /v1/properties (SPEC 4.1). */
import type { ReadModel } from '../../catalogue/read-model.ts';
import { listPartnerProperties } from '../../contract/operations.ts';
import { validateQuery } from '../../contract/validation.ts';
import type { Handler } from '../app.ts';
import { getCredential } from '../authenticate-hook.ts';
import { JSON_TYPE } from '../media-types.ts';
import { presentIssues } from '../present-problem.ts';
import { rawQueryOf } from '../request-target.ts';

export function listPropertiesHandler(readModel: ReadModel): Handler {
  const { cacheControl, successStatus: status } = listPartnerProperties;
  return (request, reply) => {
    const query = validateQuery(listPartnerProperties, rawQueryOf(request.raw.url ?? ''));
    if (!query.ok) return presentIssues(reply.raw, query.issues);
    const { city, country, stay, guests, guestsGiven, page, pageSize, locale } = query.value;
    const body = readModel.search({
      city,
      country,
      stay,
      guests: stay !== undefined || guestsGiven ? guests : undefined,
      page,
      pageSize,
      locale,
      partnerId: getCredential(request).partnerId,
    });
    reply.raw.answer({ status, mediaType: JSON_TYPE, cacheControl, body });
    if (reply.raw.isHandedOver) readModel.giveBack(body);
  };
}
