import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { RUN_SEED } from '../../../../test/kit/seeds.ts';
import { localToday } from '../../../domain/local-date.ts';
import { MARGIN_NIGHTS, NightRing } from './night-ring.ts';

const DAY_MS = 86_400_000;
const NOON = Date.UTC(2026, 10, 20, 12);
/** 2026-11-20 in UTC, less the day by which UTC-12 is behind in its morning. */
const FIRST = NOON / DAY_MS - 0.5 - 1;

function holds(ring: NightRing, night: number): boolean {
  return night >= ring.from && night < ring.until;
}

describe('a ring of nights', () => {
  it('holds the nights of its lines, from the earliest today on', () => {
    const ring = new NightRing(40, NOON);
    assert.equal(ring.from, FIRST);
    assert.equal(ring.until, FIRST + ring.lineCount);
    assert.deepEqual(
      [FIRST - 1, FIRST, FIRST + ring.lineCount - 1, FIRST + ring.lineCount].map((night) =>
        holds(ring, night),
      ),
      [false, true, true, false],
    );
  });

  it('begins a new day at midnight UTC, neither before nor after', () => {
    const midnight = Date.UTC(2026, 10, 20);
    assert.equal(new NightRing(40, midnight - 1).from, FIRST - 1);
    assert.equal(new NightRing(40, midnight).from, FIRST);
    assert.equal(new NightRing(40, midnight + DAY_MS - 1).from, FIRST);
  });

  it('holds whatever can be offered now in any timezone, with the check-out date of the last stay', () => {
    const zones = ['Etc/GMT+12', 'Pacific/Kiritimati', 'Europe/Rome', 'UTC', 'America/Los_Angeles'];
    fc.assert(
      fc.property(
        fc.integer({ min: NOON, max: NOON + 400 * DAY_MS }),
        fc.integer({ min: 1, max: 800 }),
        fc.constantFrom(...zones),
        (nowMs, horizonNights, zone) => {
          const ring = new NightRing(horizonNights, nowMs);
          const today = localToday(zone, nowMs);
          assert.ok(holds(ring, today));
          // And for as long as no refill is due.
          assert.ok(holds(ring, today + horizonNights + MARGIN_NIGHTS / 2 - 1));
        },
      ),
      RUN_SEED,
    );
  });

  it('gives each night that it holds a line of its own, and keeps it when it moves', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -400 * DAY_MS, max: 60_000 * DAY_MS }),
        fc.integer({ min: 1, max: 800 }),
        fc.integer({ min: -40, max: 900 }),
        (nowMs, horizonNights, days) => {
          const ring = new NightRing(horizonNights, nowMs);
          const { from, until } = ring;
          const lines = new Map<number, number>();
          for (let night = from; night < until; night++) lines.set(night, ring.lineOf(night));
          assert.equal(new Set(lines.values()).size, ring.lineCount);
          for (const line of lines.values()) assert.ok(line >= 0 && line < ring.lineCount);
          ring.moveTo(nowMs + days * DAY_MS);
          for (const [night, line] of lines) assert.equal(ring.lineOf(night), line);
        },
      ),
      RUN_SEED,
    );
  });

  it('is due for a refill when half of the margin is used up, and when time went back', () => {
    const ring = new NightRing(40, NOON);
    const dueAfter = (days: number): boolean => ring.isRefillDue(NOON + days * DAY_MS);
    assert.deepEqual([0, 1, 14, 15, 16, 400].map(dueAfter), [false, false, false, true, true, true]);
    assert.deepEqual([-1, -400].map(dueAfter), [true, true]);
    ring.moveTo(NOON + 15 * DAY_MS);
    assert.deepEqual([15, 29, 30].map(dueAfter), [false, false, true]);
    assert.equal(dueAfter(14), true);
  });

  it('names exactly the nights that it did not hold before', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -200, max: 200 }),
        fc.integer({ min: 1, max: 100 }),
        (days, horizonNights) => {
          const ring = new NightRing(horizonNights, NOON);
          const before = { from: ring.from, until: ring.until };
          ring.moveTo(NOON + days * DAY_MS);
          const added = ring.addedSince(before.from);
          assert.equal(ring.from, before.from + days);
          const expected: number[] = [];
          for (let night = ring.from; night < ring.until; night++)
            if (night < before.from || night >= before.until) expected.push(night);
          assert.deepEqual(added, expected);
          assert.equal(added.length, Math.min(Math.abs(days), ring.lineCount));
        },
      ),
      RUN_SEED,
    );
  });
});
