import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createMemoryWindowCounter } from './memory-window-counter.ts';
import type { WindowCounter, WindowHit } from './window-counter.ts';
import { resetSeconds, retryAfterSeconds } from './retry-after.ts';

async function hit(counter: WindowCounter, key: string): Promise<WindowHit> {
  return counter.hit(key);
}

describe('the window counter in memory', () => {
  it('forgets the oldest window when there are too many keys', async () => {
    const counter = createMemoryWindowCounter({ keysMax: 2 });
    for (const key of ['a', 'b', 'c']) await hit(counter, key);
    assert.deepEqual([(await hit(counter, 'c')).count, (await hit(counter, 'b')).count], [2, 2]);
    assert.equal((await hit(counter, 'a')).count, 1);
  });

  describe('when the wall clock is set', () => {
    const HOUR_MS = 3_600_000;
    for (const [direction, stepMs] of [
      ['ahead', HOUR_MS],
      ['back', -HOUR_MS],
    ] as const) {
      it(`keeps its windows when that is an hour ${direction}`, () => {
        const time = { uptimeMs: 5_000.25, wallMs: 1_000 * HOUR_MS };
        const counter = createMemoryWindowCounter({
          uptimeMs: () => time.uptimeMs,
          clock: () => Math.floor(time.wallMs),
        });
        const pass = (durationMs: number): void => {
          time.uptimeMs += durationMs;
          time.wallMs += durationMs;
        };
        assert.equal(counter.hit('a').resetAtMs, time.wallMs + 60_000);
        pass(20_000);
        time.wallMs += stepMs;
        const second = counter.hit('a');
        assert.deepEqual([second.count, second.resetInMs], [2, 40_000]);
        assert.equal(second.resetAtMs, time.wallMs + 40_000);
        pass(39_999);
        assert.deepEqual([counter.hit('a').count, counter.hit('a').resetAtMs], [3, second.resetAtMs]);
        pass(1);
        assert.equal(counter.hit('a').count, 1);
      });
    }
  });
});

describe('times in headers', () => {
  it('Retry-After is in whole seconds, rounded up, at least 1', () => {
    assert.deepEqual([-5, 0, 1, 1000, 1001, 59_999].map(retryAfterSeconds), [1, 1, 1, 1, 2, 60]);
  });

  it('the reset is a second at which the window is over', () => {
    assert.deepEqual([1000, 1001, 1999].map(resetSeconds), [1, 2, 2]);
  });
});
