/**
 * Which stays are available (SPEC 1, SPEC 4.3). Each case is asked three ways, which must agree: the dated list, the
 * availability and a quote.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { double, hotel, hotelWith, inCity, type Line, nights } from '../../kit/catalogue-lines.ts';
import { type Running, startInstallation } from '../../kit/installation.ts';
import { type PartnerClient, quoteBody } from '../../kit/partner-client.ts';

interface Case {
  readonly name: string;
  /** Inventory types; or the calendar of a single one for two guests. */
  readonly types?: readonly Line[];
  readonly calendar?: readonly Line[];
  readonly checkIn: string;
  readonly checkOut: string;
  readonly guests?: number;
  readonly available: boolean;
  /** One character per occupied night: 1 where the night is available, looked at alone. */
  readonly days: string;
}

const OPEN = nights('2026-12-01', '2026-12-31', { availability: 1, rate: '100.00' });
const FROM_1_TO_4 = { checkIn: '2026-12-01', checkOut: '2026-12-04' };
const on = (date: string, set: Line) => nights(date, date, set);
const family = (overrides: Line) => double({ inventoryTypeId: 'family', guestsMax: 4, ...overrides });

const NIGHT_CASES: readonly Case[] = [
  { name: 'every night is open', calendar: [OPEN], ...FROM_1_TO_4, available: true, days: '111' },
  {
    name: 'nothing was ever said about the nights',
    calendar: [],
    ...FROM_1_TO_4,
    available: false,
    days: '000',
  },
  {
    name: 'the nights have a rate and no availability',
    calendar: [nights('2026-12-01', '2026-12-31', { rate: '100.00' })],
    ...FROM_1_TO_4,
    available: false,
    days: '000',
  },
  {
    name: 'one night has no unit left',
    calendar: [OPEN, on('2026-12-02', { availability: 0 })],
    ...FROM_1_TO_4,
    available: false,
    days: '101',
  },
  {
    name: 'the availability of one night was taken back',
    calendar: [OPEN, on('2026-12-03', { availability: null })],
    ...FROM_1_TO_4,
    available: false,
    days: '110',
  },
  {
    name: 'sales of one night are stopped',
    calendar: [OPEN, on('2026-12-01', { stopSell: true })],
    ...FROM_1_TO_4,
    available: false,
    days: '011',
  },
  {
    name: 'sales were stopped and go on again',
    calendar: [OPEN, on('2026-12-02', { stopSell: true }), on('2026-12-02', { stopSell: false })],
    ...FROM_1_TO_4,
    available: true,
    days: '111',
  },
  {
    name: 'the night of the check-out date is closed: it is not occupied',
    calendar: [nights('2026-12-01', '2026-12-03', { availability: 1, rate: '1.00' })],
    ...FROM_1_TO_4,
    available: true,
    days: '111',
  },
  {
    name: 'the first night is before the open ones',
    calendar: [OPEN],
    checkIn: '2026-11-30',
    checkOut: '2026-12-02',
    available: false,
    days: '01',
  },
  {
    name: 'the year turns within the stay',
    calendar: [OPEN, nights('2027-01-01', '2027-01-02', { availability: 1, rate: '100.00' })],
    checkIn: '2026-12-30',
    checkOut: '2027-01-03',
    available: true,
    days: '1111',
  },
];

