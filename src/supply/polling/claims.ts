/** Who may work on something that is read by the clock: one process of all, whether it polls, or a person asks. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../runtime/clock.ts';
import { CLAIM_MS_LONGEST, type TaskStore } from '../../storage/tasks/store.ts';

/** Longer than a poll takes without renewing; a process that dies loses its claim then. */
export const CLAIM_MS = 2 * 60_000;
const RETRY_MS = 200;

export interface ClaimDeps {
  readonly storage: Pick<TaskStore, 'claimTask'>;
  readonly clock: Clock;
  /** This process, or this command, among all that share the database. */
  readonly holder: string;
}

/** Extends the claim; false: another has it by now, so nothing more may be written. */
export type RenewClaim = () => Promise<boolean>;

/** Undefined when somebody else has the task, and still has it after `waitMs`. */
export async function withClaim<T>(
  { storage, clock, holder }: ClaimDeps,
  task: string,
  work: (renew: RenewClaim) => Promise<T>,
  waitMs = 0,
): Promise<{ readonly value: T } | undefined> {
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
    return { value: await work(() => claim(CLAIM_MS)) };
  } finally {
    await claim(0);
  }
}
