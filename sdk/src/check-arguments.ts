/**
 * Arguments are checked before they are sent: a mistake costs no request. Limits, such as the longest stay, are the
 * service's to judge: a copy of them here would be wrong on the day they change.
 */
import { UsageError } from './errors.ts';
import { isRecord } from './read-response.ts';

const LOCAL_DATE = /^\d{4}-\d{2}-\d{2}$/;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** `path` stands before the names of fields: `stay.` in a quote. */
export function checkStay(checkIn: unknown, checkOut: unknown, path = ''): void {
  checkDate(checkIn, `${path}checkIn`);
  checkDate(checkOut, `${path}checkOut`);
  // As texts of one shape, dates have the order of the calendar.
  if (checkOut <= checkIn) refuse(`${path}checkOut`, `${checkOut} is not after ${checkIn}`);
}

/** Refuses what is not an object with fields. */
export function checkFields(value: unknown, field: string): void {
  if (value === undefined || value === null) refuse(field, 'is missing');
  if (!isRecord(value)) refuse(field, 'is not an object');
}

/** Refuses what is not a text that can be sent as it is. */
export function checkText(value: unknown, field: string): asserts value is string {
  if (value === undefined || value === null || value === '') refuse(field, 'is missing');
  if (typeof value !== 'string') refuse(field, 'is not a string');
  if (LONE_SURROGATE.test(value)) refuse(field, 'contains half a character (a lone surrogate)');
}

/** Refuses what is not a number in the bounds; undefined is the default. */
export function checkNumber(value: unknown, field: string, { min, max, isWhole = false }: Bounds): void {
  if (value === undefined) return;
  if (typeof value !== 'number' || !(value >= min && value <= max) || (isWhole && !Number.isInteger(value))) {
    refuse(field, `is not a${isWhole ? ' whole' : ''} number from ${min} to ${max}`);
  }
}

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly isWhole?: boolean;
}

/** Refuses what is not a date of the calendar, such as 2026-02-30. */
export function checkDate(text: unknown, field: string): asserts text is string {
  checkText(text, field);
  if (!LOCAL_DATE.test(text)) refuse(field, `"${text}" is not a date like 2026-12-01`);
  const ms = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(text)) {
    refuse(field, `${text} is not a date of the calendar`);
  }
}

/** `cause` is what a look at the argument threw. */
export function refuse(field: string, reason: string, cause?: unknown): never {
  throw new UsageError('INVALID_ARGUMENT', `${field}: ${reason}`, field, cause);
}
