/** The nights around a stay, as a calendar shows them: whole weeks, each night open, closed, or of the stay. */
import type { Calendar } from '../domain/calendar.ts';
import { isNightAvailable, type OfferedNights, type StayRequest } from '../domain/eligibility.ts';
import type { EpochDay } from '../domain/local-date.ts';
import type { Property } from '../domain/property.ts';

export interface NightAround {
  readonly night: EpochDay;
  /** Some inventory type for the guests has a unit left; rules of arrival and length belong to a whole stay. */
  readonly isOpen: boolean;
  readonly isOfStay: boolean;
}

export const DAYS_PER_WEEK = 7;
/** 1970-01-01 was a Thursday: the Monday of its week is three days earlier. */
const DAYS_FROM_MONDAY_TO_EPOCH = 3;

/** Nights shown before and after the stay, at least; then the weeks are filled. */
const NIGHTS_AROUND = 3;

/** Monday of the week of `day`. */
export function startOfWeek(day: EpochDay): EpochDay {
  const daysSinceMonday = (day + DAYS_FROM_MONDAY_TO_EPOCH) % DAYS_PER_WEEK;
  return day - ((daysSinceMonday + DAYS_PER_WEEK) % DAYS_PER_WEEK);
}

/** From a Monday to a Sunday, ascending; at most 12 weeks, because a stay has at most 60 nights. */
export function nightsAround(
  property: Property,
  calendars: readonly Calendar[],
  stay: StayRequest,
  offered: OfferedNights,
): readonly NightAround[] {
  const first = startOfWeek(stay.checkIn - NIGHTS_AROUND);
  const end = startOfWeek(stay.checkOut - 1 + NIGHTS_AROUND) + DAYS_PER_WEEK;
  return Array.from({ length: end - first }, (_, index) => {
    const night = first + index;
    return {
      night,
      isOpen: isNightAvailable(property.inventoryTypes, calendars, { night, guests: stay.guests }, offered),
      isOfStay: night >= stay.checkIn && night < stay.checkOut,
    };
  });
}
