/**
 * Requests that wait until there is a change to report: limited in number, and ended without changes when the process
 * stops. None holds a database connection. One timer checks them for changes, a few at a time and each at most once per
 * `LOOK_MS`, so that a thousand answers do not delay other work.
 */
import type { Clock } from '../../runtime/clock.ts';
import type { ChangeFeed, FeedAnswer, FeedQuestion } from './change-feed.ts';

/** Waiting requests of one credential in a process. */
export const WAITING_PER_CREDENTIAL_MAX = 20;
/** Waiting requests of a process; its threads get equal shares, as with connections. */
export const WAITING_MAX = 2_000;
/** From one look for a request to the next, and so what a change waits at most for others to be told with it. */
const LOOK_MS = 500;
const TICK_MS = 10;
/** After a pause of the event loop, requests due meanwhile are not all woken at once. */
const LATE_MS_MAX = 50;
/** Age of a shared answer that these requests accept. */
const MAY_BE_OLD_MS = 200;

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
  lookAtMs: number;
}

/** The long polls of one thread. `uptimeMs` is monotonic. */
export class LongPolls {
  readonly #uptimeMs: Clock;
  readonly #workerCount: number;
  /** In the order of their next checks. */
  readonly #waiting = new Set<Waiting>();
  readonly #countByCredential = new Map<string, number>();
  #count = 0;
  #isEnded = false;
  #timer: NodeJS.Timeout | undefined;
  #lookedAtMs = 0;

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
      const answer = await feed.ask({ ...question, since, mayBeOldMs: MAY_BE_OLD_MS });
      if (answer.refused !== undefined || answer.changes.length > 0 || answer.hasMore) return answer;
      if (this.#isEnded || signal.aborted || isOver(untilMs, this.#uptimeMs())) return answer;
      // Continue after the changes already read.
      since = answer.next;
      await this.#untilNews(poll, answer.version, untilMs);
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
      const entry: Waiting = { feed, version, untilMs, wake, lookAtMs: this.#uptimeMs() + LOOK_MS };
      this.#waiting.add(entry);
      signal.addEventListener('abort', wake, { once: true });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#waiting.size > 0) this.#timer ??= setTimeout(() => this.#look(), TICK_MS);
  }

  #look(): void {
    const nowMs = this.#uptimeMs();
    const sinceMs = Math.min(Math.max(nowMs - this.#lookedAtMs, TICK_MS), LATE_MS_MAX);
    this.#lookedAtMs = nowMs;
    // Enough for every request to have its turn within LOOK_MS, even if all arrived at once.
    let left = Math.ceil((this.#waiting.size * sinceMs) / LOOK_MS);
    for (const entry of this.#waiting) {
      if (left === 0 || entry.lookAtMs > nowMs) break;
      left -= 1;
      if (isOver(entry.untilMs, nowMs) || entry.feed.version() !== entry.version) entry.wake();
      else this.#lookLater(entry, nowMs + LOOK_MS);
    }
    this.#timer = undefined;
    this.#schedule();
  }

  #lookLater(entry: Waiting, lookAtMs: number): void {
    entry.lookAtMs = lookAtMs;
    this.#waiting.delete(entry);
    this.#waiting.add(entry);
  }
}

/** Better a little early than a whole interval late. */
function isOver(untilMs: number, nowMs: number): boolean {
  return untilMs <= nowMs + LOOK_MS / 2;
}
