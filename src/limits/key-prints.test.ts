import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PRINT_WORDS, PRINTS_KEPT_MAX, rememberPrints } from './key-prints.ts';

const BUCKETS = 8_192;

describe('What a key is known by', () => {
  it('is the same wherever the hash key is the same, and another where it is not', () => {
    const [one, same, other] = ['secret', 'secret', 'another secret'].map((key) =>
      rememberPrints(key, BUCKETS),
    );
    assert.deepEqual(one!('203.0.113.9'), same!('203.0.113.9'));
    assert.notDeepEqual(one!('203.0.113.9'), other!('203.0.113.9'));
  });

  it('has 128 bits that differ for every key, and a bucket of which no key can be told by the others', () => {
    const printOf = rememberPrints('secret', BUCKETS);
    const prints = Array.from({ length: 20_000 }, (_, index) => printOf(`2001:db8:0:${index.toString(16)}`));
    for (let word = 0; word < PRINT_WORDS; word += 1) {
      assert.ok(
        new Set(prints.map(({ words }) => words[word])).size > 19_990,
        'each word has 32 bits of its own',
      );
    }
    const perBucket = new Map<number, number>();
    for (const { bucket } of prints) perBucket.set(bucket, (perBucket.get(bucket) ?? 0) + 1);
    assert.ok(Math.max(...perBucket.values()) < 16 && perBucket.size > 7_000);
    assert.ok(prints.every(({ bucket }) => bucket >= 0 && bucket < BUCKETS));
  });

  it('is remembered for a bounded number of keys', () => {
    assert.equal(PRINTS_KEPT_MAX, 50_000);
    const printOf = rememberPrints('secret', BUCKETS);
    const first = printOf('first');
    assert.equal(printOf('first'), first);
    for (let index = 0; index < PRINTS_KEPT_MAX; index += 1) printOf(`key-${index}`);
    assert.notEqual(printOf('first'), first, 'was forgotten');
    assert.deepEqual(printOf('first'), first);
  });
});
