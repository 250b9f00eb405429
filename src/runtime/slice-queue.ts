/**
 * Work of about a millisecond: all callers share one slice in each turn of the event loop, so that other answers come
 * in between. Slices begin in the order of the calls.
 */
export class SliceQueue {
  readonly #waitingMax: number;
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;

  constructor(waitingMax: number) {
    this.#waitingMax = waitingMax;
  }

  /** True when the caller's slice begins: at once unless this turn had one. False: too many are waiting. */
  async begin(): Promise<boolean> {
    if (this.#isTaken && this.#waiting.length >= this.#waitingMax) return false;
    await this.continue();
    return true;
  }

  /** Waits for the next slice of running work; never refused. */
  async continue(): Promise<void> {
    if (this.#isTaken) return new Promise((resolve) => void this.#waiting.push(resolve));
    this.#isTaken = true;
    setImmediate(this.#next);
  }

  readonly #next = (): void => {
    const begin = this.#waiting.shift();
    if (begin === undefined) {
      this.#isTaken = false;
      return;
    }
    setImmediate(this.#next);
    begin();
  };
}
