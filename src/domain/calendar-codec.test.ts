import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { LATER_FIELD_CODE } from '../../test/kit/later-release.ts';
import { calendarEntriesArbitrary, entryArbitrary } from '../../test/kit/property-arbitraries.ts';
import { RUN_SEED } from '../../test/kit/seeds.ts';
import { buildCalendar, EMPTY_CALENDAR, overlayCalendar, type CalendarEntry } from './calendar.ts';
import { CALENDAR_FIELDS, FIELDS } from './calendar-fields.ts';
import { decodeCalendar, encodeNights, encodeRates, visitNights } from './calendar-codec.ts';
import { combineLayers } from './layers.ts';
import { EPOCH_DAY_MAX, EPOCH_DAY_MIN } from './local-date.ts';

/** Any value on any night that a date can name. */
const farValue = fc.oneof(
  fc.maxSafeNat(),
  fc.nat(300),
  fc.constantFrom(127, 128, 2 ** 31, 2 ** 32, 2 ** 53 - 1),
);
const farEntry = entryArbitrary(
  { first: EPOCH_DAY_MIN, last: EPOCH_DAY_MAX, extraNights: fc.nat(400_000) },
  fc.tuple(fc.constantFrom(...CALENDAR_FIELDS), farValue).map(([field, value]) => ({ [field]: value })),
).map((entry) => ({ ...entry, to: Math.min(entry.to, EPOCH_DAY_MAX) }));
const anyEntries = fc.oneof(calendarEntriesArbitrary, fc.array(farEntry, { maxLength: 20 }));

const december: CalendarEntry = {
  from: 20_788,
  to: 20_818,
  set: { availability: 3, rate: 12_000, stopSell: 0, minStayArrival: 2 },
};

describe('calendar bytes', () => {
  it('bring back the calendar, with every field, night and value', () => {
    fc.assert(
      fc.property(anyEntries, (entries) => {
        const calendar = buildCalendar(entries);
        assert.deepEqual(decodeCalendar(encodeNights(calendar), encodeRates(calendar)), calendar);
      }),
      { ...RUN_SEED, numRuns: 1000 },
    );
  });

  it('keep the rates in a column of their own', () => {
    const calendar = buildCalendar([december]);
    assert.deepEqual(decodeCalendar(encodeNights(calendar)), { ...calendar, rate: [] });
    assert.deepEqual(decodeCalendar(encodeRates(calendar)), { ...EMPTY_CALENDAR, rate: calendar.rate });
  });

  it('are equal when the calendars are, however they were written', () => {
    const half = { from: 20_788, to: 20_800 };
    const rest = { from: 20_801, to: 20_818 };
    const inPieces = buildCalendar([
      { ...rest, set: december.set },
      { ...half, set: december.set },
    ]);
    assert.deepEqual(encodeNights(inPieces), encodeNights(buildCalendar([december])));
  });

  it('the codes of fields are those in stored calendars, and never change', () => {
    const flags = { stopSell: 1, closedToArrival: 0, closedToDeparture: 1 };
    const lengths = { minStayArrival: 2, minStayThrough: 4, maxStay: 14 };
    const prices = { rate: 12_000, ratesByGuests: [{ guests: 1, rate: 9_000 }] };
    const set = { availability: 3, ...flags, ...lengths, ...prices };
    assert.deepEqual(Object.keys(set).toSorted(), FIELDS.toSorted(), 'a field without bytes here');
    const calendar = buildCalendar([{ from: 20_788, to: 20_790, set }]);
    // Each field: code, one run, its first night, three nights, the value.
    const nights =
      '01 0001ee942d0303 0201ee942d0301 0301ee942d0300 0401ee942d0301 0501ee942d0302 0601ee942d0304 0701ee942d030e';
    const rates = '02 0101ee942d03e05d 08010101a84601ee942d0300';
    assert.equal(Buffer.from(encodeNights(calendar)).toString('hex'), nights.replaceAll(' ', ''));
    assert.equal(Buffer.from(encodeRates(calendar)).toString('hex'), rates.replaceAll(' ', ''));
  });

  it('have the layout that is documented', () => {
    const calendar = buildCalendar([
      { from: EPOCH_DAY_MIN + 300, to: EPOCH_DAY_MIN + 306, set: { maxStay: 28 } },
    ]);
    // version, field 7, one run, 300 = 0b10_0101100, seven nights, 28
    assert.deepEqual([...encodeNights(calendar)], [1, 7, 1, 0b1010_1100, 0b10, 7, 28]);
    assert.deepEqual([...encodeNights(EMPTY_CALENDAR)], [1]);
  });

  it('hold each table of rates by guests once, and are of version 2 only where there is one', () => {
    const forTwo = [
      { guests: 2, rate: 100 },
      { guests: 4, rate: 120 },
    ];
    const calendar = buildCalendar([
      { from: EPOCH_DAY_MIN, to: EPOCH_DAY_MIN, set: { rate: 7, ratesByGuests: forTwo } },
      { from: EPOCH_DAY_MIN + 1, to: EPOCH_DAY_MIN + 1, set: { ratesByGuests: [{ guests: 3, rate: 9 }] } },
      { from: EPOCH_DAY_MIN + 4, to: EPOCH_DAY_MIN + 5, set: { ratesByGuests: [...forTwo] } },
    ]);
    assert.deepEqual(
      [...encodeRates(calendar)],
      // version; field 1; field 8 with two tables and three runs
      [2, 1, 1, 0, 1, 7, 8, 2, 2, 2, 100, 4, 120, 1, 3, 9, 3, 0, 1, 0, 0, 1, 1, 2, 2, 0],
    );
    assert.deepEqual(decodeCalendar(encodeNights(calendar), encodeRates(calendar)), calendar);
    assert.deepEqual([...encodeNights(calendar)], [1]);
    const cleared = buildCalendar([{ from: 5, to: 9, set: { rate: 12_000, ratesByGuests: null } }]);
    assert.equal(encodeRates(cleared)[0], 1);
  });
});

