/**
 * The windows of one limit in one piece of memory, for any number of threads.
 *
 * A key has its place in one bucket of a few slots. A thread holds the bucket's lock while it counts, some 100 ns, so
 * every count is exact. A keyed 128-bit hash identifies a key: no two share a slot, and nobody outside can choose keys
 * that meet in one bucket.
 *
 * A full bucket drops the window with the fewest hits, the oldest of these. A limit per address can't hold an attacker
 * with endless addresses (an IPv6 /48 has 65,536 networks of /64), and everybody else must be served. But a flood of
 * keys with few hits never drops a key near its limit.
 */
import { hash, randomBytes } from 'node:crypto';
import { threadId } from 'node:worker_threads';
import { type Clock, systemClock } from '../runtime/clock.ts';
import { type ImmediateCounter, WINDOW_SECONDS } from './request-limits.ts';

/** 131,072 keys for each limit, far more sources than a machine serves in a minute: 5.3 MB when full. */
export const BUCKET_COUNT = 8_192;
export const SLOTS_PER_BUCKET = 16;
/** If a window's end by the wall clock moves by more than this, the wall clock was set. */
export const CLOCK_STEP_MS = 100;
const CLOCK_LOOKS_MAX = 3;
/**
 * A thread that holds a lock for so long has ended in the middle of a count without a release: far longer than a thread
 * waits for its turn on a busy machine.
 */
export const LOCK_MS_MAX = 2_000;
const SPINS_MAX = 1_000;
const FREE = 0;
const THIS_THREAD = threadId + 1;
/** Hashes in a thread's cache, because hashing costs more than counting. */
export const FINGERPRINTS_CACHED_MAX = 50_000;
export const FINGERPRINT_WORDS = 4;

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
  /** The wall clock: only reports when a window ends, never decides it. */
  readonly clock?: Clock;
  /** Monotonic milliseconds above 0, equal in every thread. */
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

/** An array for each field of the slots, and one for the locks. */
function viewsOf({ buffer, bucketCount, slotsPerBucket }: WindowMemory) {
  const slotCount = bucketCount * slotsPerBucket;
  const offsets = layOut(bucketCount, slotCount);
  return {
    /** The end of a slot's window: by the uptime, and in Unix ms. */
    ends: new Float64Array(buffer, offsets.ends, slotCount),
    resets: new Float64Array(buffer, offsets.resets, slotCount),
    locks: new Int32Array(buffer, offsets.locks, bucketCount),
    counts: new Int32Array(buffer, offsets.counts, slotCount),
    fingerprints: new Int32Array(buffer, offsets.fingerprints, slotCount * FINGERPRINT_WORDS),
  };
}

function layOut(bucketCount: number, slotCount: number) {
  const resets = slotCount * Float64Array.BYTES_PER_ELEMENT;
  const locks = 2 * resets;
  const counts = locks + bucketCount * Int32Array.BYTES_PER_ELEMENT;
  const fingerprints = counts + slotCount * Int32Array.BYTES_PER_ELEMENT;
  const byteLength = fingerprints + slotCount * FINGERPRINT_WORDS * Int32Array.BYTES_PER_ELEMENT;
  return { ends: 0, resets, locks, counts, fingerprints, byteLength };
}

/** Counts in the windows of this memory, together with all other threads. */
export function createWindowTable(memory: WindowMemory, options: WindowTableOptions = {}): ImmediateCounter {
  const { slotsPerBucket } = memory;
  const windowMs = (options.windowSeconds ?? WINDOW_SECONDS) * 1000;
  const clock = options.clock ?? systemClock;
  const uptimeMs = options.uptimeMs ?? systemUptimeMs;
  const views = viewsOf(memory);
  const { ends, resets, locks, counts } = views;
  const fingerprintOf = rememberFingerprints(memory.hashKey, memory.bucketCount);

  function isStep(resetAtMs: number, slot: number): boolean {
    return Math.abs(resetAtMs - resets[slot]!) > CLOCK_STEP_MS;
  }

  return {
    hit(key) {
      const fingerprint = fingerprintOf(key);
      acquireLock(locks, fingerprint.bucket);
      // Read under the lock, so that nobody opens a window that ends before one that was opened earlier.
      const nowMs = uptimeMs();
      const found = findSlot(views, slotsPerBucket, fingerprint);
      const slot = found < 0 ? takeSlot(views, slotsPerBucket, fingerprint, nowMs) : found;
      const isNew = found < 0 || ends[slot]! <= nowMs;
      if (isNew) {
        counts[slot] = 0;
        ends[slot] = nowMs + windowMs;
        resets[slot] = 0;
      }
      // A sum of two fractions may be off by the last bit, and one bit above 60 s would be reported as 61 s.
      const resetInMs = isNew ? windowMs : ends[slot]! - nowMs;
      // A thread that had to wait between its looks at the two clocks takes that for a step, and looks again.
      if (isStep(clock() + resetInMs, slot)) {
        const resetAtMs = lookUpEnd(clock, uptimeMs, ends[slot]!);
        if (isStep(resetAtMs, slot)) resets[slot] = resetAtMs;
      }
      counts[slot]! += 1;
      const hit = { count: counts[slot]!, resetAtMs: resets[slot]!, resetInMs };
      releaseLock(locks, fingerprint.bucket);
      return hit;
    },
  };
}

