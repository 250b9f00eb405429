import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { retryAfterSeconds } from './request-limits.ts';

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
