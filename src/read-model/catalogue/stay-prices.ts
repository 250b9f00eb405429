/**
 * Prices of stays from memory: for a page of a search, for properties by id, and for many check-in dates of a property.
 *
 * Work comes in slices over one version of the catalogue. All questions share one slice in each turn of the event loop,
 * so that other answers come in between. `sort=total` looks at every available property. One is passed over when the
 * lower bound of its total puts it behind the pages asked for; the result is that of pricing all of them.
 */
import type { Clock } from '../../runtime/clock.ts';
import { SliceQueue } from '../../runtime/slice-queue.ts';
import { type EpochDay, formatLocalDate, localToday } from '../../domain/local-date.ts';
import { formatMoney } from '../../domain/money.ts';
import { LOCALES } from '../../domain/property.ts';
import type { QuoteRefusal } from '../../domain/quote-decision.ts';
import type { StayLines } from './index/block-search.ts';
import type { Block } from './index/block.ts';
import type { Directory } from './index/directory.ts';
import { ownHits, type MarketHits, MergedWalk } from './index/market-search.ts';
import { CheapestFirst } from './price-order.ts';
import { leastPrice, readCurrencyCode, readTerms } from './property/price-record.ts';
import type { TextRange } from './property/piece-chunks.ts';
import type { Found, SearchQuery } from './read-model.ts';
import { formatPricing, type PricedStay, priceSlot, type SlotPrice } from './slot-price.ts';

export interface StayOfGuests {
  readonly checkIn: EpochDay;
  readonly checkOut: EpochDay;
  readonly guests: number;
}

export interface PricedQuestion {
  readonly partnerId: string;
  /** False while another process without discounts serves. */
  readonly hasDiscounts: boolean;
  /** Who shares turns and places with the others, such as a credential. */
  readonly asker?: string;
}

export interface PricedSearch extends SearchQuery, PricedQuestion {
  readonly stay: { readonly checkIn: EpochDay; readonly checkOut: EpochDay };
  readonly guests: number;
  readonly sort: 'default' | 'total';
}

export interface PricedPage {
  /** JSON. */
  readonly body: Buffer;
  readonly found: Found;
}

export interface PricedProperty {
  /** The refusal of a quote. */
  readonly code: null | 'PROPERTY_NOT_FOUND' | QuoteRefusal;
  readonly currency: string | null;
  /** JSON. */
  readonly pricing: string;
}

export interface CalendarQuestion extends PricedQuestion {
  readonly propertyId: string;
  /** Defaults to today at the property. */
  readonly from: EpochDay | undefined;
  /** Excluded; undefined means the default number of dates. */
  readonly until: EpochDay | undefined;
  readonly nights: number;
  readonly guests: number;
}

export interface CalendarRange {
  readonly from: EpochDay;
  readonly until: EpochDay;
}

/** The catalogue reader's side of prices. */
export interface PriceSources {
  readonly clock: Clock;
  readonly horizonNights: number;
  readonly hold: () => { readonly directory: Directory | undefined; readonly release: () => void };
  readonly search: (
    directory: Directory | undefined,
    query: SearchQuery,
    today: (timezone: string) => EpochDay,
  ) => Found & { readonly markets: readonly MarketHits[] };
  readonly find: (
    directory: Directory | undefined,
    propertyId: string,
  ) => { readonly block: Block; readonly slot: number } | undefined;
  readonly summaryOf: (
    block: Block,
    slot: number,
    localeIndex: number,
    today: (timezone: string) => EpochDay,
  ) => TextRange;
  readonly stayLines: (stay: StayOfGuests) => StayLines;
}

/** Other answers wait no longer for a slice, but for the last properties of it. */
const SLICE_MS_MAX = 0.5;
/** Lower bounds between two looks at the time, which comes after each price too. */
const BOUNDS_PER_LOOK = 64;
/** Properties priced first, for each one wanted. */
const FIRST_PRICED = 2;
/** Searches by total of one thread that need more than one slice, at once. */
export const SLICED_SEARCHES_MAX = 4;
/** The same of other questions: a property of a thousand types takes one for each price. */
export const SLICED_LOOKS_MAX = 64;
/** Questions of one thread that wait for their first slice: every other slice is one of theirs. */
export const WAITING_MAX = 64;
/** Work of one question, without what others did in between. */
export const HELD_MS_MAX = 5_000;
/** With what others did. While it holds a version, memory that the writer gives back can't be used again. */
const HELD_WITH_OTHERS_MS_MAX = 12 * HELD_MS_MAX;

interface Place {
  readonly block: Block;
  readonly slot: number;
}

interface PricedPlace extends Place {
  readonly priced: SlotPrice;
}

type Today = (timezone: string) => EpochDay;

