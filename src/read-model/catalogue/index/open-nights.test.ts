import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { RUN_SEED } from '../../../../test/kit/seeds.ts';
import { makeHeap } from '../../../../test/kit/make-heap.ts';
import { openLine, openLinesOf, OpenNights } from './open-nights.ts';

/** Not a multiple of four: the last nights have no group of their own. */
const NIGHTS = 38;
const ROWS = 70;
const WORDS = 4;

const heap = makeHeap();
/** Each step sets the nights of a row, or clears a night. */
const stepsArb = fc.array(
  fc.oneof(
    {
      weight: 9,
      arbitrary: fc.record({
        row: fc.nat(ROWS - 1),
        open: fc.array(fc.nat(5), { minLength: NIGHTS, maxLength: NIGHTS }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ night: fc.nat(NIGHTS - 1) }) },
  ),
  { maxLength: 40 },
);

/** The night lines of a stay; the ring wraps from the last to the first. */
function nightLines(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, night) => (from + night) % NIGHTS);
}

describe('Open nights', () => {
  it('of any stay are those on which a row is open, whatever was written and forgotten before', () => {
    fc.assert(
      fc.property(stepsArb, fc.nat(NIGHTS - 1), fc.integer({ min: 1, max: NIGHTS }), (steps, from, count) => {
        const nights = new OpenNights(heap, NIGHTS, WORDS);
        const naive = Array.from({ length: ROWS }, () => new Uint8Array(NIGHTS));
        for (const step of steps) {
          if ('night' in step) {
            nights.clearNight(step.night);
            for (const open of naive) open[step.night] = 0;
          } else {
            // Mostly open: else no stay of a week is.
            naive[step.row] = Uint8Array.from(step.open, (value) => Math.min(value, 1));
            nights.writeNights(step.row, naive[step.row]!);
          }
        }
        const stay = nightLines(from, count);
        for (const [row, open] of naive.entries()) {
          assert.equal(
            openLinesOf(stay).every((line) => nights.has(line, row)),
            stay.every((night) => open[night] === 1),
          );
          for (const [night, isOpen] of open.entries())
            assert.equal(nights.has(openLine(night), row), isOpen === 1);
        }
      }),
      { ...RUN_SEED, numRuns: 200 },
    );
  });

  it('of a week are in four lines, wherever it begins', () => {
    for (let from = 0; from + 7 < NIGHTS - 2; from++)
      assert.equal(openLinesOf(nightLines(from, 7)).length, 4);
    assert.deepEqual(openLinesOf(nightLines(35, 7)), [43, 45, 46, 4]);
  });
});
