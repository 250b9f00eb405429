import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeHeap } from '../../../../test/kit/make-heap.ts';
import { seedRandom } from '../../../../bench/measure/random.ts';
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

describe('Rows that are opened in the middle', () => {
  it('move those above them, several at once, in every line', () => {
    const random = seedRandom(2);
    for (let round = 0; round < 500; round++) {
      const held = random.below(WORDS * 32 - 20);
      const lines = new BitLines(makeHeap(), 3, WORDS);
      const naive = Array.from({ length: 3 }, () =>
        Array.from({ length: held }, () => random.below(2) === 1),
      );
      for (const [line, rows] of naive.entries())
        for (const [row, isSet] of rows.entries()) if (isSet) lines.set(line, row);
      const places = Array.from({ length: 1 + random.below(8) }, () => random.below(held + 1));
      const gaps = places.sort((a, b) => a - b).map((at) => ({ at, count: 1 + random.below(2) }));
      lines.insertRows(gaps);
      const expected = naive.map((rows) => {
        const opened = [...rows];
        for (const { at, count } of gaps.toReversed())
          opened.splice(at, 0, ...Array.from({ length: count }, () => false));
        return [...opened, ...Array.from({ length: WORDS * 32 - opened.length }, () => false)];
      });
      assert.deepEqual(
        naive.map((_, line) => Array.from({ length: WORDS * 32 }, (__, row) => lines.has(line, row))),
        expected,
        JSON.stringify({ held, gaps }),
      );
    }
  });

  it('move across whole words', () => {
    const lines = new BitLines(makeHeap(), 1, WORDS);
    for (const row of [0, 31, 32, 40]) lines.set(0, row);
    lines.insertRows([{ at: 32, count: 64 }]);
    const rows = Array.from({ length: WORDS * 32 }, (_, row) => row).filter((row) => lines.has(0, row));
    assert.deepEqual(rows, [0, 31, 96, 104]);
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
