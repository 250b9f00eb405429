/**
 * The nights of a series: its occurrences, without those that other events replace. An event with RECURRENCE-ID
 * replaces one occurrence; with RANGE=THISANDFUTURE it also moves all later ones by as many days (RFC 5545 3.8.4.4).
 */
import ICAL from 'ical.js';
import { Wrong } from '../../domain/wrong.ts';
import type { EpochDay } from '../../domain/local-date.ts';
import {
  type CalendarPoint,
  type CalendarPoints,
  onDay,
  type SeriesPoint,
  wallDay,
} from './calendar-points.ts';
import { CalendarProblem } from './calendar-text.ts';
import {
  closesNothing,
  type EventTimes,
  type Nights,
  nightsBetween,
  readTimes,
  uidOf,
  valueOf,
} from './event-nights.ts';
import {
  occurrencesOf,
  type Occurrence,
  NamedOccurrences,
  repeats,
  type StepBudget,
  tzidOf,
} from './recurrences.ts';

export const OCCURRENCES_MAX = 1_000;

/** An event that changes a series. */
export interface SeriesChange {
  readonly uid: string;
  readonly id: CalendarPoint;
  readonly isRange: boolean;
  readonly event: ICAL.Component;
}

export interface SeriesRules {
  readonly points: CalendarPoints;
  readonly from: EpochDay;
  readonly until: EpochDay;
  /** By UID. */
  readonly changes: ReadonlyMap<string, readonly SeriesChange[]>;
  readonly budget: StepBudget;
}

/** How a change moves the occurrences after the one that it names. */
interface Move {
  readonly place: SeriesPoint;
  /** The date of the occurrence that the change names. */
  readonly day: EpochDay;
  /** From this date to the one it moves to. */
  readonly days: number;
  readonly times: EventTimes;
  readonly isGone: boolean;
}

export function isSeries(event: ICAL.Component): boolean {
  return repeats(event) && !event.hasProperty('recurrence-id');
}

/** Undefined for an event that changes no other. `series` are the UIDs of all series. */
export function changeOf(
  event: ICAL.Component,
  series: ReadonlySet<string>,
  points: CalendarPoints,
): SeriesChange | undefined {
  const property = event.getFirstProperty('recurrence-id');
  if (property === null) return undefined;
  const time = valueOf(event, 'recurrence-id');
  if (!(time instanceof ICAL.Time))
    throw new CalendarProblem(new Wrong('lineUnreadable', { name: 'RECURRENCE-ID' }));
  const range: unknown = property.getParameter('range');
  const isRange = typeof range === 'string' && range.toUpperCase() === 'THISANDFUTURE';
  if (range !== undefined && !isRange) {
    throw new CalendarProblem(new Wrong('rangeUnread'));
  }
  if (repeats(event)) throw new CalendarProblem(new Wrong(isRange ? 'restRepeats' : 'dateRepeats'));
  if (isRange && !series.has(uidOf(event))) throw new CalendarProblem(new Wrong('noSeries'));
  return { uid: uidOf(event), id: points.read(time, tzidOf(property)), isRange, event };
}

/** In any order; nights outside of `from` to `until` may be missing. */
export function nightsOfSeries(event: ICAL.Component, rules: SeriesRules): Nights[] {
  const { points } = rules;
  const times = readTimes(event, points);
  const changes = rules.changes.get(uidOf(event)) ?? [];
  const replaced = new NamedOccurrences(times.start, points);
  for (const { id } of changes) replaced.add(id);
  const moves = changes
    .filter(({ isRange }) => isRange)
    .map((change) => readMove(change, times.start, points))
    .sort((one, other) => one.day - other.day);
  const nights: Nights[] = [];
  for (const occurrence of occurrencesOf(
    { event, first: times.start },
    {
      ...rules,
      ...reachOf(rules, times, moves),
    },
  )) {
    const found = replaced.has(occurrence.start) ? undefined : nightsOf(occurrence, times, moves, points);
    if (found === undefined || found.until <= rules.from || found.from >= rules.until) continue;
    nights.push(found);
    if (nights.length > OCCURRENCES_MAX) {
      throw new CalendarProblem(new Wrong('repeatsMany', { max: OCCURRENCES_MAX }));
    }
  }
  return nights;
}

function nightsOf(
  { start, end }: Occurrence,
  times: EventTimes,
  moves: readonly Move[],
  points: CalendarPoints,
): Nights | undefined {
  const move = lastMoveBefore(start, moves, points);
  if (move === undefined) return nightsBetween(start, end ?? times.endOf(start), points);
  if (move.isGone) return undefined;
  const moved = onDay(move.times.start, wallDay(start) + move.days);
  return nightsBetween(moved, move.times.endOf(moved), points);
}

function lastMoveBefore(
  start: CalendarPoint,
  moves: readonly Move[],
  points: CalendarPoints,
): Move | undefined {
  return moves.findLast(({ place }) => points.positionOf(start, place.unit) > place.value);
}

function readMove({ id, event }: SeriesChange, first: CalendarPoint, points: CalendarPoints): Move {
  const times = readTimes(event, points);
  const day = wallDay(points.inFormOf(first, id));
  return {
    place: points.placeIn(first, id),
    day,
    days: wallDay(times.start) - day,
    times,
    isGone: closesNothing(event),
  };
}

/** Starts outside of these dates close no night from `from` to `until`, wherever they are moved and in any zone. */
function reachOf(
  { from, until }: SeriesRules,
  times: EventTimes,
  moves: readonly Move[],
): { from: EpochDay; until: EpochDay } {
  const lengthOf = ({ start, endOf }: EventTimes): number => wallDay(endOf(start)) - wallDay(start);
  const lengths = [lengthOf(times), ...moves.map((move) => lengthOf(move.times) + move.days)];
  return {
    from: from - Math.max(...lengths) - 2,
    until: until - Math.min(0, ...moves.map(({ days }) => days)) + 2,
  };
}
