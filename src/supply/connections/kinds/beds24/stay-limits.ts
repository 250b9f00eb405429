/** How short and how long a stay may be, by night: from the calendar, the room, the offer and the only price rule. */
import type { EntryFields } from '../../../../domain/calendar.ts';
import type { EpochDay } from '../../../../domain/local-date.ts';
import { STAY_NIGHTS_MAX } from '../../../../domain/stay-limits.ts';
import { isUnsaid, type JsonObject, type JsonValue } from '../read-answer.ts';
import { type Limit, type PriceRule, readLimit, type RoomTerms, UNREADABLE } from './room-terms.ts';

/** Nights after a range that decide how long a stay from one of its nights may be: no stay is longer. */
export const LOOK_AHEAD_NIGHTS = STAY_NIGHTS_MAX;

/** Whether the longest stay from a night depends on the nights that follow it. */
export function looksAhead({ restrictions }: Pick<RoomTerms, 'restrictions'>): boolean {
  return restrictions !== 'firstNight';
}

type Lengths = Pick<EntryFields, 'minStayArrival' | 'minStayThrough' | 'maxStay'>;
/** `UNREADABLE` closes the night. */
export type StayLimits = (night: EpochDay) => Lengths | typeof UNREADABLE;

/** `values` are those of each night that the calendar holds, LOOK_AHEAD_NIGHTS after the range as well. */
export function makeStayLimits(
  values: ReadonlyMap<EpochDay, JsonObject>,
  terms: RoomTerms,
  { only, offer }: { readonly only: PriceRule | undefined; readonly offer: string },
): StayLimits {
  const ofOffer = terms.offers[offer]?.minStay ?? null;
  const longest = new Map<EpochDay, Limit>();
  for (const [night, { maxStay }] of values)
    longest.set(night, strictest(Math.min, [orOwn(maxStay, terms.maxStay), only?.maxStay ?? null]));
  return (night) => {
    const own = orOwn(values.get(night)?.['minStay'], terms.minStay);
    const minStay = strictest(Math.max, [own, only?.minStay ?? null, ofOffer]);
    const first = longest.get(night) ?? null;
    // Nobody can stay for at most 0 nights.
    if (minStay === UNREADABLE || first === UNREADABLE || first === 0) return UNREADABLE;
    const maxStay = looksAhead(terms) ? longestThrough(longest, night) : first;
    return {
      ...(minStay === null || minStay === 0 ? undefined : minimum(minStay, terms.restrictions)),
      ...(maxStay === null ? undefined : { maxStay }),
    };
  };
}

/** The calendar's; the room's own where the calendar has none. */
function orOwn(value: JsonValue | undefined, own: Limit): Limit {
  return isUnsaid(value) ? own : readLimit(value);
}

function strictest(choose: (...limits: number[]) => number, limits: readonly Limit[]): Limit {
  if (limits.includes(UNREADABLE)) return UNREADABLE;
  const set = limits.filter((limit) => limit !== null);
  return set.length === 0 ? null : choose(...set);
}

/**
 * The largest n that is at most the maximum of each of the n nights from `night` on; null where even the longest stay
 * is within. A maximum that cannot be read closes its own night, which ends all stays before it.
 */
function longestThrough(longest: ReadonlyMap<EpochDay, Limit>, night: EpochDay): number | null {
  let bound = Number.POSITIVE_INFINITY;
  for (let nights = 1; nights <= STAY_NIGHTS_MAX; nights += 1) {
    const limit = longest.get(night + nights - 1) ?? null;
    if (limit !== null && limit > 0) bound = Math.min(bound, limit);
    if (nights > bound) return nights - 1;
  }
  return null;
}

function minimum(nights: number, restrictions: RoomTerms['restrictions']): Lengths {
  switch (restrictions) {
    case 'firstNight':
      return { minStayArrival: nights };
    case 'stayThrough':
      return { minStayThrough: nights };
    case 'unsaid':
      return { minStayArrival: nights, minStayThrough: nights };
  }
}
