/**
 * Requests that wait until there is something to tell: bounded in number, woken by one timer for all, a few in each turn
 * of the event loop, and ended with nothing to tell when the process stops. None holds a connection of the database.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../runtime/clock.ts';
import type { ChangeFeed, FeedAnswer, FeedQuestion } from './change-feed.ts';

/** Of one credential, in each thread that serves. */
export const WAITING_PER_CREDENTIAL_MAX = 20;
/** In each thread that serves. */
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

export interface LongPolls {
  /** The answer of the feed, held back while it has nothing to tell; `full`: too many wait already. */
  readonly ask: (poll: LongPoll) => Promise<FeedAnswer | 'full'>;
  readonly waitingCount: () => number;
  /** Nobody waits from now on. */
  readonly end: () => void;
}

/** `uptimeMs` only ever grows. */
export function createLongPolls(uptimeMs: Clock): LongPolls {
  const waiting = new Set<Waiting>();
  const countByCredential = new Map<string, number>();
  let count = 0;
  let isEnded = false;
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    timer = undefined;
    void wakeAll().finally(schedule);
  }

  function schedule(): void {
    if (waiting.size > 0) timer ??= setTimeout(look, LOOK_MS);
  }

  async function wakeAll(): Promise<void> {
    const nowMs = uptimeMs();
    let woken = 0;
    for (const one of [...waiting]) {
      if (one.untilMs > nowMs && one.feed.version() === one.version) continue;
      one.wake();
      woken += 1;
      if (woken % WOKEN_PER_TURN === 0) await nextTurn();
    }
  }

  /** Resolves when the feed may have something new, or it is time. */
  function untilNews({ feed, signal }: LongPoll, version: number, untilMs: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        waiting.delete(entry);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      const entry = { feed, version, untilMs, wake };
      waiting.add(entry);
      signal.addEventListener('abort', wake, { once: true });
      schedule();
    });
  }

  async function wait(poll: LongPoll): Promise<FeedAnswer> {
    const { feed, signal, waitMs } = poll;
    const untilMs = uptimeMs() + waitMs;
    let { question } = poll;
    for (;;) {
      const version = feed.version();
      const answer = await feed.ask(question);
      if (answer.refused !== undefined || answer.changes.length > 0 || answer.hasMore) return answer;
      if (isEnded || signal.aborted || uptimeMs() >= untilMs) return answer;
      // What was looked at is not looked at again.
      question = { ...question, since: answer.next };
      await untilNews(poll, version, untilMs);
    }
  }

  return {
    async ask(poll) {
      const { credentialId, feed, question, waitMs } = poll;
      if (waitMs === 0 || isEnded) return feed.ask(question);
      const own = countByCredential.get(credentialId) ?? 0;
      if (count >= WAITING_MAX || own >= WAITING_PER_CREDENTIAL_MAX) return 'full';
      count += 1;
      countByCredential.set(credentialId, own + 1);
      try {
        return await wait(poll);
      } finally {
        count -= 1;
        const left = (countByCredential.get(credentialId) ?? 1) - 1;
        if (left === 0) countByCredential.delete(credentialId);
        else countByCredential.set(credentialId, left);
      }
    },
    waitingCount: () => count,
    end() {
      isEnded = true;
      clearTimeout(timer);
      for (const { wake } of waiting) wake();
    },
  };
}