const RESTRICTION_CASES: readonly Case[] = [
  {
    name: 'arrival is closed on the check-in date',
    calendar: [OPEN, on('2026-12-01', { closedToArrival: true })],
    ...FROM_1_TO_4,
    available: false,
    days: '111',
  },
  {
    name: 'arrival is closed on a later night only',
    calendar: [OPEN, on('2026-12-02', { closedToArrival: true })],
    ...FROM_1_TO_4,
    available: true,
    days: '111',
  },
  {
    name: 'departure is closed on the check-out date, whose night is not occupied',
    calendar: [OPEN, on('2026-12-04', { closedToDeparture: true })],
    ...FROM_1_TO_4,
    available: false,
    days: '111',
  },
  {
    name: 'departure is closed on the check-out date, whose night is not even on sale',
    calendar: [
      nights('2026-12-01', '2026-12-03', { availability: 1, rate: '1.00' }),
      on('2026-12-04', { closedToDeparture: true }),
    ],
    ...FROM_1_TO_4,
    available: false,
    days: '111',
  },
  {
    name: 'departure is closed on the nights of the stay only',
    calendar: [OPEN, nights('2026-12-01', '2026-12-03', { closedToDeparture: true })],
    ...FROM_1_TO_4,
    available: true,
    days: '111',
  },
  {
    name: 'the stay is as long as the arrival asks for',
    calendar: [OPEN, on('2026-12-01', { minStayArrival: 3 })],
    ...FROM_1_TO_4,
    available: true,
    days: '111',
  },
  {
    name: 'the stay is shorter than the arrival asks for',
    calendar: [OPEN, on('2026-12-01', { minStayArrival: 4 })],
    ...FROM_1_TO_4,
    available: false,
    days: '111',
  },
  {
    name: 'a longer stay is asked for by the arrival on another night',
    calendar: [OPEN, on('2026-12-02', { minStayArrival: 9 })],
    ...FROM_1_TO_4,
    available: true,
    days: '111',
  },
  {
    name: 'the stay is as long as one of its nights asks for',
    calendar: [OPEN, on('2026-12-03', { minStayThrough: 3 })],
    ...FROM_1_TO_4,
    available: true,
    days: '111',
  },
  {
    name: 'the stay is shorter than one of its nights asks for',
    calendar: [OPEN, on('2026-12-03', { minStayThrough: 4 })],
    ...FROM_1_TO_4,
    available: false,
    days: '111',
  },
  {
    name: 'a longer stay is asked for by the night of the check-out date',
    calendar: [OPEN, on('2026-12-04', { minStayThrough: 9 })],
    ...FROM_1_TO_4,
    available: true,
    days: '111',
  },
  {
    name: 'the stay is as long as the check-in night lets it be',
    calendar: [OPEN, on('2026-12-01', { maxStay: 3 })],
    ...FROM_1_TO_4,
    available: true,
    days: '111',
  },
  {
    name: 'the stay is longer than the check-in night lets it be',
    calendar: [OPEN, on('2026-12-01', { maxStay: 2 })],
    ...FROM_1_TO_4,
    available: false,
    days: '111',
  },
  {
    name: 'a later night would let it be shorter only',
    calendar: [OPEN, on('2026-12-02', { maxStay: 1 })],
    ...FROM_1_TO_4,
    available: true,
    days: '111',
  },
];

const CAPACITY_CASES: readonly Case[] = [
  {
    name: 'there are more guests than the type is for',
    calendar: [OPEN],
    ...FROM_1_TO_4,
    guests: 3,
    available: false,
    days: '000',
  },
  {
    name: 'two types together would have room for the guests',
    types: [double({ calendar: [OPEN] }), double({ inventoryTypeId: 'twin', calendar: [OPEN] })],
    ...FROM_1_TO_4,
    guests: 4,
    available: false,
    days: '000',
  },
  {
    name: 'one type of several has room',
    types: [double({ calendar: [OPEN] }), family({ calendar: [OPEN] })],
    ...FROM_1_TO_4,
    guests: 4,
    available: true,
    days: '111',
  },
  {
    name: 'every night is open, but the guests would have to change the type',
    types: [
      double({ calendar: [on('2026-12-01', { availability: 1, rate: '1.00' })] }),
      family({ calendar: [nights('2026-12-02', '2026-12-03', { availability: 1, rate: '1.00' })] }),
    ],
    ...FROM_1_TO_4,
    available: false,
    days: '111',
  },
  {
    name: 'the type that is open has no room on the nights on which another one has',
    types: [
      double({ calendar: [OPEN] }),
      family({ calendar: [on('2026-12-02', { availability: 1, rate: '1.00' })] }),
    ],
    ...FROM_1_TO_4,
    guests: 3,
    available: false,
    days: '010',
  },
  {
    name: 'the restrictions of one type do not bind the other',
    types: [
      double({ calendar: [OPEN, on('2026-12-01', { closedToArrival: true })] }),
      double({ inventoryTypeId: 'twin', calendar: [OPEN] }),
    ],
    ...FROM_1_TO_4,
    available: true,
    days: '111',
  },
];

