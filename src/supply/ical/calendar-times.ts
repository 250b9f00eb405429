/**
 * Validates the times of an event as written, before the library reads them. The library reads `20261301` as January,
 * 31 February as March, 25 o'clock as tomorrow, and `2026-12-01` as a month. A misread night is a night on sale, so an
 * unreadable time refuses the calendar.
 */
import { Wrong } from '../../domain/wrong.ts';
import { parseLocalDate, MINUTE_MS } from '../../domain/local-date.ts';
import { CalendarProblem, propertyOf } from './calendar-text.ts';

const LINE = /^[^;:]+((?:;[^=;:]+=(?:"[^"]*"|[^";:])*)*):(.*)$/;
const VALUE_PARAMETER = /;VALUE=("?)([^";:]*)\1/i;
const POINT = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z|[+-]\d{4})?)?$/i;
/** RFC 5545 3.3.6, plus weeks together with days: the RFC forbids them, but they are in use and clear. */
const DURATION = /^[+-]?P(?=.)(?:\d{1,9}W)?(?:\d{1,9}D)?(?:T(?=\d)(?:\d{1,9}H)?(?:\d{1,9}M)?(?:\d{1,9}S)?)?$/;
const PARAMETER_NAMES = /;([^=;:"]+)=(?:"[^"]*"|[^";:])*/g;

type ReadValue = (value: string, isDateOnly: boolean) => Written | undefined;

/** A readable value, spelled so that the library reads it correctly. */
interface Written {
  readonly text: string;
  readonly type: 'DATE' | 'DATE-TIME' | 'PERIOD' | 'TEXT' | undefined;
}

const VALUES: ReadonlyMap<string, ReadValue> = new Map<string, ReadValue>([
  ['DTSTART', readPoint],
  ['DTEND', readPoint],
  ['RECURRENCE-ID', readPoint],
  ['EXDATE', readPoints],
  ['RDATE', readPoints],
  ['FREEBUSY', readPoints],
  ['DURATION', (value) => (DURATION.test(value) ? { text: value, type: undefined } : undefined)],
  // `recurrence-rule.ts` reads it.
  ['RRULE', (value) => ({ text: value, type: 'TEXT' })],
]);

/** Returns the line of an event with its times checked; throws `CalendarProblem` for an unreadable time. */
export function checkTimes(line: string): string {
  const name = propertyOf(line);
  const read = VALUES.get(name);
  if (read === undefined) return line;
  const [, parameters = '', value] = LINE.exec(line) ?? [];
  const named = VALUE_PARAMETER.exec(parameters)?.[2]?.toUpperCase();
  const written = value === undefined ? undefined : read(value.trim(), named === 'DATE');
  const isForeign =
    named !== undefined && !['DATE', 'DATE-TIME', 'PERIOD', 'DURATION', 'RECUR'].includes(named);
  if (written === undefined || isForeign || hasTwice(parameters))
    throw new CalendarProblem(new Wrong('lineUnreadable', { name }));
  const others = parameters.replace(VALUE_PARAMETER, '');
  return `${name}${others}${written.type === undefined ? '' : `;VALUE=${written.type}`}:${written.text}`;
}

/** The library takes one of two parameters of a name. */
function hasTwice(parameters: string): boolean {
  const names = [...parameters.matchAll(PARAMETER_NAMES)].map(([, name = '']) => name.toUpperCase());
  return new Set(names).size < names.length;
}

/** Eight digits are a date, whatever VALUE says; with VALUE=DATE a time after them is ignored. */
export function readPoint(value: string, isDateOnly: boolean): Written | undefined {
  const [, year = '', month = '', day = '', hour, minute = '', second = '', zone = ''] =
    POINT.exec(value) ?? [];
  if (parseLocalDate(`${year}-${month}-${day}`) === undefined) return undefined;
  const date = `${year}${month}${day}`;
  if (hour === undefined) return { text: date, type: 'DATE' };
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return undefined;
  if (isDateOnly) return { text: date, type: 'DATE' };
  // A leap second would become the next day.
  const text = `${date}T${hour}${minute}${second === '60' ? '59' : second}`;
  if (zone.length <= 1) return { text: `${text}${zone.toUpperCase()}`, type: 'DATE-TIME' };
  return inUtc(`${year}-${month}-${day}T${hour}:${minute}:${second === '60' ? '59' : second}Z`, zone);
}

/** RFC 5545 forbids offsets such as `+0100`, but their meaning is clear. */
function inUtc(instant: string, offset: string): Written | undefined {
  const hours = Number(offset.slice(1, 3));
  const minutes = Number(offset.slice(3));
  if (hours > 23 || minutes > 59) return undefined;
  const sign = offset.startsWith('-') ? -1 : 1;
  const utc = new Date(Date.parse(instant) - sign * (hours * 60 + minutes) * MINUTE_MS).toISOString();
  // Near the end of the year range, the UTC time has no valid spelling.
  if (!/^\d{4}-/.test(utc)) return undefined;
  return { text: utc.slice(0, 19).replaceAll(/[-:]/g, '').concat('Z'), type: 'DATE-TIME' };
}

/** A list of times, all of one type, or of periods. */
function readPoints(value: string, isDateOnly: boolean): Written | undefined {
  const points = value.split(',').map((point) => readPeriod(point.trim(), isDateOnly));
  const type = points[0]?.type;
  if (points.some((point) => point?.type !== type) || type === undefined) return undefined;
  return { text: points.map((point) => point!.text).join(','), type };
}

function readPeriod(value: string, isDateOnly: boolean): Written | undefined {
  if (!value.includes('/')) return readPoint(value, isDateOnly);
  const [from = '', end = '', ...more] = value.split('/');
  const start = readPoint(from, false);
  const until = DURATION.test(end) ? end : asTime(readPoint(end, false));
  if (asTime(start) === undefined || until === undefined || more.length > 0) return undefined;
  return { text: `${start!.text}/${until}`, type: 'PERIOD' };
}

function asTime(point: Written | undefined): string | undefined {
  return point?.type === 'DATE-TIME' ? point.text : undefined;
}
