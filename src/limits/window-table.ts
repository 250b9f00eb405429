/**
 * The windows of one limit in one piece of memory, which any number of threads may share.
 *
 * A key has its place in one bucket of a few slots. A thread holds the lock of that bucket while it counts, some 100 ns,
 * so every count is exact, however many threads count. Keys are known by a keyed 128-bit hash: no two of them share a
 * slot, and nobody outside can choose keys that meet in one bucket.
 *
 * A full bucket forgets the window with the fewest hits, the oldest of these. Somebody with an endless number of
 * addresses (an IPv6 /48 has 65,536 networks of /64) is not held by a limit per address anyway, and everybody else must
 * be served. But a flood of keys with few hits never makes a key near its limit forgotten.
 */
import { randomBytes } from 'node:crypto';
import { type Clock, systemClock } from '../runtime/clock.ts';
import { acquireLock, releaseLock, releaseLocks } from './bucket-locks.ts';
import { PRINT_WORDS, type Print, rememberPrints } from './key-prints.ts';
import { type ImmediateCounter, WINDOW_SECONDS } from './window-counter.ts';

/** 131,072 keys for each limit, far more sources than a machine serves in a minute: 5.3 MB when all are in use. */
export const BUCKET_COUNT = 8_192;
export const SLOTS_PER_BUCKET = 16;
/** A window's end by the wall clock that changes by more than this means that the wall clock was set. */
export const CLOCK_STEP_MS = 100;
const CLOCK_LOOKS_MAX = 3;

/** Can be passed to another thread, which then counts in the same windows. */
export interface WindowMemory {
  readonly buffer: SharedArrayBuffer;
  readonly bucketCount: number;
  readonly slotsPerBucket: number;
  readonly hashKey: string;
}

export interface WindowMemoryOptions {
  /** A power of two. */
  readonly bucketCount?: number;
  readonly slotsPerBucket?: number;
}

export interface WindowTableOptions {
  readonly windowSeconds?: number;
  /** The wall clock: only for telling when a window ends, never for deciding it. */
  readonly clock?: Clock;
  /** Milliseconds above 0 that only ever grow, however the wall clock is set; the same in every thread. */
  readonly uptimeMs?: Clock;
}

/** Not `performance.now()`, which begins with the thread. */
function systemUptimeMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

export function allocateWindows(options: WindowMemoryOptions = {}): WindowMemory {
  const { bucketCount = BUCKET_COUNT, slotsPerBucket = SLOTS_PER_BUCKET } = options;
  const { byteLength } = layOut(bucketCount, bucketCount * slotsPerBucket);
  const hashKey = randomBytes(32).toString('hex');
  return { buffer: new SharedArrayBuffer(byteLength), bucketCount, slotsPerBucket, hashKey };
}

/** One array for each field of the slots, and one for the locks. */
function viewsOf({ buffer, bucketCount, slotsPerBucket }: WindowMemory) {
  const slotCount = bucketCount * slotsPerBucket;
  const offsets = layOut(bucketCount, slotCount);
  return {
    /** When the window of a slot ends: by the uptime, and in Unix ms. */
    ends: new Float64Array(buffer, offsets.ends, slotCount),
    resets: new Float64Array(buffer, offsets.resets, slotCount),
    locks: new Int32Array(buffer, offsets.locks, bucketCount),
    counts: new Int32Array(buffer, offsets.counts, slotCount),
    prints: new Int32Array(buffer, offsets.prints, slotCount * PRINT_WORDS),
  };
}

/** Offsets of the arrays in bytes. */
function layOut(bucketCount: number, slotCount: number) {
  const resets = slotCount * Float64Array.BYTES_PER_ELEMENT;
  const locks = 2 * resets;
  const counts = locks + bucketCount * Int32Array.BYTES_PER_ELEMENT;
  const prints = counts + slotCount * Int32Array.BYTES_PER_ELEMENT;
  const byteLength = prints + slotCount * PRINT_WORDS * Int32Array.BYTES_PER_ELEMENT;
  return { ends: 0, resets, locks, counts, prints, byteLength };
}

