/**
 * Caches a value that is computed from the whole database and too costly for each page: made on first use, kept, made
 * again when outdated, and dropped when it is no longer used.
 */
import { utcDay } from '../../domain/local-date.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { AskedDays } from './paths.ts';

export interface Cache<T> {
  get(): Promise<T>;
}

/** Recomputing takes at most one part in this many of the time. */
const PAUSE_FACTOR = 20;
/** A page waits for a new value if computing took no longer than this; otherwise it shows the previous one. */
const AWAITED_MS_MAX = 30;
const IDLE_MS = 600_000;

interface Made<T> {
  readonly value: T;
  readonly tookMs: number;
  readonly atMs: number;
}

interface CacheParts<T> {
  readonly make: () => Promise<T>;
  readonly isOutdated: (ageMs: number) => boolean;
  /** Tests replace it. */
  readonly monotonicMs?: () => number;
}

/** `make` yields to other work. Its rejection reaches the callers that wait for it. */
export function createCache<T>({
  make,
  isOutdated,
  monotonicMs = () => performance.now(),
}: CacheParts<T>): Cache<T> {
  let made: Made<T> | undefined;
  let making: Promise<Made<T>> | undefined;
  let idle: NodeJS.Timeout | undefined;

  async function remake(): Promise<Made<T>> {
    const startMs = monotonicMs();
    try {
      const value = await make();
      const atMs = monotonicMs();
      return (made = { value, tookMs: atMs - startMs, atMs });
    } finally {
      making = undefined;
    }
  }

  return {
    async get() {
      clearTimeout(idle);
      idle = setTimeout(() => (made = undefined), IDLE_MS).unref();
      if (made === undefined) return (await (making ??= remake())).value;
      const { value, tookMs, atMs } = made;
      const ageMs = monotonicMs() - atMs;
      if (ageMs < PAUSE_FACTOR * tookMs || !isOutdated(ageMs)) return value;
      const next = (making ??= remake());
      if (tookMs <= AWAITED_MS_MAX) return (await next).value;
      // The next caller that waits learns why it failed.
      next.catch(() => undefined);
      return value;
    },
  };
}

// Caches pages' reads over many days. Past days are kept, because only late writes change them; the other days are read
// for each page.

type Rows = readonly object[];

export type DayCache = ReturnType<typeof createDayCache>;

/** Threads write their counts every few seconds; a day counts as past this long after its midnight. */
const ENDED_MS = 3_600_000;
/** A row written even later appears on the second page after this time. */
const DAYS_CACHED_MS = 600_000;
/** Cached questions; the least recently used is dropped. */
export const CACHED_QUESTIONS_MAX = 16;

export function createDayCache(clock: Clock, monotonicMs?: () => number) {
  const questions = new Map<string, Cache<Rows>>();

  function keep(question: string, make: () => Promise<Rows>): Cache<Rows> {
    const isOutdated = (ageMs: number): boolean => ageMs >= DAYS_CACHED_MS;
    const kept =
      questions.get(question) ?? createCache({ make, isOutdated, ...(monotonicMs && { monotonicMs }) });
    questions.delete(question);
    questions.set(question, kept);
    if (questions.size > CACHED_QUESTIONS_MAX) questions.delete(questions.keys().next().value!);
    return kept;
  }

  return {
    /** All rows of these days. `what` identifies the question: everything except its days that determines its rows. */
    async read<Row extends object>(
      what: string,
      { from, to }: AskedDays,
      read: (days: AskedDays) => Promise<readonly Row[]>,
    ): Promise<readonly Row[]> {
      const lastEnded = Math.min(to, utcDay(clock() - ENDED_MS) - 1);
      const ended = { from, to: lastEnded };
      const kept =
        lastEnded < from ? [] : await keep(`${what} ${from} ${lastEnded}`, () => read(ended)).get();
      const first = Math.max(from, lastEnded + 1);
      const others = first > to ? [] : await read({ from: first, to });
      return [...(kept as readonly Row[]), ...others];
    },
  };
}
