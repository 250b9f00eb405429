/**
 * Prices of stays from memory: for a page of a search, for properties by id, and for many check-in dates of a property.
 *
 * Work comes in slices over one version of the catalogue (`sliced-work.ts`), so that other answers come in between.
 */
import type { Clock } from '../../runtime/clock.ts';
import { EPOCH_DAY_MAX, type EpochDay, formatLocalDate, localToday } from '../../domain/local-date.ts';
import { formatMoney } from '../../domain/money.ts';
import type { QuoteRefusal } from '../../domain/quote-decision.ts';
import { type DayRange, type DaysQuestion, readCityDays } from './city-days.ts';
import type { NamedMarkets, Today } from './city-search.ts';
import { type FlexibleSearch, searchFlexibleStays } from './flexible-search.ts';
import type { Block } from './index/block.ts';
import type { Directory } from './index/directory.ts';
import {
  type MomentSources,
  PricedMoment,
  type PricedPage,
  type PricedQuestion,
  type StayOfGuests,
} from './priced-moment.ts';
import { readTerms } from './property/price-record.ts';
import type { SearchQuery } from './read-model.ts';
import type { SlicedWork, Steps } from '../../runtime/sliced-work.ts';
import { formatPricing, type Place, type SlotPrice } from './slot-price.ts';
import { looksAtAll, type PricedSearch, searchStays } from './stay-search.ts';
import { TraitBooks } from './trait-book.ts';

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
  /** Undefined: stays of one length. */
  readonly maxNights?: number | undefined;
  readonly guests: number;
}

/** The catalogue reader's side of prices. */
export interface PriceSources extends MomentSources {
  readonly clock: Clock;
  readonly hold: () => { readonly directory: Directory | undefined; readonly release: () => void };
  readonly named: (
    directory: Directory | undefined,
    place: Pick<SearchQuery, 'city' | 'country'>,
  ) => NamedMarkets;
  readonly find: (
    directory: Directory | undefined,
    propertyId: string,
  ) => { readonly block: Block; readonly slot: number } | undefined;
}

/** One moment, and the version that a question reads. */
interface Held {
  readonly moment: PricedMoment;
  readonly directory: Directory | undefined;
}

export class StayPrices {
  readonly #sources: PriceSources;
  readonly #work: SlicedWork;
  readonly #books = new TraitBooks();

  constructor(sources: PriceSources, work: SlicedWork) {
    this.#sources = sources;
    this.#work = work;
  }

