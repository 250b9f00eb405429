/** GET /handoff?handoff=VALUE: the page of a stay. */
import type { IncomingMessage } from 'node:http';
import type { Hook } from '../listener/exchange.ts';
import { rawQueryOf } from '../answers/request-target.ts';
import { HTML_TYPE, PAGE_CACHE_CONTROL, presentPlain } from './plain-answers.ts';
import type { Traveller } from './traveller.ts';
import type { TravellerPages } from './traveller-pages.ts';

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
    if (!looksAhead(request)) traveller.noteOpened(page);
  };
}

/** Mail programs and messengers add parameters of their own; only ours is looked at. */
function handoffIn(query: string): string {
  return new URLSearchParams(query).get('handoff') ?? '';
}

/** A preview or a prefetch: nobody has seen the page yet. */
function looksAhead({ method, headers }: IncomingMessage): boolean {
  if (method === 'HEAD') return true;
  const purposes = [headers['sec-purpose'], headers['purpose'], headers['x-purpose'], headers['x-moz']];
  return purposes.some((purpose) => /\b(?:prefetch|prerender|preview)\b/i.test(String(purpose ?? '')));
}
