/**
 * The starts of a repeating event, with a bound that the library lacks. A rule that never matches (30 February every
 * day) or matches every second makes its iterator run for ever.
 */
import ICAL from 'ical.js';
import type { EpochDay } from '../../domain/local-date.ts';
import {
  type CalendarPoint,
  type CalendarPoints,
  type Place,
  pointLike,
  wallDay,
} from './calendar-points.ts';
import { CalendarProblem } from './calendar-text.ts';

/** Steps of one rule, including those without an occurrence: 50 years of a daily rule. */
const STEPS_MAX = 20_000;
/** Steps of all rules of a calendar together. */
export const CALENDAR_STEPS_MAX = 200_000;
const MATCH = 'check_contracting_rules';

/** Steps left for one calendar. */
export interface StepBudget {
  left: number;
}

export interface Occurrence {
  readonly start: CalendarPoint;
  /** End of an occurrence with its own length (`RDATE;VALUE=PERIOD`). */
  readonly end?: CalendarPoint;
}

export interface Series {
  readonly event: ICAL.Component;
  /** DTSTART, as the library has it and as a point. */
  readonly dtstart: ICAL.Time;
  readonly first: CalendarPoint;
}

export interface StartRules {
  readonly points: CalendarPoints;
  /** Starts dated before `from` or from `until` on may be left out. */
  readonly from: EpochDay;
  readonly until: EpochDay;
  readonly budget: StepBudget;
}

/** Without the excluded ones; a start may come twice. DTSTART is one, also where its rule leaves it out or ends. */
export function* occurrencesOf(series: Series, rules: StartRules): Generator<Occurrence, void> {
  const { event, first } = series;
  const excluded = new Places(first, rules.points);
  for (const { start } of listed(event, 'exdate', rules.points)) excluded.add(start);
  for (const occurrence of merged(series, rules)) {
    if (!excluded.has(occurrence.start)) yield occurrence;
  }
}

export function repeats(event: ICAL.Component): boolean {
  return event.hasProperty('rrule') || event.hasProperty('rdate');
}

/** Occurrences of a series that EXDATE or RECURRENCE-ID names. */
export class Places {
  readonly #first: CalendarPoint;
  readonly #points: CalendarPoints;
  readonly #values: Record<Place['unit'], Set<number>> = { day: new Set(), instant: new Set() };

  constructor(first: CalendarPoint, points: CalendarPoints) {
    this.#first = first;
    this.#points = points;
  }

  add(point: CalendarPoint): void {
    const { unit, value } = this.#points.placeIn(this.#first, point);
    this.#values[unit].add(value);
  }

  has(start: CalendarPoint): boolean {
    return (['day', 'instant'] as const).some(
      (unit) => this.#values[unit].size > 0 && this.#values[unit].has(this.#points.positionOf(start, unit)),
    );
  }
}

function* merged(series: Series, rules: StartRules): Generator<Occurrence, void> {
  const { event, first } = series;
  yield { start: first };
  for (const property of event.getAllProperties('rrule')) {
    yield* ruleStarts(property.getFirstValue(), series, rules);
  }
  for (const { start, end } of listed(event, 'rdate', rules.points)) {
    yield end === undefined ? { start: asStart(first, start, rules.points) } : { start, end };
  }
}

/** A date in a series of times has its time of day; a time in a series of dates is a date. */
function asStart(first: CalendarPoint, point: CalendarPoint, points: CalendarPoints): CalendarPoint {
  return (first.kind === 'date') === (point.kind === 'date') ? point : points.inFormOf(first, point);
}

function* ruleStarts(
  rule: unknown,
  { dtstart, first }: Series,
  { points, from, until, budget }: StartRules,
): Generator<Occurrence, void> {
  if (!(rule instanceof ICAL.Recur)) throw new CalendarProblem('an event has a RRULE that cannot be read');
  if (['SECONDLY', 'MINUTELY', 'HOURLY'].includes(rule.freq)) {
    throw new CalendarProblem(
      `an event repeats ${rule.freq.toLowerCase()}, and only daily or rarer rules are read`,
    );
  }
  const end = rule.until === null ? undefined : points.read(rule.until, undefined);
  const last = end === undefined ? undefined : points.lastPlace(first, end);
  // Two days more than any zone can shift the end: what is left is compared exactly.
  const stop = Math.min(until, end === undefined ? until : wallDay(end) + 3);
  const steps = stepCounter(budget);
  const iterator = makeIterator(withoutEnd(rule), dtstart, steps);
  for (;;) {
    steps();
    const time = iterator.next();
    if (time === null || time === undefined) return;
    const start = pointLike(first, time);
    if (wallDay(start) >= stop) return;
    if (wallDay(start) < from) continue;
    if (last !== undefined && points.positionOf(start, last.unit) > last.value) return;
    yield { start };
  }
}

/** The library compares the end of a rule without its zone. */
function withoutEnd(rule: ICAL.Recur): ICAL.Recur {
  const endless = rule.clone();
  endless.until = null;
  return endless;
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

function listed(event: ICAL.Component, name: 'rdate' | 'exdate', points: CalendarPoints): Occurrence[] {
  return event
    .getAllProperties(name)
    .flatMap((property) => property.getValues().map((value) => readListed(value, property, points)));
}

/** A point or a period of a list. */
export function readListed(value: unknown, property: ICAL.Property, points: CalendarPoints): Occurrence {
  const name = property.name.toUpperCase();
  const read = (time: unknown): CalendarPoint => {
    if (!(time instanceof ICAL.Time)) throw new CalendarProblem(`its ${name} cannot be read`);
    return points.read(time, tzidOf(property));
  };
  if (!(value instanceof ICAL.Period)) return { start: read(value) };
  const [start, end] = [read(value.start), read(value.getEnd())];
  if (points.isBefore(end, start)) throw new CalendarProblem(`a period of its ${name} ends before it starts`);
  return { start, end };
}

export function tzidOf(property: ICAL.Property | null): string | undefined {
  const tzid: unknown = property?.getParameter('tzid');
  return typeof tzid === 'string' ? tzid : undefined;
}
