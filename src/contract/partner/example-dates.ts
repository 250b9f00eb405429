/**
 * Dates of all examples, counted from one day. A running server counts from its own, so that pasted examples ask for
 * nights that can be sold.
 */
import { DAY_MS, type EpochDay, formatLocalDate, parseLocalDate, HOUR_MS } from '../../domain/local-date.ts';

export interface ExampleDates {
  /** The day from which they are counted. */
  readonly today: string;
  /** Three free nights of the sample catalogue. */
  readonly stay: { readonly checkIn: string; readonly checkOut: string };
  /** Four nights at the sample property that is booked on the last two of them. */
  readonly partlyBooked: { readonly checkIn: string; readonly checkOut: string };
  /** Time of the examples' answers, Unix ms. */
  readonly answeredAtMs: number;
}

const STAY_STARTS_AFTER_DAYS = 30;
export const STAY_NIGHTS = 3;
const PARTLY_BOOKED_STARTS_AFTER_DAYS = 121;
const PARTLY_BOOKED_NIGHTS = 4;
const ANSWERED_AT_HOUR = 10;

export function exampleDates(today: EpochDay): ExampleDates {
  return {
    today: formatLocalDate(today),
    stay: nightsFrom(today + STAY_STARTS_AFTER_DAYS, STAY_NIGHTS),
    partlyBooked: nightsFrom(today + PARTLY_BOOKED_STARTS_AFTER_DAYS, PARTLY_BOOKED_NIGHTS),
    answeredAtMs: today * DAY_MS + ANSWERED_AT_HOUR * HOUR_MS,
  };
}

/** `YYYY-MM-DD` so many days later. */
export function dateAfter(date: string, dayCount: number): string {
  return formatLocalDate(parseLocalDate(date)! + dayCount);
}

function nightsFrom(
  day: EpochDay,
  nightCount: number,
): { readonly checkIn: string; readonly checkOut: string } {
  return { checkIn: formatLocalDate(day), checkOut: formatLocalDate(day + nightCount) };
}
