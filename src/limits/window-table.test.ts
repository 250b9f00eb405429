import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { ImmediateCounter } from './request-limits.ts';
import {
  BUCKET_COUNT,
  CLOCK_STEP_MS,
  FINGERPRINTS_CACHED_MAX,
  FINGERPRINT_WORDS,
  LOCK_MS_MAX,
  SLOTS_PER_BUCKET,
  allocateWindows,
  createWindowTable,
  releaseWindows,
  rememberFingerprints,
  type WindowMemory,
} from './window-table.ts';

const WINDOW_MS = 60_000;
const SEED = { seed: 20261121 };
const ENDED_THREAD_ID = 4_711;

/** A table of one bucket, with its own time. */
function openBucket(slotsPerBucket: number) {
  const time = { nowMs: 5_000.25 };
  const counter = createWindowTable(allocateWindows({ bucketCount: 1, slotsPerBucket }), {
    uptimeMs: () => time.nowMs,
    clock: () => Math.floor(time.nowMs),
  });
  const count = (key: string): number => counter.hit(key).count;
  return { time, count };
}

function hitTimes(counter: Pick<ImmediateCounter, 'hit'>, key: string, times: number): number {
  let last = 0;
  for (let hit = 0; hit < times; hit += 1) last = counter.hit(key).count;
  return last;
}

/** The rule without a table: the windows of a bucket, newest last. */
class NaiveBucket {
  #windows: { readonly key: string; count: number; readonly endsAtMs: number }[] = [];

  hit(key: string, nowMs: number, slots: number): number {
    const known = this.#windows.find((window) => window.key === key && window.endsAtMs > nowMs);
    if (known !== undefined) return (known.count += 1);
    this.#windows = this.#windows.filter((window) => window.key !== key && window.endsAtMs > nowMs);
    if (this.#windows.length === slots) {
      const fewest = Math.min(...this.#windows.map(({ count }) => count));
      this.#windows.splice(
        this.#windows.findIndex(({ count }) => count === fewest),
        1,
      );
    }
    this.#windows.push({ key, count: 1, endsAtMs: nowMs + WINDOW_MS });
    return 1;
  }
}

