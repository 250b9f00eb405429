/** What answers the paths of a handoff: the page of a stay, and the way on to the booking site. */
import type { IncomingMessage } from 'node:http';
import { isbot } from 'isbot';
import { parseLocalDate } from '../../domain/local-date.ts';
import type { Hook } from '../listener/exchange.ts';
import { rawQueryOf } from '../listener/request-head.ts';
import { HTML_TYPE, PAGE_CACHE_CONTROL, presentPlain, presentTestEnd } from './plain-answers.ts';
import type { Traveller } from './traveller.ts';
import type { TravellerPages } from './traveller-pages.ts';

/** GET /handoff?handoff=VALUE */
export function handoffHandler(pages: TravellerPages, traveller: Traveller): Hook {
  return async (exchange) => {
    const { request, response } = exchange;
    const value = handoffIn(rawQueryOf(request.url ?? ''));
    const page = await traveller.open(value);
    if (page.kind === 'invalid') presentPlain(pages, 'invalid', exchange);
    else {
      response.answer({
        status: 200,
        mediaType: HTML_TYPE,
        cacheControl: PAGE_CACHE_CONTROL,
        body:
          page.kind === 'review'
            ? pages.review(page.review, value)
            : pages.unchecked(page.handoff, value, page.propertyName),
        headers: pages.headers,
      });
    }
    if (isOpenedByPerson(request)) traveller.noteOpened(page);
  };
}

/** POST /handoff/continue */
export function continueHandler(pages: TravellerPages, traveller: Traveller): Hook {
  return async (exchange) => {
    // What is too large for a form has no fields.
    const form = new URLSearchParams(Buffer.from(exchange.body).toString('utf8'));
    const value = form.get('handoff') ?? '';
    const wanted = form.get('checkIn');
    const checkIn = wanted === null ? undefined : parseLocalDate(wanted);
    const isWrongDate = wanted !== null && checkIn === undefined;
    const way = isWrongDate ? undefined : await traveller.continueTo(value, checkIn);
    if (way?.kind === 'test') return presentTestEnd(pages, way.locale, exchange);
    if (way?.kind !== 'site') return presentPlain(pages, 'invalid', exchange);
    exchange.response.answer({
      status: 303,
      cacheControl: PAGE_CACHE_CONTROL,
      headers: [...pages.headers, 'Location', way.location],
    });
  };
}

/** Mail programs and messengers add parameters of their own; only ours is looked at. */
function handoffIn(query: string): string {
  return new URLSearchParams(query).get('handoff') ?? '';
}

/** Names of agents are far shorter; the list is not run over more. */
const AGENT_LENGTH_MAX = 512;

/** Neither a prefetch nor a program: nobody has seen a page that a messenger fetched for its preview of the link. */
function isOpenedByPerson(request: IncomingMessage): boolean {
  return !looksAhead(request) && !isbot(request.headers['user-agent']?.slice(0, AGENT_LENGTH_MAX));
}

function looksAhead({ method, headers }: IncomingMessage): boolean {
  if (method === 'HEAD') return true;
  const purposes = [headers['sec-purpose'], headers['purpose'], headers['x-purpose'], headers['x-moz']];
  return purposes.some((purpose) => /\b(?:prefetch|prerender|preview)\b/i.test(String(purpose ?? '')));
}