describe('visitNights', () => {
  it('visits field by field, each ascending', () => {
    const visited: unknown[] = [];
    visitNights(encodeNights(buildCalendar([december])), (...run) => visited.push(run));
    assert.deepEqual(visited, [
      ['availability', 20_788, 20_819, 3],
      ['stopSell', 20_788, 20_819, 0],
      ['minStayArrival', 20_788, 20_819, 2],
    ]);
  });

  it('pass over a field of a later release, and keep it through every change', () => {
    const bytes = encodeNights(buildCalendar([december]));
    const later = new Uint8Array([...bytes, LATER_FIELD_CODE, 2, 0, 1, 1, 4, (300 % 128) | 128, 2, 7]);
    const calendar = decodeCalendar(later);
    assert.deepEqual({ ...calendar, unknown: [] }, decodeCalendar(bytes));
    assert.deepEqual(encodeNights(calendar), later);
    const closed = overlayCalendar(calendar, [{ from: 20_790, to: 20_791, set: { stopSell: 1 } }]);
    assert.deepEqual(decodeCalendar(encodeNights(closed)), closed);
    assert.deepEqual(closed.unknown, calendar.unknown);
    const layers = [
      { source: 'one', calendar: closed },
      { source: 'other', calendar: buildCalendar([december]) },
    ];
    assert.deepEqual(combineLayers(layers, 'other').unknown, calendar.unknown);
  });

  it('throws on another version, a layout that has none of its field, and bytes that end too early', () => {
    const bytes = encodeNights(buildCalendar([december]));
    assert.throws(visitAll(new Uint8Array([3, ...bytes.slice(1)])), /version 3/);
    assert.throws(visitAll(new Uint8Array([1, 8, 0])), /field 8/);
    assert.throws(visitAll(new Uint8Array([2, 8, 1, 1, 2, 100, 1, 0, 1, 1])), /table 1/);
    assert.throws(visitAll(new Uint8Array()), /varint/);
    assert.throws(visitAll(bytes.subarray(0, -1)), /varint/);
    assert.throws(visitAll(new Uint8Array([1, 0, ...Array<number>(9).fill(0xff)])), /varint/);
  });

  it('ends on any bytes whatsoever', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.constantFrom(1, 2), (noise, version) => {
        try {
          visitNights(new Uint8Array([version, ...noise]), () => {});
        } catch (error) {
          assert.ok(error instanceof RangeError);
        }
      }),
      { ...RUN_SEED, numRuns: 2000 },
    );
  });
});

describe('encodeNights', () => {
  it('throws on values that are not unsigned integers', () => {
    for (const availability of [-1, 0.5, Number.NaN, 2 ** 53]) {
      const calendar = buildCalendar([{ from: 0, to: 0, set: { availability } }]);
      assert.throws(() => encodeNights(calendar), RangeError);
    }
  });
});

function visitAll(bytes: Uint8Array): () => void {
  return () => visitNights(bytes, () => {});
}
