/** All that the traveller's page shows of a handoff: what became of the stay, other dates, and the nights around it. */
import type { Calendar } from '../domain/calendar.ts';
import { isNightAvailable, type OfferedNights, type StayRequest } from '../domain/eligibility.ts';
import type { EpochDay } from '../domain/local-date.ts';
import type { Property } from '../domain/property.ts';
import { NO_DETAILS, type PropertyDetails } from '../domain/property-details.ts';
import type { CatalogueStore } from '../storage/catalogue/store.ts';
import { type CheckDeps, type CheckedHandoff, checkHandoff } from './check-handoff.ts';
import type { Handoff } from '../handoff/handoff-value.ts';
import { findNearestStays, type PossibleStay } from './nearest-stays.ts';

/** A night of the calendar on the page: whole weeks around the stay. */
export interface NightAround {
  readonly night: EpochDay;
  /** Some inventory type for the guests has a unit left; rules of arrival and length belong to a whole stay. */
  readonly isOpen: boolean;
  readonly isOfStay: boolean;
}

export interface ReviewDeps extends CheckDeps {
  /** Asked only of properties that have any. */
  readonly findDetails: CatalogueStore['findDetails'];
}

export interface HandoffReview extends Omit<CheckedHandoff, 'quoted' | 'decided'> {
  /** Empty unless the stay can't be had. */
  readonly nearestStays: readonly PossibleStay[];
  /** Empty when the property can't be shown. */
  readonly nights: readonly NightAround[];
  /** What the operator says of the property for this page alone. */
  readonly details: PropertyDetails;
  /** Where the property stands; undefined when it can't be shown. */
  readonly today: EpochDay | undefined;
}

/** Undefined when the quote is not stored here. Rejects with `StorageUnavailable`. */
export async function reviewHandoff(deps: ReviewDeps, handoff: Handoff): Promise<HandoffReview | undefined> {
  const checked = await checkHandoff(deps, handoff);
  if (checked === undefined) return undefined;
  const { stored, offer, decided } = checked;
  if (stored === undefined || decided === undefined)
    return { ...checked, nearestStays: [], nights: [], details: NO_DETAILS, today: undefined };
  const { property } = stored;
  const { calendars, offered } = decided;
  const isPossible = offer !== undefined || !property.quoting;
  return {
    ...checked,
    nearestStays: isPossible ? [] : findNearestStays(property, calendars, handoff, offered),
    nights: nightsAround(property, calendars, handoff, offered),
    details: await readDetails(deps, property),
    today: offered.first,
  };
}

/** Properties of the sandbox have none. */
async function readDetails({ findDetails }: ReviewDeps, property: Property): Promise<PropertyDetails> {
  if (property.detailsDigest === undefined) return NO_DETAILS;
  return (await findDetails(property.propertyId)) ?? NO_DETAILS;
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
