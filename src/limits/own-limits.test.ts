import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CountingThread } from '../../test/kit/counting-threads.ts';
import type { SeenHit } from '../../test/kit/processes/counting-thread.ts';
import { describeLimits } from '../../test/suites/limits/limits-suite.ts';
import { allocateLimits, createOwnLimits } from './own-limits.ts';

describeLimits('by a process of one thread', {
  async open(_context, windowSeconds) {
    const limits = createOwnLimits({ windowSeconds });
    return [limits, limits];
  },
});

describeLimits('by two threads of a process', {
  async open(context, windowSeconds) {
    const memory = allocateLimits();
    const other = await CountingThread.start(context, { memory, windowSeconds });
    return [createOwnLimits({ windowSeconds }, memory), other.limits()];
  },
});

const THREADS = 4;
const SEED = 20_261_121;

function countsByWindow(hits: readonly SeenHit[]): number[][] {
  const windows = Map.groupBy(hits, ({ key, resetAtMs }) => `${key} ${resetAtMs}`);
  return [...windows.values()].map((seen) => seen.map(({ count }) => count).sort((a, b) => a - b));
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

describe('Threads that count together', () => {
  it('let exactly the limit of each of many credentials pass', async (context) => {
    const limit = 120;
    const keyCount = 200;
    const memory = allocateLimits();
    const threads = await Promise.all(
      upTo(THREADS).map(() => CountingThread.start(context, { memory, windowSeconds: 60 })),
    );
    const hits = (
      await Promise.all(threads.map((thread, index) => thread.hitMany(keyCount, 10_000, SEED + index)))
    ).flat();
    const windows = countsByWindow(hits);
    assert.equal(windows.length, keyCount, 'one window for each credential');
    assert.ok(windows.every((counts) => counts.length > limit));
    for (const counts of windows) assert.deepEqual(counts, upTo(counts.length));
    assert.equal(hits.filter(({ count }) => count <= limit).length, keyCount * limit);
  });

  it('see each count of each window once while windows end all the time', async (context) => {
    const memory = allocateLimits();
    const threads = await Promise.all(
      upTo(THREADS).map(() => CountingThread.start(context, { memory, windowSeconds: 0.03 })),
    );
    const hits = (
      await Promise.all(threads.map((thread, index) => thread.hitMany(3, 40_000, SEED + index)))
    ).flat();
    const windows = countsByWindow(hits);
    assert.ok(windows.length > 6, `${windows.length} windows`);
    for (const counts of windows) assert.deepEqual(counts, upTo(counts.length));
  });

  it('go on, each count once, when some are ended in the middle of it', async (context) => {
    const memory = allocateLimits({ bucketCount: 1 });
    const windowSeconds = 60;
    const survivor = await CountingThread.start(context, { memory, windowSeconds });
    const seen = [await survivor.hitMany(2, 1_000, SEED)];
    for (let round = 0; round < 5; round += 1) {
      const victim = await CountingThread.start(context, { memory, windowSeconds });
      void victim.hitMany(2, 100_000_000, SEED + round);
      seen.push(await survivor.hitMany(2, 20_000, SEED - round));
      await victim.end({ memory, windowSeconds });
    }
    seen.push(await survivor.hitMany(2, 1_000, SEED));
    for (const counts of countsByWindow(seen.flat())) {
      assert.equal(new Set(counts).size, counts.length);
    }
  });
});
