/** Places: cities by the beginning of their name. */
import { suggestCities } from '../../contract/partner/extra-operations.ts';
import { validateQuery } from '../../contract/reading/validation.ts';
import { foldPlaceName } from '../../domain/place-name.ts';
import { JSON_TYPE } from '../../http/answers/answer-headers.ts';
import { rawQueryOf } from '../../http/listener/request-head.ts';
import { askQuestion } from './ask-question.ts';
import { getCredential } from './gates.ts';
import type { PartnerHook } from './partner-exchange.ts';
import { presentInvalid } from './present-invalid.ts';

const BUSY = {
  reason: 'cities are looked for too often at once',
  detail: 'The service looks for too many cities at once. Try again, or send more of the name.',
};

/** GET /places/v1/cities */
export function suggestCitiesHandler(authenticate: PartnerHook): PartnerHook {
  const { cacheControl, successStatus: status } = suggestCities;
  return async (exchange) => {
    const { request, response } = exchange;
    const query = validateQuery(suggestCities, rawQueryOf(request.url ?? ''));
    if (!query.ok) return presentInvalid(exchange, suggestCities, query.issues);
    const { text, country } = query.value;
    if (foldPlaceName(text) === '') {
      const detail = 'Must hold a letter or a number.';
      return presentInvalid(exchange, suggestCities, [{ field: 'text', code: 'FORMAT_INVALID', detail }]);
    }
    const { partnerId } = getCredential(exchange);
    response.subject = { city: text, country };
    const cities = { ...query.value, partnerId };
    const found = await askQuestion(exchange, authenticate, BUSY, 'cities', cities);
    if (found === undefined) return;
    response.answer({
      status,
      mediaType: JSON_TYPE,
      cacheControl,
      body: Buffer.from(JSON.stringify({ items: found.answer })),
    });
  };
}
