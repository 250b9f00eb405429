/**
 * The questions of this process to one shared counter.
 *
 * Requests of one turn of the event loop are asked about together: a question of its own for each would cost more than
 * the rest of the request. A counter that does not answer is lost: from then on the orders are counted another way, at once,
 * until a probe is answered.
 */
import type { Counted, CountOrder } from './request-limits.ts';

/** Somebody who holds windows for several processes. */
export interface SharedCounter {
  /** Carries the orders out, each in one step, and answers in their order. Rejects when that failed. */
  count(orders: readonly CountOrder[]): Promise<readonly Counted[]>;
}

/** No request waits longer for a count; far above what a count takes, far below what a client notices as a hang. */
export const ANSWER_MS_MAX = 500;
/** Orders of one question, so that no question keeps its receiver from the others for long. */
export const ORDERS_PER_QUESTION_MAX = 250;
/**
 * So many orders within a millisecond show a busy process. A question then waits until it carries enough of them, for at
 * most PAUSE_MS: sending and taking in a question costs far more than an order in it. How many one question carries
 * would show nothing: the quicker the answers, the fewer orders come up in between, and the more questions are asked.
 */
const BUSY_ORDERS_PER_MS_MIN = 4;
/** That is judged again after so long. */
const JUDGING_MS = 5;
const ENOUGH_ORDERS = 16;
const PAUSE_MS = 1;
/** Time between two probes of somebody who is lost. */
export const PROBE_INTERVAL_MS = 250;

const PROBE: CountOrder = { kind: 'ingress', key: 'probe' };

/** Counts by another way than asked for first. */
export type CountOne = (order: CountOrder) => Counted | Promise<Counted>;

export interface CountLinkEvents {
  readonly fallback: CountOne;
  readonly onLost: (reason: string) => void;
  readonly onBack: () => void;
}

interface Waiting {
  readonly order: CountOrder;
  readonly resolve: (counted: Counted | Promise<Counted>) => void;
}

/** The questions to one counter. */
export class CountLink {
  readonly #counter: SharedCounter;
  readonly #events: CountLinkEvents;
  #waiting: Waiting[] = [];
  #isAsking = false;
  #onEnough: (() => void) | undefined;
  #isBusy = false;
  /** Orders since this process was judged to be busy or not. */
  #orderCount = 0;
  #judgedAtMs = 0;
  #isLost = false;
  #isClosed = false;
  #probeTimer: NodeJS.Timeout | undefined;

  constructor(counter: SharedCounter, events: CountLinkEvents) {
    this.#counter = counter;
    this.#events = events;
  }

  ask(order: CountOrder): Counted | Promise<Counted> {
    if (this.#isLost) return this.#events.fallback(order);
    return new Promise((resolve) => {
      this.#waiting.push({ order, resolve });
      if (this.#waiting.length === ENOUGH_ORDERS) this.#onEnough?.();
      if (this.#waiting.length === 1 && !this.#isAsking) setImmediate(() => void this.#send());
    });
  }

  async probe(): Promise<void> {
    try {
      await withinAnswerTime(this.#counter.count([PROBE]));
      if (!this.#isLost || this.#isClosed) return;
      this.#isLost = false;
      this.#events.onBack();
    } catch (error) {
      this.#lose(error);
      this.#probeLater();
    }
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#probeTimer);
  }

  /** One question after the other: what comes up while one is on its way makes up the next one. */
  async #send(): Promise<void> {
    this.#isAsking = true;
    while (this.#waiting.length > 0) {
      const asked = this.#waiting.splice(0, ORDERS_PER_QUESTION_MAX);
      try {
        const counted = await withinAnswerTime(this.#counter.count(asked.map(({ order }) => order)));
        for (const [index, { resolve }] of asked.entries()) resolve(counted[index]!);
      } catch (error) {
        this.#lose(error);
        asked.push(...this.#waiting.splice(0));
        for (const { order, resolve } of asked) resolve(this.#events.fallback(order));
      }
      this.#judge(asked.length);
      if (this.#isBusy) await this.#untilEnough();
    }
    this.#isAsking = false;
  }

  #judge(orderCount: number): void {
    this.#orderCount += orderCount;
    const nowMs = performance.now();
    const elapsedMs = nowMs - this.#judgedAtMs;
    if (elapsedMs < JUDGING_MS) return;
    this.#isBusy = this.#orderCount / elapsedMs >= BUSY_ORDERS_PER_MS_MIN;
    this.#orderCount = 0;
    this.#judgedAtMs = nowMs;
  }

  async #untilEnough(): Promise<void> {
    if (this.#waiting.length >= ENOUGH_ORDERS) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, PAUSE_MS);
      this.#onEnough = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#onEnough = undefined;
  }

  #lose(error: unknown): void {
    if (this.#isLost || this.#isClosed) return;
    this.#isLost = true;
    this.#events.onLost(error instanceof Error ? error.message : String(error));
    this.#probeLater();
  }

  #probeLater(): void {
    if (this.#isClosed) return;
    clearTimeout(this.#probeTimer);
    this.#probeTimer = setTimeout(() => void this.probe(), PROBE_INTERVAL_MS);
    this.#probeTimer.unref();
  }
}

/**
 * Rejects when there is no answer in time. An answer that arrived while this process was busy counts as in time: timers
 * run before what the network brought is read, so the verdict waits for one reading.
 */
async function withinAnswerTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      setImmediate(() => reject(new Error(`no answer within ${ANSWER_MS_MAX} ms`)));
    }, ANSWER_MS_MAX);
  });
  try {
    return await Promise.race([answer, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