/** Today is 20 November in Rome. */
const TIME_CASES: readonly Case[] = [
  {
    name: 'it begins today',
    calendar: [nights('2026-11-01', '2026-11-30', { availability: 1, rate: '1.00' })],
    checkIn: '2026-11-20',
    checkOut: '2026-11-22',
    available: true,
    days: '11',
  },
  {
    name: 'it began yesterday: no error, but not available',
    calendar: [nights('2026-11-01', '2026-11-30', { availability: 1, rate: '1.00' })],
    checkIn: '2026-11-19',
    checkOut: '2026-11-22',
    available: false,
    days: '011',
  },
  {
    name: 'it is long past',
    calendar: [nights('2000-01-01', '2026-11-30', { availability: 1, rate: '1.00' })],
    checkIn: '2000-02-28',
    checkOut: '2000-03-02',
    available: false,
    days: '000',
  },
  {
    name: 'its last night is the last one within the horizon of 730 nights',
    calendar: [nights('2028-11-01', '2028-11-30', { availability: 1, rate: '1.00' })],
    checkIn: '2028-11-17',
    checkOut: '2028-11-19',
    available: true,
    days: '11',
  },
  {
    name: 'its last night is the first one beyond the horizon',
    calendar: [nights('2028-11-01', '2028-11-30', { availability: 1, rate: '1.00' })],
    checkIn: '2028-11-18',
    checkOut: '2028-11-20',
    available: false,
    days: '10',
  },
  {
    name: 'departure is closed on the date behind the last night within the horizon',
    calendar: [
      nights('2028-11-01', '2028-11-30', { availability: 1, rate: '1.00' }),
      on('2028-11-19', { closedToDeparture: true }),
    ],
    checkIn: '2028-11-18',
    checkOut: '2028-11-19',
    available: false,
    days: '1',
  },
  {
    name: 'it is as far away as dates go',
    calendar: [nights('2026-11-01', '9999-12-31', { availability: 1, rate: '1.00' })],
    checkIn: '9999-12-30',
    checkOut: '9999-12-31',
    available: false,
    days: '0',
  },
  {
    name: 'it has 60 nights',
    calendar: [nights('2026-12-01', '2027-02-28', { availability: 1, rate: '1.00' })],
    checkIn: '2026-12-01',
    checkOut: '2027-01-30',
    available: true,
    days: '1'.repeat(60),
  },
  {
    name: 'its 60th night is closed',
    calendar: [nights('2026-12-01', '2027-01-28', { availability: 1, rate: '1.00' })],
    checkIn: '2026-12-01',
    checkOut: '2027-01-30',
    available: false,
    days: `${'1'.repeat(59)}0`,
  },
  {
    name: 'it holds a leap day',
    calendar: [nights('2028-02-01', '2028-03-31', { availability: 1, rate: '1.00' })],
    checkIn: '2028-02-28',
    checkOut: '2028-03-01',
    available: true,
    days: '11',
  },
];

const GROUPS: Readonly<Record<string, readonly Case[]>> = {
  nights: NIGHT_CASES,
  restrictions: RESTRICTION_CASES,
  capacity: CAPACITY_CASES,
  time: TIME_CASES,
};
const idOf = (group: string, index: number) => `${group}-${index}`;
const LINES = Object.entries(GROUPS).flatMap(([group, cases]) =>
  cases.map(({ types, calendar = [] }, index) => {
    const propertyId = idOf(group, index);
    const place = inCity(propertyId);
    return types === undefined
      ? hotelWith(propertyId, calendar, place)
      : hotel(propertyId, { inventoryTypes: types, ...place });
  }),
);

let running: Running;
before(async () => {
  running = await startInstallation(LINES);
});
after(() => running.installation.close());

/** All three answers; the city of a property is its id. */
async function ask(partner: PartnerClient, propertyId: string, stay: Case) {
  const { checkIn, checkOut, guests = 2 } = stay;
  const query = { checkIn, checkOut, guests };
  const [list, availability, quote] = await Promise.all([
    partner.search({ city: propertyId, ...query }),
    partner.availability(propertyId, query),
    partner.quote(quoteBody(propertyId, checkIn, checkOut, guests)),
  ]);
  return {
    listed: list.success.items.length === 1 && list.success.pagination.total === 1,
    available: availability.success.available,
    quote: quote.outcome,
    days: availability.success.days.map((day) => (day.available ? '1' : '0')).join(''),
  };
}

for (const [group, cases] of Object.entries(GROUPS)) {
  describe(`a stay is decided by its ${group}`, () => {
    for (const [index, stay] of cases.entries()) {
      it(`${stay.available ? 'available' : 'not available'}: ${stay.name}`, async () => {
        const { available, days } = stay;
        assert.deepEqual(await ask(running.partner, idOf(group, index), stay), {
          listed: available,
          available,
          quote: available ? '201' : '409 STAY_UNAVAILABLE',
          days,
        });
      });
    }
  });
}
