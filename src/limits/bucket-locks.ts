/** Locks of buckets in shared memory: each is free, or has the number of the thread that counts in the bucket. */
import { threadId } from 'node:worker_threads';

/**
 * A thread that holds a lock for so long was ended in the middle of a count, and nobody released its locks: far longer
 * than a thread waits for its turn on a machine with too few processors.
 */
export const LOCK_MS_MAX = 2_000;
const SPINS_MAX = 1_000;
const FREE = 0;
const THIS_THREAD = threadId + 1;

/** Waits for the thread that counts in this bucket now, LOCK_MS_MAX at most. */
export function acquireLock(locks: Int32Array, bucket: number): void {
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

/** One that was taken over meanwhile belongs to another thread. */
export function releaseLock(locks: Int32Array, bucket: number): void {
  Atomics.compareExchange(locks, bucket, THIS_THREAD, FREE);
}

/** Of a thread that has ended. */
export function releaseLocks(locks: Int32Array, endedThreadId: number): void {
  for (let bucket = 0; bucket < locks.length; bucket += 1) {
    Atomics.compareExchange(locks, bucket, endedThreadId + 1, FREE);
  }
}
