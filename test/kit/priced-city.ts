/**
 * A city of random properties in memory, and what searches with prices should say of it, in the most obvious way: every
 * stay of every property is priced by the naive model, then filtered, counted and sorted.
 */
import { buildCalendar } from '../../src/domain/calendar.ts';
import { encodeNights, encodeRates } from '../../src/domain/calendar-codec.ts';
import { DAY_MS, formatLocalDate } from '../../src/domain/local-date.ts';
import { buildLowestRates } from '../../src/domain/lowest-rates.ts';
import { formatMoney } from '../../src/domain/money.ts';
import { type Locale, type LocalizedText, LOCALES, type Property } from '../../src/domain/property.ts';
import type { StayFilters } from '../../src/domain/stay-filters.ts';
import { Catalogue } from '../../src/read-model/catalogue/catalogue.ts';
import type { CatalogueWriter } from '../../src/read-model/catalogue/catalogue-writer.ts';
import { naiveIsAvailable, naiveQuote, type NaiveStay, type NaiveWorld } from './naive-model.ts';

export const PARTNER = 'acme';
export const CITY = 'Venezia';
const CURRENCIES = ['EUR', 'EUR', 'EUR', 'CHF', 'JPY'];
/** At the hour of the tests these have three days: yesterday's, today's and tomorrow's of UTC. */
const HOUR = 11.5;
const ZONES = ['UTC', 'Europe/Rome', 'Etc/GMT+12', 'Pacific/Kiritimati'] as const;
const DAYS_FROM_UTC = [0, 0, -1, 1];

const TYPES = ['hotel', 'Hotel', 'inn', 'Città', 'Citta', '\u{1f3e8} suite', '\uff21 suite'];
const AREAS: readonly (LocalizedText | null)[] = [
  null,
  'Castello',
  'castello',
  { 'it-IT': 'Centro storico', 'en-GB': 'Old town' },
  { 'it-IT': 'Centro Storico', 'en-GB': 'Old Town' },
  { 'en-GB': 'Old town' },
  { 'it-IT': 'Old town', 'en-GB': 'Lido' },
];
const AMENITIES = ['wifi', 'WiFi', 'kitchen', 'Kitchen', 'pool', 'sauna', 'garden'];

export interface PricedCity {
  readonly catalogue: Catalogue;
  readonly worlds: ReadonlyMap<string, NaiveWorld>;
}

/** All that the naive answers need of a city, in the order of its searches. */
export type NaiveCity = Pick<PricedCity, 'worlds'>;

/** Properties of one city name in one or two countries, all looked at in the moment of the first. */
export function makePricedCity(drawn: readonly NaiveWorld[], zones: readonly string[] = ['UTC']): PricedCity {
  const { today, horizonNights } = drawn[0]!;
  const nowMs = today * DAY_MS + HOUR * 3_600_000;
  const catalogue = new Catalogue({ clock: () => nowMs, horizonNights });
  return { catalogue, worlds: fillCity(catalogue.writer, drawn, zones) };
}

export const ALL_ZONES: readonly string[] = ZONES;

export function fillCity(
  writer: CatalogueWriter,
  drawn: readonly NaiveWorld[],
  zones: readonly string[] = ['UTC'],
  firstRevision = 1,
): ReadonlyMap<string, NaiveWorld> {
  const { today, horizonNights } = drawn[0]!;
  const worlds = new Map<string, NaiveWorld>();
  for (const [index, world] of drawn.entries()) {
    const timezone = zones[index % zones.length]!;
    const property = { ...world.property, ...placeOf(index), timezone };
    const calendars = world.entries.map(buildCalendar);
    const daysFromUtc = DAYS_FROM_UTC[ALL_ZONES.indexOf(timezone)]!;
    worlds.set(property.propertyId, { ...world, property, today: today + daysFromUtc, horizonNights });
    writer.apply({
      property,
      revision: firstRevision + index,
      lowestRates: buildLowestRates(calendars, horizonNights),
      nights: calendars.map(encodeNights),
      rates: calendars.map(encodeRates),
    });
  }
  writer.publish();
  return worlds;
}

