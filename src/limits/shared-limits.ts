/**
 * Limits that several processes share, counted by somebody else: the primary process of the machine, or Redis.
 *
 * Requests of one turn of the event loop are asked about together: a question of its own for each would cost more than
 * the rest of the request. Whoever does not answer is lost: from then on this process counts for itself, at once, until
 * a probe is answered.
 */
import {
  countNow,
  type Counted,
  type CountOrder,
  type LimitKind,
  type OwnLimits,
  type RequestLimits,
} from './request-limits.ts';

/** Somebody who holds windows for several processes. */
export interface SharedCounter {
  /** Carries the orders out, each in one step, and answers in their order. Rejects when that failed. */
  count(orders: readonly CountOrder[]): Promise<readonly Counted[]>;
}

/** No request waits longer for a count; far above what a count takes, far below what a client notices as a hang. */
export const ANSWER_MS_MAX = 500;
/** Orders of one question, so that no question keeps its receiver from the others for long. */
export const ORDERS_PER_QUESTION_MAX = 250;
/** Time between two probes of somebody who is lost. */
export const PROBE_INTERVAL_MS = 250;

const PROBE: CountOrder = { kind: 'ingress', key: 'probe' };

/** Counts by another way than asked for first. */
export type CountOne = (order: CountOrder) => Counted | Promise<Counted>;

export interface SharedLimitsOptions {
  /** Each key belongs to one of them. */
  readonly counters: readonly SharedCounter[];
  /** Index of the counter that a key belongs to; not asked when there is only one. */
  readonly counterOf?: (order: CountOrder) => number;
  /** Counts what a lost counter can't. */
  readonly fallback: CountOne;
  /** A counter is lost, or all are back. */
  readonly onLost: (reason: string) => void;
  readonly onBack: () => void;
}

/** What the metrics tell. */
export interface SharingState {
  /** Every count is shared now. */
  readonly isShared: boolean;
  /** How often sharing was lost. */
  readonly lossCount: number;
  /** Requests that were counted by the fallback. */
  readonly fallbackCount: number;
}

export interface SharedLimits extends RequestLimits {
  readonly count: CountOne;
  /** Asks each counter once; one that does not answer counts as lost from the start. */
  probe(): Promise<void>;
  readonly state: () => SharingState;
  /** Ends the probing. */
  readonly close: () => void;
}

export function fallbackTo(limits: OwnLimits): CountOne {
  return (order) => countNow(limits, order);
}

export function createSharedLimits(options: SharedLimitsOptions): SharedLimits {
  const { fallback, onLost, onBack, counterOf = () => 0 } = options;
  let lostNow = 0;
  let lossCount = 0;
  let fallbackCount = 0;
  const events: LinkEvents = {
    fallback(order) {
      fallbackCount += 1;
      return fallback(order);
    },
    onLost(reason) {
      lostNow += 1;
      if (lostNow > 1) return;
      lossCount += 1;
      onLost(reason);
    },
    onBack() {
      lostNow -= 1;
      if (lostNow === 0) onBack();
    },
  };
  const links = options.counters.map((counter) => new Link(counter, events));
  const ask: CountOne = (order) => links[counterOf(order)]!.ask(order);
  const counterFor = (kind: LimitKind): RequestLimits['quota'] => ({
    hit(key) {
      const counted = ask({ kind, key });
      return counted instanceof Promise ? counted.then(({ hit }) => hit) : counted.hit;
    },
  });

  return {
    count: ask,
    ingress: counterFor('ingress'),
    quota: counterFor('quota'),
    hitBoth: links.length > 1 ? undefined : bothBy(ask),
    async probe() {
      await Promise.all(links.map((link) => link.probe()));
    },
    state: () => ({ isShared: lostNow === 0, lossCount, fallbackCount }),
    close() {
      for (const link of links) link.close();
    },
  };
}

function bothBy(ask: CountOne): RequestLimits['hitBoth'] {
  return (source, ingressLimit, credentialId) => {
    const counted = ask({ kind: 'ingress', key: source, next: { credentialId, limit: ingressLimit } });
    const name = ({ hit, next }: Counted) => ({ ingress: hit, quota: next });
    return counted instanceof Promise ? counted.then(name) : name(counted);
  };
}

interface LinkEvents {
  readonly fallback: CountOne;
  readonly onLost: (reason: string) => void;
  readonly onBack: () => void;
}

interface Waiting {
  readonly order: CountOrder;
  readonly resolve: (counted: Counted | Promise<Counted>) => void;
}

/** The questions to one counter. */
class Link {
  readonly #counter: SharedCounter;
  readonly #events: LinkEvents;
  #waiting: Waiting[] = [];
  #isAsking = false;
  #isLost = false;
  #isClosed = false;
  #probeTimer: NodeJS.Timeout | undefined;

  constructor(counter: SharedCounter, events: LinkEvents) {
    this.#counter = counter;
    this.#events = events;
  }

  ask(order: CountOrder): Counted | Promise<Counted> {
    if (this.#isLost) return this.#events.fallback(order);
    return new Promise((resolve) => {
      this.#waiting.push({ order, resolve });
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
    }
    this.#isAsking = false;
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
