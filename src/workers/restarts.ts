/** When a worker that died is replaced: at once the first time, ever later when it keeps dying, at last no more. */

/** Deaths of one worker that count together. */
export const DEATHS_WINDOW_MS = 60_000;
/** More of them within that time are a crash loop. */
export const DEATHS_MAX = 8;
export const RESTART_DELAY_MS_MIN = 50;
export const RESTART_DELAY_MS_MAX = 5_000;

export interface Restarts {
  /** Ms to wait before the replacement is started; undefined when there is to be none. */
  delayAfterDeath(nowMs: number): number | undefined;
}

/** 50, 100, 200, ... 5,000 ms: eight replacements take 11 s. */
export function createRestarts(): Restarts {
  let deathsAtMs: readonly number[] = [];
  return {
    delayAfterDeath(nowMs) {
      deathsAtMs = [...deathsAtMs.filter((atMs) => nowMs - atMs < DEATHS_WINDOW_MS), nowMs];
      if (deathsAtMs.length > DEATHS_MAX) return undefined;
      return Math.min(RESTART_DELAY_MS_MIN * 2 ** (deathsAtMs.length - 1), RESTART_DELAY_MS_MAX);
    },
  };
}
