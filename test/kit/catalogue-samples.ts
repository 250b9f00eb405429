/**
 * Random properties for the tests of the catalogue: few ids, cities and nights, so that everything meets everything.
 */
import fc from 'fast-check';
import { entryArbitrary } from './property-arbitraries.ts';
import { makeInventoryType, makeProperty as makeHotel } from './property-fixtures.ts';
import { encodeNights, encodeRates } from '../../src/domain/calendar-codec.ts';
import { buildCalendar, type Calendar } from '../../src/domain/calendar.ts';
import { CALENDAR_FIELDS, FIELD_ROWS } from '../../src/domain/calendar-fields.ts';
import { parseLocalDate } from '../../src/domain/local-date.ts';
import { buildLowestRates } from '../../src/domain/lowest-rates.ts';
import type { InventoryType, Property } from '../../src/domain/property.ts';
import type { Random } from '../../src/runtime/random.ts';
import type { FollowedProperty } from '../../src/storage/catalogue/store.ts';

export const NOW_MS = Date.UTC(2026, 10, 20, 12);
export const TODAY = parseLocalDate('2026-11-20')!;
export const HORIZON_NIGHTS = 40;

export interface Sample {
  readonly property: Property;
  readonly calendars: readonly Calendar[];
}

const stayLength = fc.constantFrom(1, 2, 3, 5, 7, 14, 59, 60, 61, 1000);

/** Rates of few different amounts, so that many properties have the same lowest one. */
const valueOfShape = {
  units: fc.integer({ min: 0, max: 3 }),
  flag: fc.integer({ min: 0, max: 1 }),
  nights: stayLength,
  money: fc.integer({ min: 5000, max: 5020 }),
};
const fieldValues = Object.fromEntries(
  CALENDAR_FIELDS.map((field) => [field, valueOfShape[FIELD_ROWS[field].shape]]),
);

const entryArb = entryArbitrary(
  { first: TODAY - 3, last: TODAY + HORIZON_NIGHTS + 5, extraNights: fc.nat(59) },
  fc.record(fieldValues, { requiredKeys: [] }),
);

const calendarArb: fc.Arbitrary<Calendar> = fc
  .tuple(fc.boolean(), fc.array(entryArb, { maxLength: 5 }))
  .map(([isOpen, entries]) => {
    const open = { from: TODAY - 5, to: TODAY + HORIZON_NIGHTS + 20, set: { availability: 2, rate: 9000 } };
    return buildCalendar(isOpen ? [open, ...entries] : entries);
  });

/** Mostly none, else one or both ends of a window. */
const advanceArb: fc.Arbitrary<Pick<InventoryType, 'minAdvanceDays' | 'maxAdvanceDays'>> = fc
  .record({
    hasLeast: fc.constantFrom(false, false, true),
    hasMost: fc.constantFrom(false, false, true),
    least: fc.constantFrom(0, 1, 2, 5, 10, 30),
    more: fc.constantFrom(0, 1, 3, 15, 700),
  })
  .map(({ hasLeast, hasMost, least, more }) => ({
    ...(hasLeast ? { minAdvanceDays: least } : {}),
    ...(hasMost ? { maxAdvanceDays: least + more } : {}),
  }));

const cityArb = fc.constantFrom<Pick<Property, 'location' | 'cityAliases' | 'timezone'>>(
  {
    location: { city: { 'it-IT': 'Venezia', 'en-GB': 'Venice' }, country: 'IT', area: null },
    cityAliases: ['Venise'],
    timezone: 'Europe/Rome',
  },
  {
    location: { city: 'Venezia', country: 'IT', area: 'Cannaregio' },
    cityAliases: [],
    timezone: 'Europe/Rome',
  },
  {
    location: { city: 'Venice', country: 'US', area: null },
    cityAliases: [],
    timezone: 'America/Los_Angeles',
  },
  {
    location: { city: 'Venezia', country: 'IT', area: null },
    cityAliases: [],
    timezone: 'Pacific/Kiritimati',
  },
  {
    location: { city: 'Venezia', country: 'IT', area: null },
    cityAliases: ['VENÉCIA'],
    timezone: 'Etc/GMT+12',
  },
);

export const sampleArb: fc.Arbitrary<Sample> = fc
  .record({
    id: fc.integer({ min: 0, max: 60 }),
    place: cityArb,
    types: fc.array(fc.tuple(fc.integer({ min: 1, max: 5 }), calendarArb, advanceArb), {
      minLength: 1,
      maxLength: 4,
    }),
    visibleTo: fc.constantFrom<Property['visibleTo']>('all', 'all', 'all', ['p1'], ['p1', 'p2'], []),
  })
  .map(({ id, place, types, visibleTo }) => ({
    property: withAdvance(
      makeProperty(
        `h${id}`,
        { ...place, visibleTo },
        types.map(([guestsMax]) => guestsMax),
      ),
      types.map(([, , advance]) => advance),
    ),
    calendars: types.map(([, calendar]) => calendar),
  }));

function withAdvance(property: Property, advance: readonly Partial<InventoryType>[]): Property {
  const inventoryTypes = property.inventoryTypes.map((type, index) => ({ ...type, ...advance[index] }));
  return { ...property, inventoryTypes };
}

/** A property with one inventory type per entry of `guestsMax`. */
export function makeProperty(
  propertyId: string,
  given: Partial<Property>,
  guestsMax: readonly number[],
): Property {
  return makeHotel({
    propertyId,
    name: { 'it-IT': `Casa ${propertyId}`, 'en-GB': `House ${propertyId}` },
    location: { city: 'Venezia', country: 'IT', area: null },
    amenities: ['wifi'],
    inventoryTypes: guestsMax.map((guests, index) =>
      makeInventoryType({
        inventoryTypeId: `t${index}`,
        name: 'Room',
        guestsMax: guests,
        includedGuests: guests,
      }),
    ),
    ...given,
  });
}

/** A sample as the storage hands it to the follower. */
export function followed({ property, calendars }: Sample, revision: number): FollowedProperty {
  return {
    property,
    revision,
    lowestRates: buildLowestRates(calendars, HORIZON_NIGHTS),
    nights: calendars.map(encodeNights),
    rates: calendars.map(encodeRates),
  };
}

/** A small seeded generator (mulberry32), so that every run is the same. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Bytes that follow from a seed. */
export function seededBytes(random: () => number): Random {
  return (byteCount) => Uint8Array.from({ length: byteCount }, () => Math.floor(random() * 256));
}
