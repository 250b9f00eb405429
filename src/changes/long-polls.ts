/**
 * Requests that wait until there is something to tell: bounded in number, and ended with nothing to tell when the
 * process stops. None holds a connection of the database. One timer looks whether there is something new for them, a few
 * at a time and for each of them not more often than `LOOK_MS`: so that a thousand answers do not keep others waiting.
 */
import type { Clock } from '../runtime/clock.ts';
import type { ChangeFeed, FeedAnswer, FeedQuestion } from './change-feed.ts';

/** Of one credential, in a process. */
export const WAITING_PER_CREDENTIAL_MAX = 20;
/** In a process; each of its threads takes an equal share, as of connections. */
export const WAITING_MAX = 2_000;
/** From one look for a request to the next, and so what a change waits at most for others to be told with it. */
const LOOK_MS = 500;
const TICK_MS = 10;
/** After a pause of the event loop, those that were due in it do not all come at once. */
const LATE_MS_MAX = 50;
/** They may be told what all others were told so long ago. */
const MAY_BE_OLD_MS = 200;

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
  lookAtMs: number;
}

/** Of one thread. `uptimeMs` only ever grows. */
export class LongPolls {
  readonly #uptimeMs: Clock;
  readonly #workerCount: number;
  /** In the order of their looks. */
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
      const answer = await feed.ask({ ...question, since, mayBeOldMs: MAY_BE_OLD_MS });
      if (answer.refused !== undefined || answer.changes.length > 0 || answer.hasMore) return answer;
      if (this.#isEnded || signal.aborted || isOver(untilMs, this.#uptimeMs())) return answer;
      // What was looked at is not looked at again.
      since = answer.next;
      await this.#untilNews(poll, answer.version, untilMs);
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
    // So many that it is everybody's turn within LOOK_MS, also when all have come at once.
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

/** Rather a little early than a whole look late. */
function isOver(untilMs: number, nowMs: number): boolean {
  return untilMs <= nowMs + LOOK_MS / 2;
}
