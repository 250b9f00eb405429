import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { hasMorePairs, readPairs } from './sent-pairs.ts';

const PIECES = ['a', '&', '=', '+', '%', '%2', '%41', '%zz', '%F0%9F', '%C3%A8', '%ff', ' ', '#'];
const ESCAPED = fc.array(fc.constantFrom(...PIECES)).map((pieces) => pieces.join(''));
const UNESCAPED = fc.array(fc.constantFrom('a', '&', '=', '+', 'è', '😀', '\ud800')).map((it) => it.join(''));

describe('Sent pairs', () => {
  it('are read as URLSearchParams reads them', () => {
    fc.assert(
      fc.property(fc.oneof(ESCAPED, UNESCAPED), (sent) =>
        assert.deepEqual([...readPairs(sent)], [...new URLSearchParams(sent)]),
      ),
      { numRuns: 2_000, seed: 7 },
    );
  });

  it('keep letters beside a broken escape, which URLSearchParams does not', () => {
    assert.deepEqual([...readPairs('😀%F0%9F=è%zz')], [['😀\ufffd', 'è%zz']]);
  });

  it('are counted before they are read', () => {
    assert.equal(readPairs('a=1&b=2&c=3', 2).size, 2);
    const bytes = new TextEncoder().encode('a=1&b=2&c=3');
    assert.deepEqual([hasMorePairs(bytes, 3), hasMorePairs(bytes, 2)], [false, true]);
  });

  for (const unit of ['a&', '%zz&', '%F0%9F&', '+&', '%&', 'a=%zz&'])
    it(`of ${JSON.stringify(unit)} take time by their length, not by its square`, () => {
      const sent = unit.repeat(2_000_000 / unit.length);
      const startMs = performance.now();
      readPairs(sent, sent.length);
      // By the square it would be hours.
      assert.ok(performance.now() - startMs < 60_000);
    });
});
