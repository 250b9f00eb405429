/**
 * Reads the text of a RRULE (RFC 5545 3.3.10, RFC 7529). Of two rules that look alike one may close other nights, so a
 * part that is unknown, that the RFC forbids, or whose meaning it leaves open, refuses the calendar.
 */
import { Wrong } from '../../domain/wrong.ts';
import { CalendarProblem } from './calendar-text.ts';
import { readPoint } from './calendar-times.ts';

export type Frequency = 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY';

/** Numbers from 1; negative ones count from the end. Undefined: the part is absent. */
type Numbers = ReadonlySet<number> | undefined;

export interface RecurrenceRule {
  readonly frequency: Frequency;
  readonly interval: number;
  readonly count: number | undefined;
  /** The last start, a date or a time as calendars write it: `20261231T225959Z`. */
  readonly until: string | undefined;
  /** 0 is Monday. */
  readonly weekStart: number;
  readonly months: Numbers;
  readonly monthDays: Numbers;
  readonly yearDays: Numbers;
  readonly weekNumbers: Numbers;
  /** For each weekday, 0 is Monday, which ones of the month or year; 0 is every one. */
  readonly weekdays: ReadonlyMap<number, ReadonlySet<number>> | undefined;
  readonly hours: Numbers;
  readonly minutes: Numbers;
  readonly seconds: Numbers;
  /** BYSETPOS */
  readonly positions: Numbers;
}

const FREQUENCIES: ReadonlySet<string> = new Set(['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY']);
const TOO_FREQUENT: ReadonlyMap<string, 'repeatsSecondly' | 'repeatsMinutely' | 'repeatsHourly'> = new Map([
  ['SECONDLY', 'repeatsSecondly'],
  ['MINUTELY', 'repeatsMinutely'],
  ['HOURLY', 'repeatsHourly'],
]);
const WEEKDAY_NAMES: readonly string[] = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const POSITIVE = /^0*[1-9]\d{0,8}$/;
const NUMBER = /^[+-]?\d{1,3}$/;
const WEEKDAY = /^([+-]?\d{1,2})?(MO|TU|WE|TH|FR|SA|SU)$/;

/** Lists of numbers, and from where to where they go. Those of days and weeks may be negative and are never 0. */
const LISTS = {
  BYMONTH: { min: 1, max: 12, isSigned: false },
  BYMONTHDAY: { min: 1, max: 31, isSigned: true },
  BYYEARDAY: { min: 1, max: 366, isSigned: true },
  BYWEEKNO: { min: 1, max: 53, isSigned: true },
  BYHOUR: { min: 0, max: 23, isSigned: false },
  BYMINUTE: { min: 0, max: 59, isSigned: false },
  BYSECOND: { min: 0, max: 60, isSigned: false },
  BYSETPOS: { min: 1, max: 366, isSigned: true },
} as const;
const PARTS: ReadonlySet<string> = new Set([
  ...Object.keys(LISTS),
  'FREQ',
  'INTERVAL',
  'COUNT',
  'UNTIL',
  'WKST',
  'BYDAY',
  'RSCALE',
  'SKIP',
]);

/** Throws `CalendarProblem` for a rule that is not read; its reason never quotes the text, which can be anything. */
export function readRecurrenceRule(text: string): RecurrenceRule {
  const parts = readParts(text);
  const frequency = readFrequency(parts);
  const list = (name: keyof typeof LISTS): Numbers => readNumbers(parts.get(name), name);
  const rule: RecurrenceRule = {
    frequency,
    interval: readPositive(parts.get('INTERVAL')) ?? 1,
    count: readPositive(parts.get('COUNT')),
    until: readUntil(parts.get('UNTIL')),
    weekStart: readWeekStart(parts.get('WKST')),
    months: list('BYMONTH'),
    monthDays: list('BYMONTHDAY'),
    yearDays: list('BYYEARDAY'),
    weekNumbers: list('BYWEEKNO'),
    weekdays: readWeekdays(parts.get('BYDAY')),
    hours: list('BYHOUR'),
    minutes: list('BYMINUTE'),
    seconds: list('BYSECOND'),
    positions: list('BYSETPOS'),
  };
  refuseCalendar(parts);
  refuseForbidden(rule, parts);
  refuseOpen(rule);
  return rule;
}

function readParts(text: string): ReadonlyMap<string, string> {
  const parts = new Map<string, string>();
  for (const part of text.toUpperCase().split(';')) {
    // A semicolon at the end is in use.
    if (part.trim() === '') continue;
    const equals = part.indexOf('=');
    const name = part.slice(0, Math.max(0, equals)).trim();
    if (name === '') throw unreadable();
    if (!PARTS.has(name)) throw new CalendarProblem(new Wrong('rulePartUnread'));
    if (parts.has(name)) throw new CalendarProblem(new Wrong('rulePartTwice', { name }));
    parts.set(name, part.slice(equals + 1).trim());
  }
  return parts;
}

