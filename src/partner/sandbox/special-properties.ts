/** The special properties of the sandbox, by id (`docs/contract.md`). */
import type { CalendarEntry } from '../../domain/calendar.ts';
import type { Property } from '../../domain/property.ts';
import { weekdayRanges } from '../../domain/weekdays.ts';
import {
  makeTestProperty,
  makeTestType,
  openNights,
  TEST_CITY,
  TEST_TIMEZONE,
  type TestNights,
  type TestProperty,
} from './test-property.ts';

/** 14 hours ahead of UTC: its today is often UTC's tomorrow. */
const FAR_TIMEZONE = 'Pacific/Kiritimati';
/** The zones of the sandbox: a new day begins in one of them before the other. */
export const TEST_TIMEZONES: readonly string[] = [TEST_TIMEZONE, FAR_TIMEZONE];
/** The one that depends on the day; the others are the same every day. */
export const GAP_ID = 'test-gap';
/** The one without any optional content. */
export const WITHOUT_DETAILS_ID = 'test-null-fields';
/** Days from today of its closed nights, both included. */
const GAP_DAYS = { first: 10, last: 12 } as const;

const RATE = 10_000;
const RAISED_RATE = 12_500;
const WEEKEND_NIGHTS_MIN = 2;
const LONG_NAME = 'Grand Hôtel «Ünïcødé» & Söhne "Ristorante" <b>Überlänge</b> 东京 🏨 ';
const LONG_NAME_REPEATS = 8;

const CITY_TAX = {
  code: 'city-tax',
  kind: 'city_tax',
  logic: 'per_person_per_night',
  amount: '3.50',
  percent: null,
  maxNights: 5,
  skipNights: 0,
  validFrom: null,
  validTo: null,
  inclusive: false,
  base: ['accommodation'],
  order: 0,
} as const;

type Build = (nights: TestNights) => TestProperty;

/** For a search, an availability check or a quote. */
const SPECIALS: Readonly<Record<string, Build>> = {
  'test-always': (nights) =>
    oneType(
      makeTestProperty('test-always', {
        name: { 'it-IT': 'Sempre libero', 'en-GB': 'Always available' },
        cleaningFee: '20.00',
        taxes: [CITY_TAX],
      }),
      [openNights(nights, RATE)],
    ),
  'test-sold-out': ({ first, last }) =>
    oneType(makeTestProperty('test-sold-out', { name: { 'it-IT': 'Tutto esaurito', 'en-GB': 'Sold out' } }), [
      { from: first, to: last, set: { availability: 0, rate: RATE } },
    ]),
  'test-quote-unavailable': (nights) =>
    oneType(
      makeTestProperty('test-quote-unavailable', {
        name: { 'it-IT': 'Senza preventivo', 'en-GB': 'No quote' },
        quoting: false,
      }),
      [openNights(nights, RATE)],
    ),
  'test-hidden': (nights) =>
    oneType(makeTestProperty('test-hidden', { visibleTo: [] }), [openNights(nights, RATE)]),
  'test-two-types': twoTypes,
  'test-weekend': weekend,
  'test-family': family,
  [GAP_ID]: (nights) =>
    oneType(makeTestProperty(GAP_ID, { name: { 'it-IT': 'Con una pausa', 'en-GB': 'With a gap' } }), [
      openNights(nights, RATE),
      { from: nights.first + GAP_DAYS.first, to: nights.first + GAP_DAYS.last, set: { availability: 0 } },
    ]),
  'test-timezone': (nights) =>
    oneType(
      makeTestProperty('test-timezone', {
        name: { 'it-IT': 'Fuso orario lontano', 'en-GB': 'Far timezone' },
        timezone: FAR_TIMEZONE,
      }),
      [openNights(nights, RATE)],
    ),
  'test-price-changed': (nights) => priceChanged(nights, RATE),
  'test-gone': (nights) => oneType(gone(), [openNights(nights, RATE)]),
  'test-expired': (nights) =>
    oneType(makeTestProperty('test-expired', { name: { 'it-IT': 'Scaduto', 'en-GB': 'Expired' } }), [
      openNights(nights, RATE),
    ]),
  [WITHOUT_DETAILS_ID]: nullFields,
  'test-long-names': longNames,
  'test-free': (nights) =>
    oneType(
      makeTestProperty('test-free', {
        name: { 'it-IT': 'Gratis', 'en-GB': 'Free of charge' },
        inventoryTypes: [makeTestType({ extraGuestRate: '0.00' })],
      }),
      [openNights(nights, 0)],
    ),
};

/** Properties that change between the quote and the traveller's arrival, in their later form. */
const AT_HANDOFF: Readonly<Record<string, Build>> = {
  'test-price-changed': (nights) => priceChanged(nights, RAISED_RATE),
  'test-gone': ({ first, last }) =>
    oneType(gone(), [{ from: first, to: last, set: { availability: 0, rate: RATE } }]),
};

