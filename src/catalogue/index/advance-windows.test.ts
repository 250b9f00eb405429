import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { FIXED_SEED } from '../../../test/kit/property-arbitraries.ts';
import { AdvanceLimits, daysLeft, maxAdvanceNumber } from './advance-windows.ts';

const ZONES = ['Europe/Rome', 'Asia/Tokyo'] as const;
const ROWS = 70;
const WORDS = 4;

interface Limit {
  readonly zone: (typeof ZONES)[number];
  readonly days: number;
}

/** Rows that come and go, as a block sees them. */
type Step =
  | { readonly put: number; readonly limit: Limit }
  | { readonly clear: number; readonly count: number }
  | { readonly remove: number; readonly count: number };

const daysArb = fc.oneof(fc.nat(10), fc.nat(730), fc.constantFrom(0, 1, 729, 730));
const rowArb = fc.nat(ROWS - 1);
const countArb = fc.integer({ min: 1, max: 40 });
const putArb = fc.record({
  put: rowArb,
  limit: fc.record({ zone: fc.constantFrom(...ZONES), days: daysArb }),
});
const stepsArb: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: putArb },
    { weight: 1, arbitrary: fc.record({ clear: rowArb, count: countArb }) },
    { weight: 1, arbitrary: fc.record({ remove: rowArb, count: countArb }) },
  ),
  { maxLength: 120 },
);
const aheadArb = fc.oneof(fc.nat(12), fc.nat(740), fc.constantFrom(0, 729, 730, 731, 1023, 1024, 3660));

/** A limit a row, and `AdvanceLimits` beside it. */
function follow(steps: readonly Step[], limits: AdvanceLimits, numberOf: (days: number) => number) {
  const rows = new Array<Limit | undefined>(ROWS).fill(undefined);
  for (const step of steps) {
    if ('put' in step) {
      if (rows[step.put] !== undefined) continue;
      rows[step.put] = step.limit;
      limits.set(step.limit.zone, step.put, numberOf(step.limit.days), WORDS);
    } else if ('clear' in step) {
      const count = Math.min(step.count, ROWS - step.clear);
      rows.fill(undefined, step.clear, step.clear + count);
      for (const lines of limits.lines()) lines.clearRows(step.clear, count);
      limits.dropUnused();
    } else {
      const count = Math.min(step.count, ROWS - step.remove);
      rows.splice(step.remove, count);
      while (rows.length < ROWS) rows.push(undefined);
      for (const lines of limits.lines()) lines.removeRows(step.remove, count);
      limits.dropUnused();
    }
  }
  return rows;
}

function keptRows(limits: AdvanceLimits, thresholdOf: (zone: string) => number): number[] {
  const rows = new Int32Array(1 + WORDS).fill(-1);
  limits.keepUpTo(thresholdOf, rows, 1, 0, WORDS);
  assert.equal(rows[0], -1);
  return Array.from({ length: ROWS }, (_, row) => row).filter(
    (row) => ((rows[1 + (row >>> 5)]! >>> (row & 31)) & 1) === 1,
  );
}

function rowsWhere(rows: readonly (Limit | undefined)[], holds: (limit: Limit) => boolean): number[] {
  return [...rows.keys()].filter((row) => {
    const limit = rows[row];
    return limit === undefined || holds(limit);
  });
}

describe('Advance limits', () => {
  it('keep the rows that take a check-in so many days ahead in their timezone, as rows come and go', () => {
    fc.assert(
      fc.property(stepsArb, aheadArb, aheadArb, (steps, aheadInRome, aheadInTokyo) => {
        const ahead = (zone: string): number => (zone === 'Europe/Rome' ? aheadInRome : aheadInTokyo);
        const least = new AdvanceLimits();
        const leastRows = follow(steps, least, (days) => days);
        for (const limits of [least.copy(), least])
          assert.deepEqual(
            keptRows(limits, ahead),
            rowsWhere(leastRows, ({ zone, days }) => ahead(zone) >= days),
          );
        const most = new AdvanceLimits();
        const mostRows = follow(steps, most, maxAdvanceNumber);
        for (const limits of [most.copy(), most])
          assert.deepEqual(
            keptRows(limits, (zone) => daysLeft(ahead(zone))),
            rowsWhere(mostRows, ({ zone, days }) => ahead(zone) <= days),
          );
      }),
      { ...FIXED_SEED, numRuns: 300 },
    );
  });

  it('have a line for each number that a row has, and none for others', () => {
    const limits = new AdvanceLimits();
    const lineCounts = () => Array.from(limits.lines(), ({ lineCount }) => lineCount);
    limits.set('Europe/Rome', 0, 3, WORDS);
    limits.set('Europe/Rome', 1, 7, WORDS);
    limits.set('Europe/Rome', 2, 7, WORDS);
    limits.set('Asia/Tokyo', 3, 7, WORDS);
    limits.set('Asia/Tokyo', 4, 0, WORDS);
    assert.deepEqual(lineCounts(), [2, 1]);
    for (const [row, expected] of [
      [1, [2, 1]],
      [2, [1, 1]],
      [0, [1]],
      [3, []],
    ] as const) {
      for (const lines of limits.lines()) lines.clearRows(row, 1);
      limits.dropUnused();
      assert.deepEqual(lineCounts(), expected);
    }
  });

  it('look at the asked words only', () => {
    const limits = new AdvanceLimits();
    for (let row = 0; row < WORDS * 32; row++) limits.set('Europe/Rome', row, 9, WORDS);
    const rows = new Int32Array(WORDS).fill(-1);
    limits.keepUpTo(() => 8, rows, 0, 1, 3);
    assert.deepEqual([...rows], [-1, 0, 0, -1]);
  });
});
