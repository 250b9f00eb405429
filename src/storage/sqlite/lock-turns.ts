/**
 * Turns at SQLite's one write lock, between threads and processes. For the writer thread only: it sleeps.
 *
 * SQLite's lock has no queue: whoever happens to ask while it is free gets it. A process that imports and begins its
 * next transaction right after the last would shut out a server that wants to store a quote. So a waiting writer
 * asks every POLL_MS, and whoever has held the lock for HOLD_MS_MAX, pauses not counted, leaves it free for GAP_MS,
 * which is longer: in each gap every waiting writer asks at least once.
 */
import { isBusy } from './sqlite-errors.ts';

const POLL_MS = 1;
const GAP_MS = 4;
const HOLD_MS_MAX = 20;

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
    sleep(POLL_MS);
  }
}

/** One writer's memory of how long it has held the lock since it last left it free for a whole gap. */
export interface Turns {
  /** Call before asking for the lock. */
  leaveGap(): void;
  held(fromMs: number, untilMs: number): void;
}

export function makeTurns(): Turns {
  let heldMs = 0;
  let freeSinceMs = -Infinity;
  return {
    leaveGap() {
      const freeMs = performance.now() - freeSinceMs;
      if (freeMs < GAP_MS) {
        if (heldMs < HOLD_MS_MAX) return;
        sleep(GAP_MS - freeMs);
      }
      heldMs = 0;
    },
    held(fromMs, untilMs) {
      heldMs += untilMs - fromMs;
      freeSinceMs = untilMs;
    },
  };
}

function sleep(ms: number): void {
  Atomics.wait(sleeper, 0, 0, ms);
}
