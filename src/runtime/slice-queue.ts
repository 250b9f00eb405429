/**
 * Short pieces of work: all callers together get one slice in each turn of the event loop, so that other answers come in
 * between. Work that begins and work that goes on take turns, and so do askers: neither a crowd that begins nor
 * a greedy asker stops the others.
 */
export class SliceQueue {
  readonly #beginningMax: number;
  readonly #beginning = new Turns();
  readonly #goingOn = new Turns();
  #isTaken = false;
  #wasBeginning = false;

  constructor(beginningMax: number) {
    this.#beginningMax = beginningMax;
  }

  /**
   * True when the slice of `asker` begins: at once unless this turn had one. False: too many wait to begin. Who has more
   * waiting than another gives a place up.
   */
  async begin(asker = ''): Promise<boolean> {
    if (this.#isTaken && this.#beginning.count >= this.#beginningMax && !this.#beginning.makeRoom(asker))
      return false;
    return this.#wait(this.#beginning, asker);
  }

  /** For the next slice of work that has begun: it waits, and is never refused. */
  async continue(asker = ''): Promise<void> {
    await this.#wait(this.#goingOn, asker);
  }

  async #wait(turns: Turns, asker: string): Promise<boolean> {
    if (this.#isTaken) return new Promise((resolve) => turns.add(asker, resolve));
    this.#isTaken = true;
    setImmediate(this.#next);
    return true;
  }

  readonly #next = (): void => {
    const mayBegin = !this.#wasBeginning || this.#goingOn.count === 0;
    this.#wasBeginning = mayBegin && this.#beginning.count > 0;
    const start = (this.#wasBeginning ? this.#beginning : this.#goingOn).take();
    if (start === undefined) {
      this.#isTaken = false;
      return;
    }
    setImmediate(this.#next);
    start(true);
  };
}

type Start = (mayStart: boolean) => void;

/** Those who wait, by asker; the first asker has the next turn. */
class Turns {
  readonly #waiting = new Map<string, Start[]>();
  count = 0;

  add(asker: string, start: Start): void {
    const own = this.#waiting.get(asker);
    if (own === undefined) this.#waiting.set(asker, [start]);
    else own.push(start);
    this.count += 1;
  }

  take(): Start | undefined {
    const [turn] = this.#waiting;
    if (turn === undefined) return undefined;
    const [asker, own] = turn;
    this.#waiting.delete(asker);
    const start = own.shift();
    if (own.length > 0) this.#waiting.set(asker, own);
    this.count -= 1;
    return start;
  }

  /** The last of who has most waiting is refused, if that is more than `asker` would have. */
  makeRoom(asker: string): boolean {
    const [most] = [...this.#waiting.values()].toSorted((one, other) => other.length - one.length);
    if (most === undefined || most.length <= (this.#waiting.get(asker)?.length ?? 0) + 1) return false;
    most.pop()!(false);
    this.count -= 1;
    return true;
  }
}