  /** `busy`, of this and the others: too many are running, or this one would take too long. */
  search(query: PricedSearch): Promise<PricedPage | 'busy'> {
    return this.#begin(query, ({ moment, directory }) => {
      const steps = searchStays(moment, this.#books.open(), this.#sources.named(directory, query), query);
      return looksAtAll(query) ? this.#work.search(steps, query.asker) : this.#work.look(steps, query.asker);
    });
  }

  /** Each property with the best of its stays. */
  flexible(query: FlexibleSearch): Promise<PricedPage | 'busy'> {
    return this.#begin(query, ({ moment, directory }) => {
      const named = this.#sources.named(directory, query);
      return this.#work.search(searchFlexibleStays(moment, this.#books.open(), named, query), query.asker);
    });
  }

  /** JSON. `settle` as for `calendar`. */
  days<Refused>(
    question: DaysQuestion,
    settle: (from: EpochDay, until: EpochDay | undefined) => DayRange | { readonly refused: Refused },
  ): Promise<Buffer | { readonly refused: Refused } | 'busy'> {
    return this.#begin(question, ({ moment, directory }) => {
      const named = this.#sources.named(directory, question);
      return this.#work.search(
        readCityDays(moment, this.#books.open(), named, question, settle),
        question.asker,
      );
    });
  }

  /** Answers in the order of the ids. */
  ofProperties(
    propertyIds: readonly string[],
    question: PricedQuestion & { readonly stay: StayOfGuests },
  ): Promise<readonly PricedProperty[] | 'busy'> {
    return this.#begin(question, (held) =>
      this.#work.look(this.#priceProperties(held, propertyIds, question), question.asker),
    );
  }

  /**
   * JSON; undefined when the property is unknown to the partner. `settle` turns the request into a range, or refuses.
   */
  calendar<Refused>(
    question: CalendarQuestion,
    settle: (from: EpochDay, until: EpochDay | undefined) => DayRange | { readonly refused: Refused },
  ): Promise<Buffer | { readonly refused: Refused } | 'busy' | undefined> {
    return this.#begin(question, (held) =>
      this.#work.look(this.#priceDates(held, question, settle), question.asker),
    );
  }

  /** Reads the directory when the first slice begins, and not later: the reader may have gone to other memory. */
  async #begin<T>(question: PricedQuestion, work: (held: Held) => Promise<T | 'busy'>): Promise<T | 'busy'> {
    if (!(await this.#work.begin(question.asker))) return 'busy';
    const { directory, release } = this.#sources.hold();
    try {
      const moment = new PricedMoment(this.#sources, this.#todayNow());
      return await work({ moment, directory });
    } finally {
      release();
    }
  }

  *#priceProperties(
    { moment, directory }: Held,
    propertyIds: readonly string[],
    { stay, partnerId }: PricedQuestion & { readonly stay: StayOfGuests },
  ): Steps<readonly PricedProperty[]> {
    const pricedStay = { stay: moment.stayLines(stay) };
    // All are found in the first slice: later ones find in the memory of that time, which may be another.
    const places = propertyIds.map((propertyId) => this.#findVisible(directory, propertyId, partnerId));
    const answers: PricedProperty[] = [];
    for (const place of places) {
      answers.push(place === undefined ? NOT_FOUND : presentProperty(moment.price(place, pricedStay)));
      if (place !== undefined) yield;
    }
    return answers;
  }

  *#priceDates<Refused>(
    { moment, directory }: Held,
    question: CalendarQuestion,
    settle: (from: EpochDay, until: EpochDay | undefined) => DayRange | { readonly refused: Refused },
  ): Steps<Buffer | { readonly refused: Refused } | undefined> {
    const { propertyId, nights, maxNights, guests, partnerId } = question;
    const place = this.#findVisible(directory, propertyId, partnerId);
    if (place === undefined) return undefined;
    const timezone = place.block.timezone(place.slot);
    const range = settle(question.from ?? moment.today(timezone), question.until);
    if ('refused' in range) return range;
    const { currency } = readTerms(place.block.prices(place.slot));
    const days: string[] = [];
    for (let checkIn = range.from; checkIn < range.until; checkIn++) {
      const first = { checkIn, checkOut: checkIn + nights, guests };
      const priced =
        maxNights === undefined
          ? yield* priceStay(moment, place, first)
          : `"stays":[${yield* priceLengths(moment, place, first, maxNights)}]`;
      days.push(`{"checkIn":"${formatLocalDate(checkIn)}",${priced}}`);
    }
    const about = { propertyId, timezone, currency, nights, guests };
    return Buffer.from(`${JSON.stringify(about).slice(0, -1)},"days":[${days.join(',')}]}`);
  }

  #findVisible(directory: Directory | undefined, propertyId: string, partnerId: string): Place | undefined {
    const place = this.#sources.find(directory, propertyId);
    return place?.block.isVisible(place.slot, partnerId) === true ? place : undefined;
  }

  #todayNow(): Today {
    const nowMs = this.#sources.clock();
    return rememberLast((timezone) => localToday(timezone, nowMs));
  }
}

/** Fields of a stay in a calendar. */
function* priceStay(moment: PricedMoment, place: Place, asked: StayOfGuests): Steps<string> {
  const pricedStay = { stay: moment.stayLines(asked) };
  const { refusal, price } = moment.price(place, pricedStay);
  yield;
  const total = price === undefined ? 'null' : `"${formatMoney(price.total)}"`;
  return `"available":${refusal !== 'STAY_UNAVAILABLE'},"total":${total}`;
}

/** Stays of the first one's length up to the longest, but for those that end after the last date of all. */
function* priceLengths(
  moment: PricedMoment,
  place: Place,
  first: StayOfGuests,
  maxNights: number,
): Steps<string> {
  const { checkIn } = first;
  const stays: string[] = [];
  const last = Math.min(checkIn + maxNights, EPOCH_DAY_MAX);
  for (let { checkOut } = first; checkOut <= last; checkOut++) {
    const priced = yield* priceStay(moment, place, { ...first, checkOut });
    stays.push(`{"nights":${checkOut - checkIn},"checkOut":"${formatLocalDate(checkOut)}",${priced}}`);
  }
  return stays.join(',');
}

const NOT_FOUND: PricedProperty = { code: 'PROPERTY_NOT_FOUND', currency: null, pricing: 'null' };

function presentProperty({ currency, refusal, price }: SlotPrice): PricedProperty {
  return { code: refusal, currency, pricing: formatPricing(price) };
}

/** Remembers the last timezone: most markets have one. */
export function rememberLast<T>(ask: (timezone: string) => T): (timezone: string) => T {
  let last: { timezone: string; answer: T } | undefined;
  return (timezone) => {
    if (last?.timezone !== timezone) last = { timezone, answer: ask(timezone) };
    return last.answer;
  };
}