/** Counts in the windows of this memory, together with all other threads. */
export function openWindowTable(memory: WindowMemory, options: WindowTableOptions = {}): ImmediateCounter {
  const { bucketCount, slotsPerBucket, hashKey } = memory;
  const windowMs = (options.windowSeconds ?? WINDOW_SECONDS) * 1000;
  const clock = options.clock ?? systemClock;
  const uptimeMs = options.uptimeMs ?? systemUptimeMs;
  const { ends, resets, locks, counts, prints } = viewsOf(memory);
  const printOf = rememberPrints(hashKey, bucketCount);

  function findSlot({ bucket, words: [a, b, c, d] }: Print): number {
    const first = bucket * slotsPerBucket;
    for (let slot = first; slot < first + slotsPerBucket; slot += 1) {
      const at = slot * PRINT_WORDS;
      if (prints[at] === a && prints[at + 1] === b && prints[at + 2] === c && prints[at + 3] === d)
        return slot;
    }
    return -1;
  }

  /** One whose window has ended; else the one with the fewest hits, of these the oldest. */
  function takeSlot({ bucket, words }: Print, nowMs: number): number {
    const first = bucket * slotsPerBucket;
    let best = first;
    for (let slot = first; slot < first + slotsPerBucket; slot += 1) {
      if (ends[slot]! <= nowMs) {
        best = slot;
        break;
      }
      const fewer = counts[slot]! - counts[best]!;
      if (fewer < 0 || (fewer === 0 && ends[slot]! < ends[best]!)) best = slot;
    }
    prints.set(words, best * PRINT_WORDS);
    return best;
  }

  function isStep(resetAtMs: number, slot: number): boolean {
    return Math.abs(resetAtMs - resets[slot]!) > CLOCK_STEP_MS;
  }

  /** In Unix ms, off by less than CLOCK_STEP_MS. */
  function lookUpEnd(endsAtUptimeMs: number): number {
    let resetAtMs = 0;
    for (let look = 0; look < CLOCK_LOOKS_MAX; look += 1) {
      const nowMs = uptimeMs();
      resetAtMs = clock() + endsAtUptimeMs - nowMs;
      if (uptimeMs() - nowMs < CLOCK_STEP_MS) break;
    }
    return resetAtMs;
  }

  return {
    hit(key) {
      const print = printOf(key);
      acquireLock(locks, print.bucket);
      // Read under the lock, so that nobody opens a window that ends before one that was opened earlier.
      const nowMs = uptimeMs();
      const found = findSlot(print);
      const slot = found < 0 ? takeSlot(print, nowMs) : found;
      const isNew = found < 0 || ends[slot]! <= nowMs;
      if (isNew) {
        counts[slot] = 0;
        ends[slot] = nowMs + windowMs;
        resets[slot] = 0;
      }
      // A sum of two fractions may be off by the last bit, and one bit more than 60 s would be told as 61 s.
      const resetInMs = isNew ? windowMs : ends[slot]! - nowMs;
      // A thread that had to wait between its looks at the two clocks takes that for a step, and looks again.
      if (isStep(clock() + resetInMs, slot)) {
        const resetAtMs = lookUpEnd(ends[slot]!);
        if (isStep(resetAtMs, slot)) resets[slot] = resetAtMs;
      }
      counts[slot]! += 1;
      const hit = { count: counts[slot]!, resetAtMs: resets[slot]!, resetInMs };
      releaseLock(locks, print.bucket);
      return hit;
    },
  };
}

/** Lets go of what a thread held that has ended; nobody else may release it. */
export function releaseWindows(memory: WindowMemory, endedThreadId: number): void {
  releaseLocks(viewsOf(memory).locks, endedThreadId);
}
