/** The catalogue as rows, the way a service with a conventional schema would keep it. */
import { decodeCalendar } from '../../../src/domain/calendar-codec.ts';
import {
  type Calendar,
  calendarRanges,
  type EntryFields,
  makeCalendar,
} from '../../../src/domain/calendar.ts';
import { DEFAULT_LOCALE, guestsMax, textFor } from '../../../src/domain/property.ts';
import type { EpochDay } from '../../../src/domain/local-date.ts';
import { lowestRateAt } from '../../../src/domain/lowest-rates.ts';
import { formatMoney, getMoney } from '../../../src/domain/money.ts';
import { foldPlaceName } from '../../../src/domain/place-name.ts';
import type { CityDatabase } from '../../catalogue/city-database.ts';
import type { FollowedProperty } from '../../../src/storage/catalogue/store.ts';

export interface Rows {
  readonly properties: readonly PropertyRow[];
  readonly types: readonly TypeRow[];
}

export interface PropertyRow {
  readonly propertyId: string;
  readonly cityFolded: string;
  readonly name: string;
  readonly description: string | null;
  readonly propertyType: string;
  readonly city: string;
  readonly country: string;
  readonly area: string | null;
  readonly guests: number;
  readonly bathrooms: number;
  readonly amenities: readonly string[];
  readonly ratingScore: number | null;
  readonly ratingCount: number | null;
  readonly startingPrice: string | null;
  readonly currency: string;
  readonly timezone: string;
}

export interface TypeRow {
  readonly typeId: number;
  readonly propertyId: string;
  readonly guestsMax: number;
  /** Extra guests cost nothing where it is null. Amounts in cents. */
  readonly includedGuests: number | null;
  readonly extraGuestRate: number;
  readonly cleaningFee: number;
  readonly calendar: Calendar;
}

export interface NightRow {
  readonly typeId: number;
  readonly night: EpochDay;
  readonly units: number;
  readonly stopSell: number;
  readonly closedToArrival: number;
  readonly closedToDeparture: number;
  readonly minStayArrival: number | null;
  readonly minStayThrough: number | null;
  readonly maxStay: number | null;
  readonly rate: number | null;
}

/** Nights [from, until) with what restricts a stay on them. */
export interface RuleRow extends Omit<NightRow, 'night' | 'units' | 'stopSell' | 'rate'> {
  readonly from: EpochDay;
  readonly until: EpochDay;
}

function propertyRow({ property, lowestRates }: FollowedProperty, today: EpochDay): PropertyRow {
  const { location, rating } = property;
  const city = textFor(location.city, DEFAULT_LOCALE);
  const lowest = lowestRateAt(lowestRates, today);
  return {
    propertyId: property.propertyId,
    cityFolded: foldPlaceName(city),
    name: textFor(property.name, DEFAULT_LOCALE),
    description: property.description === null ? null : textFor(property.description, DEFAULT_LOCALE),
    propertyType: property.propertyType,
    city,
    country: location.country,
    area: location.area === null ? null : textFor(location.area, DEFAULT_LOCALE),
    guests: guestsMax(property),
    bathrooms: property.bathrooms,
    amenities: property.amenities,
    ratingScore: rating?.score ?? null,
    ratingCount: rating?.count ?? null,
    startingPrice: lowest === undefined || lowest === null ? null : formatMoney(BigInt(lowest)),
    currency: property.currency,
    timezone: property.timezone,
  };
}

/** All rows of a city. */
export function rowsOf({ properties, today }: Pick<CityDatabase, 'properties' | 'today'>): Rows {
  let typeCount = 0;
  const types = properties.flatMap((property) => {
    const rows = typeRows(property, typeCount);
    typeCount += rows.length;
    return rows;
  });
  return { properties: properties.map((property) => propertyRow(property, today)), types };
}

/** Numbered from `firstTypeId` on. */
function typeRows({ property, nights, rates }: FollowedProperty, firstTypeId: number): TypeRow[] {
  return property.inventoryTypes.map((type, index) => ({
    typeId: firstTypeId + index,
    propertyId: property.propertyId,
    guestsMax: type.guestsMax,
    includedGuests: type.includedGuests,
    extraGuestRate: cents(type.extraGuestRate),
    cleaningFee: cents(property.cleaningFee),
    calendar: decodeCalendar(nights[index]!, rates[index]),
  }));
}

function cents(amount: string | null): number {
  return amount === null ? 0 : Number(getMoney(amount));
}

/** A row for every night on which anything is set. */
export function* nightRows({ typeId, calendar }: TypeRow): Generator<NightRow> {
  for (const { from, to, set } of calendarRanges(calendar)) {
    for (let night = from; night <= to; night++) {
      yield {
        typeId,
        night,
        units: set.availability ?? 0,
        stopSell: set.stopSell ?? 0,
        rate: set.rate ?? null,
        ...rulesOf(set),
      };
    }
  }
}

/** The stretches of nights on which a stay is restricted. */
export function ruleRows({ typeId, calendar }: TypeRow): RuleRow[] {
  const unrelated = new Set(['availability', 'rate', 'stopSell']);
  const restrictions = makeCalendar((field) => (unrelated.has(field) ? [] : calendar[field]));
  return calendarRanges(restrictions).map(({ from, to, set }) => ({
    typeId,
    from,
    until: to + 1,
    ...rulesOf(set),
  }));
}

/** Stretches [from, until) of nights with units left that are not stop-sold. */
export function rangesOfOpenNights({ calendar }: TypeRow): { from: EpochDay; until: EpochDay }[] {
  return calendarRanges(calendar)
    .filter(({ set }) => (set.availability ?? 0) >= 1 && (set.stopSell ?? 0) === 0)
    .map(({ from, to }) => ({ from, until: to + 1 }));
}

function rulesOf(set: EntryFields) {
  return {
    closedToArrival: set.closedToArrival ?? 0,
    closedToDeparture: set.closedToDeparture ?? 0,
    minStayArrival: set.minStayArrival ?? null,
    minStayThrough: set.minStayThrough ?? null,
    maxStay: set.maxStay ?? null,
  };
}
