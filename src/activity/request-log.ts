/** Which answers are kept one by one, and those that wait to be written. */
import type { Random } from '../runtime/random.ts';
import type { RequestRow } from '../storage/activity/store.ts';

/** Of one thread, between two writes. */
export const REQUESTS_WAITING_MAX = 1_000;
/** Of answers that are neither refusals nor quotes, one in so many is kept. */
export const SAMPLE_ONE_IN = 100;

const TOO_MANY_REQUESTS = 429;
const CREATED = 201;

export class RequestLog {
  #waiting: RequestRow[] = [];
  #state: number;

  constructor(random: Random) {
    const [a = 1, b = 2, c = 3, d = 4] = random(4);
    this.#state = a | (b << 8) | (c << 16) | (d << 24) || 1;
  }

  /** Each refusal but those of a limit, each quote, and a sample of the rest. */
  isWanted(status: number): boolean {
    if (status === TOO_MANY_REQUESTS) return false;
    return status >= 400 || status === CREATED || this.#isSampled();
  }

  /** False when too many wait. */
  add(row: RequestRow): boolean {
    if (this.#waiting.length === REQUESTS_WAITING_MAX) return false;
    this.#waiting.push(row);
    return true;
  }

  drain(): RequestRow[] {
    const rows = this.#waiting;
    this.#waiting = [];
    return rows;
  }

  /** Marsaglia's xorshift of 32 bits: a random byte for each answer would cost more than the rest. */
  #isSampled(): boolean {
    let state = this.#state;
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    this.#state = state;
    return (state >>> 0) % SAMPLE_ONE_IN === 0;
  }
}
