/**
 * Waiting for SQLite's one write lock. For the writer thread only: it sleeps.
 *
 * The lock has no queue: the process that asks while it is free gets it. SQLite's own busy handler asks less and
 * less often, at last ten times a second, and loses to a process that imports without pause; asking every POLL_MS
 * finds the moments in which that one prepares its next transaction (docs/decisions/007-sqlite-writer-thread.md).
 */
import { isBusy } from './sqlite-errors.ts';

const POLL_MS = 1;

const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** Runs `attempt` until it finds the lock free; after `waitMs` its own busy error is thrown. */
export function waitForLock<T>(waitMs: number, attempt: () => T): T {
  const giveUpAtMs = performance.now() + waitMs;
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= giveUpAtMs) throw error;
    }
    Atomics.wait(sleeper, 0, 0, POLL_MS);
  }
}
