/**
 * What is worked out from everything there is, and too costly for each page: made on the first question, kept, made again
 * when it is outdated, and dropped when nobody asks any more.
 */
import { utcDay } from '../domain/local-date.ts';
import type { Clock } from '../runtime/clock.ts';
import type { AskedDays } from './paths.ts';

export interface Kept<T> {
  get(): Promise<T>;
}

/** Making it again takes at most one part in so many of the time. */
const PAUSE_FACTOR = 20;
/** A page waits for it again where it took no longer than this; otherwise it shows the one before. */
const AWAITED_MS_MAX = 30;
const IDLE_MS = 600_000;

interface Made<T> {
  readonly value: T;
  readonly tookMs: number;
  readonly atMs: number;
}

interface KeptParts<T> {
  readonly make: () => Promise<T>;
  readonly isOutdated: (ageMs: number) => boolean;
  /** Another one in tests. */
  readonly monotonicMs?: () => number;
}

/** `make` gives way to others while it works. What it rejects with reaches those who wait for it. */
export function createKept<T>({
  make,
  isOutdated,
  monotonicMs = () => performance.now(),
}: KeptParts<T>): Kept<T> {
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
      // The one who waits for it next learns why it failed.
      next.catch(() => undefined);
      return value;
    },
  };
}

// What pages read of many days: days that have ended are kept, because only rows that are written late change them; the
// others are read for each page.

type Rows = readonly object[];

export type KeptDays = ReturnType<typeof createKeptDays>;

/** Threads write what they counted every few seconds; a day counts as ended so long after its midnight. */
const ENDED_MS = 3_600_000;
/** A row that is written later still is seen on the second page after so long. */
const DAYS_KEPT_MS = 600_000;
/** Questions; the one that was asked longest ago goes. */
export const KEPT_QUESTIONS_MAX = 16;

export function createKeptDays(clock: Clock, monotonicMs?: () => number) {
  const questions = new Map<string, Kept<Rows>>();

  function keep(question: string, make: () => Promise<Rows>): Kept<Rows> {
    const isOutdated = (ageMs: number): boolean => ageMs >= DAYS_KEPT_MS;
    const kept =
      questions.get(question) ?? createKept({ make, isOutdated, ...(monotonicMs && { monotonicMs }) });
    questions.delete(question);
    questions.set(question, kept);
    if (questions.size > KEPT_QUESTIONS_MAX) questions.delete(questions.keys().next().value!);
    return kept;
  }

  return {
    /** All rows of these days. `what` names the question: everything but its days that makes its rows what they are. */
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
