/**
 * Creates an indicative quote (SPEC 4.4): check the caller, read the property, decide, price, seal, store, and only
 * then answer.
 */
import type { Clock } from '../../runtime/clock.ts';
import type { PartnerQuote } from '../../contract/partner/quote-schemas.ts';
import type { OfferedNights, StayRequest } from '../../domain/eligibility.ts';
import { isVisibleTo, type Locale, textFor } from '../../domain/property.ts';
import type { HandoffKeyring } from '../../handoff/handoff-keys.ts';
import { formatHandoffUrl, sealHandoff } from '../../handoff/handoff-value.ts';
import { type Random, randomBase62 } from '../../runtime/random.ts';
import type { CatalogueStore } from '../../storage/catalogue/store.ts';
import type { QuoteStore } from '../../storage/quotes/store.ts';
import { decideStored, type QuoteRefusal } from '../../domain/quote-decision.ts';
import { formatStoredBreakdown, presentBreakdown, presentPricing, presentStay } from './present-quote.ts';

export interface QuoteDeps {
  readonly storage: Pick<CatalogueStore, 'findProperty'> & Pick<QuoteStore, 'insertQuote'>;
  /** As the three GET operations answer now; storage is checked again. */
  readonly isVisible: (propertyId: string, partnerId: string) => boolean;
  /** The current keyring. */
  readonly handoffKeys: () => HandoffKeyring;
  /** Absolute https URL without query or fragment. */
  readonly handoffBaseUrl: string;
  readonly quoteTtlSeconds: number;
  readonly horizonNights: number;
  /** Marks the stored quote as a test. */
  readonly isTest: boolean;
  /** Called after a quote was stored for the credential. */
  readonly noteStored: (credentialId: string) => void;
  readonly clock: Clock;
  readonly random: Random;
}

/** A validated request with its caller. */
export interface QuoteRequest extends StayRequest {
  readonly propertyId: string;
  readonly locale: Locale;
  readonly partnerId: string;
  readonly credentialId: string;
}

/** `body` is the quote as JSON, exactly as stored and sent. */
export type CreatedQuote =
  | { readonly quote: PartnerQuote; readonly body: string; readonly refusal?: undefined }
  | { readonly refusal: 'PROPERTY_NOT_FOUND' | QuoteRefusal; readonly reason?: OutOfRangeReason };

/** Why no property can host the stay; reveals no setting of the operator. */
export type OutOfRangeReason = 'past' | 'beyond-horizon';

/** 24 base62 characters are 142 bits: quotes can't be guessed. */
const QUOTE_ID_LENGTH = 24;

/** Resolves with a quote once it is stored durably. Rejects with `StorageUnavailable` when it can't be. */
export async function createQuote(deps: QuoteDeps, request: QuoteRequest): Promise<CreatedQuote> {
  // Before anything is read: the time of the answer must not distinguish a hidden property from an unknown one.
  if (!deps.isVisible(request.propertyId, request.partnerId)) return { refusal: 'PROPERTY_NOT_FOUND' };
  const stored = await deps.storage.findProperty(request.propertyId);
  if (stored === undefined || !isVisibleTo(stored.property, request.partnerId)) {
    return { refusal: 'PROPERTY_NOT_FOUND' };
  }
  const nowMs = deps.clock();
  const { decision, offered } = decideStored(stored, request, { nowMs, horizonNights: deps.horizonNights });
  if (decision.outcome !== 'priced') {
    return { refusal: decision.outcome, ...findOutOfRange(request, offered) };
  }

  const quoteId = `qt_${randomBase62(QUOTE_ID_LENGTH, deps.random)}`;
  const expiresAtMs = nowMs + deps.quoteTtlSeconds * 1000;
  const pricing = presentPricing(decision.price);
  const value = sealHandoff(deps.handoffKeys(), {
    quoteId,
    propertyId: stored.property.propertyId,
    checkIn: request.checkIn,
    checkOut: request.checkOut,
    guests: request.guests,
    locale: request.locale,
    partnerId: request.partnerId,
    total: pricing.total,
    currency: stored.property.currency,
    expiresAtMs,
    ...(deps.isTest ? { isTest: true } : {}),
  });
  const quote: PartnerQuote = {
    quoteId,
    propertyId: stored.property.propertyId,
    stay: presentStay(request, stored.property.timezone),
    pricing,
    currency: stored.property.currency,
    expiresAt: new Date(expiresAtMs).toISOString(),
    handoffUrl: formatHandoffUrl(deps.handoffBaseUrl, value),
  };
  const body = JSON.stringify(quote);
  await deps.storage.insertQuote({
    quoteId,
    propertyId: quote.propertyId,
    partnerId: request.partnerId,
    credentialId: request.credentialId,
    inventoryTypeId: decision.type.inventoryTypeId,
    locale: request.locale,
    createdAtMs: nowMs,
    expiresAtMs,
    answer: body,
    breakdown: formatStoredBreakdown(
      presentBreakdown(decision.price),
      textFor(stored.property.name, request.locale),
    ),
    isTest: deps.isTest,
  });
  deps.noteStored(request.credentialId);
  return { quote, body };
}

function findOutOfRange(stay: StayRequest, offered: OfferedNights): { readonly reason?: OutOfRangeReason } {
  if (stay.checkIn < offered.first) return { reason: 'past' };
  return stay.checkOut > offered.end ? { reason: 'beyond-horizon' } : {};
}
