import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TRIES_MAX } from '../../storage/webhooks/store.ts';
import { nextTryDelayMs, TRY_DELAYS_MS } from './try-times.ts';

const lowest = () => new Uint8Array([0, 0]);
const highest = () => new Uint8Array([255, 255]);

describe('The next try', () => {
  it('comes after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 hours, up to a fifth later', () => {
    assert.equal(TRY_DELAYS_MS.length, TRIES_MAX);
    const after = (random: () => Uint8Array): number[] =>
      Array.from({ length: TRIES_MAX - 1 }, (_, tried) => nextTryDelayMs(TRIES_MAX - 1 - tried, { random }));
    const seconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
    assert.deepEqual(
      after(lowest),
      seconds.map((count) => count * 1_000),
    );
    assert.deepEqual(
      after(highest),
      seconds.map((count) => count * 1_200),
    );
  });

  it('waits for a server that asks for longer, and not for one that asks for less', () => {
    const delay = (retryAfterMs: number): number =>
      nextTryDelayMs(TRIES_MAX - 1, { random: lowest, retryAfterMs });
    assert.equal(delay(60_000), 60_000);
    assert.equal(delay(1_000), 5_000);
  });
});
