/**
 * The starts that a recurrence rule gives (RFC 5545 3.3.10), on the clock of its event. Every part of a rule says which
 * days of a period belong to it, so the days of each period are looked at one by one: there is one way through, and
 * its cost is a number of days.
 */
import { DAY_MS, daysInMonth, type EpochDay, fromEpochDay, toEpochDay } from '../../domain/local-date.ts';
import { weekdayOf } from '../../domain/weekdays.ts';
import type { RecurrenceRule } from './recurrence-rule.ts';

const HOUR_SECONDS = 3_600;
const MINUTE_SECONDS = 60;
const DAY_SECONDS = DAY_MS / 1_000;

/** DTSTART. */
export interface FirstStart {
  readonly day: EpochDay;
  /** Seconds of the day; undefined for a date. */
  readonly second: number | undefined;
}

export interface RuleWindow {
  /** Starts dated before `from` may be left out; none is dated `until` or later. */
  readonly from: EpochDay;
  readonly until: EpochDay;
  /** Called with the number of days and times that are looked at next; throws to end the search. */
  readonly spend: (steps: number) => void;
}

/** Wall time in ms, ascending, none before `first`. The end of a rule (UNTIL) is left to the caller: it has a zone. */
export function* expandRule(
  rule: RecurrenceRule,
  first: FirstStart,
  { from, until, spend }: RuleWindow,
): Generator<number, void> {
  const filled = withDefaults(rule, first);
  const seconds = secondsOf(rule, first);
  const firstMs = msOf(first.day, first.second ?? 0);
  const begin = periodOf(rule, first.day);
  let left = rule.count ?? Number.POSITIVE_INFINITY;
  // Starts are counted from the first one on; without COUNT a rule can begin at the window.
  const skipped = rule.count === undefined ? periodOf(rule, Math.max(first.day, from)) - begin : 0;
  for (let period = begin + skipped - (skipped % rule.interval); ; period += rule.interval) {
    if (firstDayOf(rule, period) >= until) return;
    for (const startMs of startsIn(period, filled, seconds, spend)) {
      if (startMs < firstMs) continue;
      if (left <= 0 || startMs >= until * DAY_MS) return;
      left -= 1;
      yield startMs;
    }
  }
}

/** Parts that the first start stands for. */
function withDefaults(rule: RecurrenceRule, { day }: FirstStart): RecurrenceRule {
  const { frequency, monthDays, yearDays, weekNumbers, weekdays } = rule;
  if ([monthDays, yearDays, weekNumbers, weekdays].some((part) => part !== undefined)) return rule;
  const { month, dayOfMonth } = fromEpochDay(day);
  switch (frequency) {
    case 'YEARLY':
      return { ...rule, months: rule.months ?? new Set([month]), monthDays: new Set([dayOfMonth]) };
    case 'MONTHLY':
      return { ...rule, monthDays: new Set([dayOfMonth]) };
    case 'WEEKLY':
      return { ...rule, weekdays: new Map([[weekdayOf(day), new Set([0])]]) };
    case 'DAILY':
      return rule;
  }
}

/** Times of a day, ascending; a date has none, whatever its rule says. */
function secondsOf({ hours, minutes, seconds }: RecurrenceRule, { second }: FirstStart): readonly number[] {
  if (second === undefined) return [0];
  const ofHour = hours ?? [Math.floor(second / HOUR_SECONDS)];
  const ofMinute = minutes ?? [Math.floor(second / MINUTE_SECONDS) % 60];
  // A leap second would be the next day.
  const ofSecond = new Set([...(seconds ?? [second % MINUTE_SECONDS])].map((one) => Math.min(one, 59)));
  return [...ofHour]
    .flatMap((hour) => [...ofMinute].map((minute) => hour * HOUR_SECONDS + minute * MINUTE_SECONDS))
    .flatMap((minute) => [...ofSecond].map((one) => minute + one))
    .sort((one, other) => one - other);
}

