/**
 * The dates of all examples, counted from one day: a running server counts from its own, so that what is pasted from
 * its documentation is about nights that can be sold.
 */

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

export interface ExampleDates {
  /** Three nights that the sample catalogue has free. */
  readonly stay: { readonly checkIn: string; readonly checkOut: string };
  /** Four nights at the property of the sample that is booked on the last two of them. */
  readonly partlyBooked: { readonly checkIn: string; readonly checkOut: string };
  /** When the answers of the examples were given, Unix ms. */
  readonly answeredAtMs: number;
}

const STAY_STARTS_AFTER_DAYS = 30;
const STAY_NIGHTS = 3;
const PARTLY_BOOKED_STARTS_AFTER_DAYS = 121;
const PARTLY_BOOKED_NIGHTS = 4;
const ANSWERED_AT_HOUR = 10;

/** `today` as days since 1970-01-01. */
export function exampleDates(today: number): ExampleDates {
  return {
    stay: nightsFrom(today + STAY_STARTS_AFTER_DAYS, STAY_NIGHTS),
    partlyBooked: nightsFrom(today + PARTLY_BOOKED_STARTS_AFTER_DAYS, PARTLY_BOOKED_NIGHTS),
    answeredAtMs: today * DAY_MS + ANSWERED_AT_HOUR * HOUR_MS,
  };
}

/** `YYYY-MM-DD` of the day so many days after another. */
export function dateAfter(date: string, dayCount: number): string {
  return formatDay(Date.parse(date) / DAY_MS + dayCount);
}

function nightsFrom(
  day: number,
  nightCount: number,
): { readonly checkIn: string; readonly checkOut: string } {
  return { checkIn: formatDay(day), checkOut: formatDay(day + nightCount) };
}

function formatDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
