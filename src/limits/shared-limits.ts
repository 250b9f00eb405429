/**
 * Limits that several processes share in Redis. While it does not answer, this process counts for itself.
 *
 * Requests of one turn of the event loop share one call (decision 011). A counter that does not answer is lost: the
 * fallback counts at once until a probe succeeds.
 */
import {
  countNow,
  type Counted,
  type CountRequest,
  type HitBoth,
  type CounterKind,
  type OwnLimits,
  type RequestLimits,
} from './request-limits.ts';
import { inTime } from '../runtime/time-limit.ts';
import { messageOf } from '../runtime/message-of.ts';

/** Holds windows for several processes. */
export interface SharedCounter {
  /** Counts each request in one step, and answers in their order. Rejects on failure. */
  count(requests: readonly CountRequest[]): Promise<readonly Counted[]>;
}

/** The longest wait for a count: far above its usual time, far below a noticeable hang. */
export const ANSWER_MS_MAX = 500;
/** Requests of one call, so that no call blocks the receiver for long. */
export const REQUESTS_PER_QUESTION_MAX = 250;
/** Pause between two probes of a lost counter. */
export const PROBE_INTERVAL_MS = 250;

const PROBE: CountRequest = { kind: 'ingress', key: 'probe' };

/** Counts while Redis is lost. */
export type CountOne = (request: CountRequest) => Counted | Promise<Counted>;

export interface SharedLimitsOptions {
  /** Each key belongs to one of them. */
  readonly counters: readonly SharedCounter[];
  /** Index of a key's counter; not called for a single one. */
  readonly counterOf?: (request: CountRequest) => number;
  /** Counts for a lost counter. */
  readonly fallback: CountOne;
  /** A counter is lost, or all are back. */
  readonly onLost: (reason: string) => void;
  readonly onBack: () => void;
}

/** For the metrics. */
export interface SharingState {
  /** Every count is shared now. */
  readonly isShared: boolean;
  /** Losses of sharing. */
  readonly lossCount: number;
  readonly fallbackCount: number;
}

export interface SharedLimits extends RequestLimits {
  /** Calls each counter once; one that does not answer is lost from the start. */
  probe(): Promise<void>;
  readonly state: () => SharingState;
  readonly close: () => void;
}

export function fallbackTo(limits: OwnLimits): CountOne {
  return (request) => countNow(limits, request);
}

export function createSharedLimits(options: SharedLimitsOptions): SharedLimits {
  const { fallback, onLost, onBack, counterOf = () => 0 } = options;
  let lostNow = 0;
  let lossCount = 0;
  let fallbackCount = 0;
  const events: CountLinkEvents = {
    fallback(request) {
      fallbackCount += 1;
      return fallback(request);
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
  const links = options.counters.map((counter) => new CountLink(counter, events));
  const ask: CountOne = (request) => links[counterOf(request)]!.ask(request);
  const counterFor = (kind: CounterKind): RequestLimits['quota'] => ({
    hit(key) {
      const counted = ask({ kind, key });
      return counted instanceof Promise ? counted.then(({ hit }) => hit) : counted.hit;
    },
  });

  return {
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

function bothBy(ask: CountOne): HitBoth {
  return (source, ingressLimit, credentialId) => {
    const counted = ask({ kind: 'ingress', key: source, next: { credentialId, limit: ingressLimit } });
    const name = ({ hit, next }: Counted) => ({ ingress: hit, quota: next });
    return counted instanceof Promise ? counted.then(name) : name(counted);
  };
}

type CountLinkEvents = Pick<SharedLimitsOptions, 'fallback' | 'onLost' | 'onBack'>;

interface Waiting {
  readonly request: CountRequest;
  readonly resolve: (counted: Counted | Promise<Counted>) => void;
}

/** Calls of this process to one counter. */
class CountLink {
  readonly #counter: SharedCounter;
  readonly #events: CountLinkEvents;
  /** Requests of this turn of the event loop. */
  #waiting: Waiting[] = [];
  /** Calls without an answer yet. */
  readonly #questions = new Set<readonly Waiting[]>();
  #isLost = false;
  #isClosed = false;
  #probeTimer: NodeJS.Timeout | undefined;

  constructor(counter: SharedCounter, events: CountLinkEvents) {
    this.#counter = counter;
    this.#events = events;
  }

  ask(request: CountRequest): Counted | Promise<Counted> {
    if (this.#isLost) return this.#events.fallback(request);
    return new Promise((resolve) => {
      this.#waiting.push({ request, resolve });
      if (this.#waiting.length === 1) setImmediate(() => this.#send());
      if (this.#waiting.length === REQUESTS_PER_QUESTION_MAX) this.#send();
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

  #send(): void {
    const question = this.#waiting;
    this.#waiting = [];
    if (question.length > 0) void this.#settle(question);
  }

  async #settle(question: readonly Waiting[]): Promise<void> {
    this.#questions.add(question);
    try {
      const counted = await withinAnswerTime(this.#counter.count(question.map(({ request }) => request)));
      for (const [index, { resolve }] of question.entries()) resolve(counted[index]!);
    } catch (error) {
      this.#lose(error);
      // Those who came later wait no longer than the first. What the counter answers to them after all is ignored.
      const unanswered = [...this.#questions, this.#waiting.splice(0)].flat();
      this.#questions.clear();
      for (const { request, resolve } of unanswered) resolve(this.#events.fallback(request));
    } finally {
      this.#questions.delete(question);
    }
  }

  #lose(error: unknown): void {
    if (this.#isLost || this.#isClosed) return;
    this.#isLost = true;
    this.#events.onLost(messageOf(error));
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
 * Rejects without an answer in time. An answer that arrived while this process was busy is in time: timers run before
 * network input is read, so the verdict waits for one read.
 */
function withinAnswerTime<T>(answer: Promise<T>): Promise<T> {
  const late = () =>
    new Promise<never>((_resolve, reject) => {
      setImmediate(() => reject(new Error(`no answer within ${ANSWER_MS_MAX} ms`)));
    });
  return inTime(answer, ANSWER_MS_MAX, late);
}
