import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { RUN_SEED } from '../../test/kit/seeds.ts';
import { dayOf } from '../../test/kit/property-fixtures.ts';
import { formatLocalDate, isTimezone, localToday } from './local-date.ts';

const dateIn = (timezone: string, instant: string): string =>
  formatLocalDate(localToday(timezone, Date.parse(instant)));

describe('isTimezone', () => {
  it('knows the zones of the IANA database, aliases included', () => {
    const zones = [
      'Europe/Rome',
      'Pacific/Kiritimati',
      'Etc/GMT+12',
      'America/Argentina/Buenos_Aires',
      'UTC',
    ];
    for (const zone of [
      ...zones,
      'Asia/Kolkata',
      'Europe/Kyiv',
      'EST5EDT',
      'CET',
      'GB',
      'America/Port-au-Prince',
    ]) {
      assert.ok(isTimezone(zone), zone);
    }
  });

  it('refuses offsets from UTC', () => {
    for (const offset of ['+01:00', '-0500', '+01', 'UTC+1', 'GMT+1', 'Z'])
      assert.ok(!isTimezone(offset), offset);
  });

  it('refuses every name that the IANA database does not have as it is written', () => {
    const wrong = [
      '',
      'Rome',
      'Europe/Atlantis',
      'europe/rome',
      'Europe/ROME',
      'PST',
      'SystemV/PST8',
      'Etc/Unknown',
    ];
    for (const text of [...wrong, ' Europe/Rome', 'Europe/Rome ', '../etc/passwd'])
      assert.ok(!isTimezone(text), text);
  });
});

describe('localToday', () => {
  it('is the date where the property stands, across the date line', () => {
    assert.equal(dateIn('Pacific/Kiritimati', '2026-11-20T10:00:00Z'), '2026-11-21');
    assert.equal(dateIn('Europe/Rome', '2026-11-20T10:00:00Z'), '2026-11-20');
    assert.equal(dateIn('Etc/GMT+12', '2026-11-20T10:00:00Z'), '2026-11-19');
  });

  it('changes at local midnight, to the millisecond', () => {
    assert.equal(dateIn('Pacific/Kiritimati', '2026-11-20T09:59:59.999Z'), '2026-11-20');
    assert.equal(dateIn('Pacific/Kiritimati', '2026-11-20T10:00:00.000Z'), '2026-11-21');
    assert.equal(dateIn('Etc/GMT+12', '2026-11-20T11:59:59.999Z'), '2026-11-19');
    assert.equal(dateIn('Etc/GMT+12', '2026-11-20T12:00:00.000Z'), '2026-11-20');
    assert.equal(dateIn('Asia/Kathmandu', '2026-11-20T18:14:59.999Z'), '2026-11-20');
    assert.equal(dateIn('Asia/Kathmandu', '2026-11-20T18:15:00.000Z'), '2026-11-21');
  });

  it('follows daylight saving: midnight in Rome is 23:00 UTC in winter and 22:00 UTC in summer', () => {
    assert.equal(dateIn('Europe/Rome', '2026-10-24T22:00:00Z'), '2026-10-25');
    assert.equal(dateIn('Europe/Rome', '2026-10-25T22:00:00Z'), '2026-10-25');
    assert.equal(dateIn('Europe/Rome', '2026-10-25T23:00:00Z'), '2026-10-26');
    assert.equal(dateIn('Europe/Rome', '2026-03-28T22:59:59Z'), '2026-03-28');
    assert.equal(dateIn('Europe/Rome', '2026-03-29T21:59:59Z'), '2026-03-29');
    assert.equal(dateIn('Europe/Rome', '2026-03-29T22:00:00Z'), '2026-03-30');
  });

  it('skips the day that Samoa skipped', () => {
    assert.equal(dateIn('Pacific/Apia', '2011-12-30T09:59:59Z'), '2011-12-29');
    assert.equal(dateIn('Pacific/Apia', '2011-12-30T10:00:00Z'), '2011-12-31');
  });

  it('is right when the clock is set back', () => {
    const zone = 'Europe/Rome';
    assert.equal(localToday(zone, Date.parse('2026-11-21T12:00:00Z')), dayOf('2026-11-21'));
    assert.equal(localToday(zone, Date.parse('2026-11-20T12:00:00Z')), dayOf('2026-11-20'));
  });

  it('equals a fresh look at the zone, whatever was asked before', () => {
    const zones = [
      'Pacific/Kiritimati',
      'Etc/GMT+12',
      'Europe/Rome',
      'Australia/Lord_Howe',
      'America/St_Johns',
    ];
    const instant = fc.integer({ min: Date.parse('1972-02-01'), max: Date.parse('2060-01-01') });
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        instant,
        fc.integer({ min: -90_000, max: 90_000 }),
        (zone, ms, later) => {
          for (const nowMs of [ms, ms + later]) {
            const fresh = new Date(nowMs).toLocaleDateString('sv-SE', { timeZone: zone });
            assert.equal(formatLocalDate(localToday(zone, nowMs)), fresh);
          }
        },
      ),
      { ...RUN_SEED, numRuns: 400 },
    );
  });

  it('throws on a zone that does not exist', () => {
    assert.throws(() => localToday('Europe/Atlantis', 0), RangeError);
  });
});