/** Each step ends where other answers may come in between. */
type Steps<T> = Generator<void, T>;

/** Places of work that takes several slices; who has more than another gives one up. */
class Places {
  readonly #max: number;
  readonly #taken: WorkPlace[] = [];

  constructor(max: number) {
    this.#max = max;
  }

  /** Undefined: all are taken, and nobody has more of them. */
  take(asker: string): WorkPlace | undefined {
    if (this.#taken.length >= this.#max && !this.#makeRoom(asker)) return undefined;
    const place = { asker, isLost: false };
    this.#taken.push(place);
    return place;
  }

  free(place: WorkPlace): void {
    const index = this.#taken.indexOf(place);
    if (index !== -1) this.#taken.splice(index, 1);
  }

  #makeRoom(asker: string): boolean {
    const byAsker = [...Map.groupBy(this.#taken, (place) => place.asker).values()];
    const [most = []] = byAsker.toSorted((one, other) => other.length - one.length);
    const own = this.#taken.filter((place) => place.asker === asker).length;
    if (most.length <= own + 1) return false;
    const last = most.at(-1)!;
    last.isLost = true;
    this.free(last);
    return true;
  }
}

interface WorkPlace {
  readonly asker: string;
  isLost: boolean;
}

export class StayPrices {
  readonly #sources: PriceSources;
  readonly #slices = new SliceQueue(WAITING_MAX);
  readonly #slicedSearches = new Places(SLICED_SEARCHES_MAX);
  readonly #slicedLooks = new Places(SLICED_LOOKS_MAX);

  constructor(sources: PriceSources) {
    this.#sources = sources;
  }

  /** `busy`, of this and the others: too many are running, or this one would take too long. */
  search(query: PricedSearch): Promise<PricedPage | 'busy'> {
    return this.#begin(query, async (directory, today) => {
      const found = this.#sources.search(directory, query, today);
      const places =
        query.sort === 'default'
          ? await this.#inSlices(this.#pageInOrder(found.markets, query, today), query, this.#slicedLooks)
          : await this.#pageByTotal(found.markets, query, today);
      if (places === 'busy') return 'busy';
      return { body: this.#formatPage(places, query, found.total, today), found };
    });
  }

  /** Answers in the order of the ids. */
  ofProperties(
    propertyIds: readonly string[],
    question: PricedQuestion & { readonly stay: StayOfGuests },
  ): Promise<readonly PricedProperty[] | 'busy'> {
    return this.#begin(question, (directory, today) =>
      this.#inSlices(
        this.#priceProperties(directory, propertyIds, question, today),
        question,
        this.#slicedLooks,
      ),
    );
  }

  /**
   * JSON; undefined when the property is unknown to the partner. `settle` turns the request into a range, or refuses.
   */
  calendar<Refused>(
    question: CalendarQuestion,
    settle: (from: EpochDay, until: EpochDay | undefined) => CalendarRange | { readonly refused: Refused },
  ): Promise<Buffer | { readonly refused: Refused } | 'busy' | undefined> {
    return this.#begin(question, (directory, today) =>
      this.#inSlices(this.#priceDates(directory, question, settle, today), question, this.#slicedLooks),
    );
  }

  /** Reads the directory when the first slice begins, and not later: the reader may have gone to other memory. */
  async #begin<T>(
    { asker }: PricedQuestion,
    work: (directory: Directory | undefined, today: Today) => Promise<T | 'busy'>,
  ): Promise<T | 'busy'> {
    if (!(await this.#slices.begin(asker))) return 'busy';
    const held = this.#sources.hold();
    try {
      return await work(held.directory, this.#todayNow());
    } finally {
      held.release();
    }
  }

  *#priceProperties(
    directory: Directory | undefined,
    propertyIds: readonly string[],
    { stay, partnerId, hasDiscounts }: PricedQuestion & { readonly stay: StayOfGuests },
    today: Today,
  ): Steps<readonly PricedProperty[]> {
    const pricedStay = { stay: this.#sources.stayLines(stay), hasDiscounts };
    // All are found in the first slice: later ones find in the memory of that time, which may be another.
    const places = propertyIds.map((propertyId) => this.#findVisible(directory, propertyId, partnerId));
    const answers: PricedProperty[] = [];
    for (const place of places) {
      answers.push(place === undefined ? NOT_FOUND : presentProperty(this.#price(place, pricedStay, today)));
      if (place !== undefined) yield;
    }
    return answers;
  }

  *#priceDates<Refused>(
    directory: Directory | undefined,
    { propertyId, from, until, nights, guests, partnerId, hasDiscounts }: CalendarQuestion,
    settle: (from: EpochDay, until: EpochDay | undefined) => CalendarRange | { readonly refused: Refused },
    today: Today,
  ): Steps<Buffer | { readonly refused: Refused } | undefined> {
    const place = this.#findVisible(directory, propertyId, partnerId);
    if (place === undefined) return undefined;
    const timezone = place.block.timezone(place.slot);
    const range = settle(from ?? today(timezone), until);
    if ('refused' in range) return range;
    const { currency } = readTerms(place.block.prices(place.slot));
    const days: string[] = [];
    for (let checkIn = range.from; checkIn < range.until; checkIn++) {
      const stay = this.#sources.stayLines({ checkIn, checkOut: checkIn + nights, guests });
      const { refusal, price } = this.#price(place, { stay, hasDiscounts }, today);
      const isAvailable = refusal !== 'STAY_UNAVAILABLE';
      const total = price === undefined ? 'null' : `"${formatMoney(price.total)}"`;
      days.push(`{"checkIn":"${formatLocalDate(checkIn)}","available":${isAvailable},"total":${total}}`);
      yield;
    }
    const about = { propertyId, timezone, currency, nights, guests };
    return Buffer.from(`${JSON.stringify(about).slice(0, -1)},"days":[${days.join(',')}]}`);
  }

  #findVisible(directory: Directory | undefined, propertyId: string, partnerId: string): Place | undefined {
    const place = this.#sources.find(directory, propertyId);
    return place?.block.isVisible(place.slot, partnerId) === true ? place : undefined;
  }

  *#pageInOrder(
    markets: readonly MarketHits[],
    query: PricedSearch,
    today: Today,
  ): Steps<readonly PricedPlace[]> {
    const { page, pageSize } = query;
    const pricedStay = this.#pricedStay(query);
    const places: Place[] = [];
    const walk = new MergedWalk(markets, (page - 1) * pageSize);
    for (; walk.block !== undefined && places.length < pageSize; walk.next())
      places.push({ block: walk.block, slot: walk.slot });
    const priced: PricedPlace[] = [];
    for (const place of places) {
      priced.push({ ...place, priced: this.#price(place, pricedStay, today) });
      yield;
    }
    return priced;
  }

  async #pageByTotal(
    markets: readonly MarketHits[],
    query: PricedSearch,
    today: Today,
  ): Promise<readonly PricedPlace[] | 'busy'> {
    const { page, pageSize } = query;
    const total = markets.reduce((sum, { count }) => sum + count, 0);
    if ((page - 1) * pageSize >= total) return [];
    const pricedStay = this.#pricedStay(query);
    // The hits are in memory that the next search uses.
    const walk = new MergedWalk(ownHits(markets), 0);
    const ordering = new Ordering(total, Math.min(page * pageSize, total), {
      ...query.stay,
      guests: query.guests,
      price: (place) => this.#price(place, pricedStay, today),
    });
    if ((await this.#inSlices(ordering.order(walk), query, this.#slicedSearches)) === 'busy') return 'busy';
    return ordering.page((page - 1) * pageSize, page * pageSize);
  }

  /** The first slice has begun. */
  async #inSlices<T>(steps: Steps<T>, { asker = '' }: PricedQuestion, places: Places): Promise<T | 'busy'> {
    const begunMs = performance.now();
    const first = workOn(steps);
    if (first.done === true) return first.value;
    let nowMs = performance.now();
    let workedMs = nowMs - begunMs;
    const place = places.take(asker);
    if (place === undefined) return 'busy';
    try {
      while (workedMs <= HELD_MS_MAX && nowMs - begunMs <= HELD_WITH_OTHERS_MS_MAX) {
        await this.#slices.continue(asker);
        if (place.isLost) return 'busy';
        const sliceMs = performance.now();
        const step = workOn(steps);
        if (step.done === true) return step.value;
        nowMs = performance.now();
        workedMs += nowMs - sliceMs;
      }
      return 'busy';
    } finally {
      places.free(place);
    }
  }

  #todayNow(): Today {
    const nowMs = this.#sources.clock();
    return rememberLast((timezone) => localToday(timezone, nowMs));
  }

  #pricedStay({ stay, guests, hasDiscounts }: PricedSearch): PricedStay {
    return { stay: this.#sources.stayLines({ ...stay, guests }), hasDiscounts, isFound: true };
  }

  #price({ block, slot }: Place, pricedStay: PricedStay, today: Today): SlotPrice {
    const first = today(block.timezone(slot));
    return priceSlot(block, slot, pricedStay, { first, end: first + this.#sources.horizonNights });
  }

  #formatPage(
    places: readonly PricedPlace[],
    { page, pageSize, locale }: PricedSearch,
    total: number,
    today: Today,
  ): Buffer {
    const localeIndex = LOCALES.indexOf(locale);
    const pieces: Uint8Array[] = [ITEMS_BEGIN];
    for (const [index, { block, slot, priced }] of places.entries()) {
      const { bytes, start, end } = this.#sources.summaryOf(block, slot, localeIndex, today);
      if (index > 0) pieces.push(COMMA);
      // Without its closing brace.
      pieces.push(bytes.subarray(start, end - 1), Buffer.from(`,"pricing":${formatPricing(priced.price)}}`));
    }
    const hasMore = page * pageSize < total;
    const pagination = `{"page":${page},"pageSize":${pageSize},"total":${total},"hasMore":${hasMore}}`;
    return Buffer.concat([...pieces, Buffer.from(`],"pagination":${pagination}}`)]);
  }
}

/** One slice; the last step says whether the time ended before the work. */
function workOn<T>(steps: Steps<T>): IteratorResult<void, T> {
  const untilMs = performance.now() + SLICE_MS_MAX;
  for (;;) {
    const step = steps.next();
    if (step.done === true || performance.now() > untilMs) return step;
  }
}

const ITEMS_BEGIN = Buffer.from('{"items":[');
const COMMA = Buffer.from(',');

const NOT_FOUND: PricedProperty = { code: 'PROPERTY_NOT_FOUND', currency: null, pricing: 'null' };

function presentProperty({ currency, refusal, price }: SlotPrice): PricedProperty {
  return { code: refusal, currency, pricing: formatPricing(price) };
}

interface OrderedStay extends StayOfGuests {
  readonly price: (place: Place) => SlotPrice;
}

/**
 * The properties of a search by total: the cheapest ones wanted, and those without a price in search order.
 *
 * It reads the lower bounds of all, then prices those with the lowest ones, then the others. Most of these are passed
 * over, because the first ones are nearly the cheapest.
 */
class Ordering {
  readonly #stay: OrderedStay;
  readonly #wanted: number;
  readonly #cheapest: CheapestFirst<PricedPlace>;
  readonly #unpriced: (PricedPlace & { readonly number: number })[] = [];
  // The hits by their number in search order: block, slot (PRICED once it has been priced), currency, lower bound.
  readonly #blocks: Block[] = [];
  readonly #slots: Int32Array;
  readonly #currencies: Int32Array;
  readonly #leasts: Float64Array;

  constructor(count: number, wanted: number, stay: OrderedStay) {
    this.#stay = stay;
    this.#wanted = wanted;
    this.#cheapest = new CheapestFirst(wanted);
    this.#slots = new Int32Array(count);
    this.#currencies = new Int32Array(count);
    this.#leasts = new Float64Array(count);
  }

  /** Before `page`. */
  *order(walk: MergedWalk): Steps<void> {
    const first = new CheapestFirst<undefined>(FIRST_PRICED * this.#wanted);
    for (let number = 0; walk.block !== undefined; walk.next(), number++) {
      const head = walk.block.priceHead(walk.slot);
      const currency = readCurrencyCode(head);
      const total = leastPrice(head, this.#stay);
      this.#blocks.push(walk.block);
      this.#slots[number] = walk.slot;
      this.#currencies[number] = currency;
      this.#leasts[number] = total;
      if (!first.isBeyond(currency, total)) first.add({ currency, total, place: number, item: undefined });
      if (number % BOUNDS_PER_LOOK === 0) yield;
    }
    for (const { place } of first.sorted()) if (this.#price(place)) yield;
    for (let number = 0; number < this.#slots.length; number++)
      if (this.#price(number) || number % BOUNDS_PER_LOOK === 0) yield;
  }

  /** False when it was not needed. */
  #price(number: number): boolean {
    const slot = this.#slots[number]!;
    const currency = this.#currencies[number]!;
    if (slot === PRICED || this.#cheapest.isBeyond(currency, this.#leasts[number]!)) return false;
    this.#slots[number] = PRICED;
    const block = this.#blocks[number]!;
    const priced = this.#stay.price({ block, slot });
    const item = { block, slot, priced, number };
    if (priced.price !== undefined)
      this.#cheapest.add({ currency, total: priced.price.total, place: number, item });
    // Where the cheapest fill the pages, no other is shown.
    else if (this.#cheapest.count < this.#wanted) this.#unpriced.push(item);
    return true;
  }

  page(from: number, until: number): readonly PricedPlace[] {
    const priced = this.#cheapest.sorted().map(({ item }) => item);
    const unpriced = this.#unpriced.sort((one, other) => one.number - other.number);
    return [...priced, ...unpriced].slice(from, until);
  }
}

const PRICED = -1;

/** Remembers the last timezone: most markets have one. */
export function rememberLast<T>(ask: (timezone: string) => T): (timezone: string) => T {
  let last: { timezone: string; answer: T } | undefined;
  return (timezone) => {
    if (last?.timezone !== timezone) last = { timezone, answer: ask(timezone) };
    return last.answer;
  };
}
