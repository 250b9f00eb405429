/**
 * What pages read of many days: days that have ended are kept, because only rows that are written late change them; the
 * others are read for each page.
 */
import { utcDay } from '../domain/local-date.ts';
import type { Clock } from '../runtime/clock.ts';
import type { AskedDays } from './asked-days.ts';
import { createKept, type Kept } from './kept.ts';

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
