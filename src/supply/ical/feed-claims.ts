/** Who may work on a feed: one process of all, whether it polls, accepts or unsubscribes. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../runtime/clock.ts';
import { CLAIM_MS_LONGEST, type TaskStore } from '../../storage/tasks/store.ts';

/** Longer than a poll can take; a process that dies loses its claim then. */
export const CLAIM_MS = 2 * 60_000;
const RETRY_MS = 200;

export interface ClaimDeps {
  readonly storage: Pick<TaskStore, 'claimTask'>;
  readonly clock: Clock;
  /** This process, or this command, among all that share the database. */
  readonly holder: string;
}

/** Undefined when somebody else has it, and still has it after `waitMs`. */
export async function withFeed<T>(
  { storage, clock, holder }: ClaimDeps,
  feedId: string,
  work: () => Promise<T>,
  waitMs = 0,
): Promise<{ readonly value: T } | undefined> {
  const task = `ical feed ${feedId}`;
  const claim = (termMs: number): Promise<boolean> => {
    const nowMs = clock();
    const term = { nowMs, untilMs: nowMs + termMs, longestMs: CLAIM_MS_LONGEST };
    return storage.claimTask(task, holder, term);
  };
  for (let waitedMs = 0; !(await claim(CLAIM_MS)); waitedMs += RETRY_MS) {
    if (waitedMs >= waitMs) return undefined;
    await sleep(RETRY_MS);
  }
  try {
    return { value: await work() };
  } finally {
    await claim(0);
  }
}
