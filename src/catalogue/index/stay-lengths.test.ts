import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { FIXED_SEED } from '../../../test/kit/property-arbitraries.ts';
import { makeHeap } from '../../../test/kit/make-heap.ts';
import { maxStayNumber, minStayNumber, StayLengths } from './stay-lengths.ts';

const NIGHTS = 5;
const ROWS = 70;
const WORDS = 4;
const SHAPE = { nightLineCount: NIGHTS, wordsPerLine: WORDS };

interface Run {
  readonly line: number;
  readonly count: number;
  readonly row: number;
  readonly number: number;
}

/** At most one run a row: a row's numbers never overlap. */
const runsArb: fc.Arbitrary<Run[]> = fc.uniqueArray(
  fc.record({
    line: fc.nat(NIGHTS - 1),
    count: fc.integer({ min: 1, max: NIGHTS }),
    row: fc.nat(ROWS - 1),
    number: fc.oneof(fc.nat(7), fc.nat(61)),
  }),
  { selector: ({ row }) => row, maxLength: ROWS },
);

/** The numbers by night and row; runs go on from the first line behind the last one. */
function naiveNumbers(runs: readonly Run[]): number[][] {
  const numbers = Array.from({ length: NIGHTS }, () => new Array<number>(ROWS).fill(0));
  for (const { line, count, row, number } of runs)
    for (let night = line; night < line + count; night++) numbers[night % NIGHTS]![row] = number;
  return numbers;
}

const heap = makeHeap();

function write(runs: readonly Run[]): StayLengths {
  const lengths = new StayLengths(heap);
  for (const { line, count, row, number } of runs) lengths.setRun(line, count, row, number, SHAPE);
  return lengths;
}

/** The rows that are kept of all rows, when the block's words stand at `offset` and only some of them are looked at. */
function keep(lengths: StayLengths, threshold: number, line: number, from = 0, until = WORDS): number[] {
  const offset = 3;
  const rows = new Int32Array(offset + WORDS).fill(-1);
  lengths.keepUpTo(threshold, line, rows, offset, from, until);
  for (let word = 0; word < offset; word++) assert.equal(rows[word], -1, 'what is not of the block stays');
  return Array.from({ length: ROWS }, (_, row) => row).filter(
    (row) => ((rows[offset + (row >>> 5)]! >>> (row & 31)) & 1) === 1,
  );
}

function assertEquals(lengths: StayLengths, numbers: readonly (readonly number[])[]): void {
  for (const [line, ofRow] of numbers.entries()) {
    for (let threshold = 0; threshold <= 61; threshold++) {
      const expected = ofRow.flatMap((number, row) => (number <= threshold ? [row] : []));
      assert.deepEqual(keep(lengths, threshold, line), expected);
    }
  }
}

describe('stay lengths', () => {
  it('keep the rows whose number is at most the threshold, at every night and threshold', () => {
    fc.assert(
      fc.property(runsArb, (runs) => assertEquals(write(runs), naiveNumbers(runs))),
      { ...FIXED_SEED, numRuns: 60 },
    );
  });

  it('look at the asked words only', () => {
    const lengths = write([
      { line: 0, count: 1, row: 1, number: 5 },
      { line: 0, count: 1, row: 33, number: 5 },
      { line: 0, count: 1, row: 65, number: 5 },
    ]);
    const kept = keep(lengths, 4, 0, 1, 2);
    assert.deepEqual(
      [1, 33, 65].map((row) => kept.includes(row)),
      [true, false, true],
    );
  });

  it('can exceed what is below the largest number, and nothing before there is one', () => {
    const lengths = new StayLengths(heap);
    assert.equal(lengths.canExceed(0), false);
    assert.equal(lengths.lines, undefined);
    lengths.setRun(0, 1, 3, 0, SHAPE);
    assert.equal(lengths.lines, undefined, 'no limit takes no memory');
    lengths.setRun(0, 1, 3, 7, SHAPE);
    lengths.setRun(0, 1, 4, 2, SHAPE);
    assert.deepEqual(
      [6, 7].map((threshold) => lengths.canExceed(threshold)),
      [true, false],
    );
  });

  it('take three planes up to 7 and six beyond, and lose nothing when they grow', () => {
    const lengths = write([{ line: 1, count: 3, row: 40, number: 7 }]);
    assert.equal(lengths.lines?.lineCount, 3 * NIGHTS);
    lengths.setRun(3, 3, 41, 8, SHAPE);
    assert.equal(lengths.lines?.lineCount, 6 * NIGHTS);
    lengths.setRun(0, 1, 42, 3, SHAPE);
    const runs = [
      { line: 1, count: 3, row: 40, number: 7 },
      { line: 3, count: 3, row: 41, number: 8 },
      { line: 0, count: 1, row: 42, number: 3 },
    ];
    assertEquals(lengths, naiveNumbers(runs));
  });

  it('forget one night and no other', () => {
    fc.assert(
      fc.property(runsArb, fc.nat(NIGHTS - 1), (runs, night) => {
        const lengths = write(runs);
        lengths.clearNight(night);
        const numbers = naiveNumbers(runs);
        numbers[night]!.fill(0);
        assertEquals(lengths, numbers);
      }),
      { ...FIXED_SEED, numRuns: 20 },
    );
  });

  it('are copied whole, and a copy is on its own', () => {
    fc.assert(
      fc.property(runsArb, (runs) => {
        const lengths = write(runs);
        const copy = lengths.copy();
        assertEquals(copy, naiveNumbers(runs));
        for (let night = 0; night < NIGHTS; night++) lengths.clearNight(night);
        assertEquals(copy, naiveNumbers(runs));
        copy.setRun(0, 1, ROWS - 1, 61, SHAPE);
        assert.equal(copy.canExceed(60), true);
      }),
      { ...FIXED_SEED, numRuns: 10 },
    );
  });

  it('write limits as numbers, so that every test reads "number <= threshold"', () => {
    for (const limit of [1, 2, 7, 8, 59, 60, 61, 62, 1000, Number.MAX_SAFE_INTEGER]) {
      for (const number of [minStayNumber(limit), maxStayNumber(limit)])
        assert.ok(number >= 0 && number <= 61);
      for (let nights = 1; nights <= 60; nights++) {
        assert.equal(minStayNumber(limit) <= nights, nights >= limit);
        assert.equal(maxStayNumber(limit) <= 60 - nights, nights <= limit);
      }
    }
    assert.deepEqual([minStayNumber(1), maxStayNumber(60)], [0, 0], 'what limits nothing is not a number');
  });
});
