import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeCalendar } from '../../domain/calendar-codec.ts';
import { calendarRanges } from '../../domain/calendar.ts';
import { CALENDAR_FIELDS } from '../../domain/calendar-fields.ts';
import { lowestRateAt } from '../../domain/lowest-rates.ts';
import { valueAt } from '../../domain/night-runs.ts';
import { localToday } from '../../domain/local-date.ts';
import type { StoredProperty } from '../../storage/catalogue/store.ts';
import { formatPropertyDocument } from '../../supply/native/format-property-document.ts';
import { parsePropertyDocument } from '../../supply/native/property-document.ts';
import { SPECIAL_IDS } from './special-properties.ts';
import { TestProperties } from './test-properties.ts';

const HORIZON_NIGHTS = 60;
const MOMENTS = ['2026-11-20T10:30:00Z', '2027-12-31T23:59:59Z', '2028-02-29T00:00:00Z'].map(Date.parse);
const DAY_MS = 86_400_000;

function makeAt(nowMs: number): TestProperties {
  return new TestProperties({ clock: () => nowMs, horizonNights: HORIZON_NIGHTS });
}

function atHandoff(properties: TestProperties, nowMs: number): StoredProperty[] {
  return SPECIAL_IDS.flatMap((id) => properties.findAtHandoff(id, nowMs) ?? []);
}

describe('The generated properties', () => {
  it('are documents that an operator could import', () => {
    for (const nowMs of MOMENTS) {
      const generated = makeAt(nowMs);
      for (const { property, calendars } of [...generated.all(nowMs), ...atHandoff(generated, nowMs)]) {
        const entries = calendars.map(({ nights, rates }) => calendarRanges(decodeCalendar(nights, rates)));
        const written: unknown = JSON.parse(JSON.stringify(formatPropertyDocument(property, entries)));
        const read = parsePropertyDocument(written);
        // Nobody may see it: no operator would write that, and the format has no word for it.
        if (property.propertyId === 'test-hidden') continue;
        assert.ok(read.ok, JSON.stringify(read));
        assert.deepEqual(read.property, property);
      }
    }
  });

  it('test properties are the same on the same day, each with an id of its own', () => {
    const [nowMs] = MOMENTS;
    const properties = [...makeAt(nowMs!).all(nowMs!)];
    assert.deepEqual(properties, [...makeAt(nowMs!).all(nowMs!)]);
    assert.equal(new Set(properties.map(({ property }) => property.propertyId)).size, properties.length);
  });

  it('offer on each day what they would if they were generated for that day alone', () => {
    const [nowMs] = MOMENTS;
    const time = { nowMs: nowMs! };
    const lasting = new TestProperties({ clock: () => time.nowMs, horizonNights: HORIZON_NIGHTS });
    for (const daysOfService of [0, 1, 29, 45, 400]) {
      time.nowMs = nowMs! + daysOfService * DAY_MS;
      for (const daysMoved of [-500, -366, -1, 0, 1, 366, 500]) {
        const momentMs = time.nowMs + daysMoved * DAY_MS;
        const expected = makeAt(momentMs);
        assert.deepEqual(
          offered([...lasting.all(momentMs), ...atHandoff(lasting, momentMs)], momentMs),
          offered([...expected.all(momentMs), ...atHandoff(expected, momentMs)], momentMs),
        );
      }
    }
  });

  it('are generated once where the day does not matter, and those of 30 days ago no longer', () => {
    const [nowMs] = MOMENTS;
    const time = { nowMs: nowMs! };
    const lasting = new TestProperties({ clock: () => time.nowMs, horizonNights: HORIZON_NIGHTS });
    const before = new Set(lasting.all(nowMs!));
    const again = [...lasting.all(nowMs! + 200 * DAY_MS)];
    assert.equal(again.filter((stored) => !before.has(stored)).length, 6);
    time.nowMs += 31 * DAY_MS;
    assert.ok([...lasting.all(time.nowMs)].every((stored) => !before.has(stored)));
  });

  it('are kept for 30 days either way, and for moments within 420 days of them', () => {
    // The same day in every timezone of the sandbox.
    const nowMs = Date.parse('2026-11-20T09:59:00Z');
    const time = { nowMs };
    const lasting = new TestProperties({ clock: () => time.nowMs, horizonNights: HORIZON_NIGHTS });
    const first = [...lasting.all(nowMs)];
    const kept = (momentMs: number): number => {
      const now = new Set(lasting.all(momentMs));
      return first.filter((stored) => now.has(stored)).length;
    };
    const all = kept(nowMs);
    assert.ok(all > first.length / 2);
    // A generated property reaches 420 days back, and 420 days and the horizon ahead.
    for (const days of [-420, 0, 421]) assert.equal(kept(nowMs + days * DAY_MS), all, `${days} days away`);
    for (const days of [-421, 422]) assert.equal(kept(nowMs + days * DAY_MS), 0, `${days} days away`);
    for (const days of [30, -30]) {
      time.nowMs = nowMs + days * DAY_MS;
      assert.equal(kept(nowMs), all, `${days} days later`);
    }
    time.nowMs = nowMs - 31 * DAY_MS;
    assert.equal(kept(nowMs), 0);
  });
});

/** The nights on sale from today to the horizon, and today's lowest rate. */
function offered(properties: readonly StoredProperty[], nowMs: number): unknown[] {
  return properties.map(({ property, calendars, lowestRates }) => {
    const today = localToday(property.timezone, nowMs);
    const nights = calendars.map(({ nights: open, rates }) => {
      const calendar = decodeCalendar(open, rates);
      return Array.from({ length: HORIZON_NIGHTS }, (_, ahead) =>
        CALENDAR_FIELDS.map((field) => valueAt(calendar[field], today + ahead)),
      );
    });
    return [property, nights, lowestRateAt(lowestRates, today)];
  });
}
