/** GET /calendars/SECRET.ics: the closed nights of one inventory type, for a platform that subscribes to them. */
import type { PublishedKey } from '../../storage/published/store.ts';
import { StorageUnavailable } from '../../storage/storage.ts';
import { parseCalendarFile } from '../../supply/published/calendar-secret.ts';
import type { WrittenCalendar } from '../../supply/published/write-calendar.ts';
import type { Exchange, Hook } from '../../http/listener/exchange.ts';
import { withinDeadline } from '../../http/listener/listener.ts';
import { CALENDAR_TYPE, isKnownEtag } from '../../http/answers/answer-headers.ts';
import { rawPathOf } from '../../http/listener/request-head.ts';
import { presentPlain } from './plain-answers.ts';
import type { TravellerPages } from '../web/handoff-page.ts';

/** Calendars that other platforms subscribe to. */
export interface PublishedCalendars {
  /** From memory; `away` when memory is too old. */
  readonly find: (secret: string) => PublishedKey | undefined | 'away';
  /** Undefined for an unknown property or type; rejects with `StorageUnavailable`. */
  readonly read: (key: PublishedKey) => Promise<WrittenCalendar | undefined>;
}

/** Platforms come every hour or so; a person who looks again soon gets the cached one. */
const CACHE_CONTROL = 'private, max-age=300';
const CALENDAR_MS_MAX = 2_500;
const RETRY_AFTER = ['Retry-After', '60'];
const HEADERS = ['X-Robots-Tag', 'noindex, nofollow'];

/** Anything else is the same 404 as any unknown path. */
export function publishedHandler(pages: TravellerPages, calendars: PublishedCalendars): Hook {
  return (exchange) => {
    const file =
      rawPathOf(exchange.request.url ?? '')
        .split('/')
        .at(-1) ?? '';
    const secret = parseCalendarFile(file);
    const key = secret === undefined ? undefined : calendars.find(secret);
    if (key === undefined) return presentPlain(pages, 'notFound', exchange);
    if (key === 'away') return presentAway(pages, exchange, 'published calendars are not known');
    return answerCalendar(pages, exchange, calendars.read(key));
  };
}

async function answerCalendar(
  pages: TravellerPages,
  exchange: Exchange,
  reading: Promise<WrittenCalendar | undefined>,
): Promise<void> {
  const { request, response } = exchange;
  const calendar = await withinDeadline(reading, CALENDAR_MS_MAX).catch((error: unknown) => {
    if (error instanceof StorageUnavailable) return error;
    throw error;
  });
  if (calendar === undefined) return presentPlain(pages, 'notFound', exchange);
  if (calendar instanceof StorageUnavailable) return presentAway(pages, exchange, calendar.message);
  const { body, etag } = calendar;
  const headers = [...HEADERS, 'ETag', etag];
  const isKnown = isKnownEtag(request.headers['if-none-match'], etag);
  response.answer(
    isKnown
      ? { status: 304, cacheControl: CACHE_CONTROL, headers }
      : { status: 200, mediaType: CALENDAR_TYPE, cacheControl: CACHE_CONTROL, body, headers },
  );
}

function presentAway(pages: TravellerPages, exchange: Exchange, reason: string): void {
  presentPlain(pages, 'tryLater', exchange, { headers: RETRY_AFTER, cause: { reason } });
}