describe('A window table', () => {
  it('has 8,192 buckets of 16 windows, and waits at most 2 s for a lock', () => {
    assert.deepEqual([BUCKET_COUNT, SLOTS_PER_BUCKET, LOCK_MS_MAX], [8_192, 16, 2_000]);
  });

  it('counts each of many keys by itself', () => {
    const counter = createWindowTable(allocateWindows());
    const keys = Array.from(
      { length: 30_000 },
      (_, index) => `2001:db8:${(index >> 16).toString(16)}:${index}`,
    );
    for (const times of [1, 2, 3]) {
      const wrong = keys.filter((key) => counter.hit(key).count !== times);
      assert.deepEqual(wrong, []);
    }
  });

  it('forgets the oldest of the windows with the fewest hits when a bucket is full', () => {
    const { time, count } = openBucket(3);
    for (const key of ['busy', 'busy', 'older', 'newer']) {
      count(key);
      time.nowMs += 1;
    }
    assert.equal(count('stranger'), 1);
    assert.deepEqual([count('busy'), count('newer'), count('stranger')], [3, 2, 2]);
    assert.equal(count('older'), 1, 'was forgotten');
  });

  it('takes the place of a window that has ended before it forgets one that has not', () => {
    const { time, count } = openBucket(2);
    for (let hit = 0; hit < 10; hit += 1) count('ended');
    time.nowMs += WINDOW_MS / 2;
    count('current');
    time.nowMs += WINDOW_MS / 2;
    assert.deepEqual([count('stranger'), count('current')], [1, 2]);
  });

  it('agrees with the rule, whatever comes when', () => {
    const step = fc.record({ key: fc.nat(6), passesMs: fc.constantFrom(0, 1, 7_000, 29_999, 60_000) });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.array(step, { maxLength: 80 }), (slots, steps) => {
        const { time, count } = openBucket(slots);
        const naive = new NaiveBucket();
        for (const { key, passesMs } of steps) {
          // Two windows that were opened at one moment are equally old.
          time.nowMs += passesMs + 0.5;
          assert.equal(count(String(key)), naive.hit(String(key), time.nowMs, slots));
        }
      }),
      SEED,
    );
  });

  it('keeps whom it refuses in a flood of IPv6 networks, and serves each of them', () => {
    const memory = allocateWindows({ bucketCount: 64 });
    const counter = createWindowTable(memory);
    const slots = 64 * SLOTS_PER_BUCKET;
    assert.equal(hitTimes(counter, '203.0.113.9', 301), 301);
    const network = (index: number): string =>
      `2001:db8:${(index >> 16).toString(16)}:${(index & 0xffff).toString(16)}`;
    for (let index = 0; index < 20 * slots; index += 1) assert.equal(counter.hit(network(index)).count, 1);
    assert.equal(counter.hit('203.0.113.9').count, 302);
    // An attacker with more requests from each network evicts no key that has even more.
    for (let index = 0; index < 20 * slots; index += 1) hitTimes(counter, network(index), 5);
    assert.equal(counter.hit('203.0.113.9').count, 303);
  });

  it('does without a thread that was ended while it counted: at once when told so, else after a while', () => {
    const memory = allocateWindows({ bucketCount: 1 });
    const counter = createWindowTable(memory);
    assert.equal(hitTimes(counter, 'a', 3), 3);
    holdLock(memory, ENDED_THREAD_ID);
    releaseWindows(memory, ENDED_THREAD_ID + 1);
    assert.notEqual(lockOf(memory), 0, 'only its own');
    releaseWindows(memory, ENDED_THREAD_ID);
    assert.equal(lockOf(memory), 0, 'at once');
    assert.equal(counter.hit('a').count, 4);
    holdLock(memory, ENDED_THREAD_ID);
    const startedAtMs = performance.now();
    assert.equal(counter.hit('a').count, 5);
    const waitedMs = performance.now() - startedAtMs;
    assert.ok(waitedMs >= LOCK_MS_MAX - 1, `${waitedMs} ms`);
    assert.equal(lockOf(memory), 0, 'and lets go of it');
  });

  describe('when the wall clock is set', () => {
    const HOUR_MS = 3_600_000;
    for (const [direction, stepMs] of [
      ['ahead', HOUR_MS],
      ['back', -HOUR_MS],
    ] as const) {
      it(`keeps its windows when that is an hour ${direction}`, () => {
        const time = { uptimeMs: 5_000.25, wallMs: 1_000 * HOUR_MS };
        const counter = createWindowTable(allocateWindows({ bucketCount: 1 }), {
          uptimeMs: () => time.uptimeMs,
          clock: () => Math.floor(time.wallMs),
        });
        const pass = (durationMs: number): void => {
          time.uptimeMs += durationMs;
          time.wallMs += durationMs;
        };
        assert.equal(counter.hit('a').resetAtMs, time.wallMs + WINDOW_MS);
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

    it('is not misled by a thread that has to wait between its looks at the two clocks', () => {
      const time = { nowMs: 5_000, waitsMs: [] as number[] };
      const counter = createWindowTable(allocateWindows({ bucketCount: 1 }), {
        uptimeMs: () => time.nowMs,
        clock() {
          time.nowMs += time.waitsMs.shift() ?? 0;
          return 1_000_000 + time.nowMs;
        },
      });
      time.waitsMs = [700, 700];
      const { resetAtMs } = counter.hit('a');
      assert.ok(Math.abs(resetAtMs - 1_065_000) < CLOCK_STEP_MS, `${resetAtMs}`);
      time.waitsMs = [700, 0, 0, 700];
      assert.equal(counter.hit('a').resetAtMs, resetAtMs);
      // A new window: a quick look is accepted, and there is no further one.
      time.waitsMs = [700, 0, 700];
      const other = counter.hit('b').resetAtMs;
      assert.ok(Math.abs(other - (1_000_000 + time.nowMs - 700 + 60_000)) < CLOCK_STEP_MS, `${other}`);
    });

    it('names one end for all hits of a window while the clocks drift', () => {
      let driftMs = 0;
      const uptimeMs = (): number => 1_000;
      const clock = (): number => 1_000_000 + driftMs;
      const counter = createWindowTable(allocateWindows({ bucketCount: 1 }), { uptimeMs, clock });
      const ends = [0, 60, 100, 101].map((drift) => {
        driftMs = drift;
        return counter.hit('a').resetAtMs - 1_000_000;
      });
      assert.deepEqual(ends, [60_000, 60_000, 60_000, 60_101]);
    });
  });

  it('never tells more time than a window has, whatever the uptime', () => {
    fc.assert(
      fc.property(fc.double({ min: 1, max: 1e12, noNaN: true }), (nowMs) => {
        const counter = createWindowTable(allocateWindows({ bucketCount: 1 }), { uptimeMs: () => nowMs });
        assert.equal(counter.hit('a').resetInMs, WINDOW_MS);
      }),
      SEED,
    );
  });
});

/** Acts like a thread that ended while it held the lock. */
function holdLock(memory: WindowMemory, threadId: number): void {
  Atomics.store(locksOf(memory), 0, threadId + 1);
}

function lockOf(memory: WindowMemory): number {
  return Atomics.load(locksOf(memory), 0);
}

/** The locks follow two numbers of 8 bytes for each slot. */
function locksOf({ buffer, bucketCount, slotsPerBucket }: WindowMemory): Int32Array {
  return new Int32Array(buffer, 16 * bucketCount * slotsPerBucket, bucketCount);
}

const BUCKETS = 8_192;

describe('What a key is known by', () => {
  it('a name has the same hash under the same hash key, and another under another', () => {
    const [one, same, other] = ['secret', 'secret', 'another secret'].map((key) =>
      rememberFingerprints(key, BUCKETS),
    );
    assert.deepEqual(one!('203.0.113.9'), same!('203.0.113.9'));
    assert.notDeepEqual(one!('203.0.113.9'), other!('203.0.113.9'));
  });

  it('has 128 bits that differ for every key, and a bucket of which no key can be told by the others', () => {
    const fingerprintOf = rememberFingerprints('secret', BUCKETS);
    const fingerprints = Array.from({ length: 20_000 }, (_, index) =>
      fingerprintOf(`2001:db8:0:${index.toString(16)}`),
    );
    for (let word = 0; word < FINGERPRINT_WORDS; word += 1) {
      assert.ok(
        new Set(fingerprints.map(({ words }) => words[word])).size > 19_990,
        'each word has 32 bits of its own',
      );
    }
    const perBucket = new Map<number, number>();
    for (const { bucket } of fingerprints) perBucket.set(bucket, (perBucket.get(bucket) ?? 0) + 1);
    assert.ok(Math.max(...perBucket.values()) < 16 && perBucket.size > 7_000);
    assert.ok(fingerprints.every(({ bucket }) => bucket >= 0 && bucket < BUCKETS));
  });

  it('is remembered for a bounded number of keys', () => {
    assert.equal(FINGERPRINTS_CACHED_MAX, 50_000);
    const fingerprintOf = rememberFingerprints('secret', BUCKETS);
    const first = fingerprintOf('first');
    assert.equal(fingerprintOf('first'), first);
    for (let index = 0; index < FINGERPRINTS_CACHED_MAX; index += 1) fingerprintOf(`key-${index}`);
    assert.notEqual(fingerprintOf('first'), first, 'was forgotten');
    assert.deepEqual(fingerprintOf('first'), first);
  });
});
