/**
 * Arguments are checked before they are sent: a mistake costs no request. Limits, such as the longest stay, are the
 * service's to judge: a copy of them here would be wrong on the day they change.
 */
import { UsageError } from './errors.ts';

const LOCAL_DATE = /^\d{4}-\d{2}-\d{2}$/;

/** `path` stands before the names of fields: `stay.` in a quote. */
export function checkStay(checkIn: string, checkOut: string, path = ''): void {
  checkDate(checkIn, `${path}checkIn`);
  checkDate(checkOut, `${path}checkOut`);
  // As texts of one shape, dates have the order of the calendar.
  if (checkOut <= checkIn) refuse(`${path}checkOut`, `${checkOut} is not after ${checkIn}`);
}

export function checkPresent(value: unknown, field: string): void {
  if (typeof value !== 'string' || value === '') refuse(field, 'is missing');
}

/** Refuses what is not a date of the calendar, such as 2026-02-30. */
function checkDate(text: string, field: string): void {
  checkPresent(text, field);
  if (!LOCAL_DATE.test(text)) refuse(field, `"${text}" is not a date like 2026-12-01`);
  const ms = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(text)) {
    refuse(field, `${text} is not a date of the calendar`);
  }
}

function refuse(field: string, reason: string): never {
  throw new UsageError('INVALID_ARGUMENT', `${field}: ${reason}`, field);
}
