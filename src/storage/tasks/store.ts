/** Work that one process of all does, such as deleting old quotes. */
export interface TaskStore {
  /**
   * Whether `holder` has the task now: it was free, its claim had ended, or it was this holder's already. The claim
   * then lasts until `untilMs`; one that ends now gives the task back. A process that dies loses its claims by that.
   * Nobody gets a task while the clock shows no time.
   */
  claimTask(
    task: string,
    holder: string,
    term: { readonly nowMs: number; readonly untilMs: number },
  ): Promise<boolean>;
  /** The `untilMs` of the last claim; 0 if there was none. */
  readClaimEnd(task: string): Promise<number>;
}
