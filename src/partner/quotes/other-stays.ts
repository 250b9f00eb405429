/** Why a stay of a stored property can't be had or priced, and which stays can instead, decided by the evaluator. */
import type { Calendar } from '../../domain/calendar.ts';
import type { OfferedNights, StayRequest } from '../../domain/eligibility.ts';
import { findInstead, otherStays } from '../../domain/instead-stays.ts';
import { decideQuote, type PricedProperty, type PricedQuote } from '../../domain/quote-decision.ts';
import { explainRefused, type StayReason } from '../../domain/stay-reasons.ts';
import { inTurns } from '../../runtime/in-turns.ts';

export interface PossibleStay {
  readonly stay: StayRequest;
  readonly offer: PricedQuote;
}

/** A property as it is decided for a moment; `calendars` are in the order of the inventory types. */
export interface DecidedProperty {
  readonly priced: PricedProperty;
  readonly calendars: readonly Calendar[];
  readonly offered: OfferedNights;
}

/** A stay is decided type by type: a property of very many types is searched less far. */
const DECISIONS_OF_TYPES_MAX = 3_000;

/** Stays with a price, in the order of `findInstead`; none where the property gives no quotes. */
export async function findOtherStays(
  { priced, calendars, offered }: DecidedProperty,
  wanted: StayRequest,
): Promise<readonly PossibleStay[]> {
  if (!priced.property.quoting) return [];
  let decisions = 0;
  const steps = findInstead(otherStays(wanted), (dates) => {
    const stay = { ...wanted, ...dates };
    if (stay.checkIn < offered.first || stay.checkOut > offered.end) return undefined;
    decisions += calendars.length;
    if (decisions > DECISIONS_OF_TYPES_MAX) return undefined;
    const decision = decideQuote(priced, calendars, stay, offered);
    return decision.outcome === 'STAY_UNAVAILABLE' ? undefined : { stay, decision };
  });
  const found = await inTurns(steps);
  return found.flatMap(({ answer: { stay, decision } }) =>
    decision.outcome === 'priced' ? [{ stay, offer: decision }] : [],
  );
}

/** Empty where the stay has a price. Other work comes in between: a property may have a thousand types. */
export function findReasons(
  { priced, calendars, offered }: DecidedProperty,
  stay: StayRequest,
): Promise<readonly StayReason[]> {
  return inTurns(explainRefused(priced, calendars, stay, offered));
}