/** Every seventh property is another partner's. */
function placeOf(index: number) {
  return {
    propertyId: `h${String(index).padStart(4, '0')}`,
    currency: CURRENCIES[index % CURRENCIES.length]!,
    visibleTo: index % 7 === 6 ? ['somebody-else'] : ('all' as const),
    location: {
      city: CITY,
      country: index % 11 === 10 ? 'FR' : 'IT',
      area: AREAS[(index * 5) % AREAS.length]!,
    },
    cityAliases: [],
    propertyType: TYPES[(index * 3) % TYPES.length]!,
    amenities: AMENITIES.filter((_, position) => (index >> (position % 5)) % 2 === 0),
    rating: index % 4 === 3 ? null : { score: 3 + (index % 20) / 10, count: index + 1 },
    bathrooms: (index % 5) / 2,
  };
}

// The answers that searches should give.

export interface NaivePricedStay {
  readonly world: NaiveWorld;
  readonly stay: NaiveStay;
  readonly total: bigint | null;
  readonly pricing: object | null;
}

export function naivePricing(world: NaiveWorld, stay: NaiveStay): object | null {
  const quote = naiveQuote(world, stay);
  if (quote.outcome !== 'priced') return null;
  const { accommodation, cleaningFee, taxes, total, discount } = quote.price;
  return {
    accommodation: formatMoney(accommodation),
    cleaningFee: formatMoney(cleaningFee),
    taxes: formatMoney(taxes),
    total: formatMoney(total),
    discount: discount && { percent: discount.percent, amount: formatMoney(discount.amount) },
  };
}

/** The stay at each property that the partner sees and that can host it, in search order. */
export function naiveStaysAt({ worlds }: NaiveCity, stay: NaiveStay): NaivePricedStay[] {
  return [...worlds.values()].filter(isSeen).flatMap((world) => naiveStaysOf(world, [stay]));
}

function isSeen({ property: { visibleTo } }: NaiveWorld): boolean {
  return visibleTo === 'all' || visibleTo.includes(PARTNER);
}

/** Those of the stays that can be had. */
function naiveStaysOf(world: NaiveWorld, stays: readonly NaiveStay[]): NaivePricedStay[] {
  return stays
    .filter((stay) => naiveIsAvailable(world, stay))
    .map((stay) => {
      const quote = naiveQuote(world, stay);
      const total = quote.outcome === 'priced' ? quote.price.total : null;
      return { world, stay, total, pricing: naivePricing(world, stay) };
    });
}

/** The order of prices: `amounts` compares two totals. */
export function naiveCompare(one: NaivePricedStay, other: NaivePricedStay, isByNight: boolean): number {
  const unpriced = Number(one.total === null) - Number(other.total === null);
  if (unpriced !== 0) return unpriced;
  const [mine, theirs] = [one, other].map(({ stay, total, world }) => ({
    currency: world.property.currency,
    total: total ?? 0n,
    checkIn: stay.checkIn,
    nights: stay.checkOut - stay.checkIn,
  }));
  if (one.total !== null && mine!.currency !== theirs!.currency)
    return mine!.currency < theirs!.currency ? -1 : 1;
  const [left, right] = isByNight
    ? [mine!.total * BigInt(theirs!.nights), theirs!.total * BigInt(mine!.nights)]
    : [mine!.total, theirs!.total];
  if (left !== right) return left < right ? -1 : 1;
  const isSameProperty = one.world === other.world;
  if (one.total === null && !isSameProperty) return 0;
  return mine!.checkIn - theirs!.checkIn || mine!.nights - theirs!.nights;
}

/** The travellers of all stays. */
export type NaiveParty = Pick<NaiveStay, 'guests' | 'childAges'>;

export interface NaiveWindow extends NaiveParty {
  readonly checkIns: readonly number[];
  readonly nights: number;
  readonly maxNights: number;
}

export interface NaiveBest extends NaivePricedStay {
  readonly checkIns: number;
}

/** Each property with the best of its stays, in the order of prices. */
export function naiveFlexible(
  { worlds }: NaiveCity,
  { checkIns, nights, maxNights, guests, childAges }: NaiveWindow,
  isByNight: boolean,
  filters: StayFilters = {},
): NaiveBest[] {
  const stays: NaiveStay[] = [];
  for (const checkIn of checkIns)
    for (let length = nights; length <= maxNights; length++)
      stays.push({ checkIn, checkOut: checkIn + length, guests, childAges });
  const best = [...worlds.values()].filter(isSeen).flatMap((world): NaiveBest[] => {
    const passing = naiveStaysOf(world, stays).filter((priced) => naivePasses(priced, filters));
    const [first] = passing.toSorted((one, other) => naiveCompare(one, other, isByNight));
    return first === undefined
      ? []
      : [{ ...first, checkIns: new Set(passing.map(({ stay }) => stay.checkIn)).size }];
  });
  return best.toSorted((one, other) => naiveCompare(one, other, isByNight));
}

