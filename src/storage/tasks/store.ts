/** Longer than any claim of a task that is claimed so, and than clocks of processes differ. */
export const CLAIM_MS_LONGEST = 15 * 60_000;

/** Instants are Unix ms. */
export interface ClaimTerm {
  readonly nowMs: number;
  readonly untilMs: number;
  /**
   * A claim that ends later than so long from now was made by a clock that was ahead: it has ended. Absent: no claim is
   * too long.
   */
  readonly longestMs?: number;
}

/** Work that one process of all does, such as deleting old quotes. */
export interface TaskStore {
  /**
   * Whether `holder` has the task now: it was free, its claim had ended, or it was this holder's already. The claim
   * then lasts until `untilMs`; one that ends now gives the task back. A process that dies loses its claims by that.
   * Nobody gets a task while the clock shows no time.
   */
  claimTask(task: string, holder: string, term: ClaimTerm): Promise<boolean>;
  /** The `untilMs` of the last claim; 0 if there was none. */
  readClaimEnd(task: string): Promise<number>;
}
