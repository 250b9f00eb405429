/** Work above what others had lets an asker go first by no more than this. */
export const ADVANTAGE_MS = 32;
/** More are forgotten where they wait for nothing. */
const ASKERS_MAX = 1_000;

export interface QueueLimits {
  /** All askers together. */
  readonly waitingMax: number;
  readonly waitingPerAskerMax: number;
}

/**
 * Work of many askers that is done one after the other. The asker whose work took the least time is next: a crowd of one
 * does not slow down another that asks seldom (start-time fair queueing).
 */
export class FairQueue<Work> {
  readonly #limits: QueueLimits;
  readonly #askers = new Map<string, Asker<Work>>();
  /** Those that wait; who had work last is behind others that had as much. */
  readonly #waiting = new Set<Asker<Work>>();
  #count = 0;
  /** The time of the asker who had most. */
  #mostMs = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /** Work that waits. */
  get count(): number {
    return this.#count;
  }

  /**
   * Answers the work that finds no place: undefined where all of it does, else this one, or the last of an asker who has
   * more waiting than this one would have.
   */
  add(asker: string, work: Work): Work | undefined {
    const found = this.#find(asker);
    if (found.waiting.length >= this.#limits.waitingPerAskerMax) return work;
    const isFull = this.#count >= this.#limits.waitingMax;
    const refused = isFull ? this.#makeRoom(found) : undefined;
    if (isFull && refused === undefined) return work;
    found.waiting.push(work);
    this.#waiting.add(found);
    this.#count += 1;
    return refused;
  }

  /** The next work and its asker, no longer waiting. */
  take(): { readonly asker: string; readonly work: Work } | undefined {
    let next: Asker<Work> | undefined;
    for (const asker of this.#waiting)
      if (next === undefined || this.#rank(asker) < this.#rank(next)) next = asker;
    if (next === undefined) return undefined;
    const work = next.waiting.shift()!;
    this.#rest(next);
    return { asker: next.name, work };
  }

  /** The work of an asker took so long. */
  charge(asker: string, ms: number): void {
    const found = this.#find(asker);
    found.usedMs = this.#rank(found) + ms;
    this.#mostMs = Math.max(this.#mostMs, found.usedMs);
  }

  /** False when it does not wait. */
  remove(asker: string, work: Work): boolean {
    const found = this.#askers.get(asker);
    const index = found?.waiting.indexOf(work) ?? -1;
    if (found === undefined || index === -1) return false;
    found.waiting.splice(index, 1);
    this.#rest(found);
    return true;
  }

  /** Takes all that waits. */
  clear(): readonly Work[] {
    const all = [...this.#waiting].flatMap(({ waiting }) => waiting);
    this.#askers.clear();
    this.#waiting.clear();
    this.#count = 0;
    return all;
  }

  /** Who was away need not wait for all that others had meanwhile, and they need not for all that it did without. */
  #rank({ usedMs }: Asker<Work>): number {
    return Math.max(usedMs, this.#mostMs - ADVANTAGE_MS);
  }

  /** After one of its works is gone. */
  #rest(asker: Asker<Work>): void {
    this.#count -= 1;
    this.#waiting.delete(asker);
    if (asker.waiting.length > 0) this.#waiting.add(asker);
  }

  #makeRoom({ waiting }: Asker<Work>): Work | undefined {
    let most: Asker<Work> | undefined;
    for (const asker of this.#waiting)
      if (most === undefined || asker.waiting.length > most.waiting.length) most = asker;
    if (most === undefined || most.waiting.length <= waiting.length + 1) return undefined;
    const last = most.waiting.pop();
    this.#rest(most);
    return last;
  }

  #find(name: string): Asker<Work> {
    const known = this.#askers.get(name);
    if (known !== undefined) return known;
    if (this.#askers.size >= ASKERS_MAX) this.#forgetResting();
    const asker = { name, usedMs: 0, waiting: [] };
    this.#askers.set(name, asker);
    return asker;
  }

  #forgetResting(): void {
    for (const [name, asker] of this.#askers) if (!this.#waiting.has(asker)) this.#askers.delete(name);
  }
}

interface Asker<Work> {
  readonly name: string;
  /** Its work took so long, with what its advantage does not cover. */
  usedMs: number;
  readonly waiting: Work[];
}
