/**
 * What becomes of a traveller who arrives with a handoff value: the quote is opened, and its stay is decided and
 * priced again, because a quote promises neither (SPEC 1.9).
 */
import type { Clock } from '../runtime/clock.ts';
import type { PartnerPricing, PartnerQuote } from '../contract/partner/quote-schemas.ts';
import type { Stay } from '../contract/partner/stay-schemas.ts';
import { formatLocalDate } from '../domain/local-date.ts';
import type { Locale } from '../domain/property.ts';
import { isVisibleTo } from '../domain/visibility.ts';
import { decideStored } from './decide-stored.ts';
import { presentPricing } from './present-quote.ts';
import type { CatalogueStore, QuoteRow, QuoteStore } from '../storage/storage.ts';
import type { HandoffKeyring } from '../handoff/handoff-keys.ts';
import { type Handoff, openHandoff, type OpenedHandoff } from '../handoff/handoff-value.ts';

export interface ResolveDeps {
  readonly storage: Pick<CatalogueStore, 'findProperty'> & Pick<QuoteStore, 'findQuote'>;
  readonly handoffKeys: () => HandoffKeyring;
  /** Reads the keys anew when a value names one that is not known: another process may have made it just now. */
  readonly reloadHandoffKeys?: (() => Promise<HandoffKeyring>) | undefined;
  readonly horizonNights: number;
  readonly clock: Clock;
}

type HandoffOutcome = 'unchanged' | 'price_changed' | 'unavailable' | 'expired';

interface ResolvedHandoff {
  readonly outcome: HandoffOutcome;
  readonly quoteId: string;
  readonly propertyId: string;
  readonly stay: Stay;
  readonly locale: Locale;
  readonly partnerId: string;
  /** Of `quotedTotal`. */
  readonly currency: string;
  readonly quotedTotal: string;
  /** Null unless the stay is available and priced now. */
  readonly currentTotal: string | null;
  /** The parts of `currentTotal`. */
  readonly pricing: PartnerPricing | null;
  /** Of `currentTotal` and `pricing`; another than `currency` only when the operator changed the property's. */
  readonly currentCurrency: string | null;
  /** RFC 3339, UTC. */
  readonly expiresAt: string;
  readonly refusal?: undefined;
}

export type HandoffResolution = ResolvedHandoff | { readonly refusal: 'HANDOFF_INVALID' };

/**
 * Decides in this order: is the value ours, is it expired, can the stay still be had by this partner at a price, and
 * is it the price that was quoted. A value counts as ours only when its quote is stored here too: a key that two
 * installations share must not let the one vouch for quotes of the other. It also says in every field what the stored
 * quote says.
 */
export async function resolveHandoff(deps: ResolveDeps, value: string): Promise<HandoffResolution> {
  const nowMs = deps.clock();
  const opened = await openWithNewestKeys(deps, value, nowMs);
  if (!opened.ok) return { refusal: 'HANDOFF_INVALID' };
  const { handoff } = opened;
  const row = await deps.storage.findQuote(handoff.quoteId);
  if (row === undefined) return { refusal: 'HANDOFF_INVALID' };
  const quote = JSON.parse(row.answer) as PartnerQuote;
  if (!isBoundBy(handoff, row, quote)) return { refusal: 'HANDOFF_INVALID' };

  if (handoff.expiresAtMs <= nowMs) return presentResolution('expired', handoff, quote);
  const current = await priceNow(deps, handoff, nowMs);
  if (current === undefined) return presentResolution('unavailable', handoff, quote);
  const isUnchanged = current.pricing.total === handoff.total && current.currency === handoff.currency;
  return presentResolution(isUnchanged ? 'unchanged' : 'price_changed', handoff, quote, current);
}

/** Whether the value says what the stored quote says: a stolen key alone must not change a traveller's quote. */
function isBoundBy(handoff: Handoff, row: QuoteRow, quote: PartnerQuote): boolean {
  return (
    handoff.propertyId === row.propertyId &&
    handoff.partnerId === row.partnerId &&
    handoff.locale === row.locale &&
    handoff.expiresAtMs === row.expiresAtMs &&
    formatLocalDate(handoff.checkIn) === quote.stay.checkIn &&
    formatLocalDate(handoff.checkOut) === quote.stay.checkOut &&
    handoff.guests === quote.stay.guests &&
    handoff.total === quote.pricing.total &&
    handoff.currency === quote.currency
  );
}

interface CurrentPrice {
  readonly pricing: PartnerPricing;
  readonly currency: string;
}

async function openWithNewestKeys(deps: ResolveDeps, value: string, nowMs: number): Promise<OpenedHandoff> {
  const opened = await openHandoff(deps.handoffKeys(), value, nowMs);
  if (opened.ok || opened.reason !== 'unknown_key' || deps.reloadHandoffKeys === undefined) return opened;
  return openHandoff(await deps.reloadHandoffKeys(), value, nowMs);
}

/** Undefined when the property is gone, hidden from this partner, not available for the stay, or not priced. */
async function priceNow(
  deps: ResolveDeps,
  handoff: Handoff,
  nowMs: number,
): Promise<CurrentPrice | undefined> {
  const stored = await deps.storage.findProperty(handoff.propertyId);
  if (stored === undefined || !isVisibleTo(stored.property, handoff.partnerId)) return undefined;
  const decision = decideStored(stored, handoff, { nowMs, horizonNights: deps.horizonNights });
  if (decision.outcome !== 'priced') return undefined;
  return { pricing: presentPricing(decision.price), currency: stored.property.currency };
}

function presentResolution(
  outcome: HandoffOutcome,
  handoff: Handoff,
  quote: PartnerQuote,
  current?: CurrentPrice,
): ResolvedHandoff {
  return {
    outcome,
    quoteId: handoff.quoteId,
    propertyId: handoff.propertyId,
    stay: quote.stay,
    locale: handoff.locale,
    partnerId: handoff.partnerId,
    currency: handoff.currency,
    quotedTotal: handoff.total,
    currentTotal: current?.pricing.total ?? null,
    pricing: current?.pricing ?? null,
    currentCurrency: current?.currency ?? null,
    expiresAt: quote.expiresAt,
  };
}