/** As `foldPlaceName`, for the texts of these properties. */
function fold(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll(/\s+/g, ' ').toLowerCase().trim();
}

const textsOf = (text: LocalizedText | null): readonly string[] =>
  text === null ? [] : typeof text === 'string' ? [text] : Object.values(text);

export function naivePasses({ world, total }: NaivePricedStay, filters: StayFilters): boolean {
  const { propertyTypes, amenities, areas, minRating, minBathrooms, maxTotal } = filters;
  const { property } = world;
  const has = (wanted: readonly string[], values: readonly string[]): boolean =>
    wanted.some((one) => values.some((value) => fold(value) === fold(one)));
  if (propertyTypes !== undefined && !has(propertyTypes, [property.propertyType])) return false;
  if (amenities?.some((amenity) => !has([amenity], property.amenities)) === true) return false;
  if (areas !== undefined && !has(areas, textsOf(property.location.area))) return false;
  if (minRating !== undefined && (property.rating === null || property.rating.score < minRating))
    return false;
  if (minBathrooms !== undefined && property.bathrooms < minBathrooms) return false;
  if (maxTotal === undefined) return true;
  return total !== null && property.currency === maxTotal.currency && total <= maxTotal.total;
}

export interface NaiveCounts {
  readonly propertyTypes: readonly { value: string; count: number }[];
  readonly amenities: readonly { value: string; count: number }[];
  readonly areas: readonly { value: string; count: number }[];
}

/** `found` under some filters: the properties of a search, each once. */
export function naiveCounts(
  found: (filters: StayFilters) => readonly NaivePricedStay[],
  filters: StayFilters,
  locale: Locale,
): NaiveCounts {
  const propertiesUnder = (some: StayFilters): Property[] => found(some).map(({ world }) => world.property);
  return {
    propertyTypes: countValues(
      propertiesUnder({ ...filters, propertyTypes: undefined }).map(({ propertyType }) => [propertyType]),
    ),
    amenities: countValues(propertiesUnder(filters).map(({ amenities }) => amenities)),
    areas: countValues(
      propertiesUnder({ ...filters, areas: undefined }).map(({ location: { area } }) =>
        area === null ? [] : [localized(area, locale)],
      ),
    ),
  };
}

function localized(text: LocalizedText, locale: Locale): string {
  if (typeof text === 'string') return text;
  return text[locale] ?? text[LOCALES[0]] ?? text[LOCALES[1]]!;
}

/** `values` of each property. */
function countValues(values: readonly (readonly string[])[]): { value: string; count: number }[] {
  const all = [...new Set(values.flat())].sort(compareBytes);
  const written = new Map<string, string>();
  for (const text of all) if (!written.has(fold(text))) written.set(fold(text), text);
  return [...written]
    .map(([folded, value]) => ({
      value,
      count: values.filter((texts) => texts.some((text) => fold(text) === folded)).length,
    }))
    .sort((one, other) => other.count - one.count || compareBytes(one.value, other.value))
    .slice(0, 100);
}

/** UTF-8 sorts by code point. */
function compareBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/** The calendar of the city. */
export function naiveDays(
  city: NaiveCity,
  { from, until }: { readonly from: number; readonly until: number },
  {
    nights,
    guests,
    childAges,
    filters = {},
  }: NaiveParty & { nights: number; filters?: StayFilters | undefined },
): object[] {
  return Array.from({ length: until - from }, (_, day) => {
    const stay = { checkIn: from + day, checkOut: from + day + nights, guests, childAges };
    const found = naiveStaysAt(city, stay).filter((priced) => naivePasses(priced, filters));
    const priced = found
      .filter(({ total }) => total !== null)
      .toSorted((one, other) => naiveCompare(one, other, false));
    const firsts = new Map(priced.toReversed().map((one) => [one.world.property.currency, one] as const));
    const lowest = [...firsts]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([currency, { total, world }]) => ({
        currency,
        total: formatMoney(total!),
        propertyId: world.property.propertyId,
      }));
    return { checkIn: formatLocalDate(stay.checkIn), properties: found.length, lowest };
  });
}
