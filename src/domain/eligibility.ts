/**
 * The evaluator: what "eligible", "open" and "available" mean. Everything else that answers such a question (the
 * night index, availability, quotes) is a projection of this file and is tested against it.
 */
import type { Calendar } from './calendar.ts';
import type { EpochDay } from './local-date.ts';
import { highestOver, lowestOver, valueAt } from './night-runs.ts';
import type { InventoryType } from './property.ts';
import { STAY_NIGHTS_MAX } from './stay-limits.ts';

/** The half-open stay [checkIn, checkOut) in the property's own dates, and how many travel (SPEC 1). */
export interface StayRequest {
  readonly checkIn: EpochDay;
  readonly checkOut: EpochDay;
  readonly guests: number;
}

/** The nights `first` (included, today where the property stands) to `end` (excluded) can be offered at all. */
export interface OfferedNights {
  readonly first: EpochDay;
  readonly end: EpochDay;
}

export type EligibilityRule =
  | 'guestsMax'
  | 'today'
  | 'horizon'
  | 'minAdvanceDays'
  | 'maxAdvanceDays'
  | 'availability'
  | 'stopSell'
  | 'closedToArrival'
  | 'closedToDeparture'
  | 'minStayArrival'
  | 'minStayThrough'
  | 'maxStay';

export interface EligibilityRefusal {
  readonly rule: EligibilityRule;
  /** The night that refuses, or the check-out date for `closedToDeparture`; null when no date does. */
  readonly date: EpochDay | null;
  /** What is set there: guests, units, nights, days or a flag (1). For `today` and `horizon` the first or last night offered. */
  readonly value: number;
}

/** The `horizonNights` nights from `today` on. */
export function makeOfferedNights(today: EpochDay, horizonNights: number): OfferedNights {
  return { first: today, end: today + horizonNights };
}

/** Whether a unit can be had that night: at least one left, sale not stopped, neither past nor beyond the horizon. */
export function isNightOpen(calendar: Calendar, night: EpochDay, offered: OfferedNights): boolean {
  return areNightsOpen(calendar, night, night + 1, offered);
}

/**
 * `AvailabilityDay.available`: some type for that many guests is open that night. Restrictions on arrival, departure
 * and length belong to the whole stay and play no part. `calendars` are in the order of `types`.
 */
export function isNightAvailable(
  types: readonly InventoryType[],
  calendars: readonly Calendar[],
  { night, guests }: { readonly night: EpochDay; readonly guests: number },
  offered: OfferedNights,
): boolean {
  return types.some(
    (type, index) => type.guestsMax >= guests && isNightOpen(calendars[index]!, night, offered),
  );
}

/** Whether this one type hosts the whole stay (SPEC 1, rule 8). The same as `explainEligibility` finding nothing. */
export function isEligible(
  type: InventoryType,
  calendar: Calendar,
  stay: StayRequest,
  offered: OfferedNights,
): boolean {
  const { checkIn, checkOut, guests } = stay;
  const nightCount = countNights(stay);
  return (
    type.guestsMax >= guests &&
    isInAdvance(type, checkIn - offered.first) &&
    areNightsOpen(calendar, checkIn, checkOut, offered) &&
    valueAt(calendar.closedToArrival, checkIn) !== 1 &&
    valueAt(calendar.closedToDeparture, checkOut) !== 1 &&
    nightCount >= (valueAt(calendar.minStayArrival, checkIn) ?? 1) &&
    nightCount >= highestOver(calendar.minStayThrough, checkIn, checkOut) &&
    nightCount <= (valueAt(calendar.maxStay, checkIn) ?? nightCount)
  );
}

/** Every reason why this type does not host the stay, in the order of the rules, then of the nights. */
export function explainEligibility(
  type: InventoryType,
  calendar: Calendar,
  stay: StayRequest,
  offered: OfferedNights,
): EligibilityRefusal[] {
  const { checkIn, checkOut, guests } = stay;
  const nightCount = countNights(stay);
  const refusals: EligibilityRefusal[] = [];
  const refuse = (rule: EligibilityRule, date: EpochDay | null, value: number) =>
    refusals.push({ rule, date, value });

  if (type.guestsMax < guests) refuse('guestsMax', null, type.guestsMax);

  const { minAdvanceDays, maxAdvanceDays } = type;
  const daysAhead = checkIn - offered.first;
  if (minAdvanceDays !== undefined && daysAhead < minAdvanceDays)
    refuse('minAdvanceDays', checkIn, minAdvanceDays);
  if (maxAdvanceDays !== undefined && daysAhead > maxAdvanceDays)
    refuse('maxAdvanceDays', checkIn, maxAdvanceDays);

  for (let night = checkIn; night < checkOut; night++) {
    if (night < offered.first) refuse('today', night, offered.first);
    if (night >= offered.end) refuse('horizon', night, offered.end - 1);
    const unitsLeft = valueAt(calendar.availability, night) ?? 0;
    if (unitsLeft < 1) refuse('availability', night, unitsLeft);
    if (valueAt(calendar.stopSell, night) === 1) refuse('stopSell', night, 1);
  }

  if (valueAt(calendar.closedToArrival, checkIn) === 1) refuse('closedToArrival', checkIn, 1);
  if (valueAt(calendar.closedToDeparture, checkOut) === 1) refuse('closedToDeparture', checkOut, 1);

  const minStayArrival = valueAt(calendar.minStayArrival, checkIn);
  if (minStayArrival !== undefined && nightCount < minStayArrival)
    refuse('minStayArrival', checkIn, minStayArrival);

  for (let night = checkIn; night < checkOut; night++) {
    const minStayThrough = valueAt(calendar.minStayThrough, night);
    if (minStayThrough !== undefined && nightCount < minStayThrough)
      refuse('minStayThrough', night, minStayThrough);
  }

  const maxStay = valueAt(calendar.maxStay, checkIn);
  if (maxStay !== undefined && nightCount > maxStay) refuse('maxStay', checkIn, maxStay);
  return refusals;
}

/** Whether the type takes a check-in so many days after today. */
function isInAdvance({ minAdvanceDays, maxAdvanceDays }: InventoryType, daysAhead: number): boolean {
  return (
    (minAdvanceDays === undefined || daysAhead >= minAdvanceDays) &&
    (maxAdvanceDays === undefined || daysAhead <= maxAdvanceDays)
  );
}

function areNightsOpen(calendar: Calendar, from: EpochDay, until: EpochDay, offered: OfferedNights): boolean {
  return (
    from >= offered.first &&
    until <= offered.end &&
    lowestOver(calendar.availability, from, until) >= 1 &&
    highestOver(calendar.stopSell, from, until) === 0
  );
}

/** Occupied nights. The reader of a request holds a stay to its limits (SPEC 1.4), so another length is a bug. */
function countNights({ checkIn, checkOut }: StayRequest): number {
  const nightCount = checkOut - checkIn;
  if (!(nightCount >= 1 && nightCount <= STAY_NIGHTS_MAX))
    throw new RangeError(`a stay of ${nightCount} nights`);
  return nightCount;
}
