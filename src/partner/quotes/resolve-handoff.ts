/** Resolves a handoff value for the operator's own web application: the decision of `check-handoff.ts` on the wire. */
import type { PartnerPricing } from '../../contract/partner/quote-schemas.ts';
import type { PricedStay } from '../../contract/partner/stay-schemas.ts';
import type { Handoff } from '../../handoff/handoff-value.ts';
import {
  type CheckDeps,
  type CheckedHandoff,
  checkHandoff,
  type HandoffOutcome,
  openWithNewestKeys,
} from './check-handoff.ts';
import { presentPricing } from './present-quote.ts';

interface ResolvedHandoff extends Pick<Handoff, 'quoteId' | 'propertyId' | 'locale' | 'partnerId'> {
  readonly outcome: HandoffOutcome;
  readonly stay: PricedStay;
  /** Currency of `quotedTotal`. */
  readonly currency: string;
  readonly quotedTotal: string;
  /** Null unless the stay is available and priced now. */
  readonly currentTotal: string | null;
  /** The parts of `currentTotal`. */
  readonly pricing: PartnerPricing | null;
  /**
   * Currency of `currentTotal` and `pricing`; differs from `currency` only after the operator changed the property's.
   */
  readonly currentCurrency: string | null;
  /** RFC 3339, UTC. */
  readonly expiresAt: string;
  /** A sandbox quote: nobody travels. */
  readonly test: boolean;
  readonly refusal?: undefined;
}

export type HandoffResolution = ResolvedHandoff | { readonly refusal: 'HANDOFF_INVALID' };

/** Refused when the value is not ours, or differs from the stored quote. Rejects with `StorageUnavailable`. */
export async function resolveHandoff(deps: CheckDeps, value: string): Promise<HandoffResolution> {
  const handoff = await openWithNewestKeys(deps, value);
  const checked = handoff === undefined ? undefined : await checkHandoff(deps, handoff);
  return checked === undefined ? { refusal: 'HANDOFF_INVALID' } : presentResolution(checked);
}

function presentResolution(checked: CheckedHandoff): ResolvedHandoff {
  const { outcome, handoff, quote, quoted, stored, offer } = checked;
  const isCurrent = outcome === 'unchanged' || outcome === 'price_changed';
  const pricing = isCurrent && offer !== undefined ? presentPricing(offer.price) : null;
  return {
    outcome,
    quoteId: handoff.quoteId,
    propertyId: handoff.propertyId,
    stay: quoted.stay,
    locale: handoff.locale,
    partnerId: handoff.partnerId,
    currency: handoff.currency,
    quotedTotal: handoff.total,
    currentTotal: pricing?.total ?? null,
    pricing,
    currentCurrency: pricing === null ? null : (stored?.property.currency ?? null),
    expiresAt: quoted.expiresAt,
    test: quote.isTest,
  };
}
