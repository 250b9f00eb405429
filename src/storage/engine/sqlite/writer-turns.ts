/**
 * Whose turn it is in front of the writer thread. What shares a commit, and other work take turns, so that neither an
 * import nor a storm of quotes keeps the other out.
 */
import { StorageUnavailable } from '../errors.ts';

/** Imports and commands wait for each of theirs; only a blocked disk lets so many gather. */
export const JOBS_WAITING_MAX = 1_000;

export interface Turns {
  /** Runs the job when it is its turn. */
  add<T>(job: () => Promise<T>): Promise<T>;
  /**
   * Starts the next turn, unless one is under way, when this turn of the event loop is over: what else it brings goes
   * along, because waking the writer thread costs more than writing a quote.
   */
  readonly nextSoon: () => void;
  /** Resolves when nothing is under way and nothing waits. */
  idle(): Promise<void>;
}

/** One at a time: a job, then a commit of quotes where some wait, then a job again. */
export function createTurns(hasNoQuotes: () => boolean, commitQuotes: () => Promise<void>): Turns {
  const jobs: (() => Promise<void>)[] = [];
  let isBusy = false;
  let isNextDue = false;
  let wereQuotesLast = false;
  let onIdle: (() => void) | undefined;

  function takeTurn(): (() => Promise<void>) | undefined {
    const isQuotesTurn = !hasNoQuotes() && !(wereQuotesLast && jobs.length > 0);
    wereQuotesLast = isQuotesTurn;
    return isQuotesTurn ? commitQuotes : jobs.shift();
  }

  function next(): void {
    if (isBusy) return;
    const turn = takeTurn();
    if (turn === undefined) {
      onIdle?.();
      return;
    }
    isBusy = true;
    void turn().finally(() => {
      isBusy = false;
      next();
    });
  }

  return {
    add(job) {
      if (jobs.length >= JOBS_WAITING_MAX) {
        return Promise.reject(new StorageUnavailable('too many writes wait for the disk'));
      }
      return new Promise((resolve, reject) => {
        jobs.push(() => job().then(resolve, reject));
        next();
      });
    },
    nextSoon() {
      if (isBusy || isNextDue) return;
      isNextDue = true;
      setImmediate(() => {
        isNextDue = false;
        next();
      });
    },
    idle: () =>
      new Promise((resolve) => {
        onIdle = resolve;
        next();
      }),
  };
}
