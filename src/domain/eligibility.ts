/**
 * The evaluator: defines "eligible", "open" and "available". Night index, availability and quotes are projections of
 * this file and are tested against it.
 */
import type { Calendar } from './calendar.ts';
import {
  FIELD_ROWS,
  type LimitKind,
  limitKindOf,
  RESTRICTION_FIELDS,
  type RestrictionField,
} from './calendar-fields.ts';
import { countPlaces, type Party, type SleepingBand } from './child-ages.ts';
import type { EpochDay } from './local-date.ts';
import { someOver, valueAt } from './night-runs.ts';
import type { OfferRule } from './offer-rules.ts';
import type { InventoryType } from './property.ts';
import { STAY_NIGHTS_MAX } from './stay-limits.ts';

/** The half-open stay [checkIn, checkOut) in the property's own dates, and its guests (SPEC 1). */
export interface StayRequest extends Party {
  readonly checkIn: EpochDay;
  readonly checkOut: EpochDay;
}

/** The nights that can be offered: `first` (included, today at the property) to `end` (excluded). */
export interface OfferedNights {
  readonly first: EpochDay;
  readonly end: EpochDay;
}

export type EligibilityRule = OfferRule | RestrictionField;

/** The part of an inventory type that decides; its bands are those of the property where it has none (`typesOf`). */
export interface HostingType extends Pick<InventoryType, 'guestsMax' | 'minAdvanceDays' | 'maxAdvanceDays'> {
  readonly ageBands?: readonly SleepingBand[];
}

/** Whether the type has a place for everybody who needs one. */
export function hosts({ guestsMax, ageBands }: HostingType, party: Party): boolean {
  return guestsMax >= countPlaces(ageBands, party);
}

export interface EligibilityRefusal {
  readonly rule: EligibilityRule;
  /** The refusing night, or the check-out date for `closedToDeparture`; null when no date refuses. */
  readonly date: EpochDay | null;
  /**
   * The refusing value: guests, units, nights, days or a flag (1). For `today` and `horizon` the first or last night
   * offered.
   */
  readonly value: number;
}

type StayPart = 'arrival' | 'departure' | 'through';

/** Limits that each night must satisfy by itself, whatever the stay. */
const NIGHT_LIMITS = RESTRICTION_FIELDS.filter((field) => FIELD_ROWS[field].appliesTo === 'night').map(
  (field) => ({ field, kind: limitKindOf(field) }),
);
/** Limits that depend on the stay's arrival, departure or length. */
const STAY_LIMITS = RESTRICTION_FIELDS.flatMap((field) => {
  const appliesTo: StayPart | 'night' = FIELD_ROWS[field].appliesTo;
  return appliesTo === 'night' ? [] : [{ field, kind: limitKindOf(field), appliesTo }];
});

function nightsLookedAt(appliesTo: StayPart, { checkIn, checkOut }: StayRequest) {
  const from = appliesTo === 'departure' ? checkOut : checkIn;
  return { from, until: appliesTo === 'through' ? checkOut : from + 1 };
}

/** Whether a value, set or not, refuses a stay of this many nights. */
export function refuses(kind: LimitKind, value: number | undefined, nightCount: number): boolean {
  switch (kind) {
    case 'units':
      return value === undefined || value < 1;
    case 'closed':
      return value === 1;
    case 'minimum':
      return value !== undefined && nightCount < value;
    case 'maximum':
      return value !== undefined && nightCount > value;
  }
}

export function makeOfferedNights(today: EpochDay, horizonNights: number): OfferedNights {
  return { first: today, end: today + horizonNights };
}

/** Whether a unit can be had that night: at least one left, no stop-sell, neither past nor beyond the horizon. */
export function isNightOpen(calendar: Calendar, night: EpochDay, offered: OfferedNights): boolean {
  return areNightsOpen(calendar, night, night + 1, offered);
}

/**
 * `AvailabilityDay.available`: some type for so many guests is open that night. Restrictions on arrival, departure and
 * length concern the whole stay and do not count. `calendars` are in the order of `types`.
 */
export function isNightAvailable(
  types: readonly HostingType[],
  calendars: readonly Calendar[],
  { night, ...party }: Party & { readonly night: EpochDay },
  offered: OfferedNights,
): boolean {
  return types.some((type, index) => hosts(type, party) && isNightOpen(calendars[index]!, night, offered));
}

/** Whether this one type hosts the whole stay (SPEC 1, rule 8). Equals an empty `explainEligibility`. */
export function isEligible(
  type: HostingType,
  calendar: Calendar,
  stay: StayRequest,
  offered: OfferedNights,
): boolean {
  const { checkIn, checkOut } = stay;
  const nightCount = countNights(stay);
  return (
    hosts(type, stay) &&
    isInAdvance(type, checkIn - offered.first) &&
    areNightsOpen(calendar, checkIn, checkOut, offered) &&
    !STAY_LIMITS.some(({ field, kind, appliesTo }) => {
      const { from, until } = nightsLookedAt(appliesTo, stay);
      return isRefusedOver(calendar[field], kind, from, until, nightCount);
    })
  );
}

