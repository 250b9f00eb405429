/** Why a stay of a stored property can't be had or priced, and which stays can instead, decided by the evaluator. */
import type { Calendar } from '../../domain/calendar.ts';
import type { OfferedNights, StayRequest } from '../../domain/eligibility.ts';
import { findInstead, otherStays } from '../../domain/instead-stays.ts';
import { decideQuote, type PricedProperty, type PricedQuote } from '../../domain/quote-decision.ts';
import { explainRefused, type StayReason } from '../../domain/stay-reasons.ts';
import { inTurns } from '../../runtime/in-turns.ts';

/** A stay that can be had. */
export interface PossibleStay {
  readonly stay: StayRequest;
  /** Undefined where no quote can be made. */
  readonly offer: PricedQuote | undefined;
}

export interface PricedStay extends PossibleStay {
  readonly offer: PricedQuote;
}

/** A property as it is decided for a moment; `calendars` are in the order of the inventory types. */
export interface DecidedProperty {
  readonly priced: PricedProperty;
  readonly calendars: readonly Calendar[];
  readonly offered: OfferedNights;
}

/** A stay is decided type by type: for a traveller, a property of very many types is searched less far. */
const DECISIONS_OF_TYPES_MAX = 3_000;

/**
 * Stays that can be had, in the order of `findInstead`; none where the property gives no quotes. Decisions are counted
 * by inventory type.
 */
export async function findOtherStays(
  { priced, calendars, offered }: DecidedProperty,
  wanted: StayRequest,
  decisionsMax = DECISIONS_OF_TYPES_MAX,
): Promise<readonly PossibleStay[]> {
  if (!priced.property.quoting) return [];
  let decisions = 0;
  const steps = findInstead(otherStays(wanted), (dates) => {
    const stay = { ...wanted, ...dates };
    if (stay.checkIn < offered.first || stay.checkOut > offered.end) return undefined;
    decisions += calendars.length;
    if (decisions > decisionsMax) return undefined;
    const decision = decideQuote(priced, calendars, stay, offered);
    return decision.outcome === 'STAY_UNAVAILABLE' ? undefined : { stay, decision };
  });
  const found = await inTurns(steps);
  return found.map(({ answer: { stay, decision } }) => ({
    stay,
    offer: decision.outcome === 'priced' ? decision : undefined,
  }));
}

/** Those of them that have a price. */
export async function findPricedStays(
  ...asked: Parameters<typeof findOtherStays>
): Promise<readonly PricedStay[]> {
  return (await findOtherStays(...asked)).flatMap(({ stay, offer }) =>
    offer === undefined ? [] : [{ stay, offer }],
  );
}

/** Empty where the stay has a price. Other work comes in between: a property may have a thousand types. */
export function findReasons(
  { priced, calendars, offered }: DecidedProperty,
  stay: StayRequest,
): Promise<readonly StayReason[]> {
  return inTurns(explainRefused(priced, calendars, stay, offered));
}
