/**
 * Short pieces of work: all callers together get one slice in each turn of the event loop, so that other answers come in
 * between. Work that begins and work that goes on take turns: a crowd that begins does not stop what is under way.
 */
export class SliceQueue {
  readonly #beginningMax: number;
  readonly #beginning: (() => void)[] = [];
  readonly #goingOn: (() => void)[] = [];
  #isTaken = false;
  #wasBeginning = false;

  constructor(beginningMax: number) {
    this.#beginningMax = beginningMax;
  }

  /** True when the caller's slice begins: at once unless this turn had one. False: too many wait to begin. */
  async begin(): Promise<boolean> {
    if (this.#isTaken && this.#beginning.length >= this.#beginningMax) return false;
    await this.#wait(this.#beginning);
    return true;
  }

  /** For the next slice of work that has begun: it waits, and is never refused. */
  continue(): Promise<void> {
    return this.#wait(this.#goingOn);
  }

  async #wait(queue: (() => void)[]): Promise<void> {
    if (this.#isTaken) return new Promise((resolve) => void queue.push(resolve));
    this.#isTaken = true;
    setImmediate(this.#next);
  }

  readonly #next = (): void => {
    const mayBegin = !this.#wasBeginning || this.#goingOn.length === 0;
    this.#wasBeginning = mayBegin && this.#beginning.length > 0;
    const start = (this.#wasBeginning ? this.#beginning : this.#goingOn).shift();
    if (start === undefined) {
      this.#isTaken = false;
      return;
    }
    setImmediate(this.#next);
    start();
  };
}
