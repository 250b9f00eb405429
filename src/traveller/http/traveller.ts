/**
 * Opens a handoff for a traveller, and continues to the booking site. Database queries have a time limit; without the
 * database, the value itself is enough for a page.
 */
import type { AccessDirectory } from '../../access/access-directory.ts';
import type { VisitLog } from '../attribution/visit-log.ts';
import { type EpochDay, parseLocalDate } from '../../domain/local-date.ts';
import { changePerMille, getMoney } from '../../domain/money.ts';
import type { Locale } from '../../domain/property.ts';
import type { Handoff } from '../../handoff/handoff-value.ts';
import { type BookingSites, bookingTemplateFor, fillBookingUrl } from '../../handoff/booking-url.ts';
import {
  type CheckDeps,
  type HandoffReview,
  openWithNewestKeys,
  type ReviewDeps,
  reviewHandoff,
} from '../../partner/quotes/check-handoff.ts';
import { TYPED_AGES_LENGTH_MAX } from '../../domain/child-ages.ts';
import { INSTEAD_NIGHTS_MAX } from '../../domain/instead-stays.ts';
import { OPENING_DAYS_MAX } from '../../domain/nearest-shifts.ts';
import { StorageUnavailable } from '../../storage/storage.ts';
import type { Hook } from '../../http/listener/exchange.ts';
import { withinDeadline } from '../../http/listener/listener.ts';
import type { WebMeter } from '../../http/observability/metrics/web-families.ts';
import type { IncomingMessage } from 'node:http';
import { isbot } from 'isbot';
import { readPairs } from '../../contract/reading/sent-pairs.ts';
import { rawQueryOf } from '../../http/listener/request-head.ts';
import { HTML_TYPE, PAGE_CACHE_CONTROL } from '../../http/pages/page-answer.ts';
import { presentPlain, presentTestEnd } from './plain-answers.ts';
import type { FindShown } from './shown-pictures.ts';
import { CHILD_AGES } from '../web/price-section.ts';
import type { PageExtras, TravellerPages } from '../web/handoff-page.ts';

type OpenedPage =
  | { readonly kind: 'invalid' }
  | { readonly kind: 'unchecked'; readonly handoff: Handoff; readonly propertyName: string | undefined }
  | { readonly kind: 'review'; readonly review: HandoffReview };

/**
 * `site`: the booking site. `test`: a sandbox quote has no booking site. `none`: a foreign value, a date out of reach,
 * or no booking site.
 */
type WayOn =
  | { readonly kind: 'site'; readonly location: string }
  | { readonly kind: 'test'; readonly locale: Locale }
  | { readonly kind: 'none' };

interface StayDates {
  readonly checkIn: EpochDay;
  readonly checkOut: EpochDay;
}

export interface Traveller {
  /** Never rejects because of the database. `typedAges`: of children, where the page asks. */
  open(value: string, typedAges?: string): Promise<OpenedPage>;
  /** Counts a page shown to a person, unless it is of the sandbox. */
  noteOpened(page: OpenedPage): void;
  /** Continues with this stay, or with one that the page may have shown instead. */
  continueTo(value: string, chosen: StayDates | undefined, typedAges?: string): Promise<WayOn>;
  readonly meter: WebMeter;
}

interface TravellerDeps extends ReviewDeps {
  /** They may change. */
  readonly sites: BookingSites;
  readonly visits: VisitLog;
  /** The property's name in memory, while the database is away. */
  readonly findName: (handoff: Handoff) => string | undefined;
  readonly meter: WebMeter;
}

/** A traveller waits less patiently than a program. */
export const PAGE_MS_MAX = 2_500;

export function makeTraveller(deps: TravellerDeps): Traveller {
  const { visits, meter } = deps;

  async function open(value: string, typedAges?: string): Promise<OpenedPage> {
    const handoff = await openValue(deps, value);
    if (handoff === undefined) return { kind: 'invalid' };
    const review = await orWhenAway(reviewHandoff(deps, handoff, typedAges));
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
      const nowMs = deps.clock();
      if (page.kind === 'review')
        visits.opened(quoteId, nowMs, page.review.outcome, priceChangeOf(page.review));
      else visits.opened(quoteId, nowMs, null);
    },
    async continueTo(value, chosen, typedAges) {
      const page = await open(value, typedAges);
      if (page.kind === 'invalid') return NO_WAY;
      const handoff = page.kind === 'review' ? page.review.handoff : page.handoff;
      if (isOfSandbox(page)) return { kind: 'test', locale: handoff.locale };
      // While the database is away nobody knows whether the property has a site of its own.
      const own = page.kind === 'review' ? page.review.details.bookingUrl : undefined;
      const template = bookingTemplateFor(own, deps.sites);
      if (template === undefined) return NO_WAY;
      const stay = chosen ?? handoff;
      if (!isNear(stay, handoff)) return NO_WAY;
      visits.continued(handoff.quoteId, deps.clock());
      meter.continued += 1;
      const location = fillBookingUrl(template, {
        ...handoff,
        childAges: handoff.childAges ?? familyOf(page)?.childAges,
        checkIn: stay.checkIn,
        checkOut: stay.checkOut,
        inventoryTypeId: typeFor(page, stay),
      });
      return { kind: 'site', location };
    },
  };
}

const NO_WAY: WayOn = { kind: 'none' };

/** Reads the value itself while the database is away. */
function isOfSandbox(page: OpenedPage): boolean {
  if (page.kind === 'invalid') return false;
  return page.kind === 'review' ? page.review.quote.isTest : page.handoff.isTest === true;
}

/** Null when the price is unchanged, unavailable, or in another currency. */
function priceChangeOf({ outcome, handoff, offer, stored }: HandoffReview): number | null {
  if (outcome !== 'price_changed' || offer === undefined) return null;
  if (stored?.property.currency !== handoff.currency) return null;
  return changePerMille(getMoney(handoff.total), offer.price.total);
}

