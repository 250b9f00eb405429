/**
 * Requests that wait until there is something to tell: bounded in number, woken by one timer for all, a few in each turn
 * of the event loop, and ended with nothing to tell when the process stops. None holds a connection of the database.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../runtime/clock.ts';
import type { ChangeFeed, FeedAnswer, FeedQuestion } from './change-feed.ts';

/** Of one credential, in a process. */
export const WAITING_PER_CREDENTIAL_MAX = 20;
/** In a process; each of its threads takes an equal share, as of connections. */
export const WAITING_MAX = 2_000;
/** Between two looks whether there is anything new; and so, about, what a change waits for others to be told with it. */
const LOOK_MS = 250;
const WOKEN_PER_TURN = 20;

export interface LongPoll {
  readonly feed: ChangeFeed;
  readonly question: FeedQuestion;
  readonly credentialId: string;
  readonly waitMs: number;
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal;
}

interface Waiting {
  readonly feed: ChangeFeed;
  readonly untilMs: number;
  readonly version: number;
  readonly wake: () => void;
}

/** Of one thread. `uptimeMs` only ever grows. */
export class LongPolls {
  readonly #uptimeMs: Clock;
  readonly #workerCount: number;
  readonly #waiting = new Set<Waiting>();
  readonly #countByCredential = new Map<string, number>();
  #count = 0;
  #isEnded = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(uptimeMs: Clock, workerCount = 1) {
    this.#uptimeMs = uptimeMs;
    this.#workerCount = workerCount;
  }

  /** How many wait at present. */
  get count(): number {
    return this.#count;
  }

  /** The answer of the feed, held back while it has nothing to tell; `full`: too many wait already. */
  async ask(poll: LongPoll): Promise<FeedAnswer | 'full'> {
    const { credentialId, feed, question, waitMs } = poll;
    if (waitMs === 0 || this.#isEnded) return feed.ask(question);
    const own = this.#countByCredential.get(credentialId) ?? 0;
    if (this.#count >= this.#share(WAITING_MAX) || own >= this.#share(WAITING_PER_CREDENTIAL_MAX))
      return 'full';
    this.#add(credentialId, 1);
    try {
      return await this.#answerInTime(poll);
    } finally {
      this.#add(credentialId, -1);
    }
  }

  /** Nobody waits from now on. */
  end(): void {
    this.#isEnded = true;
    clearTimeout(this.#timer);
    for (const { wake } of this.#waiting) wake();
  }

  #share(max: number): number {
    return Math.max(1, Math.floor(max / this.#workerCount));
  }

  #add(credentialId: string, by: 1 | -1): void {
    this.#count += by;
    const own = (this.#countByCredential.get(credentialId) ?? 0) + by;
    if (own === 0) this.#countByCredential.delete(credentialId);
    else this.#countByCredential.set(credentialId, own);
  }

  async #answerInTime(poll: LongPoll): Promise<FeedAnswer> {
    const { feed, signal, question, waitMs } = poll;
    const untilMs = this.#uptimeMs() + waitMs;
    let { since } = question;
    for (;;) {
      const version = feed.version();
      const answer = await feed.ask({ ...question, since });
      if (answer.refused !== undefined || answer.changes.length > 0 || answer.hasMore) return answer;
      if (this.#isEnded || signal.aborted || this.#uptimeMs() >= untilMs) return answer;
      // What was looked at is not looked at again.
      since = answer.next;
      await this.#untilNews(poll, version, untilMs);
    }
  }

  /** Resolves when the feed may have something new, or it is time. */
  #untilNews({ feed, signal }: LongPoll, version: number, untilMs: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        this.#waiting.delete(entry);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const entry = { feed, version, untilMs, wake };
      this.#waiting.add(entry);
      signal.addEventListener('abort', wake, { once: true });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#waiting.size > 0) this.#timer ??= setTimeout(() => void this.#look(), LOOK_MS);
  }

  async #look(): Promise<void> {
    const nowMs = this.#uptimeMs();
    let wokenCount = 0;
    for (const { feed, untilMs, version, wake } of this.#waiting.values().toArray()) {
      if (untilMs > nowMs && feed.version() === version) continue;
      wake();
      wokenCount += 1;
      if (wokenCount % WOKEN_PER_TURN === 0) await nextTurn();
    }
    this.#timer = undefined;
    this.#schedule();
  }
}
