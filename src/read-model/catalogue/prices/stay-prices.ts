/**
 * Prices of stays from memory: for a page of a search, for properties by id, and for many check-in dates of a property.
 */
import type { Party } from '../../../domain/child-ages.ts';
import type { StayRequest } from '../../../domain/eligibility.ts';
import type { Clock } from '../../../runtime/clock.ts';
import { EPOCH_DAY_MAX, type EpochDay, formatLocalDate, localToday } from '../../../domain/local-date.ts';
import { formatMoney } from '../../../domain/money.ts';
import type { QuoteRefusal } from '../../../domain/quote-decision.ts';
import { type DayRange, type DaysQuestion, earliestToday, readCityDays } from './city-days.ts';
import type { NamedMarkets, SearchQuery } from '../cities/city-search.ts';
import { type FlexibleSearch, searchFlexibleStays } from './flexible-search.ts';
import type { Block } from '../index/block.ts';
import type { Directory } from '../index/directory.ts';
import { type MomentSources, PricedMoment, type PricedPage } from './priced-moment.ts';
import { readTerms } from '../property/price-record.ts';
import { formatPricing, type PropertyRef, type SlotPrice } from './slot-price.ts';
import { type PricedSearch, searchStays } from './stay-search.ts';
import { TraitBooks } from './trait-book.ts';
import { type WhyNot, WhyNots } from './why-not.ts';

export interface PricedProperty {
  /** The refusal of a quote. */
  readonly code: null | 'PROPERTY_NOT_FOUND' | QuoteRefusal;
  readonly currency: string | null;
  /** JSON. */
  readonly pricing: string;
  /** Where it was asked for. */
  readonly why?: WhyNot;
}

/** One stay at several properties. */
export interface PropertiesQuestion {
  readonly partnerId: string;
  readonly propertyIds: readonly string[];
  readonly stay: StayRequest;
  /** Whether each answer says why the stay is not priced, and which are instead; `instead`: without the reasons. */
  readonly why?: 'reasons' | 'instead' | undefined;
}

/** The check-in dates of the range. */
export interface CalendarQuestion extends DayRange, Party {
  readonly partnerId: string;
  readonly propertyId: string;
  readonly nights: number;
  /** Undefined: stays of one length. */
  readonly maxNights?: number | undefined;
}

/** The catalogue reader's side of prices. */
export interface PriceSources extends MomentSources {
  readonly clock: Clock;
  /** Nothing changes while `work` reads; it must keep nothing. */
  readonly read: <T>(work: (directory: Directory | undefined) => T) => T;
  readonly named: (
    directory: Directory | undefined,
    ref: Pick<SearchQuery, 'city' | 'country'>,
  ) => NamedMarkets;
  readonly find: (
    directory: Directory | undefined,
    propertyId: string,
  ) => { readonly block: Block; readonly slot: number } | undefined;
}

/** Reads one version of the catalogue; each answer takes as long as it takes (`question-costs.ts`). */
export class StayPrices {
  readonly #sources: PriceSources;
  readonly #books = new TraitBooks();

  constructor(sources: PriceSources) {
    this.#sources = sources;
  }

  search(query: PricedSearch): PricedPage {
    return this.#read((moment, directory) =>
      searchStays(moment, this.#books.open(), this.#sources.named(directory, query), query),
    );
  }

  /** Each property with the best of its stays. */
  flexible(query: FlexibleSearch): PricedPage {
    return this.#read((moment, directory) =>
      searchFlexibleStays(moment, this.#books.open(), this.#sources.named(directory, query), query),
    );
  }

  /** JSON. */
  days(question: DaysQuestion): Buffer {
    return this.#read((moment, directory) =>
      readCityDays(moment, this.#books.open(), this.#sources.named(directory, question), question),
    );
  }

