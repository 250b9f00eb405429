import { said } from '../../test/kit/said.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { NAIVE_FIELDS, naiveValue } from '../../test/kit/naive-model.ts';
import {
  calendarEntriesArbitrary,
  calendarEntryArbitrary,
  DAY_COUNT,
  FIRST_DAY,
} from '../../test/kit/property-arbitraries.ts';
import { RUN_SEED } from '../../test/kit/seeds.ts';
import { decodeCalendar, encodeNights, encodeRates } from './calendar-codec.ts';
import { buildCalendar, type CalendarEntry, EMPTY_CALENDAR, overlayCalendar } from './calendar.ts';
import { CALENDAR_FIELDS, type CalendarField } from './calendar-fields.ts';
import { type CalendarLayer, combineLayers, findReservedReason, setsPrice } from './layers.ts';
import { valueAt } from './night-runs.ts';

const SOURCES = ['pms', 'channel', 'manual'] as const;
const anySource = fc.constantFrom(...SOURCES);
const anyEntries = fc.oneof(calendarEntriesArbitrary, fc.array(calendarEntryArbitrary, { maxLength: 6 }));
const anyWritten = fc.array(fc.record({ source: anySource, entries: anyEntries }), { maxLength: 4 });
const NIGHTS = Array.from({ length: 2 * DAY_COUNT + 40 }, (_, index) => FIRST_DAY - 10 + index);
const fieldsThatTake = (value: 'lowest' | 'highest'): readonly CalendarField[] =>
  CALENDAR_FIELDS.filter((field) => NAIVE_FIELDS[field].combined === value);
const LOWEST = fieldsThatTake('lowest');
const HIGHEST = fieldsThatTake('highest');
/** No field of this release has it. */
const LATER_FIELD_CODE = 120;

interface Written {
  readonly source: string;
  readonly entries: readonly CalendarEntry[];
}

function layersOf(written: readonly Written[]): CalendarLayer[] {
  return written.map(({ source, entries }) => ({ source, calendar: buildCalendar(entries) }));
}

/** One of each source, as they are kept. */
function distinct(written: readonly Written[]): Written[] {
  return [...new Map(written.map((one) => [one.source, one])).values()];
}

function bytesOf(layers: readonly CalendarLayer[], priceSource: string): string {
  const calendar = combineLayers(layers, priceSource);
  return Buffer.concat([encodeNights(calendar), encodeRates(calendar)]).toString('hex');
}

describe('combineLayers', () => {
  it('keeps the highest value of a field of a later release, night by night', () => {
    const unknownOf = (from: number, until: number, value: number) => ({
      ...EMPTY_CALENDAR,
      unknown: [{ code: LATER_FIELD_CODE, runs: [{ from, until, value }] }],
    });
    const combined = combineLayers(
      [
        { source: 'pms', calendar: unknownOf(100, 110, 3) },
        { source: 'channel', calendar: unknownOf(105, 120, 7) },
      ],
      'pms',
    );
    assert.deepEqual(combined.unknown, [
      {
        code: LATER_FIELD_CODE,
        runs: [
          { from: 100, until: 105, value: 3 },
          { from: 105, until: 120, value: 7 },
        ],
      },
    ]);
  });

  it('takes the strictest value of each night, and the prices of one source: as the naive model does', () => {
    fc.assert(
      fc.property(anyWritten, anySource, (all, priceSource) => {
        const written = distinct(all);
        const combined = combineLayers(layersOf(written), priceSource);
        for (const night of NIGHTS) {
          const set = (field: CalendarField): number[] =>
            written
              .map(({ entries }) => naiveValue(entries, field, night))
              .filter((value) => value !== undefined);
          for (const field of LOWEST) {
            const expected = set(field).toSorted((a, b) => a - b)[0];
            assert.equal(valueAt(combined[field], night), expected, field);
          }
          for (const field of HIGHEST) {
            const expected = set(field).toSorted((a, b) => b - a)[0];
            assert.equal(valueAt(combined[field], night), expected, field);
          }
          const said = (name: string) => written.find(({ source }) => source === name)?.entries ?? [];
          const isPriced = NIGHTS.some((one) =>
            (['rate', 'ratesByGuests'] as const).some(
              (field) => naiveValue(said(priceSource), field, one) !== undefined,
            ),
          );
          const priced = said(isPriced ? priceSource : 'manual');
          assert.equal(valueAt(combined.rate, night), naiveValue(priced, 'rate', night));
        }
      }),
      RUN_SEED,
    );
  });

  it('does not depend on the order of the layers', () => {
    fc.assert(
      fc.property(anyWritten, anySource, (all, priceSource) => {
        const layers = layersOf(distinct(all));
        assert.equal(bytesOf(layers.toReversed(), priceSource), bytesOf(layers, priceSource));
      }),
      RUN_SEED,
    );
  });

  it('is not changed by a layer that is there already, nor by its own result', () => {
    fc.assert(
      fc.property(anyWritten, anySource, (all, priceSource) => {
        const layers = layersOf(distinct(all));
        const once = bytesOf(layers, priceSource);
        assert.equal(bytesOf([...layers, ...layers], priceSource), once);
        const combined = { source: 'combined', calendar: combineLayers(layers, priceSource) };
        assert.equal(bytesOf([...layers, combined], priceSource), once);
      }),
      RUN_SEED,
    );
  });

  it('leaves a single layer as it is, byte by byte', () => {
    fc.assert(
      fc.property(anyEntries, (entries) => {
        const calendar = buildCalendar(entries);
        const alone = combineLayers([{ source: 'pms', calendar }], 'pms');
        assert.deepEqual(encodeNights(alone), encodeNights(calendar));
        assert.deepEqual(encodeRates(alone), encodeRates(calendar));
      }),
      RUN_SEED,
    );
  });
});

describe('overlayCalendar', () => {
  it('a calendar overlaid in parts equals one built from all entries at once', () => {
    fc.assert(
      fc.property(anyEntries, anyEntries, anyEntries, (first, second, third) => {
        const steps = overlayCalendar(overlayCalendar(buildCalendar(first), second), third);
        assert.deepEqual(steps, buildCalendar([...first, ...second, ...third]));
        const stored = decodeCalendar(encodeNights(steps), encodeRates(steps));
        assert.deepEqual(overlayCalendar(stored, third), steps, 'the same again changes nothing');
      }),
      RUN_SEED,
    );
  });
});

describe('setsPrice', () => {
  it('knows a price from a restriction, and from no price', () => {
    const entry = (set: CalendarEntry['set']): CalendarEntry => ({ from: FIRST_DAY, to: FIRST_DAY, set });
    assert.equal(setsPrice(entry({ rate: 0 })), true);
    assert.equal(setsPrice(entry({ availability: 1, stopSell: 1, maxStay: 3 })), false);
    assert.equal(setsPrice(entry({ rate: null })), false);
    assert.equal(setsPrice(entry({})), false);
  });
});

describe('sources of the service itself', () => {
  for (const source of ['ical:f1', 'stayport:supply-age', 'ICAL:f1', ' Stayport:x ', 'manual', 'Manual']) {
    it(`are nobody else's: ${JSON.stringify(source)}`, () => {
      assert.match(said(findReservedReason(source)), /choose another name$/);
    });
  }

  for (const source of ['icalendar', 'stayport', 'pms', 'my ical:f1', 'manual:2']) {
    it(`leave other names free: ${source}`, () => {
      assert.equal(findReservedReason(source), undefined);
    });
  }
});
