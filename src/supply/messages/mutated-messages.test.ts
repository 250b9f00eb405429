/** Bodies that are nearly right: whatever is changed in them, reading ends soon and says something. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mapAriValues, readAriValues } from './ari-message.ts';
import { readCalendarMessage } from './calendar-message.ts';

const MUTATED_COUNT = 100_000;
const LONGEST_MS_MAX = 1_000;

const CALENDARS = JSON.stringify({
  entries: [
    {
      ...{
        propertyId: 'hotel-ponte',
        inventoryTypeId: 'double',
        dateFrom: '2026-12-01',
        dateTo: '2026-12-31',
      },
      ...{
        weekdays: ['fri', 'sat'],
        availability: 2,
        rate: '120.00',
        ratesByGuests: { '1': '80.00', '2': '99.00' },
      },
    },
    {
      ...{ propertyId: 'a~b', inventoryTypeId: 'x', dateFrom: '0001-01-01', dateTo: '9999-12-31' },
      ...{ stopSell: true, closedToArrival: false, closedToDeparture: null, minStayThrough: 3, maxStay: 14 },
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
/** What is put into the text: what JSON is made of, and what breaks programs. */
const PIECES = [
  ...[
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
  ],
  ...[
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
  ],
];

/** A small generator with a fixed seed (mulberry32): the same inputs every time. */
function makeRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

function mutate(text: string, random: (below: number) => number): Uint8Array {
  let mutated = text;
  for (let change = random(3); change >= 0; change--) {
    const at = random(mutated.length);
    const length = random(4) === 0 ? random(60) : random(3);
    mutated = mutated.slice(0, at) + PIECES[random(PIECES.length)]! + mutated.slice(at + length);
  }
  const bytes = Buffer.from(mutated);
  if (random(10) === 0) bytes[random(bytes.length)] = random(256);
  return bytes;
}

function readMutated(text: string, read: (body: Uint8Array) => { errorCount: number; good: number }): void {
  const random = makeRandom(20_261_120);
  let refusedCount = 0;
  let longestMs = 0;
  for (let index = 0; index < MUTATED_COUNT / 2; index++) {
    const startedAtMs = performance.now();
    const { errorCount, good } = read(mutate(text, random));
    longestMs = Math.max(longestMs, performance.now() - startedAtMs);
    assert.ok(errorCount > 0 || good >= 0);
    if (errorCount > 0) refusedCount++;
  }
  assert.ok(refusedCount > MUTATED_COUNT / 8, `${refusedCount} were found wrong`);
  assert.ok(longestMs < LONGEST_MS_MAX, `one took ${longestMs} ms`);
}

describe(`${MUTATED_COUNT} bodies with mutations`, () => {
  it('of calendar entries are read to an end', () => {
    readMutated(CALENDARS, (body) => {
      const { errors, changes } = readCalendarMessage(body);
      return { errorCount: errors.count, good: changes.length };
    });
  });

  it('of ARI values are read to an end', () => {
    readMutated(ARI, (body) => {
      const values = readAriValues(body);
      const place = { source: 's', externalKey: 'rp', propertyId: 'p', inventoryTypeId: 't' };
      const { errors, changes } = mapAriValues(values, [place]);
      return { errorCount: errors.count, good: changes.length };
    });
  });
});
