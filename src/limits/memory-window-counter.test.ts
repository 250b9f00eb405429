import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { createMemoryWindowCounter } from './memory-window-counter.ts';
import { resetSeconds, retryAfterSeconds } from './retry-after.ts';

describe('the window counter in memory', () => {
  it('counts each key alone, from 1 on', async () => {
    const counter = createMemoryWindowCounter();
    const counts: number[] = [];
    for (const key of ['a', 'b', 'a', 'a', 'b']) counts.push((await counter.hit(key)).count);
    assert.deepEqual(counts, [1, 1, 2, 3, 2]);
  });

  it('gives every hit of a window the same end, 60 s after the first', async () => {
    const counter = createMemoryWindowCounter();
    const startMs = Date.now();
    const first = await counter.hit('a');
    await sleep(20);
    const second = await counter.hit('a');
    assert.equal(second.resetAtMs, first.resetAtMs);
    assert.ok(first.resetAtMs >= startMs + 60_000 && first.resetAtMs <= Date.now() + 60_000);
    assert.ok(second.resetInMs < first.resetInMs);
  });

  it('starts anew after the window', async () => {
    const counter = createMemoryWindowCounter({ windowSeconds: 0.1 });
    await counter.hit('a');
    assert.equal((await counter.hit('a')).count, 2);
    const { resetInMs } = await counter.hit('a');
    await sleep(resetInMs + 2);
    assert.equal((await counter.hit('a')).count, 1);
  });

  it('forgets the oldest window when there are too many keys', async () => {
    const counter = createMemoryWindowCounter({ keysMax: 2 });
    for (const key of ['a', 'b', 'c']) await counter.hit(key);
    assert.deepEqual([(await counter.hit('c')).count, (await counter.hit('b')).count], [2, 2]);
    assert.equal((await counter.hit('a')).count, 1);
  });

  it('counts as the library does when it is asked in its own way', async () => {
    const limiter = new RateLimiterMemory({ points: 10, duration: 60 });
    const counter = createMemoryWindowCounter();
    for (let hit = 1; hit <= 5; hit += 1) {
      const { consumedPoints, msBeforeNext } = await limiter.consume('a');
      const { count, resetInMs } = await counter.hit('a');
      assert.equal(count, consumedPoints);
      assert.ok(Math.abs(resetInMs - msBeforeNext) < 50);
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
