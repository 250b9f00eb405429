import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMemoryWindowCounter } from './memory-window-counter.ts';
import type { WindowCounter, WindowHit } from './window-counter.ts';
import { resetSeconds, retryAfterSeconds } from './retry-after.ts';

async function hit(counter: WindowCounter, key: string): Promise<WindowHit> {
  return counter.hit(key);
}

describe('the window counter in memory', () => {
  it('counts each key alone, from 1 on', async () => {
    const counter = createMemoryWindowCounter();
    const counts: number[] = [];
    for (const key of ['a', 'b', 'a', 'a', 'b']) counts.push((await hit(counter, key)).count);
    assert.deepEqual(counts, [1, 1, 2, 3, 2]);
  });

  it('gives every hit of a window the same end, 60 s after the first', async () => {
    const counter = createMemoryWindowCounter();
    const startMs = Date.now();
    const first = await hit(counter, 'a');
    await sleep(20);
    const second = await hit(counter, 'a');
    assert.equal(second.resetAtMs, first.resetAtMs);
    assert.ok(first.resetAtMs >= startMs + 60_000 && first.resetAtMs <= Date.now() + 60_000);
    assert.ok(second.resetInMs < first.resetInMs);
  });

  it('starts anew after the window', async () => {
    const counter = createMemoryWindowCounter({ windowSeconds: 0.1 });
    await hit(counter, 'a');
    assert.equal((await hit(counter, 'a')).count, 2);
    const { resetInMs } = await hit(counter, 'a');
    await sleep(resetInMs + 2);
    assert.equal((await hit(counter, 'a')).count, 1);
  });

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