  /** Answers in the order of the ids. */
  ofProperties({ propertyIds, stay, partnerId, why }: PropertiesQuestion): readonly PricedProperty[] {
    return this.#read((moment, directory) => {
      const pricedStay = { stay: moment.stayLines(stay) };
      const whyNots = why && new WhyNots(moment, stay, why === 'reasons');
      return propertyIds.map((propertyId) => {
        const ref = this.#findVisible(directory, propertyId, partnerId);
        const priced = ref && moment.price(ref, pricedStay);
        const answer = priced === undefined ? NOT_FOUND : presentProperty(priced);
        if (whyNots === undefined) return answer;
        return { ...answer, why: priced === undefined ? whyNots.ofNothing : whyNots.of(ref!, priced) };
      });
    });
  }

  /** JSON; undefined when the property is unknown to the partner. */
  calendar(question: CalendarQuestion): Buffer | undefined {
    return this.#read((moment, directory) => {
      const ref = this.#findVisible(directory, question.propertyId, question.partnerId);
      return ref && formatCalendar(moment, ref, question);
    });
  }

  /** The first of all today's dates in a city; in UTC where the partner sees no property. */
  firstDay(ref: Pick<DaysQuestion, 'city' | 'country' | 'partnerId'>): EpochDay {
    return this.#read((moment, directory) =>
      earliestToday(moment, this.#sources.named(directory, ref), ref.partnerId),
    );
  }

  /** Today at a property; undefined when it is unknown to the partner. */
  todayAt({
    propertyId,
    partnerId,
  }: Pick<CalendarQuestion, 'propertyId' | 'partnerId'>): EpochDay | undefined {
    return this.#read((moment, directory) => {
      const ref = this.#findVisible(directory, propertyId, partnerId);
      return ref && moment.today(ref.block.timezone(ref.slot));
    });
  }

  /** One moment, and one version. */
  #read<T>(work: (moment: PricedMoment, directory: Directory | undefined) => T): T {
    const nowMs = this.#sources.clock();
    const today = rememberLast((timezone) => localToday(timezone, nowMs));
    return this.#sources.read((directory) => work(new PricedMoment(this.#sources, today), directory));
  }

  #findVisible(
    directory: Directory | undefined,
    propertyId: string,
    partnerId: string,
  ): PropertyRef | undefined {
    const ref = this.#sources.find(directory, propertyId);
    return ref?.block.isVisible(ref.slot, partnerId) === true ? ref : undefined;
  }
}

function formatCalendar(moment: PricedMoment, ref: PropertyRef, question: CalendarQuestion): Buffer {
  const { propertyId, from, until, nights, maxNights, guests, childAges } = question;
  const timezone = ref.block.timezone(ref.slot);
  const { currency } = readTerms(ref.block.prices(ref.slot));
  const days: string[] = [];
  for (let checkIn = from; checkIn < until; checkIn++) {
    const first = { checkIn, checkOut: checkIn + nights, guests, childAges };
    const priced =
      maxNights === undefined
        ? priceStay(moment, ref, first)
        : `"stays":[${priceLengths(moment, ref, first, maxNights)}]`;
    days.push(`{"checkIn":"${formatLocalDate(checkIn)}",${priced}}`);
  }
  const about = { propertyId, timezone, currency, nights, guests, childAges };
  return Buffer.from(`${JSON.stringify(about).slice(0, -1)},"days":[${days.join(',')}]}`);
}

/** Fields of a stay in a calendar. */
function priceStay(moment: PricedMoment, ref: PropertyRef, asked: StayRequest): string {
  const pricedStay = { stay: moment.stayLines(asked) };
  const { refusal, price } = moment.price(ref, pricedStay);
  const total = price === undefined ? 'null' : `"${formatMoney(price.total)}"`;
  return `"available":${refusal !== 'STAY_UNAVAILABLE'},"total":${total}`;
}

/** Stays of the first one's length up to the longest, but for those that end after the last date of all. */
function priceLengths(moment: PricedMoment, ref: PropertyRef, first: StayRequest, maxNights: number): string {
  const { checkIn } = first;
  const stays: string[] = [];
  const last = Math.min(checkIn + maxNights, EPOCH_DAY_MAX);
  for (let { checkOut } = first; checkOut <= last; checkOut++) {
    const priced = priceStay(moment, ref, { ...first, checkOut });
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