export const SPECIAL_IDS: readonly string[] = Object.keys(SPECIALS);

export function specialProperty(propertyId: string, nights: TestNights): TestProperty {
  return SPECIALS[propertyId]!(nights);
}

/** Undefined when it does not change. */
export function propertyAtHandoff(propertyId: string): Build | undefined {
  return Object.hasOwn(AT_HANDOFF, propertyId) ? AT_HANDOFF[propertyId] : undefined;
}

/** Known before the property is built: its nights count from its local today. */
export function timezoneOf(propertyId: string): string {
  return propertyId === 'test-timezone' ? FAR_TIMEZONE : TEST_TIMEZONE;
}

function oneType(property: Property, entries: readonly CalendarEntry[]): TestProperty {
  return { property, entries: [entries] };
}

/** Each night one of the two is open, never the same on two nights in a row. */
function twoTypes({ first, last }: TestNights): TestProperty {
  const property = makeTestProperty('test-two-types', {
    name: { 'it-IT': 'Due tipi di camera', 'en-GB': 'Two room types' },
    inventoryTypes: [
      makeTestType({ inventoryTypeId: 'even-nights' }),
      makeTestType({ inventoryTypeId: 'odd-nights' }),
    ],
  });
  const rate = { from: first, to: last, set: { rate: RATE } };
  const entries: [CalendarEntry[], CalendarEntry[]] = [[rate], [rate]];
  for (let night = first; night <= last; night += 1) {
    entries[night % 2 === 0 ? 0 : 1].push({ from: night, to: night, set: { availability: 5 } });
  }
  return { property, entries };
}

function weekend(nights: TestNights): TestProperty {
  const property = makeTestProperty('test-weekend', {
    name: { 'it-IT': 'Fine settimana intero', 'en-GB': 'Whole weekends' },
  });
  const weekends = [...weekdayRanges(nights.first, nights.last, ['fri', 'sat'])];
  const set = { minStayThrough: WEEKEND_NIGHTS_MIN };
  return oneType(property, [openNights(nights, RATE), ...weekends.map((range) => ({ ...range, set }))]);
}

/** Four of whom 1 and 8 fit, and pay 230.00 and 14.00 for two nights; as four adults they do not fit. */
function family(nights: TestNights): TestProperty {
  const property = makeTestProperty('test-family', {
    name: { 'it-IT': 'Con bambini', 'en-GB': 'With children' },
    taxes: [
      {
        ...CITY_TAX,
        maxNights: null,
        exemptUntilAge: 9,
        ages: [{ untilAge: 15, amount: '1.75' }],
        due: 'arrival',
      },
    ],
    ageBands: [
      { untilAge: 2, occupies: false },
      { untilAge: 12, rate: '15.00' },
    ],
    inventoryTypes: [makeTestType({ guestsMax: 3, extraGuestRate: '30.00' })],
  });
  return oneType(property, [openNights(nights, RATE)]);
}

function priceChanged(nights: TestNights, rate: number): TestProperty {
  const name = { 'it-IT': 'Prezzo cambiato', 'en-GB': 'Price changed' };
  return oneType(makeTestProperty('test-price-changed', { name }), [openNights(nights, rate)]);
}

function gone(): Property {
  return makeTestProperty('test-gone', { name: { 'it-IT': 'Non più libero', 'en-GB': 'Gone' } });
}

/** Every nullable field is null; without a rate it has neither starting price nor quote. */
function nullFields({ first, last }: TestNights): TestProperty {
  const property = makeTestProperty(WITHOUT_DETAILS_ID, {
    name: { 'it-IT': 'Campi vuoti', 'en-GB': 'Empty fields' },
    description: null,
    location: { city: TEST_CITY, country: 'IT', area: null },
    amenities: [],
    rating: null,
  });
  return oneType(property, [{ from: first, to: last, set: { availability: 5 } }]);
}

function longNames(nights: TestNights): TestProperty {
  const long = LONG_NAME.repeat(LONG_NAME_REPEATS).trim();
  const property = makeTestProperty('test-long-names', {
    name: long,
    description: `${long}\n`.repeat(LONG_NAME_REPEATS).trim(),
    propertyType: 'bed and breakfast con piscina e giardino',
    location: { city: TEST_CITY, country: 'IT', area: LONG_NAME.trim() },
    amenities: [LONG_NAME.trim(), ...Array.from({ length: 40 }, (_, index) => `amenity_${index}`)],
    inventoryTypes: [makeTestType({ name: long })],
  });
  return oneType(property, [openNights(nights, RATE)]);
}
