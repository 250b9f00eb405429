import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BACKOFF_MS_MAX, nextPollMs } from './next-poll.ts';

const HOUR_MS = 3_600_000;
/** The least and the most that chance makes of it. */
const lowest = () => new Uint8Array([0, 0]);
const highest = () => new Uint8Array([255, 255]);

describe('The next poll', () => {
  it('comes later with each failure, a tenth earlier or later, six hours at most', () => {
    const hours = (failureCount: number): number[] =>
      [lowest, highest].map((random) => nextPollMs(HOUR_MS, failureCount, { random }) / HOUR_MS);
    assert.deepEqual(hours(0), [0.9, 1.1]);
    assert.deepEqual(hours(1), [0.9, 1.1]);
    assert.deepEqual(hours(2), [1.8, 2.2]);
    assert.deepEqual(hours(3), [3.6, 4.4]);
    for (const failureCount of [4, 5, 100, 1_000_000]) assert.deepEqual(hours(failureCount), [5.4, 6.6]);
    assert.equal(nextPollMs(24 * HOUR_MS, 9, { random: highest }), 26.4 * HOUR_MS, 'a rarer one stays rarer');
    assert.equal(BACKOFF_MS_MAX, 6 * HOUR_MS);
  });

  it('never comes before the server wants it, and up to a tenth later', () => {
    const hours = (retryAfterMs: number): number[] =>
      [lowest, highest].map((random) => nextPollMs(HOUR_MS, 1, { random, retryAfterMs }) / HOUR_MS);
    assert.deepEqual(hours(10 * HOUR_MS), [10, 11]);
    assert.deepEqual(hours(HOUR_MS), [1, 1.1]);
    assert.deepEqual(hours(1), [0.9, 1.1], 'the usual wait is longer');
  });
});
