import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { RUN_SEED } from '../../../../test/kit/seeds.ts';
import { copyInHeap, makeHeap } from '../../../../test/kit/make-heap.ts';
import { maxStayNumber, minStayNumber, NightLimits } from './night-limits.ts';

const NIGHTS = 33;
const ROWS = 70;
const WORDS = 4;

interface Run {
  readonly line: number;
  readonly count: number;
  readonly row: number;
  readonly number: number;
}

/** Several runs may have one row: the last one counts. */
const runsArb: fc.Arbitrary<Run[]> = fc.array(
  fc.record({
    line: fc.nat(NIGHTS - 1),
    count: fc.integer({ min: 0, max: NIGHTS }),
    row: fc.oneof(fc.nat(ROWS - 1), fc.constantFrom(0, 31, 32)),
    number: fc.oneof(fc.nat(1), fc.nat(7), fc.nat(61)),
  }),
  { maxLength: ROWS },
);

/** The numbers of a row by night; a run wraps from the last line to the first. */
function numbersOf({ line, count, number }: Run): Uint8Array {
  const numbers = new Uint8Array(NIGHTS);
  for (let night = line; night < line + count; night++) numbers[night % NIGHTS] = number;
  return numbers;
}

/** The numbers by night and row. */
function naiveNumbers(runs: readonly Run[]): number[][] {
  const numbers = Array.from({ length: NIGHTS }, () => new Array<number>(ROWS).fill(0));
  for (const run of runs)
    for (const [night, number] of numbersOf(run).entries()) numbers[night]![run.row] = number;
  return numbers;
}

const heap = makeHeap();

function makeLimits(): NightLimits {
  return new NightLimits(heap, NIGHTS, WORDS);
}

function write(runs: readonly Run[], limits = makeLimits()): NightLimits {
  for (const run of runs) {
    const given = { numbers: numbersOf(run), largest: run.number };
    limits.writeRow(run.row, run.count === 0 ? undefined : given);
  }
  return limits;
}

/** The surviving rows, when the block's words start at `offset` and only a part of them is visited. */
function keep(limits: NightLimits, threshold: number, line: number, from = 0, until = WORDS): number[] {
  const offset = 3;
  const rows = new Int32Array(offset + WORDS).fill(-1);
  if (limits.canExceed(threshold)) {
    const group = limits.groupOf(line);
    if (limits.hasOnePlane) {
      const words = limits.lines.words.subarray(limits.wordOf(group));
      for (let word = from; word < until; word++) rows[offset + word]! &= ~words[word]!;
    } else limits.keepUpTo(threshold, group, { bits: rows, offset, from, until });
  }
  for (let word = 0; word < offset; word++) assert.equal(rows[word], -1, 'what is not of the block stays');
  return Array.from({ length: ROWS }, (_, row) => row).filter(
    (row) => ((rows[offset + (row >>> 5)]! >>> (row & 31)) & 1) === 1,
  );
}

function assertEquals(limits: NightLimits, numbers: readonly (readonly number[])[]): void {
  for (const [line, ofRow] of numbers.entries()) {
    for (const threshold of [0, 1, 2, 3, 4, 6, 7, 8, 30, 53, 60, 61]) {
      const expected = ofRow.flatMap((number, row) => (number <= threshold ? [row] : []));
      assert.deepEqual(keep(limits, threshold, line), expected);
    }
  }
}

