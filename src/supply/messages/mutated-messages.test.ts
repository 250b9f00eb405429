/** Almost valid bodies: whatever is changed in them, reading ends soon and with an answer. */
import { describe, it } from 'node:test';
import {
  assertShare,
  type MutationRandom,
  MUTATIONS,
  mutate,
  readMutations,
} from '../../../test/kit/mutations.ts';
import { mapAriValues, readAriValues } from './ari-message.ts';
import { readCalendarMessage } from './calendar-message.ts';

const CALENDARS = JSON.stringify({
  entries: [
    {
      propertyId: 'hotel-ponte',
      inventoryTypeId: 'double',
      dateFrom: '2026-12-01',
      dateTo: '2026-12-31',

      weekdays: ['fri', 'sat'],
      availability: 2,
      rate: '120.00',
      ratesByGuests: { '1': '80.00', '2': '99.00' },
    },
    {
      propertyId: 'a~b',
      inventoryTypeId: 'x',
      dateFrom: '0001-01-01',
      dateTo: '9999-12-31',
      stopSell: true,
      closedToArrival: false,
      closedToDeparture: null,
      minStayThrough: 3,
      maxStay: 14,
    },
  ],
});
const ARI = JSON.stringify({
  values: [
    { property_id: 'p', room_type_id: 'r', date_from: '2026-12-01', date_to: '2026-12-09', availability: 4 },
    {
      rate_plan_id: 'rp',
      date: '2026-12-02',
      rate: 12000,
      rates: [{ occupancy: 2, rate: '120.00' }],
      days: ['mo'],
    },
    {
      rate_plan_id: 'rp',
      date: '2026-12-02',
      stop_sell: true,
      min_stay_arrival: 2,
      max_stay: 0,
      other: [{}],
    },
  ],
});
/** Pieces to insert: parts of JSON, and input that breaks programs. */
const PIECES = [
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '"',
  '\\',
  '0',
  '-1',
  '1e999',
  '9007199254740993',
  'null',
  'true',
  '""',
  '[]',

  '{}',
  '"__proto__":{}',
  '"constructor":1',
  '\u0000',
  '\ud800',
  '\u{1f3e8}',
  ' ',
  '2026-02-30',
  '[[[[[[[[',
  '1.5',
];

function mutateBody(text: string): (random: MutationRandom) => Uint8Array {
  return (random) => {
    const bytes = Buffer.from(mutate(text, PIECES, random, 60));
    if (random(10) === 0) bytes[random(bytes.length)] = random(256);
    return bytes;
  };
}

async function readMutated(
  text: string,
  read: (body: Uint8Array) => { readonly errors: { readonly count: number } },
): Promise<void> {
  const counts = await readMutations({
    seed: 20_261_120,
    make: mutateBody(text),
    read: (body) => (read(body).errors.count > 0 ? 'refused' : 'read'),
  });
  assertShare(counts.refused, 25);
  assertShare(counts.read, 0.1);
}

describe(`${MUTATIONS} mutated bodies`, () => {
  it('of calendar entries are read to an end', () => readMutated(CALENDARS, readCalendarMessage));

  it('of ARI values are read to an end', () => {
    const place = { source: 's', externalKey: 'rp', propertyId: 'p', inventoryTypeId: 't', currency: 'KWD' };
    return readMutated(ARI, (body) => mapAriValues(readAriValues(body), [place]));
  });
});
