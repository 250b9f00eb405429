import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { RUN_SEED } from '../../../../test/kit/seeds.ts';
import { makeHeap } from '../../../../test/kit/make-heap.ts';
import { BLOCK_ROWS_MAX } from './block-lines.ts';
import { Block } from './block.ts';
import { keepEligible, makeStayLines, reduceToProperties } from './block-search.ts';

const NIGHTS = 34;
const ROWS = 70;
const shape = { memory: makeHeap(), nightLineCount: NIGHTS };
const rowCountArb = fc.oneof(
  fc.constant(1),
  fc.integer({ min: 1, max: 4 }),
  fc.integer({ min: 1, max: 150 }),
);
/** One row in so many survives. */
const rarityArb = fc.constantFrom(1, 2, 50);

describe('Surviving rows', () => {
  it('become the last rows of their properties, and are counted once for each', () => {
    fc.assert(
      fc.property(
        fc.array(rowCountArb, { maxLength: 60 }),
        rarityArb,
        fc.infiniteStream(fc.nat()),
        (rowCounts, rarity, draws) => {
          const block = Block.make(shape, 1, 0);
          const { lines } = block;
          lines.widenFor(BLOCK_ROWS_MAX);
          const offset = 2;
          const rows = new Int32Array(offset + lines.wordsPerLine);
          const expected = rows.slice();
          let row = 0;
          let count = 0;
          for (const rowCount of rowCounts) {
            if (row + rowCount > BLOCK_ROWS_MAX) break;
            const last = row + rowCount - 1;
            let survives = false;
            for (; row <= last; row++) {
              if (row < last) lines.notLast.set(0, row);
              if (draws.next().value! % rarity !== 0) continue;
              survives = true;
              rows[offset + (row >>> 5)]! |= 1 << (row & 31);
            }
            if (!survives) continue;
            count++;
            expected[offset + (last >>> 5)]! |= 1 << (last & 31);
          }
          assert.equal(
            reduceToProperties(block, { bits: rows, offset, from: 0, until: lines.wordsPerLine }),
            count,
          );
          assert.deepEqual(rows, expected);
          lines.release();
        },
      ),
      { ...RUN_SEED, numRuns: 300 },
    );
  });
});

const zoneArb = fc.constantFrom('Europe/Rome', 'Asia/Tokyo', 'Asia/Seoul');
const rowArb = fc.record({
  zone: zoneArb,
  minAdvanceDays: fc.integer({ min: 1, max: 9 }),
  maxAdvanceDays: fc.integer({ min: 3, max: 12 }),
  closedTo: fc.constantFrom('closedToArrival', 'closedToDeparture', undefined),
  /** Closed nights, mostly after the stay. */
  full: fc.array(fc.nat(200), { maxLength: 3 }),
});

describe('A block with more lines against a stay than fit into one pass', () => {
  it('keeps the rows that are open, not closed, and take a check-in so many days ahead, in the words asked for', () => {
    const stayArb = fc.record({ checkIn: fc.nat(9), nightCount: fc.integer({ min: 1, max: 20 }) });
    const rowsArb = fc.array(rowArb, { minLength: ROWS, maxLength: ROWS });
    fc.assert(
      fc.property(rowsArb, stayArb, fc.boolean(), (given, { checkIn, nightCount }, isPart) => {
        const block = Block.make(shape, 1, 0);
        const { lines } = block;
        lines.widenFor(ROWS);
        const stay = { checkIn, checkOut: checkIn + nightCount, guests: 1 };
        const expected = given.map((row, index) => {
          const open = new Uint8Array(NIGHTS).fill(1);
          for (const night of row.full) open[night] = 0;
          lines.open.writeNights(index, open);
          lines.advance.set(row.zone, index, row, lines.wordsPerLine);
          const numbers = new Uint8Array(NIGHTS).fill(1);
          if (row.closedTo !== undefined) lines.limits[row.closedTo].writeRow(index, { numbers, largest: 1 });
          const isOpen = row.full.every((night) => night < checkIn || night >= stay.checkOut);
          const isInTime = checkIn >= row.minAdvanceDays && checkIn <= row.maxAdvanceDays;
          return isOpen && isInTime && row.closedTo === undefined;
        });
        const rows = new Int32Array(1 + lines.wordsPerLine).fill(-1);
        const [from, until] = isPart ? ([1, 2] as const) : ([0, lines.wordsPerLine] as const);
        const stayLines = makeStayLines(stay, (night) => night);
        keepEligible(block, stayLines, () => checkIn, { bits: rows, offset: 1, from, until });
        for (const [row, isExpected] of expected.entries()) {
          const isAsked = row >= from * 32 && row < until * 32;
          const isKept = ((rows[1 + (row >>> 5)]! >>> (row & 31)) & 1) === 1;
          assert.equal(isKept, isAsked ? isExpected : true);
        }
        assert.equal(rows[0], -1);
        lines.release();
      }),
      { ...RUN_SEED, numRuns: 300 },
    );
  });
});