describe('limits of nights', () => {
  it('keep the rows whose number is at most the threshold, at every night and threshold', () => {
    fc.assert(
      fc.property(runsArb, (runs) => assertEquals(write(runs), naiveNumbers(runs))),
      { ...RUN_SEED, numRuns: 60 },
    );
  });

  it('look at the asked words only', () => {
    const limits = write([
      { line: 0, count: 1, row: 1, number: 5 },
      { line: 0, count: 1, row: 33, number: 5 },
      { line: 0, count: 1, row: 65, number: 5 },
    ]);
    const kept = keep(limits, 4, 0, 1, 2);
    assert.deepEqual(
      [1, 33, 65].map((row) => kept.includes(row)),
      [true, false, true],
    );
  });

  it('can exceed what is below the largest number, and nothing before there is one', () => {
    const limits = makeLimits();
    assert.equal(limits.canExceed(0), false);
    write([{ line: 0, count: 1, row: 3, number: 0 }], limits);
    assert.equal(limits.lines.lineCount, 0, 'no limit takes no memory');
    write([{ line: 0, count: 1, row: 3, number: 7 }], limits);
    write([{ line: 0, count: 1, row: 4, number: 2 }], limits);
    assert.deepEqual(
      [6, 7].map((threshold) => limits.canExceed(threshold)),
      [true, false],
    );
  });

  it('take one plane for closings, three up to 7 and six beyond, and lose nothing when they grow', () => {
    const runs = [
      { line: 0, count: NIGHTS, row: 39, number: 1 },
      { line: 0, count: NIGHTS, row: 40, number: 7 },
      { line: 0, count: NIGHTS, row: 41, number: 8 },
    ];
    const limits = makeLimits();
    for (const [index, planes] of [1, 3, 6].entries()) {
      write([runs[index]!], limits);
      assert.equal(limits.lines.lineCount, planes);
      assertEquals(limits, naiveNumbers(runs.slice(0, index + 1)));
    }
  });

  it('take the memory of one night for all nights that are alike, also when they become so again', () => {
    const season = { line: 3, count: 20, number: 5 };
    const runs = Array.from({ length: ROWS }, (_, row) => ({ ...season, row }));
    const limits = write(runs);
    assert.ok(limits.lines.lineCount <= 3 * 3);
    const ownNights = runs.map((run) => ({ ...run, line: run.row % NIGHTS }));
    write(ownNights, limits);
    assert.ok(limits.lines.lineCount > (NIGHTS / 2) * 3);
    write(runs, limits);
    limits.clearNights([]);
    assert.equal(limits.lines.lineCount, 2 * 3);
    assertEquals(limits, naiveNumbers(runs));
  });

  it('are not copied where they turn out as they were', () => {
    const runs = [{ line: 2, count: 9, row: 40, number: 7 }];
    const limits = write(runs);
    const { address } = limits.lines;
    heap.show(address);
    write(runs, limits);
    assert.equal(limits.lines.address, address);
    write([{ ...runs[0]!, number: 6 }], limits);
    assert.notEqual(limits.lines.address, address);
  });

  it('forget some nights and no other', () => {
    fc.assert(
      fc.property(runsArb, fc.uniqueArray(fc.nat(NIGHTS - 1)), runsArb, (runs, nights, later) => {
        const limits = write(runs);
        limits.clearNights(nights);
        const numbers = naiveNumbers(runs);
        for (const night of nights) numbers[night]!.fill(0);
        assertEquals(limits, numbers);
        write(later, limits);
        for (const run of later)
          for (const [night, number] of numbersOf(run).entries()) numbers[night]![run.row] = number;
        assertEquals(limits, numbers);
      }),
      { ...RUN_SEED, numRuns: 20 },
    );
  });

  it('are copied whole, and a copy is on its own', () => {
    fc.assert(
      fc.property(runsArb, (runs) => {
        const limits = write(runs);
        const copy = copyInHeap(heap, limits, (record) => new NightLimits(heap, NIGHTS, WORDS, record));
        assertEquals(copy, naiveNumbers(runs));
        limits.clearNights(Array.from({ length: NIGHTS }, (_, night) => night));
        assertEquals(copy, naiveNumbers(runs));
        write([{ line: 0, count: 1, row: ROWS - 1, number: 61 }], copy);
        assert.equal(copy.canExceed(60), true);
        assertEquals(limits, naiveNumbers([]));
      }),
      { ...RUN_SEED, numRuns: 10 },
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
