import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeHeap } from '../../../test/kit/make-heap.ts';
import { seedRandom } from '../../../bench/measure/random.ts';
import { BitLines } from './bit-lines.ts';

const LINES = 40;
const WORDS = 4;

describe('Rows that are written as new ones', () => {
  it('end as if they had been cleared and then written', () => {
    const random = seedRandom(1);
    const heap = makeHeap();
    const drafted = new BitLines(heap, LINES, WORDS);
    const cleared = new BitLines(heap, LINES, WORDS);
    for (let round = 0; round < 500; round++) {
      const at = random.below(WORDS * 32 - 40);
      const count = 1 + random.below(40);
      drafted.begin(at, count);
      cleared.clearRows(at, count);
      for (let write = random.below(6); write > 0; write--) {
        const row = at + random.below(count);
        const run = [random.below(LINES), random.below(LINES), row] as const;
        const isSet = random.chance(0.7);
        for (const lines of [drafted, cleared]) {
          if (isSet) lines.setRun(...run);
          else lines.unsetRun(...run);
        }
      }
      drafted.commit();
      assert.deepEqual(drafted.words, cleared.words);
    }
  });

  it('are not copied when they turn out as they were', () => {
    const heap = makeHeap();
    const lines = new BitLines(heap, LINES, WORDS);
    lines.setRun(3, 5, 70);
    heap.show(lines.address);
    const { address } = lines;
    const write = (lineCount: number): void => {
      lines.begin(64, 10);
      lines.setRun(3, lineCount, 70);
      lines.commit();
    };
    write(5);
    assert.equal(lines.address, address);
    write(4);
    assert.notEqual(lines.address, address);
    assert.deepEqual([lines.has(6, 70), lines.has(7, 70)], [true, false]);
  });
});
