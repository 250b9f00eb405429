/** All that the traveller's page shows of a handoff: what became of the stay, other dates, and the nights around it. */
import { type CheckDeps, type CheckedHandoff, checkHandoff } from './check-handoff.ts';
import type { Handoff } from '../handoff/handoff-value.ts';
import { decodeCalendars, offeredNights } from './decide-stored.ts';
import { findNearestStays, type PossibleStay } from './nearest-stays.ts';
import { type NightAround, nightsAround } from './nights-around.ts';

export interface HandoffReview extends CheckedHandoff {
  /** Empty unless the stay can't be had. */
  readonly nearestStays: readonly PossibleStay[];
  /** Empty when the property can't be shown. */
  readonly nights: readonly NightAround[];
}

/** Undefined when the quote is not stored here. Rejects with `StorageUnavailable`. */
export async function reviewHandoff(deps: CheckDeps, handoff: Handoff): Promise<HandoffReview | undefined> {
  const checked = await checkHandoff(deps, handoff);
  if (checked === undefined) return undefined;
  const { stored, offer, nowMs } = checked;
  if (stored === undefined) return { ...checked, nearestStays: [], nights: [] };
  const { property } = stored;
  const calendars = decodeCalendars(stored);
  const offered = offeredNights(property.timezone, nowMs, deps.horizonNights);
  const isPossible = offer !== undefined || !property.quoting;
  return {
    ...checked,
    nearestStays: isPossible ? [] : findNearestStays(property, calendars, handoff, offered),
    nights: nightsAround(property, calendars, handoff, offered),
  };
}
