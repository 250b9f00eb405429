import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeHeap } from '../../../test/kit/make-heap.ts';
import { seedRandom } from '../../../bench/measure/random.ts';
import { BitLines, NO_LINE } from './bit-lines.ts';

const LINES = 40;
const WORDS = 4;

describe('A row that is written', () => {
  it('writing a row sets its bit in each line, and no bit of other rows', () => {
    const random = seedRandom(1);
    const lines = new BitLines(makeHeap(), LINES, WORDS);
    const naive = Array.from({ length: LINES }, () => new Array<boolean>(WORDS * 32).fill(false));
    for (let round = 0; round < 300; round++) {
      const row = random.below(WORDS * 32);
      const bits = Uint8Array.from({ length: LINES }, () => random.below(2));
      lines.writeRow(row, bits);
      for (const [line, rows] of naive.entries()) rows[row] = bits[line] === 1;
    }
    assert.deepEqual(
      naive.map((rows, line) => rows.map((_, row) => lines.has(line, row))),
      naive,
    );
  });

  it('is not copied when it turns out as it was', () => {
    const heap = makeHeap();
    const lines = new BitLines(heap, LINES, WORDS);
    const bits = new Uint8Array(LINES).fill(1, 3, 8);
    lines.writeRow(70, bits);
    heap.show(lines.address);
    const { address } = lines;
    lines.writeRow(70, bits);
    assert.equal(lines.address, address);
    lines.writeRow(70, bits.fill(0, 7));
    assert.notEqual(lines.address, address);
    assert.deepEqual([lines.has(6, 70), lines.has(7, 70)], [true, false]);
  });
});

describe('Lines in another order', () => {
  it('reordered lines are the chosen ones, and empty where none is chosen', () => {
    const lines = new BitLines(makeHeap(), 3, WORDS);
    for (const line of [0, 1, 2]) lines.set(line, 40 + line);
    lines.arrange([2, NO_LINE, 0, 2]);
    const rows = [0, 1, 2, 3].map((line) => [40, 41, 42].filter((row) => lines.has(line, row)));
    assert.deepEqual(rows, [[42], [], [40], [42]]);
  });
});
