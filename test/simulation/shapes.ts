/** Documents of several kinds: a story gives a property one of these shapes after the other. */
import { formatLocalDate } from '../../src/domain/local-date.ts';
import { TODAY } from '../kit/catalogue-samples.ts';
import { type Line, nights } from '../kit/catalogue-lines.ts';

/** Calendars say something of these nights: more than can be offered. */
export const FIRST_NIGHT = TODAY;
export const LAST_NIGHT = TODAY + 80;

export interface Shape {
  /** Of the document. */
  readonly fields: Line;
  /** Of the type whose calendar the sources send. */
  readonly double: Line;
  /** Types whose calendar the document says each time. */
  readonly types: readonly Line[];
}

/** A type that nobody prices but people. */
export const UNPRICED_TYPE = 'attic';

const day = (ahead: number): string => formatLocalDate(TODAY + ahead);
const open = (set: Line): Line => nights(day(0), formatLocalDate(LAST_NIGHT), set);
const inArea = (area: string): Line => ({ location: { city: 'Venezia', country: 'IT', area } });

const SUITE: Line = {
  inventoryTypeId: 'suite',
  name: 'Suite',
  guestsMax: 4,
  minAdvanceDays: 1,
  calendar: [
    open({ availability: 1, rate: '95.00' }),
    nights(day(3), day(4), { minStayArrival: 3 }),
    nights(day(6), day(6), { closedToArrival: true, rate: '60.00' }),
    nights(day(7), day(7), { closedToDeparture: true }),
    nights(day(9), day(9), { stopSell: true }),
    // The first that is not offered yet.
    nights(day(30), day(30), { rate: '50.00' }),
  ],
};
const ATTIC: Line = {
  inventoryTypeId: UNPRICED_TYPE,
  name: 'Attic',
  guestsMax: 3,
  calendar: [open({ availability: 1, maxStay: 3 })],
};
const CITY_TAX: Line = {
  code: 'city-tax',
  kind: 'city_tax',
  logic: 'per_person_per_night',
  amount: '4.00',
  maxNights: 1,
};
/** The price of a suite is just that of a tier, with and without a tenth off. */
const TIERED_TAX: Line = {
  code: 'tiers',
  kind: 'city_tax',
  logic: 'per_person_per_night',
  tiers: [
    { from: '0.00', amount: '1.00' },
    { from: '42.75', amount: '2.00' },
    { from: '47.50', amount: '4.00' },
  ],
};
const LATE_TAX: Line = {
  code: 'late',
  kind: 'tax',
  logic: 'per_night',
  amount: '3.00',
  skipNights: 1,
  maxNights: 2,
};
const VAT: Line = {
  code: 'vat',
  kind: 'tax',
  logic: 'percent',
  percent: '10',
  base: ['accommodation', 'cleaningFee'],
};

/** The first is that of the properties at the begin. */
export const SHAPES: readonly Shape[] = [
  { fields: {}, double: {}, types: [] },
  {
    fields: {
      ...inArea('Castello'),
      cleaningFee: '30.00',
      taxes: [CITY_TAX, VAT],
      amenities: ['wifi', 'pool'],
      discounts: [
        { code: 'long', percent: '20', minNights: 3 },
        { code: 'early', percent: '5', minAdvanceDays: 5, maxNights: 2 },
      ],
    },
    double: {},
    types: [],
  },
  {
    fields: {
      ...inArea('Castello'),
      propertyType: 'villa',
      amenities: ['wifi'],
      rating: { score: 4.5, count: 8 },
      taxes: [TIERED_TAX],
      // Cheaper than a suite, as long as there is one.
      discounts: [{ code: 'double', percent: '10', inventoryTypeIds: ['double'] }],
    },
    double: {},
    types: [SUITE],
  },
  {
    fields: {
      ...inArea('Cannaregio'),
      propertyType: 'villa',
      bathrooms: 2,
      taxes: [VAT, LATE_TAX],
      amenities: ['sauna'],
      discounts: [
        { code: 'double', percent: '15', inventoryTypeIds: ['double'] },
        { code: 'rooms', percent: '4', inventoryTypeIds: ['double', 'attic'] },
      ],
    },
    double: {
      guestsMax: 3,
      includedGuests: 1,
      extraGuestRate: '15.00',
      minAdvanceDays: 2,
      maxAdvanceDays: 6,
    },
    types: [ATTIC],
  },
];
