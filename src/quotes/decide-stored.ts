/**
 * The decision of a quote over a property as storage holds it, for a moment in time.
 */
import type { Calendar } from '../domain/calendar.ts';
import { decodeCalendar } from '../domain/calendar-codec.ts';
import { makeOfferedNights, type OfferedNights, type StayRequest } from '../domain/eligibility.ts';
import { decideQuote, type QuoteDecision } from '../domain/quote-decision.ts';
import { localToday } from '../domain/timezone.ts';
import type { StoredProperty } from '../storage/catalogue/store.ts';

/** The nights that can be offered: from today at the property, for the horizon. */
function offeredNights(timezone: string, nowMs: number, horizonNights: number): OfferedNights {
  return makeOfferedNights(localToday(timezone, nowMs), horizonNights);
}

/** The decision, and what it was made of, for those who have more to ask of the same moment. */
export interface StoredDecision {
  readonly decision: QuoteDecision;
  /** One per inventory type, in the order of `property.inventoryTypes`. */
  readonly calendars: readonly Calendar[];
  readonly offered: OfferedNights;
}

/** Decides by the stored calendars alone; visibility is checked elsewhere. */
export function decideStored(
  stored: StoredProperty,
  stay: StayRequest,
  moment: { readonly nowMs: number; readonly horizonNights: number },
): StoredDecision {
  const calendars = decodeCalendars(stored);
  const offered = offeredNights(stored.property.timezone, moment.nowMs, moment.horizonNights);
  return { decision: decideQuote(stored.property, calendars, stay, offered), calendars, offered };
}

function decodeCalendars(stored: StoredProperty): readonly Calendar[] {
  return stored.calendars.map((calendar) => decodeCalendar(calendar.nights, calendar.rates));
}
