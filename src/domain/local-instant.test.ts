import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { RUN_SEED } from '../../test/kit/seeds.ts';
import { getLocalDate } from './local-date.ts';
import { endOfLocalDay, formatEndOfLocalDay, formatLocalInstant } from './local-instant.ts';

const endOf = (timezone: string, date: string): string => formatEndOfLocalDay(timezone, getLocalDate(date));

describe('the end of a local date', () => {
  for (const [name, timezone, date, end] of [
    ['is a second before midnight', 'Europe/Rome', '2026-11-27', '2026-11-27T23:59:59+01:00'],
    ['has the offset of summer', 'Europe/Rome', '2026-07-27', '2026-07-27T23:59:59+02:00'],
    ['has the offset after a change at night', 'Europe/Rome', '2026-10-25', '2026-10-25T23:59:59+01:00'],
    ['stands where midnight is skipped', 'Africa/Cairo', '2026-04-23', '2026-04-23T23:59:59+02:00'],
    ['is that of the hour that is repeated', 'Africa/Cairo', '2026-10-29', '2026-10-29T23:59:59+02:00'],
    ['comes before a repeated first hour', 'America/Havana', '2026-10-31', '2026-10-31T23:59:59-04:00'],
    ['comes after a repeated first hour', 'America/Havana', '2026-11-01', '2026-11-01T23:59:59-05:00'],
    ['stands where Chile skips midnight', 'America/Santiago', '2026-09-05', '2026-09-05T23:59:59-04:00'],
    ['is later where Chile goes back', 'America/Santiago', '2026-04-04', '2026-04-04T23:59:59-04:00'],
    ['knows changes of half an hour', 'Australia/Lord_Howe', '2026-10-04', '2026-10-04T23:59:59+11:00'],
    ['west of the date line', 'Pacific/Pago_Pago', '2026-11-27', '2026-11-27T23:59:59-11:00'],
    ['east of the date line', 'Pacific/Kiritimati', '2026-11-27', '2026-11-27T23:59:59+14:00'],
    ['in a zone of three quarters', 'Asia/Kathmandu', '2026-11-27', '2026-11-27T23:59:59+05:45'],
    ['behind UTC by half hours', 'Pacific/Marquesas', '2026-11-27', '2026-11-27T23:59:59-09:30'],
    ['before a skipped date', 'Pacific/Apia', '2011-12-29', '2011-12-29T23:59:59-10:00'],
    ['of a skipped date is the one before', 'Pacific/Apia', '2011-12-30', '2011-12-29T23:59:59-10:00'],
    ['in UTC', 'UTC', '2028-02-29', '2028-02-29T23:59:59+00:00'],
  ] as const)
    it(`${name}: ${timezone}`, () => assert.equal(endOf(timezone, date), end));

  it('is the last second of the date as another format of the zone shows it, in every zone', () => {
    const zones = [...Intl.supportedValuesOf('timeZone'), 'UTC'];
    const days = { min: getLocalDate('2013-01-01'), max: getLocalDate('2040-12-31') };
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer(days), (timeZone, day) => {
        const shown = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
        const ms = endOfLocalDay(timeZone, day);
        const text = formatLocalInstant(timeZone, ms);
        assert.equal(formatEndOfLocalDay(timeZone, day), text);
        assert.equal(Date.parse(text), ms);
        assert.equal(shown.format(ms), text.slice(0, 19).replace('T', ' '));
        assert.match(text, /T\d\d:\d\d:59[+-]\d\d:\d\d$/);
        const dateOf = (at: number): number => getLocalDate(shown.format(at).slice(0, 10));
        assert.ok(dateOf(ms) === day && dateOf(ms + 1_000) > day, text);
      }),
      { ...RUN_SEED, numRuns: 1_000 },
    );
  });
});
