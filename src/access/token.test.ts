import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { BASE62, randomBase62 } from '../runtime/random.ts';
import { hashToken, isWellFormedToken, mintToken, TOKEN_LENGTH } from './token.ts';

const SEED = { seed: 20261120, numRuns: 500 };
/** Predictable bytes, different for every seed. */
const bytesFrom = (seed: number) => (byteCount: number) =>
  Uint8Array.from(
    { length: byteCount },
    (_, index) => (seed * 31 + index * 97 + ((index * seed) % 61)) % 248,
  );
const seeds = fc.integer({ min: 0, max: 1_000_000 });

describe('a partner token', () => {
  it('a new token is a prefix, 34 random characters and a checksum', () => {
    assert.match(mintToken(randomBytes), /^sp_live_[0-9A-Za-z]{40}$/);
    assert.equal(mintToken(randomBytes).length, TOKEN_LENGTH);
    assert.ok(34 * Math.log2(62) >= 190);
  });

  it('is another one every time', () => {
    const tokens = new Set(Array.from({ length: 1000 }, () => mintToken(randomBytes)));
    assert.equal(tokens.size, 1000);
  });

  it('is well-formed when we minted it', () => {
    fc.assert(
      fc.property(seeds, (seed) => isWellFormedToken(mintToken(bytesFrom(seed)))),
      SEED,
    );
  });

  it('is not well-formed when any one character was typed wrong', () => {
    const token = mintToken(bytesFrom(7));
    for (let index = 0; index < token.length; index += 1) {
      for (const wrong of `${BASE62}_- \u0000é`) {
        if (wrong === token[index]) continue;
        assert.ok(!isWellFormedToken(token.slice(0, index) + wrong + token.slice(index + 1)));
      }
    }
  });

  it('is not well-formed when cut, lengthened, padded or of another kind', () => {
    const token = mintToken(bytesFrom(7));
    for (const text of [
      '',
      'sp_live_',
      token.slice(1),
      token.slice(0, -1),
      `${token}0`,
      ` ${token}`,
      `${token}\n`,
    ]) {
      assert.ok(!isWellFormedToken(text), JSON.stringify(text));
    }
    assert.ok(!isWellFormedToken(token, 'operator'));
    assert.ok(!isWellFormedToken(mintToken(bytesFrom(7), 'operator')));
    assert.ok(isWellFormedToken(mintToken(bytesFrom(7), 'operator'), 'operator'));
  });

  it('is not well-formed when it is any other text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (text) => !isWellFormedToken(text)),
      SEED,
    );
  });

  it('is stored as its SHA-256 in hex', () => {
    // FIPS 180-2, appendix B.1
    assert.equal(hashToken('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

describe('random text', () => {
  it('uses every character about equally often', () => {
    const counts = new Map<string, number>();
    for (const character of randomBase62(62_000, randomBytes)) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    assert.equal(counts.size, 62);
    // 1000 expected, standard deviation 31: eight of them are out of reach of chance.
    for (const count of counts.values()) assert.ok(Math.abs(count - 1000) < 250);
  });

  it('skips the bytes that would favour some characters', () => {
    let round = 0;
    const random = (byteCount: number) => new Uint8Array(byteCount).fill(round++ === 0 ? 255 : 61);
    assert.equal(randomBase62(4, random), 'zzzz');
  });

  it('gives up on a source that never yields', () => {
    assert.throws(() => randomBase62(4, (byteCount) => new Uint8Array(byteCount).fill(255)), /random source/);
  });
});
