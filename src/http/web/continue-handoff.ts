/** POST /handoff/continue: the traveller goes on to the booking site. */
import { parseLocalDate } from '../../domain/local-date.ts';
import type { Hook } from '../listener/exchange.ts';
import { PAGE_CACHE_CONTROL, presentPlain } from './plain-answers.ts';
import type { Traveller } from './traveller.ts';
import type { TravellerPages } from './traveller-pages.ts';

export function continueHandler(pages: TravellerPages, traveller: Traveller): Hook {
  return async (exchange) => {
    // What is too large for a form has no fields.
    const form = new URLSearchParams(Buffer.from(exchange.body).toString('utf8'));
    const value = form.get('handoff') ?? '';
    const wanted = form.get('checkIn');
    const checkIn = wanted === null ? undefined : parseLocalDate(wanted);
    const isWrongDate = wanted !== null && checkIn === undefined;
    const location = isWrongDate ? undefined : await traveller.continueTo(value, checkIn);
    if (location === undefined) return presentPlain(pages, 'invalid', exchange);
    exchange.response.answer({
      status: 303,
      cacheControl: PAGE_CACHE_CONTROL,
      headers: [...pages.headers, 'Location', location],
    });
  };
}
