/**
 * What travellers do with a handoff: open it, and go on to the booking site. Queries to the database have a time limit;
 * when it doesn't answer, the value itself says enough for a page.
 */
import type { VisitLog } from '../../attribution/visit-log.ts';
import type { EpochDay } from '../../domain/local-date.ts';
import type { Locale } from '../../domain/property.ts';
import type { Handoff } from '../../handoff/handoff-value.ts';
import { fillBookingUrl } from '../../handoff/booking-url.ts';
import { type CheckDeps, openWithNewestKeys } from '../../quotes/check-handoff.ts';
import { NEAREST_DAYS_MAX } from '../../quotes/nearest-stays.ts';
import { type HandoffReview, reviewHandoff } from '../../quotes/review-handoff.ts';
import { StorageUnavailable } from '../../storage/storage.ts';
import { withinDeadline } from '../answers/answer-deadline.ts';
import type { WebMeter } from '../../observability/metrics/web-families.ts';

export type OpenedPage =
  | { readonly kind: 'invalid' }
  | { readonly kind: 'unchecked'; readonly handoff: Handoff; readonly propertyName: string | undefined }
  | { readonly kind: 'review'; readonly review: HandoffReview };

/**
 * `site`: to the booking site. `test`: a sandbox quote has no booking site. `none`: the value was not issued here, the
 * date is out of reach, or there is no booking site.
 */
export type WayOn =
  | { readonly kind: 'site'; readonly location: string }
  | { readonly kind: 'test'; readonly locale: Locale }
  | { readonly kind: 'none' };

export interface Traveller {
  /** Never rejects because of the database. */
  open(value: string): Promise<OpenedPage>;
  /** Counts a page that was shown to a person, unless it is of the sandbox. */
  noteOpened(page: OpenedPage): void;
  /** The way on for this stay, or for other dates of the same length. */
  continueTo(value: string, checkIn: EpochDay | undefined): Promise<WayOn>;
  readonly meter: WebMeter;
}

export interface TravellerDeps extends CheckDeps {
  readonly visits: VisitLog;
  /** The property's name as it is in memory, when the database is away. */
  readonly findName: (handoff: Handoff) => string | undefined;
  readonly bookingUrlTemplate: string | undefined;
  readonly meter: WebMeter;
}

/** A traveller waits less patiently than a program. */
export const PAGE_MS_MAX = 2_500;

export function makeTraveller(deps: TravellerDeps): Traveller {
  const { visits, bookingUrlTemplate, meter } = deps;

  async function open(value: string): Promise<OpenedPage> {
    const handoff = await openValue(deps, value);
    if (handoff === undefined) return { kind: 'invalid' };
    const review = await orWhenAway(reviewHandoff(deps, handoff));
    if (review === 'away') {
      return { kind: 'unchecked', handoff, propertyName: deps.findName(handoff) };
    }
    return review === undefined ? { kind: 'invalid' } : { kind: 'review', review };
  }

  return {
    meter,
    open,
    noteOpened(page) {
      if (isOfSandbox(page)) return;
      const outcome = page.kind === 'review' ? page.review.outcome : page.kind;
      meter.pages[outcome] += 1;
      if (page.kind === 'invalid') return;
      const { quoteId } = page.kind === 'review' ? page.review.handoff : page.handoff;
      visits.opened(quoteId, deps.clock(), page.kind === 'review' ? page.review.outcome : null);
    },
    async continueTo(value, checkIn) {
      const page = await open(value);
      if (page.kind === 'invalid') return NO_WAY;
      const handoff = page.kind === 'review' ? page.review.handoff : page.handoff;
      if (isOfSandbox(page)) return { kind: 'test', locale: handoff.locale };
      if (bookingUrlTemplate === undefined) return NO_WAY;
      const shift = checkIn === undefined ? 0 : checkIn - handoff.checkIn;
      if (Math.abs(shift) > NEAREST_DAYS_MAX) return NO_WAY;
      visits.continued(handoff.quoteId, deps.clock());
      meter.continued += 1;
      const location = fillBookingUrl(bookingUrlTemplate, {
        ...handoff,
        checkIn: handoff.checkIn + shift,
        checkOut: handoff.checkOut + shift,
        inventoryTypeId: typeFor(page, shift),
      });
      return { kind: 'site', location };
    },
  };
}

const NO_WAY: WayOn = { kind: 'none' };

/** While the database is away, by the value itself. */
function isOfSandbox(page: OpenedPage): boolean {
  if (page.kind === 'invalid') return false;
  return page.kind === 'review' ? page.review.quote.isTest : page.handoff.isTest === true;
}

/** The type whose price was shown; without one, that of the quote. */
function typeFor(page: OpenedPage, shift: number): string {
  if (page.kind !== 'review') return '';
  const { offer, nearestStays, handoff, quote } = page.review;
  const other = nearestStays.find(({ stay }) => stay.checkIn === handoff.checkIn + shift);
  const shown = shift === 0 ? offer : other?.offer;
  return shown?.type.inventoryTypeId ?? quote.inventoryTypeId;
}

/**
 * When the keys can't be read again in time, a value of an unknown key stays unknown. One of a known key needs no
 * database, and is opened however busy the process is.
 */
async function openValue(deps: CheckDeps, value: string): Promise<Handoff | undefined> {
  const { findNewHandoffKeys } = deps;
  return await openWithNewestKeys(
    {
      ...deps,
      findNewHandoffKeys: async (header) => {
        const found = await orWhenAway(findNewHandoffKeys?.(header) ?? Promise.resolve(undefined));
        return found === 'away' ? undefined : found;
      },
    },
    value,
  );
}

async function orWhenAway<T>(work: Promise<T>): Promise<T | 'away'> {
  try {
    return await withinDeadline(work, PAGE_MS_MAX);
  } catch (error) {
    if (error instanceof StorageUnavailable) return 'away';
    throw error;
  }
}
