/**
 * Generates all properties of the sandbox as storage would hold them, for a moment in time. Most are the same every
 * day; those are generated once, for all days around this one.
 */
import type { Clock } from '../../runtime/clock.ts';
import { localToday, utcDay } from '../../domain/local-date.ts';
import { readPriceTerms } from '../../domain/price-terms.ts';
import type { StoredProperty } from '../../storage/catalogue/store.ts';
import { encodeProperty } from '../../supply/run/encode-property.ts';
import { GAP_ID, propertyAtHandoff, SPECIAL_IDS, specialProperty, timezoneOf } from './special-properties.ts';
import {
  makeTestProperty,
  makeTestType,
  openNights,
  type TestNights,
  type TestProperty,
} from './test-property.ts';
import type { CalendarEntry } from '../../domain/calendar.ts';

/** Days before and after the day of generation that a property covers. */
const REACH_DAYS = 420;
/** Days until they are generated again, so that requested days stay within reach. */
const CACHED_DAYS = 30;

export interface TestPropertiesOptions {
  readonly clock: Clock;
  readonly horizonNights: number;
}

export class TestProperties {
  readonly #options: TestPropertiesOptions;
  #cached = new Map<string, StoredProperty>();
  #cachedOn = Number.NaN;

  constructor(options: TestPropertiesOptions) {
    this.#options = options;
  }

  /** One by one, so that the caller can serve requests in between. Equal for equal local days. */
  *all(nowMs: number): Generator<StoredProperty> {
    for (let index = 0; index < ORDINARY_COUNT; index += 1) {
      const build = (nights: TestNights): TestProperty => ordinaryProperty(index, nights);
      yield this.#generate(ordinaryId(index), nowMs, isSoldOutFromToday(index), build);
    }
    for (const id of SPECIAL_IDS) {
      yield this.#generate(id, nowMs, id === GAP_ID, (nights) => specialProperty(id, nights));
    }
  }

  /** A property that changed between quote and handoff. */
  findAtHandoff(propertyId: string, nowMs: number): StoredProperty | undefined {
    const build = propertyAtHandoff(propertyId);
    return build && this.#generate(`${propertyId} at its handoff`, nowMs, false, build);
  }

  /** `key` begins with the property's id. */
  #generate(
    key: string,
    nowMs: number,
    dependsOnToday: boolean,
    build: (nights: TestNights) => TestProperty,
  ): StoredProperty {
    const { horizonNights } = this.#options;
    const today = localToday(timezoneOf(key.split(' ', 1)[0]!), nowMs);
    const exact = { first: today, last: today + horizonNights - 1 };
    if (dependsOnToday) return this.#encode(build(exact));
    const cached = this.#cacheNear();
    const around = { first: this.#cachedOn - REACH_DAYS, last: this.#cachedOn + REACH_DAYS + horizonNights };
    if (exact.first < around.first || exact.last > around.last) return this.#encode(build(exact));
    const known = cached.get(key) ?? this.#encode(build(around));
    cached.set(key, known);
    return known;
  }

  #cacheNear(): Map<string, StoredProperty> {
    const day = utcDay(this.#options.clock());
    if (!(Math.abs(day - this.#cachedOn) <= CACHED_DAYS)) {
      this.#cached = new Map();
      this.#cachedOn = day;
    }
    return this.#cached;
  }

  #encode({ property, entries }: TestProperty): StoredProperty {
    const { horizonNights, clock } = this.#options;
    const { lowestRates, calendars, source } = encodeProperty(property, entries, {
      source: 'sandbox',
      horizonNights,
    });
    const terms = readPriceTerms(property);
    return { property, terms, source, lowestRates, calendars, revision: 1, changedAtMs: clock() };
  }
}

// The ordinary properties of Testville: enough for three pages, different enough to filter.

const ORDINARY_COUNT = 45;

const TYPES = ['hotel', 'apartment', 'bed_and_breakfast', 'villa'] as const;
const AMENITIES = ['wifi', 'kitchen', 'parking', 'pool', 'air_conditioning', 'breakfast'] as const;
const SOLD_OUT_NIGHTS = 30;

/** `testville-01` to `testville-45`; equal on every day, except for dates. */
function ordinaryProperty(index: number, nights: TestNights): TestProperty {
  const label = labelOf(index);
  const rate = 4_500 + ((index * 37) % 40) * 500;
  const property = makeTestProperty(ordinaryId(index), {
    name: { 'it-IT': `Casa di prova ${label}`, 'en-GB': `Test house ${label}` },
    propertyType: TYPES[index % TYPES.length]!,
    bathrooms: 1 + (index % 4) / 2,
    amenities: AMENITIES.filter((_, position) => (index + position) % 3 !== 0),
    rating: index % 7 === 0 ? null : { score: 3 + (index % 20) / 10, count: 3 * index },
    cleaningFee: index % 2 === 0 ? null : '30.00',
    inventoryTypes: [makeTestType({ guestsMax: 1 + (index % 8), includedGuests: 1 + (index % 3) })],
  });
  return { property, entries: [[openNights(nights, rate), ...soldOut(index, nights)]] };
}

function ordinaryId(index: number): string {
  return `testville-${labelOf(index)}`;
}

/** Each ninth property is closed for the next weeks, so that a dated search finds fewer. */
function isSoldOutFromToday(index: number): boolean {
  return index % 9 === 8;
}

function labelOf(index: number): string {
  return String(index + 1).padStart(2, '0');
}

function soldOut(index: number, { first, last }: TestNights): CalendarEntry[] {
  if (!isSoldOutFromToday(index)) return [];
  return [{ from: first, to: Math.min(last, first + SOLD_OUT_NIGHTS - 1), set: { availability: 0 } }];
}
