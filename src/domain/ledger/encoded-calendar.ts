/** Calendars as they are stored, compared byte by byte. */
import { encodeNights, encodeRates } from '../calendar-codec.ts';
import { type Calendar, EMPTY_CALENDAR } from '../calendar.ts';
import type { StoredCalendar } from './stored-write.ts';

const NO_NIGHTS = encodeNights(EMPTY_CALENDAR);
const NO_RATES = encodeRates(EMPTY_CALENDAR);

export type EncodedCalendar = Pick<StoredCalendar, 'nights' | 'rates'>;

export function encode(calendar: Calendar): EncodedCalendar {
  return { nights: encodeNights(calendar), rates: encodeRates(calendar) };
}

export function isEmpty(calendar: EncodedCalendar): boolean {
  return isSameBytes(calendar.nights, NO_NIGHTS) && isSameBytes(calendar.rates, NO_RATES);
}

/** A layer that is not there sets nothing. */
export function isSameCalendar(calendar: EncodedCalendar, layer: EncodedCalendar | undefined): boolean {
  if (layer === undefined) return isEmpty(calendar);
  return isSameBytes(calendar.nights, layer.nights) && isSameBytes(calendar.rates, layer.rates);
}

function isSameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}