/** Every reason why this type refuses the stay, in the order of the rules, then of the nights. */
export function explainEligibility(
  type: HostingType,
  calendar: Calendar,
  stay: StayRequest,
  offered: OfferedNights,
): EligibilityRefusal[] {
  const { checkIn, checkOut } = stay;
  const nightCount = countNights(stay);
  const refusals: EligibilityRefusal[] = [];
  const refuse = (rule: EligibilityRule, date: EpochDay | null, value: number) =>
    refusals.push({ rule, date, value });

  if (!hosts(type, stay)) refuse('guestsMax', null, type.guestsMax);

  const { minAdvanceDays, maxAdvanceDays } = type;
  const daysAhead = checkIn - offered.first;
  if (minAdvanceDays !== undefined && daysAhead < minAdvanceDays)
    refuse('minAdvanceDays', checkIn, minAdvanceDays);
  if (maxAdvanceDays !== undefined && daysAhead > maxAdvanceDays)
    refuse('maxAdvanceDays', checkIn, maxAdvanceDays);

  for (let night = checkIn; night < checkOut; night++) {
    if (night < offered.first) refuse('today', night, offered.first);
    if (night >= offered.end) refuse('horizon', night, offered.end - 1);
    for (const { field, kind } of NIGHT_LIMITS) {
      const value = valueAt(calendar[field], night);
      if (refuses(kind, value, nightCount)) refuse(field, night, value ?? 0);
    }
  }

  for (const { field, kind, appliesTo } of STAY_LIMITS) {
    const { from, until } = nightsLookedAt(appliesTo, stay);
    for (let night = from; night < until; night++) {
      const value = valueAt(calendar[field], night);
      if (refuses(kind, value, nightCount)) refuse(field, night, value ?? 0);
    }
  }
  return refusals;
}

/** More nights than any stay has: told where no stay is long enough. */
export const LENGTH_TOLD_MAX = STAY_NIGHTS_MAX + 1;

/** Minimum lengths. */
const MINIMA = STAY_LIMITS.filter(({ kind }) => kind === 'minimum');

/**
 * The fewest nights of a stay from this check-in that no minimum of the offered nights refuses, whether the nights are
 * open or not; LENGTH_TOLD_MAX when none of up to 60 nights is long enough.
 */
export function leastStayLength(
  calendar: Calendar,
  checkIn: EpochDay,
  { first, end }: OfferedNights,
): number {
  let strictest = 1;
  for (let nightCount = 1; nightCount <= STAY_NIGHTS_MAX; nightCount++) {
    let ofLength = strictest;
    for (const { field, appliesTo } of MINIMA) {
      const date = appliesTo === 'arrival' ? checkIn : checkIn + nightCount - Number(appliesTo === 'through');
      if (date < first || date >= end) continue;
      const minimum = valueAt(calendar[field], date) ?? 1;
      ofLength = Math.max(ofLength, minimum);
      if (appliesTo !== 'departure') strictest = Math.max(strictest, minimum);
    }
    if (ofLength <= nightCount) return nightCount;
  }
  return LENGTH_TOLD_MAX;
}

/** Whether the type takes a check-in this many days ahead. */
function isInAdvance({ minAdvanceDays, maxAdvanceDays }: HostingType, daysAhead: number): boolean {
  return (
    (minAdvanceDays === undefined || daysAhead >= minAdvanceDays) &&
    (maxAdvanceDays === undefined || daysAhead <= maxAdvanceDays)
  );
}

function areNightsOpen(calendar: Calendar, from: EpochDay, until: EpochDay, offered: OfferedNights): boolean {
  return (
    from >= offered.first &&
    until <= offered.end &&
    !NIGHT_LIMITS.some(({ field, kind }) => isRefusedOver(calendar[field], kind, from, until, until - from))
  );
}

/** Whether some night refuses a stay of so many nights, by its value or the lack of one. */
function isRefusedOver(
  runs: Calendar[RestrictionField],
  kind: LimitKind,
  from: EpochDay,
  until: EpochDay,
  nightCount: number,
): boolean {
  // A restriction that is set nowhere is equal on every night, and most are.
  if (runs.length === 0) return refuses(kind, undefined, nightCount);
  return someOver(runs, from, until, (value) => refuses(kind, value, nightCount));
}

/** Occupied nights. The reader of a request enforces the limits of a stay (SPEC 1.4), so another length is a bug. */
function countNights({ checkIn, checkOut }: StayRequest): number {
  const nightCount = checkOut - checkIn;
  if (!(nightCount >= 1 && nightCount <= STAY_NIGHTS_MAX))
    throw new RangeError(`a stay of ${nightCount} nights`);
  return nightCount;
}