/** Whether the page may have shown it: the dates of the quote, others as near, or another length. */
function isNear(stay: StayDates, { checkIn, checkOut }: Handoff): boolean {
  if (isSameStay(stay, { checkIn, checkOut })) return true;
  const nights = stay.checkOut - stay.checkIn;
  if (stay.checkIn === checkIn) return nights >= 1 && nights <= INSTEAD_NIGHTS_MAX;
  return nights === checkOut - checkIn && Math.abs(stay.checkIn - checkIn) <= OPENING_DAYS_MAX;
}

function isSameStay(one: StayDates, other: StayDates): boolean {
  return one.checkIn === other.checkIn && one.checkOut === other.checkOut;
}

/** The traveller's answer to whether there are children. */
function familyOf(page: OpenedPage): HandoffReview['family'] {
  return page.kind === 'review' ? page.review.family : undefined;
}

/** The type of the shown price, else that of the quote. */
function typeFor(page: OpenedPage, wanted: StayDates): string {
  if (page.kind !== 'review') return '';
  const { offer, otherStays, handoff, quote } = page.review;
  const other = otherStays.find(({ stay }) => isSameStay(stay, wanted));
  const shown = isSameStay(wanted, handoff) ? (familyOf(page)?.offer ?? offer) : other?.offer;
  return shown?.type.inventoryTypeId ?? quote.inventoryTypeId;
}

/**
 * If the keys can't be read again in time, a value of an unknown key stays unknown. A known key needs no database, so
 * its value opens however busy the process is.
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

// Handlers of the handoff paths: the page of a stay, and the redirect to the booking site.

/** Content of the page beside the review. */
export interface ExtrasDeps {
  readonly findShown: FindShown;
  readonly bookingSites: BookingSites;
  /** The current directory, for the partner's name. */
  readonly access: () => AccessDirectory;
}

/** GET /handoff?handoff=VALUE */
export function handoffHandler(pages: TravellerPages, traveller: Traveller, extras: ExtrasDeps): Hook {
  return async (exchange) => {
    const { request, response } = exchange;
    const sent = readPairs(rawQueryOf(request.url ?? ''));
    // Mail programs and messengers add parameters; only ours are read.
    const value = sent.get('handoff') ?? '';
    const page = await traveller.open(value, typedAgesIn(sent));
    if (page.kind === 'invalid') presentPlain(pages, 'invalid', exchange);
    else {
      response.answer({
        status: 200,
        mediaType: HTML_TYPE,
        cacheControl: PAGE_CACHE_CONTROL,
        body:
          page.kind === 'review'
            ? pages.review(page.review, value, await extrasOf(extras, page.review))
            : pages.unchecked(page.handoff, value, page.propertyName),
        headers: pages.headers,
      });
    }
    if (isOpenedByPerson(request)) traveller.noteOpened(page);
  };
}

async function extrasOf(
  { findShown, bookingSites, access }: ExtrasDeps,
  { details, handoff }: HandoffReview,
): Promise<PageExtras> {
  return {
    images: await findShown(details.images),
    partnerName: access().partnerName(handoff.partnerId),
    canContinue: bookingTemplateFor(details.bookingUrl, bookingSites) !== undefined,
  };
}

/** POST /handoff/continue */
export function continueHandler(pages: TravellerPages, traveller: Traveller): Hook {
  return async (exchange) => {
    // A body too large for a form has no fields.
    const form = readPairs(Buffer.from(exchange.body).toString('utf8'));
    const value = form.get('handoff') ?? '';
    const chosen = chosenIn(form);
    const way = chosen === 'wrong' ? undefined : await traveller.continueTo(value, chosen, typedAgesIn(form));
    if (way?.kind === 'test') return presentTestEnd(pages, way.locale, exchange);
    if (way?.kind !== 'site') return presentPlain(pages, 'invalid', exchange);
    exchange.response.answer({
      status: 303,
      cacheControl: PAGE_CACHE_CONTROL,
      headers: [...pages.headers, 'Location', way.location],
    });
  };
}

/** Undefined: the dates of the quote. */
function chosenIn(form: ReadonlyMap<string, string> | URLSearchParams): StayDates | 'wrong' | undefined {
  const [checkIn, checkOut] = ['checkIn', 'checkOut'].map((name) => form.get(name) ?? undefined);
  if (checkIn === undefined && checkOut === undefined) return undefined;
  const [first, last] = [checkIn, checkOut].map((date) => parseLocalDate(date ?? ''));
  return first === undefined || last === undefined ? 'wrong' : { checkIn: first, checkOut: last };
}

/** The page shows again what was typed: of a text that is too long, so much that it still is. */
function typedAgesIn(sent: ReadonlyMap<string, string> | URLSearchParams): string {
  return (sent.get(CHILD_AGES) ?? '').slice(0, TYPED_AGES_LENGTH_MAX + 1);
}

/** Names of agents are far shorter; the list is not run over longer ones. */
const AGENT_LENGTH_MAX = 512;

/** Neither a prefetch nor a bot: nobody has seen a page that a messenger fetched for its preview. */
function isOpenedByPerson(request: IncomingMessage): boolean {
  return !looksAhead(request) && !isbot(request.headers['user-agent']?.slice(0, AGENT_LENGTH_MAX));
}

function looksAhead({ method, headers }: IncomingMessage): boolean {
  if (method === 'HEAD') return true;
  const purposes = [headers['sec-purpose'], headers['purpose'], headers['x-purpose'], headers['x-moz']];
  return purposes.some((purpose) => /\b(?:prefetch|prerender|preview)\b/i.test(String(purpose ?? '')));
}
