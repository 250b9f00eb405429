import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeCalendar } from '../domain/calendar-codec.ts';
import { calendarRanges } from '../domain/calendar.ts';
import { formatPropertyDocument } from '../supply/native/format-property-document.ts';
import { parsePropertyDocument } from '../supply/native/property-document.ts';
import { generateAtHandoff, generateSandbox } from './generate-sandbox.ts';

const MOMENTS = ['2026-11-20T10:30:00Z', '2027-12-31T23:59:59Z', '2028-02-29T00:00:00Z'].map((text) => ({
  nowMs: Date.parse(text),
  horizonNights: 60,
}));

describe('The generated properties', () => {
  it('are documents that an operator could import', () => {
    for (const moment of MOMENTS) {
      for (const { property, calendars } of [...generateSandbox(moment), ...generateAtHandoff(moment)]) {
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

  it('are the same for the same day, and have ids of their own', () => {
    const [moment] = MOMENTS;
    const properties = generateSandbox(moment!);
    assert.deepEqual(properties, generateSandbox(moment!));
    assert.equal(new Set(properties.map(({ property }) => property.propertyId)).size, properties.length);
  });
});