type Views = ReturnType<typeof viewsOf>;

/** -1 when the key has no slot. */
function findSlot(
  views: Views,
  slotsPerBucket: number,
  { bucket, words: [a, b, c, d] }: Fingerprint,
): number {
  const { fingerprints } = views;
  const first = bucket * slotsPerBucket;
  for (let slot = first; slot < first + slotsPerBucket; slot += 1) {
    const at = slot * FINGERPRINT_WORDS;
    if (
      fingerprints[at] === a &&
      fingerprints[at + 1] === b &&
      fingerprints[at + 2] === c &&
      fingerprints[at + 3] === d
    )
      return slot;
  }
  return -1;
}

/** A slot whose window has ended; else the one with the fewest hits, among these the oldest. */
function takeSlot(
  { ends, counts, fingerprints }: Views,
  slotsPerBucket: number,
  { bucket, words }: Fingerprint,
  nowMs: number,
): number {
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
  fingerprints.set(words, best * FINGERPRINT_WORDS);
  return best;
}

/** In Unix ms, off by less than CLOCK_STEP_MS. */
function lookUpEnd(clock: Clock, uptimeMs: Clock, endsAtUptimeMs: number): number {
  let resetAtMs = 0;
  for (let look = 0; look < CLOCK_LOOKS_MAX; look += 1) {
    const nowMs = uptimeMs();
    resetAtMs = clock() + endsAtUptimeMs - nowMs;
    if (uptimeMs() - nowMs < CLOCK_STEP_MS) break;
  }
  return resetAtMs;
}

/** Releases the locks of an ended thread; nobody else may. */
export function releaseWindows(memory: WindowMemory, endedThreadId: number): void {
  releaseLocks(viewsOf(memory).locks, endedThreadId);
}

/** Identifies a key: 128 bits of a keyed hash, which nobody outside can aim at. */
export interface Fingerprint {
  readonly bucket: number;
  readonly words: readonly [number, number, number, number];
}

/** Equal in every thread with the same hash key. A bucket count is a power of two. */
export function rememberFingerprints(hashKey: string, bucketCount: number): (key: string) => Fingerprint {
  const cached = new Map<string, Fingerprint>();
  return (key) => {
    const known = cached.get(key);
    if (known !== undefined) return known;
    const digest = hash('sha256', hashKey + key, 'buffer');
    const word = (index: number): number => digest.readInt32LE(4 * index);
    const fingerprint: Fingerprint = {
      bucket: word(FINGERPRINT_WORDS) & (bucketCount - 1),
      words: [word(0), word(1), word(2), word(3)],
    };
    if (cached.size >= FINGERPRINTS_CACHED_MAX) cached.clear();
    cached.set(key, fingerprint);
    return fingerprint;
  };
}

// A lock of a bucket is free, or has the number of the thread that counts in the bucket.

/** Waits for the thread that counts in this bucket, LOCK_MS_MAX at most. */
function acquireLock(locks: Int32Array, bucket: number): void {
  for (let spin = 0; spin < SPINS_MAX; spin += 1) {
    if (Atomics.compareExchange(locks, bucket, FREE, THIS_THREAD) === FREE) return;
  }
  for (let waitedMs = 0; waitedMs < LOCK_MS_MAX; waitedMs += 1) {
    const holder = Atomics.compareExchange(locks, bucket, FREE, THIS_THREAD);
    if (holder === FREE) return;
    // Nobody wakes this thread: the other one has to wait for a processor, and 1 ms is soon over.
    Atomics.wait(locks, bucket, holder, 1);
  }
  Atomics.store(locks, bucket, THIS_THREAD);
}

/** Leaves a lock that another thread has taken over. */
function releaseLock(locks: Int32Array, bucket: number): void {
  Atomics.compareExchange(locks, bucket, THIS_THREAD, FREE);
}

function releaseLocks(locks: Int32Array, endedThreadId: number): void {
  for (let bucket = 0; bucket < locks.length; bucket += 1) {
    Atomics.compareExchange(locks, bucket, endedThreadId + 1, FREE);
  }
}
