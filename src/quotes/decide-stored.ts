/**
 * The decision of a quote over a property as storage holds it, for a moment in time.
 */
import type { Calendar } from '../domain/calendar.ts';
import { decodeCalendar } from '../domain/calendar-codec.ts';
import { makeOfferedNights, type OfferedNights, type StayRequest } from '../domain/eligibility.ts';
import { decideQuote, type QuoteDecision } from '../domain/quote-decision.ts';
import { localToday } from '../domain/timezone.ts';
import type { StoredProperty } from '../storage/port/catalogue-store.ts';

/** The nights that can be offered: from today where the property stands, for the horizon. */
export function offeredNights(timezone: string, nowMs: number, horizonNights: number): OfferedNights {
  return makeOfferedNights(localToday(timezone, nowMs), horizonNights);
}

/** Decides by the stored calendars alone; who may see the property is asked elsewhere. */
export function decideStored(
  stored: StoredProperty,
  stay: StayRequest,
  moment: { readonly nowMs: number; readonly horizonNights: number },
): QuoteDecision {
  const calendars = decodeCalendars(stored);
  const offered = offeredNights(stored.property.timezone, moment.nowMs, moment.horizonNights);
  return decideQuote(stored.property, calendars, stay, offered);
}

/** One per inventory type, in the order of `property.inventoryTypes`. */
export function decodeCalendars(stored: StoredProperty): readonly Calendar[] {
  return stored.calendars.map((calendar) => decodeCalendar(calendar.nights, calendar.rates));
}
