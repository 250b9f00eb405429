import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { RUN_SEED } from '../../../../test/kit/seeds.ts';
import { copyInHeap, makeHeap } from '../../../../test/kit/make-heap.ts';
import { type AdvanceWindow, AdvanceWindows } from './advance-windows.ts';
import { UnwantedLines } from './unwanted-lines.ts';

const ZONES = ['Europe/Rome', 'Asia/Tokyo'] as const;
const ROWS = 70;
const WORDS = 4;

interface Limit {
  readonly zone: (typeof ZONES)[number];
  readonly window: AdvanceWindow;
}

/** Changes of rows, as a block makes them. */
type Step =
  | { readonly put: number; readonly limit: Limit }
  | { readonly clear: number; readonly count: number }
  | { readonly remove: number; readonly count: number };

const daysArb = fc.oneof(fc.nat(10), fc.nat(730), fc.constantFrom(0, 1, 729, 730));
const rowArb = fc.nat(ROWS - 1);
const countArb = fc.integer({ min: 1, max: 40 });
const putArb = fc.record({
  put: rowArb,
  limit: fc.record({
    zone: fc.constantFrom(...ZONES),
    window: fc.record({ minAdvanceDays: daysArb, maxAdvanceDays: daysArb }, { requiredKeys: [] }),
  }),
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

/** Applies the steps to `windows`, and returns the limit of each row. */
function follow(steps: readonly Step[], windows: AdvanceWindows): (Limit | undefined)[] {
  const rows = new Array<Limit | undefined>(ROWS).fill(undefined);
  for (const step of steps) {
    if ('put' in step) {
      if (rows[step.put] !== undefined) continue;
      rows[step.put] = step.limit;
      windows.set(step.limit.zone, step.put, step.limit.window, WORDS);
    } else if ('clear' in step) {
      const count = Math.min(step.count, ROWS - step.clear);
      rows.fill(undefined, step.clear, step.clear + count);
      for (const lines of windows.lines()) lines.clearRows(step.clear, count);
      windows.dropUnused();
    } else {
      const count = Math.min(step.count, ROWS - step.remove);
      rows.splice(step.remove, count);
      while (rows.length < ROWS) rows.push(undefined);
      for (const lines of windows.lines()) lines.removeRows(step.remove, count);
      windows.dropUnused();
    }
  }
  return rows;
}

/** A copy through its written form. */
function copyOf(windows: AdvanceWindows): AdvanceWindows {
  return copyInHeap(heap, windows, (record) => new AdvanceWindows(heap, WORDS, record));
}

function keptRows(windows: AdvanceWindows, daysAhead: (zone: string) => number): number[] {
  const unwanted = new UnwantedLines();
  windows.addOutside(daysAhead, unwanted);
  const lines = Array.from({ length: unwanted.count }, (_, line) => line);
  return Array.from({ length: ROWS }, (_, row) => row).filter((row) =>
    lines.every((line) => {
      const word = unwanted.words(line)[unwanted.from(line) + (row >>> 5)]!;
      return ((word >>> (row & 31)) & 1) === 0;
    }),
  );
}

const heap = makeHeap();

describe('Advance windows', () => {
  it('keep the rows that take a check-in so many days ahead in their timezone, as rows come and go', () => {
    fc.assert(
      fc.property(stepsArb, aheadArb, aheadArb, (steps, aheadInRome, aheadInTokyo) => {
        const daysAhead = (zone: string): number => (zone === 'Europe/Rome' ? aheadInRome : aheadInTokyo);
        const isKept = (limit: Limit | undefined): boolean => {
          if (limit === undefined) return true;
          const { minAdvanceDays = 0, maxAdvanceDays = Infinity } = limit.window;
          const ahead = daysAhead(limit.zone);
          return ahead >= minAdvanceDays && ahead <= maxAdvanceDays;
        };
        const windows = new AdvanceWindows(heap, WORDS);
        const expected = [...follow(steps, windows).entries()].flatMap(([row, limit]) =>
          isKept(limit) ? [row] : [],
        );
        assert.deepEqual(keptRows(copyOf(windows), daysAhead), expected);
        assert.deepEqual(keptRows(windows, daysAhead), expected);
      }),
      { ...RUN_SEED, numRuns: 500 },
    );
  });

  it('have a line for each number that a row has, and none for others', () => {
    const windows = new AdvanceWindows(heap, WORDS);
    const lineCounts = () => Array.from(windows.lines(), ({ lineCount }) => lineCount);
    windows.set('Europe/Rome', 0, { minAdvanceDays: 3 }, WORDS);
    windows.set('Europe/Rome', 1, { minAdvanceDays: 7, maxAdvanceDays: 90 }, WORDS);
    windows.set('Europe/Rome', 2, { minAdvanceDays: 7 }, WORDS);
    windows.set('Asia/Tokyo', 3, { maxAdvanceDays: 7 }, WORDS);
    windows.set('Asia/Seoul', 4, { minAdvanceDays: 0 }, WORDS);
    assert.deepEqual(lineCounts(), [2, 1, 0, 1], 'at least and at most in Rome, then in Tokyo');
    for (const [row, expected] of [
      [1, [2, 0, 0, 1]],
      [2, [1, 0, 0, 1]],
      [0, [0, 1]],
      [3, []],
    ] as const) {
      for (const lines of windows.lines()) lines.clearRows(row, 1);
      windows.dropUnused();
      assert.deepEqual(lineCounts(), expected);
    }
  });
});
