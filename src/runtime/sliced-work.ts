/**
 * Work in slices: all questions share one slice in each turn of the event loop, and places for those that need several.
 */
import { SliceQueue } from './slice-queue.ts';

/** Other answers wait no longer for a slice, but for the last step of it. */
const SLICE_MS_MAX = 0.5;
/** Searches of one thread that need more than one slice, at once: by total, with filters, over many dates. */
export const SLICED_SEARCHES_MAX = 4;
/** The same of other questions: a property of a thousand types takes one for each price. */
export const SLICED_LOOKS_MAX = 64;
/** Questions of one thread that wait for their first slice: every other slice is one of theirs. */
export const WAITING_MAX = 64;
/** Work of one question, without what others did in between. */
export const HELD_MS_MAX = 5_000;
/** With what others did. While it holds a version, memory that the writer gives back can't be used again. */
const HELD_WITH_OTHERS_MS_MAX = 12 * HELD_MS_MAX;

/** Each step ends where other answers may come in between. */
export type Steps<T> = Generator<void, T>;

/** `busy`, of each: too many are running, or this one would take too long. */
export class SlicedWork {
  readonly #slices = new SliceQueue(WAITING_MAX);
  readonly #searches = new Places(SLICED_SEARCHES_MAX);
  readonly #looks = new Places(SLICED_LOOKS_MAX);

  /** Waits for the first slice of a question; `asker` shares turns and places with the others. */
  begin(asker: string | undefined): Promise<boolean> {
    return this.#slices.begin(asker);
  }

  /** A search; its first slice has begun. */
  search<T>(steps: Steps<T>, asker: string | undefined): Promise<T | 'busy'> {
    return this.#run(steps, asker, this.#searches);
  }

  /** Any other question; its first slice has begun. */
  look<T>(steps: Steps<T>, asker: string | undefined): Promise<T | 'busy'> {
    return this.#run(steps, asker, this.#looks);
  }

  async #run<T>(steps: Steps<T>, asker = '', places: Places): Promise<T | 'busy'> {
    const begunMs = performance.now();
    const first = workOn(steps);
    if (first.done === true) return first.value;
    let nowMs = performance.now();
    let workedMs = nowMs - begunMs;
    const place = places.take(asker);
    if (place === undefined) return 'busy';
    try {
      while (workedMs <= HELD_MS_MAX && nowMs - begunMs <= HELD_WITH_OTHERS_MS_MAX) {
        await this.#slices.continue(asker);
        if (place.isLost) return 'busy';
        const sliceMs = performance.now();
        const step = workOn(steps);
        if (step.done === true) return step.value;
        nowMs = performance.now();
        workedMs += nowMs - sliceMs;
      }
      return 'busy';
    } finally {
      places.free(place);
    }
  }
}

/** One slice; the last step says whether the time ended before the work. */
function workOn<T>(steps: Steps<T>): IteratorResult<void, T> {
  const untilMs = performance.now() + SLICE_MS_MAX;
  for (;;) {
    const step = steps.next();
    if (step.done === true || performance.now() > untilMs) return step;
  }
}

interface WorkPlace {
  readonly asker: string;
  isLost: boolean;
}

/** Places of work that takes several slices; who has more than another gives one up. */
class Places {
  readonly #max: number;
  readonly #taken: WorkPlace[] = [];

  constructor(max: number) {
    this.#max = max;
  }

  /** Undefined: all are taken, and nobody has more of them. */
  take(asker: string): WorkPlace | undefined {
    if (this.#taken.length >= this.#max && !this.#makeRoom(asker)) return undefined;
    const place = { asker, isLost: false };
    this.#taken.push(place);
    return place;
  }

  free(place: WorkPlace): void {
    const index = this.#taken.indexOf(place);
    if (index !== -1) this.#taken.splice(index, 1);
  }

  #makeRoom(asker: string): boolean {
    const byAsker = [...Map.groupBy(this.#taken, (place) => place.asker).values()];
    const [most = []] = byAsker.toSorted((one, other) => other.length - one.length);
    const own = this.#taken.filter((place) => place.asker === asker).length;
    if (most.length <= own + 1) return false;
    const last = most.at(-1)!;
    last.isLost = true;
    this.free(last);
    return true;
  }
}
