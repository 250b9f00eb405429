import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resetSeconds, retryAfterSeconds } from './answer-headers.ts';

describe('Retry-After', () => {
  for (const [resetInMs, seconds] of [
    [60_000, 60],
    [59_001, 60],
    [1_001, 2],
    [1_000, 1],
    [1, 1],
    [0, 1],
    [-5, 1],
  ] as const) {
    it(`is ${seconds} s where the window ends in ${resetInMs} ms`, () => {
      assert.equal(retryAfterSeconds(resetInMs), seconds);
    });
  }
});

describe('times in headers', () => {
  it('Retry-After is in whole seconds, rounded up, at least 1', () => {
    assert.deepEqual([-5, 0, 1, 1000, 1001, 59_999].map(retryAfterSeconds), [1, 1, 1, 1, 2, 60]);
  });

  it('the reset is a second at which the window is over', () => {
    assert.deepEqual([1000, 1001, 1999].map(resetSeconds), [1, 2, 2]);
  });
});
