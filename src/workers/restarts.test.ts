import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRestarts, DEATHS_MAX, DEATHS_WINDOW_MS, RESTART_DELAY_MS_MAX } from './restarts.ts';

describe('the replacement of a worker', () => {
  it('waits ever longer while deaths follow each other, and then gives up', () => {
    const restarts = createRestarts();
    const delays = Array.from({ length: DEATHS_MAX }, (_, death) => restarts.delayAfterDeath(death));
    assert.deepEqual(delays, [50, 100, 200, 400, 800, 1_600, 3_200, RESTART_DELAY_MS_MAX]);
    assert.equal(restarts.delayAfterDeath(DEATHS_MAX), undefined);
  });

  it('is quick again when the deaths are long ago', () => {
    const restarts = createRestarts();
    for (let death = 0; death < DEATHS_MAX; death += 1) restarts.delayAfterDeath(death);
    assert.equal(restarts.delayAfterDeath(DEATHS_MAX + DEATHS_WINDOW_MS), 50);
  });
});