/** All of a period, also what lies before the first start: BYSETPOS counts these too. */
function startsIn(
  period: number,
  rule: RecurrenceRule,
  seconds: readonly number[],
  spend: RuleWindow['spend'],
): readonly number[] {
  const starts: number[] = [];
  const end = firstDayOf(rule, period + 1);
  for (let day = firstDayOf(rule, period); day < end;) {
    const date = fromEpochDay(day);
    spend(1);
    if (rule.months !== undefined && !rule.months.has(date.month)) {
      day += daysInMonth(date.year, date.month) + 1 - date.dayOfMonth;
      continue;
    }
    if (isOfRule(rule, day, date)) {
      spend(seconds.length);
      for (const second of seconds) starts.push(msOf(day, second));
    }
    day += 1;
  }
  const { positions } = rule;
  if (positions === undefined) return starts;
  return starts.filter((_start, index) => isNamed(positions, index + 1, starts.length));
}

type LocalDate = ReturnType<typeof fromEpochDay>;

function isOfRule(rule: RecurrenceRule, day: EpochDay, { year, month, dayOfMonth }: LocalDate): boolean {
  const { monthDays, yearDays, weekNumbers } = rule;
  if (monthDays !== undefined && !isNamed(monthDays, dayOfMonth, daysInMonth(year, month))) return false;
  if (yearDays !== undefined) {
    const newYear = toEpochDay(year, 1, 1);
    if (!isNamed(yearDays, day - newYear + 1, toEpochDay(year + 1, 1, 1) - newYear)) return false;
  }
  if (weekNumbers !== undefined) {
    const [week, count] = weekOf(day, year, rule.weekStart);
    if (!isNamed(weekNumbers, week, count)) return false;
  }
  return isOnWeekday(rule, day, { year, month, dayOfMonth });
}

/** Whether a number, or one that counts from the end, names the item at `position` (from 1) of `count`. */
function isNamed(numbers: ReadonlySet<number>, position: number, count: number): boolean {
  return numbers.has(position) || numbers.has(position - count - 1);
}

/** Numbered weekdays are those of the month, in a yearly rule without BYMONTH those of the year. */
function isOnWeekday(
  { weekdays, frequency, months }: RecurrenceRule,
  day: EpochDay,
  { year, month, dayOfMonth }: LocalDate,
): boolean {
  if (weekdays === undefined) return true;
  const which = weekdays.get(weekdayOf(day));
  if (which === undefined) return false;
  if (which.has(0)) return true;
  const isOfMonth = frequency === 'MONTHLY' || months !== undefined;
  const from = isOfMonth ? day + 1 - dayOfMonth : toEpochDay(year, 1, 1);
  const end = isOfMonth ? from + daysInMonth(year, month) : toEpochDay(year + 1, 1, 1);
  return which.has(Math.floor((day - from) / 7) + 1) || which.has(-Math.floor((end - 1 - day) / 7) - 1);
}

/** The number of a day's week, and how many weeks the year of that week has. */
function weekOf(day: EpochDay, year: number, weekStart: number): readonly [number, number] {
  const weekYear = [year + 1, year].find((one) => firstWeekOf(one, weekStart) <= day) ?? year - 1;
  const from = firstWeekOf(weekYear, weekStart);
  const count = (firstWeekOf(weekYear + 1, weekStart) - from) / 7;
  return [Math.floor((day - from) / 7) + 1, count];
}

/** The first day of week 1, which is the first with four days in the year. */
function firstWeekOf(year: number, weekStart: number): EpochDay {
  return startOfWeek(toEpochDay(year, 1, 4), weekStart);
}

function startOfWeek(day: EpochDay, weekStart: number): EpochDay {
  return day - ((weekdayOf(day) - weekStart + 7) % 7);
}

/** Years, months, weeks or days, counted from some origin. */
function periodOf({ frequency, weekStart }: RecurrenceRule, day: EpochDay): number {
  const { year, month } = fromEpochDay(day);
  switch (frequency) {
    case 'YEARLY':
      return year;
    case 'MONTHLY':
      return year * 12 + month - 1;
    case 'WEEKLY':
      return (startOfWeek(day, weekStart) - startOfWeek(0, weekStart)) / 7;
    case 'DAILY':
      return day;
  }
}

function firstDayOf({ frequency, weekStart }: RecurrenceRule, period: number): EpochDay {
  switch (frequency) {
    case 'YEARLY':
      return toEpochDay(period, 1, 1);
    case 'MONTHLY':
      return toEpochDay(Math.floor(period / 12), (period % 12) + 1, 1);
    case 'WEEKLY':
      return period * 7 + startOfWeek(0, weekStart);
    case 'DAILY':
      return period;
  }
}

function msOf(day: EpochDay, second: number): number {
  return (day * DAY_SECONDS + second) * 1_000;
}
