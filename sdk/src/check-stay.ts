/** Arguments are checked before they are sent: a mistake costs no request. The limits are those of the contract. */
import { UsageError } from './errors.ts';

const STAY_NIGHTS_MAX = 60;
const GUESTS_MAX = 30;
const DAY_MS = 86_400_000;
const LOCAL_DATE = /^\d{4}-\d{2}-\d{2}$/;

/** `path` stands before the names of fields: `stay.` in a quote. */
export function checkStay(checkIn: string, checkOut: string, path = ''): void {
  const first = dayOf(checkIn, `${path}checkIn`);
  const nights = dayOf(checkOut, `${path}checkOut`) - first;
  if (nights < 1) refuse(`${path}checkOut`, `${checkOut} is not after ${checkIn}`);
  if (nights > STAY_NIGHTS_MAX) {
    refuse(`${path}checkOut`, `a stay has at most ${STAY_NIGHTS_MAX} nights, and this one has ${nights}`);
  }
}

export function checkGuests(guests: number | undefined, path = ''): void {
  if (guests === undefined) return;
  if (!Number.isInteger(guests) || guests < 1 || guests > GUESTS_MAX) {
    refuse(`${path}guests`, `${guests} is not a whole number from 1 to ${GUESTS_MAX}`);
  }
}

export function checkPresent(value: unknown, field: string): void {
  if (typeof value !== 'string' || value === '') refuse(field, 'is missing');
}

/** The day's number since 1970; refuses what is not a date of the calendar, such as 2026-02-30. */
function dayOf(text: string, field: string): number {
  checkPresent(text, field);
  if (!LOCAL_DATE.test(text)) refuse(field, `"${text}" is not a date like 2026-12-01`);
  const ms = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(text)) {
    refuse(field, `${text} is not a date of the calendar`);
  }
  return ms / DAY_MS;
}

function refuse(field: string, reason: string): never {
  throw new UsageError('INVALID_ARGUMENT', `${field}: ${reason}`, field);
}
