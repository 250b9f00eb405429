import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { takeRandomBytes } from './random.ts';

describe('Random bytes', () => {
  it('are handed out once, in any number', () => {
    const taken = Array.from({ length: 2_000 }, (_, index) => takeRandomBytes(12 + (index % 21)));
    assert.deepEqual(
      taken.map(({ length }) => length),
      taken.map((_, index) => 12 + (index % 21)),
    );
    assert.equal(new Set(taken.map((bytes) => Buffer.from(bytes).toString('hex').slice(0, 24))).size, 2_000);
    assert.equal(takeRandomBytes(10_000).length, 10_000);
    assert.equal(takeRandomBytes(0).length, 0);
    // A caller's changes do not reach the next.
    const first = takeRandomBytes(16);
    const second = Buffer.from(takeRandomBytes(16));
    first.fill(0);
    assert.notDeepEqual(second, Buffer.alloc(16));
  });
});
