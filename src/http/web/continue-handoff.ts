/** POST /handoff/continue: the traveller goes on to the booking site. */
import { parseLocalDate } from '../../domain/local-date.ts';
import type { AppRequest, Handler } from '../listener/app.ts';
import type { RequestBody } from '../partner/body-parsing.ts';
import { PAGE_CACHE_CONTROL, presentPlain } from './plain-answers.ts';
import type { Traveller } from './traveller.ts';
import type { TravellerPages } from './traveller-pages.ts';

export function continueHandler(pages: TravellerPages, traveller: Traveller): Handler {
  return async (request, reply) => {
    const form = formOf(request);
    const value = form.get('handoff') ?? '';
    const wanted = form.get('checkIn');
    const checkIn = wanted === null ? undefined : parseLocalDate(wanted);
    const isWrongDate = wanted !== null && checkIn === undefined;
    const location = isWrongDate ? undefined : await traveller.continueTo(value, checkIn);
    if (location === undefined) return presentPlain(pages, 'invalid', request, reply);
    reply.raw.answer({
      status: 303,
      cacheControl: PAGE_CACHE_CONTROL,
      headers: [...pages.headers, 'Location', location],
    });
  };
}

/** What is no form, or too large for one, has no fields. */
function formOf({ body }: AppRequest): URLSearchParams {
  const read = body as RequestBody | undefined;
  const text = read?.refusal === undefined ? Buffer.from(read?.bytes ?? []).toString('utf8') : '';
  return new URLSearchParams(text);
}