function readFrequency(parts: ReadonlyMap<string, string>): Frequency {
  const name = parts.get('FREQ') ?? '';
  const tooFrequent = TOO_FREQUENT.get(name);
  if (tooFrequent !== undefined) throw new CalendarProblem(new Wrong(tooFrequent));
  if (!FREQUENCIES.has(name)) throw unreadable();
  return name as Frequency;
}

function readPositive(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!POSITIVE.test(text)) throw unreadable();
  return Number(text);
}

function readUntil(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const point = readPoint(text, false);
  if (point === undefined) throw unreadable();
  return point.text;
}

function readWeekStart(text = 'MO'): number {
  const weekday = WEEKDAY_NAMES.indexOf(text);
  if (weekday === -1) throw unreadable();
  return weekday;
}

function readNumbers(text: string | undefined, name: keyof typeof LISTS): Numbers {
  if (text === undefined) return undefined;
  const { min, max, isSigned } = LISTS[name];
  const numbers = text.split(',').map((item) => {
    const number = NUMBER.test(item.trim()) ? Number(item) : Number.NaN;
    const size = isSigned ? Math.abs(number) : number;
    if (!(size >= min && size <= max)) throw unreadable();
    return number;
  });
  return new Set(numbers);
}

function readWeekdays(text: string | undefined): RecurrenceRule['weekdays'] {
  if (text === undefined) return undefined;
  const weekdays = new Map<number, Set<number>>();
  for (const item of text.split(',')) {
    const [matched, number, name = ''] = WEEKDAY.exec(item.trim()) ?? [];
    const which = Number(number ?? 0);
    if (matched === undefined || Math.abs(which) > 53 || (number !== undefined && which === 0))
      throw unreadable();
    const weekday = WEEKDAY_NAMES.indexOf(name);
    weekdays.set(weekday, (weekdays.get(weekday) ?? new Set()).add(which));
  }
  return weekdays;
}

function refuseCalendar(parts: ReadonlyMap<string, string>): void {
  if ((parts.get('RSCALE') ?? 'GREGORIAN') !== 'GREGORIAN') throw new CalendarProblem(new Wrong('ruleScale'));
  if ((parts.get('SKIP') ?? 'OMIT') !== 'OMIT') throw new CalendarProblem(new Wrong('ruleSkips'));
}

/** "MUST NOT" in RFC 5545. */
function refuseForbidden(rule: RecurrenceRule, parts: ReadonlyMap<string, string>): void {
  const { frequency } = rule;
  const isNumbered = [...(rule.weekdays?.values() ?? [])].some((which) =>
    [...which].some((one) => one !== 0),
  );
  const isLimited = [...parts.keys()].some((name) => name.startsWith('BY') && name !== 'BYSETPOS');
  const forbidden: readonly (readonly [boolean, Wrong])[] = [
    [
      rule.count !== undefined && rule.until !== undefined,
      new Wrong('partBeside', { name: 'COUNT', other: 'UNTIL' }),
    ],
    [
      rule.monthDays !== undefined && frequency === 'WEEKLY',
      new Wrong('partOfWeekly', { name: 'BYMONTHDAY' }),
    ],
    [
      rule.yearDays !== undefined && frequency !== 'YEARLY',
      new Wrong('partNotYearly', { name: 'BYYEARDAY' }),
    ],
    [
      rule.weekNumbers !== undefined && frequency !== 'YEARLY',
      new Wrong('partNotYearly', { name: 'BYWEEKNO' }),
    ],
    [isNumbered && ['DAILY', 'WEEKLY'].includes(frequency), new Wrong('numberIn', { frequency })],
    [isNumbered && rule.weekNumbers !== undefined, new Wrong('numberBeside', { other: 'BYWEEKNO' })],
    [rule.positions !== undefined && !isLimited, new Wrong('partAlone', { name: 'BYSETPOS' })],
  ];
  const found = forbidden.find(([isThere]) => isThere);
  if (found !== undefined) throw new CalendarProblem(new Wrong('ruleForbidden', { what: found[1] }));
}

/**
 * Readers differ here. Without BYDAY a week number stands for a whole week or for the weekday of DTSTART; and a week
 * may belong to the year before or after its days, which matters where years are left out or days are counted.
 */
function refuseOpen({ weekNumbers, weekdays, interval, positions }: RecurrenceRule): void {
  if (weekNumbers === undefined) return;
  const open = (what: Wrong): CalendarProblem => new CalendarProblem(new Wrong('ruleDoubtful', { what }));
  if (weekdays === undefined) throw open(new Wrong('withoutPart', { name: 'BYDAY' }));
  if (interval > 1) throw open(new Wrong('withPart', { name: 'INTERVAL' }));
  if (positions !== undefined) throw open(new Wrong('withPart', { name: 'BYSETPOS' }));
}

function unreadable(): CalendarProblem {
  return new CalendarProblem(new Wrong('lineUnreadable', { name: 'RRULE' }));
}
