import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { naiveRank } from '../../../../test/kit/naive-cities.ts';
import { makeHeap } from '../../../../test/kit/make-heap.ts';
import { FIXED_SEED, RUN_SEED } from '../../../../test/kit/seeds.ts';
import { makeWordPage, matchBeginnings, matchMistakes, type WordPage } from './match-words.ts';
import { readWordPage, WordPages } from './word-pages.ts';

/** Few letters: names come near each other by chance. */
const WORD = fc.string({ unit: fc.constantFrom('A', 'B', 'C'), minLength: 1, maxLength: 10 });
const NAME = fc
  .array(WORD, { minLength: 1, maxLength: 3 })
  .chain((words) => fc.constantFrom(' ', "'").map((mark) => words.join(mark)));

function matchNames(pages: readonly WordPage[], text: string): ReadonlyMap<string, number> {
  const mistakes = [...matchMistakes(pages, text)].map((name) => [name, 3] as const);
  return new Map([...mistakes, ...matchBeginnings(pages, text)]);
}

/** Through the memory that readers see. */
function pagesOf(words: WordPages, heap: ReturnType<typeof makeHeap>) {
  return words.write().map((address) => makeWordPage(readWordPage(heap, address)));
}

function ranksOf(names: Iterable<string>, text: string): [string, number][] {
  return [...names]
    .map((name) => [name, naiveRank(name, text)] as const)
    .filter((entry): entry is [string, number] => entry[1] !== undefined)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
}

const sorted = (ranks: ReadonlyMap<string, number>) =>
  [...ranks].toSorted(([one], [other]) => (one < other ? -1 : 1));

describe('Names that a text begins', () => {
  it('have the rank of a naive reading, with and without mistakes', () => {
    fc.assert(
      fc.property(fc.array(NAME, { maxLength: 40 }), NAME, (names, text) => {
        const heap = makeHeap();
        const words = new WordPages(heap);
        for (const name of names) words.add(name);
        assert.deepEqual(sorted(matchNames(pagesOf(words, heap), text)), ranksOf(new Set(names), text));
      }),
      { ...RUN_SEED, numRuns: 150 },
    );
  });

  it('are found among thousands in many pages, after names came and went', () => {
    const heap = makeHeap();
    const words = new WordPages(heap);
    const names = fc.sample(NAME, { ...FIXED_SEED, numRuns: 2_500 });
    const held = new Map<string, number>();
    const count = (name: string, by: 1 | -1): void => {
      const now = (held.get(name) ?? 0) + by;
      if (now === 0) held.delete(name);
      else held.set(name, now);
      if (by === 1) words.add(name);
      else words.remove(name);
    };
    for (const name of names) count(name, 1);
    assert.ok(words.write().length > 3);
    for (const name of names.filter((_, index) => index % 3 !== 0)) count(name, -1);
    const pages = pagesOf(words, heap);
    for (const text of fc.sample(NAME, { seed: FIXED_SEED.seed + 1, numRuns: 20 }))
      assert.deepEqual(sorted(matchNames(pages, text)), ranksOf(held.keys(), text));
    for (const [name, times] of new Map(held)) for (let left = times; left > 0; left--) count(name, -1);
    assert.deepEqual(words.write(), []);
  });
});
