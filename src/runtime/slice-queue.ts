/** An asker who had fewer slices than others goes first until it had so many more: 32 ms of work. */
export const ADVANTAGE_SLICES = 64;
/** More are forgotten where they wait for nothing. */
const ASKERS_MAX = 1_000;

/**
 * Short pieces of work: all callers together get one slice in each turn of the event loop, so that other answers come in
 * between. The asker who had the fewest slices is next: a crowd of one does not slow down another that asks seldom
 * (start-time fair queueing). Of one asker, work that begins and work that goes on take turns.
 */
export class SliceQueue {
  readonly #beginningMax: number;
  readonly #askers = new Map<string, Asker>();
  readonly #waiting = new Set<Asker>();
  /** Waiting to begin, of all askers. */
  #beginningCount = 0;
  #isTaken = false;
  /** The slices of the asker who had most. */
  #mostSlices = 0;

  constructor(beginningMax: number) {
    this.#beginningMax = beginningMax;
  }

  /**
   * True when the slice of `asker` begins: at once unless this turn had one. False: too many wait to begin. Who has more
   * waiting than another gives a place up.
   */
  async begin(asker = ''): Promise<boolean> {
    const found = this.#find(asker);
    if (!this.#isTaken) return this.#takeFree(found);
    if (this.#beginningCount >= this.#beginningMax && !this.#makeRoom(found)) return false;
    this.#beginningCount += 1;
    return this.#wait(found, found.beginning);
  }

  /** For the next slice of work that has begun: it waits, and is never refused. */
  async continue(asker = ''): Promise<void> {
    const found = this.#find(asker);
    if (!this.#isTaken) this.#takeFree(found);
    else await this.#wait(found, found.goingOn);
  }

  #takeFree(asker: Asker): true {
    this.#isTaken = true;
    this.#count(asker);
    setImmediate(this.#next);
    return true;
  }

  #wait(asker: Asker, list: Start[]): Promise<boolean> {
    this.#waiting.add(asker);
    return new Promise((resolve) => list.push(resolve));
  }

  readonly #next = (): void => {
    const asker = this.#findNext();
    if (asker === undefined) {
      this.#isTaken = false;
      return;
    }
    this.#count(asker);
    setImmediate(this.#next);
    this.#take(asker)(true);
  };

  #findNext(): Asker | undefined {
    let next: Asker | undefined;
    for (const asker of this.#waiting)
      if (next === undefined || this.#rank(asker) < this.#rank(next)) next = asker;
    return next;
  }

  /** Who was away need not wait for all that others had meanwhile, and they need not for all that it did without. */
  #rank({ slices }: Asker): number {
    return Math.max(slices, this.#mostSlices - ADVANTAGE_SLICES);
  }

  #count(asker: Asker): void {
    asker.slices = this.#rank(asker) + 1;
    this.#mostSlices = Math.max(this.#mostSlices, asker.slices);
  }

  #take(asker: Asker): Start {
    const { beginning, goingOn } = asker;
    asker.isBeginning = beginning.length > 0 && (!asker.isBeginning || goingOn.length === 0);
    const start = (asker.isBeginning ? beginning : goingOn).shift()!;
    if (asker.isBeginning) this.#beginningCount -= 1;
    this.#rest(asker);
    return start;
  }

  #rest(asker: Asker): void {
    // Behind those who had as many slices.
    this.#waiting.delete(asker);
    if (asker.beginning.length + asker.goingOn.length > 0) this.#waiting.add(asker);
  }

  /** The last of who has most waiting to begin is refused, if that is more than `asker` would have. */
  #makeRoom(asker: Asker): boolean {
    const [most] = [...this.#waiting].toSorted((one, other) => other.beginning.length - one.beginning.length);
    if (most === undefined || most.beginning.length <= asker.beginning.length + 1) return false;
    most.beginning.pop()!(false);
    this.#beginningCount -= 1;
    this.#rest(most);
    return true;
  }

  #find(name: string): Asker {
    const known = this.#askers.get(name);
    if (known !== undefined) return known;
    if (this.#askers.size >= ASKERS_MAX) this.#forgetResting();
    const asker = { slices: 0, isBeginning: false, beginning: [], goingOn: [] };
    this.#askers.set(name, asker);
    return asker;
  }

  #forgetResting(): void {
    for (const [name, asker] of this.#askers) if (!this.#waiting.has(asker)) this.#askers.delete(name);
  }
}

type Start = (mayStart: boolean) => void;

interface Asker {
  /** It had so many, and those of its disadvantage. */
  slices: number;
  /** The last slice went to work that begins. */
  isBeginning: boolean;
  readonly beginning: Start[];
  readonly goingOn: Start[];
}
