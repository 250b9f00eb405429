import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { FIXED_SEED } from '../../../test/kit/property-arbitraries.ts';
import { makeHeap } from '../../../test/kit/make-heap.ts';
import { BLOCK_ROWS_MAX } from './block-lines.ts';
import { Block } from './block.ts';
import { reduceToProperties } from './block-search.ts';

const shape = { memory: makeHeap(), nightLineCount: 34 };
const rowCountArb = fc.oneof(
  fc.constant(1),
  fc.integer({ min: 1, max: 4 }),
  fc.integer({ min: 1, max: 150 }),
);
/** Of a row to survive, as one of so many. */
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
          assert.equal(reduceToProperties(block, rows, offset), count);
          assert.deepEqual(rows, expected);
          lines.release();
        },
      ),
      { ...FIXED_SEED, numRuns: 300 },
    );
  });
});
