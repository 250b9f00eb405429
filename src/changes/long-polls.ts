/**
 * Requests that wait until there is a change to report: limited in number, woken by one timer for all, a few per turn
 * of the event loop, and ended without changes when the process stops. None holds a database connection.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../runtime/clock.ts';
import type { ChangeFeed, FeedAnswer, FeedQuestion } from './change-feed.ts';

/** Waiting requests of one credential in a process. */
export const WAITING_PER_CREDENTIAL_MAX = 20;
/** Waiting requests of a process; its threads get equal shares, as with connections. */
export const WAITING_MAX = 2_000;
/** Interval between looks for changes; also about how long a change waits so that others are reported with it. */
const LOOK_MS = 250;
const WOKEN_PER_TURN = 20;

export interface LongPoll {
  readonly feed: ChangeFeed;
  readonly question: FeedQuestion;
  readonly credentialId: string;
  readonly waitMs: number;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

interface Waiting {
  readonly feed: ChangeFeed;
  readonly untilMs: number;
  readonly version: number;
  readonly wake: () => void;
}

/** The long polls of one thread. `uptimeMs` is monotonic. */
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

  /** Requests that wait now. */
  get count(): number {
    return this.#count;
  }

  /** The answer of the feed, delayed while there are no changes; `full`: too many requests wait already. */
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

  /** Ends all waiting, and later requests do not wait. */
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
      // Continue after the changes already read.
      since = answer.next;
      await this.#untilNews(poll, version, untilMs);
    }
  }

  /** Resolves when the feed may have changes, or at `untilMs`. */
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
