/**
 * The occurrences of a repeating event, with a bound that the library lacks. A rule that never matches (30 February
 * every day) or matches every second makes its iterator run for ever.
 */
import ICAL from 'ical.js';
import type { EpochDay } from '../../domain/local-date.ts';
import { CalendarProblem } from './calendar-text.ts';

export const OCCURRENCES_MAX = 1_000;
/** Steps of one rule, including those without an occurrence: 50 years of a daily rule. */
const STEPS_MAX = 20_000;
/** Steps of all rules of a calendar together. */
export const CALENDAR_STEPS_MAX = 200_000;
const MATCH = 'check_contracting_rules';

/** Steps left for one calendar. */
export interface StepBudget {
  left: number;
}

/**
 * The occurrences, up to those that start on `until` or later. Only occurrences that are `isWanted` count against
 * OCCURRENCES_MAX: those of past years do not.
 */
export function* occurrencesOf(
  event: ICAL.Component,
  start: ICAL.Time,
  { until, isWanted, budget }: RecurrenceOptions,
): Generator<Occurrence, void> {
  let count = 0;
  const excluded = new Set(timesOf(event, 'exdate').flatMap(({ time }) => keysOf(time)));
  for (const occurrence of merged(event, start, until, budget)) {
    const { time } = occurrence;
    if (keysOf(time).some((key) => excluded.has(key)) || !isWanted(occurrence)) continue;
    count += 1;
    if (count > OCCURRENCES_MAX) {
      throw new CalendarProblem(`an event repeats more than ${OCCURRENCES_MAX} times within the horizon`);
    }
    yield occurrence;
  }
}

export interface Occurrence {
  /** Start of the occurrence. */
  readonly time: ICAL.Time;
  /** End of an occurrence with its own length (`RDATE;VALUE=PERIOD`). */
  readonly end?: ICAL.Time;
}

export interface RecurrenceOptions {
  readonly until: EpochDay;
  readonly isWanted: (occurrence: Occurrence) => boolean;
  readonly budget: StepBudget;
}

export function repeats(event: ICAL.Component): boolean {
  return event.hasProperty('rrule') || event.hasProperty('rdate');
}

/** Spellings by which an EXDATE or a RECURRENCE-ID may name it: with its time, or by date alone. */
export function keysOf(time: ICAL.Time): readonly string[] {
  return [time.toString(), dateKeyOf(time)];
}

function dateKeyOf(time: ICAL.Time): string {
  return time.isDate ? time.toString() : `${time.toString().slice(0, 10)} by date`;
}

function* merged(
  event: ICAL.Component,
  start: ICAL.Time,
  until: EpochDay,
  budget: StepBudget,
): Generator<Occurrence, void> {
  const rules = event.getAllProperties('rrule');
  if (rules.length === 0) yield { time: start };
  for (const property of rules) yield* ruleTimes(property.getFirstValue(), start, until, budget);
  yield* timesOf(event, 'rdate');
}

function* ruleTimes(
  rule: unknown,
  start: ICAL.Time,
  until: EpochDay,
  budget: StepBudget,
): Generator<Occurrence, void> {
  if (!(rule instanceof ICAL.Recur)) throw new CalendarProblem('an event has a RRULE that cannot be read');
  if (['SECONDLY', 'MINUTELY', 'HOURLY'].includes(rule.freq)) {
    throw new CalendarProblem(
      `an event repeats ${rule.freq.toLowerCase()}, and only daily or rarer rules are read`,
    );
  }
  const steps = stepCounter(budget);
  const iterator = makeIterator(rule, start, steps);
  for (;;) {
    steps();
    const time = iterator.next();
    if (time === null || time === undefined || dayOf(time) >= until) return;
    // The iterator keeps changing the object that it returns.
    yield { time: time.clone() };
  }
}

function makeIterator(rule: ICAL.Recur, dtstart: ICAL.Time, steps: () => void): ICAL.RecurIterator {
  class BoundedIterator extends ICAL.RecurIterator {
    // The library calls this on every step of its inner loop, which has no other bound.
    override [MATCH](): boolean {
      steps();
      return super[MATCH]();
    }
  }
  return new BoundedIterator({ rule, dtstart });
}

function stepCounter(budget: StepBudget): () => void {
  let left = STEPS_MAX;
  return () => {
    left -= 1;
    budget.left -= 1;
    if (left < 0 || budget.left < 0) throw new CalendarProblem('its events repeat too often to be counted');
  };
}

function timesOf(event: ICAL.Component, name: 'rdate' | 'exdate'): Occurrence[] {
  return event
    .getAllProperties(name)
    .flatMap((property) => property.getValues())
    .map((value) => {
      const time = value instanceof ICAL.Period ? value.start : value;
      if (!(time instanceof ICAL.Time)) {
        throw new CalendarProblem(`an event has a ${name.toUpperCase()} that cannot be read`);
      }
      return value instanceof ICAL.Period ? { time, end: value.getEnd() } : { time };
    });
}

function dayOf(time: ICAL.Time): EpochDay {
  return Math.floor(time.toUnixTime() / 86_400);
}
