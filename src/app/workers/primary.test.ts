import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decideWorkerCount } from './primary.ts';
import { createRestarts, DEATHS_MAX, DEATHS_WINDOW_MS, RESTART_DELAY_MS_MAX } from './threads.ts';

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

describe('The number of workers', () => {
  const linux = { cores: 8, canSharePorts: true };
  const macOs = { cores: 8, canSharePorts: false };

  it('WORKERS gives the number of workers, "auto" one per core', () => {
    assert.deepEqual([decideWorkerCount(3, linux), decideWorkerCount('auto', linux)], [3, 8]);
  });

  it('there is one worker where no port can be shared, also with "auto"', () => {
    assert.deepEqual([decideWorkerCount(1, macOs), decideWorkerCount('auto', macOs)], [1, 1]);
    assert.throws(() => decideWorkerCount(2, macOs), {
      name: 'StartRefused',
      message: /^WORKERS: 2 workers .* set WORKERS=1/,
    });
  });
});
