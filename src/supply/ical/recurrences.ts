/** The starts of a repeating event: its first one, those of its rules and lists, without the excluded ones. */
import ICAL from 'ical.js';
import { Wrong } from '../../domain/wrong.ts';
import { DAY_MS, type EpochDay } from '../../domain/local-date.ts';
import {
  type CalendarPoint,
  type CalendarPoints,
  type SeriesPoint,
  pointLike,
  wallDay,
} from './calendar-points.ts';
import { CalendarProblem } from './calendar-text.ts';
import { expandRule } from './expand-rule.ts';
import { readRecurrenceRule } from './recurrence-rule.ts';

/** Days and times that are looked at for one rule: 270 years that are counted, or 1,000 times a day for 100 days. */
export const STEPS_MAX = 100_000;
/** For all rules of a calendar together: a second or so. */
export const CALENDAR_STEPS_MAX = 5_000_000;

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
  /** DTSTART */
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
  const excluded = new NamedOccurrences(first, rules.points);
  for (const { start } of listed(event, 'exdate', rules.points)) excluded.add(start);
  for (const occurrence of merged(series, rules)) {
    if (!excluded.has(occurrence.start)) yield occurrence;
  }
}

export function repeats(event: ICAL.Component): boolean {
  return event.hasProperty('rrule') || event.hasProperty('rdate');
}

/** Occurrences of a series that EXDATE or RECURRENCE-ID names. */
export class NamedOccurrences {
  readonly #first: CalendarPoint;
  readonly #points: CalendarPoints;
  readonly #values: Record<SeriesPoint['unit'], Set<number>> = { day: new Set(), instant: new Set() };

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
    yield* ruleStarts(property.getFirstValue(), first, rules);
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
  text: unknown,
  first: CalendarPoint,
  { points, from, until, budget }: StartRules,
): Generator<Occurrence, void> {
  const rule = readRecurrenceRule(String(text));
  const end = rule.until === undefined ? undefined : points.read(timeOf(rule.until), undefined);
  const last = end === undefined ? undefined : points.lastPlace(first, end);
  // Two days more than any zone can shift the end: what is left is compared exactly.
  const stop = Math.min(until, end === undefined ? until : wallDay(end) + 3);
  const firstStart = { day: wallDay(first), second: secondOf(first) };
  for (const wallMs of expandRule(rule, firstStart, { from, until: stop, spend: stepCounter(budget) })) {
    const start = pointLike(first, wallMs);
    if (wallDay(start) < from) continue;
    if (last !== undefined && points.positionOf(start, last.unit) > last.value) return;
    yield { start };
  }
}

function timeOf(written: string): ICAL.Time {
  const [, year, month, day, time] = /^(\d{4})(\d{2})(\d{2})(?:T(.*))?$/.exec(written) ?? [];
  const date = `${year}-${month}-${day}`;
  if (time === undefined) return ICAL.Time.fromDateString(date);
  return ICAL.Time.fromDateTimeString(`${date}T${time.replace(/^(..)(..)(..)/, '$1:$2:$3')}`);
}

function secondOf(first: CalendarPoint): number | undefined {
  if (first.kind === 'date') return undefined;
  return Math.floor((first.wallMs - wallDay(first) * DAY_MS) / 1_000);
}

function stepCounter(budget: StepBudget): (steps: number) => void {
  let left = STEPS_MAX;
  return (steps) => {
    left -= steps;
    budget.left -= steps;
    if (left < 0 || budget.left < 0) throw new CalendarProblem(new Wrong('repeatsUncounted'));
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
    if (!(time instanceof ICAL.Time)) throw new CalendarProblem(new Wrong('lineUnreadable', { name }));
    return points.read(time, tzidOf(property));
  };
  if (!(value instanceof ICAL.Period)) return { start: read(value) };
  const [start, end] = [read(value.start), read(value.getEnd())];
  if (points.isBefore(end, start)) throw new CalendarProblem(new Wrong('periodTurned', { name }));
  return { start, end };
}

export function tzidOf(property: ICAL.Property | null): string | undefined {
  const tzid: unknown = property?.getParameter('tzid');
  return typeof tzid === 'string' ? tzid : undefined;
}
