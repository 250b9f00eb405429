/**
 * Creates an indicative quote (SPEC 4.4): check the caller, read the property, decide, price, seal, store, and only
 * then answer.
 */
import type { AnyQuote } from '../../contract/partner/quote-schemas.ts';
import { type Locale, textFor } from '../../domain/property.ts';
import type { HandoffKeyring } from '../../handoff/handoff-keys.ts';
import { formatHandoffUrl, sealHandoff } from '../../handoff/handoff-value.ts';
import { type Random, randomBase62 } from '../../runtime/random.ts';
import type { QuoteStore } from '../../storage/quotes/store.ts';
import type { QuoteRefusal } from '../../domain/quote-decision.ts';
import {
  type AskedStay,
  type DecideDeps,
  decideVisible,
  findOutOfRange,
  type OutOfRangeReason,
} from './decide-visible.ts';
import { formatStoredBreakdown, presentBreakdown, presentPricing, presentStay } from './present-quote.ts';

export interface QuoteDeps extends DecideDeps {
  readonly storage: DecideDeps['storage'] & Pick<QuoteStore, 'insertQuote'>;
  /** The current keyring. */
  readonly handoffKeys: () => HandoffKeyring;
  /** Absolute https URL without query or fragment. */
  readonly handoffBaseUrl: string;
  readonly quoteTtlSeconds: number;
  /** Marks the stored quote as a test. */
  readonly isTest: boolean;
  /** Called after a quote was stored for the credential. */
  readonly noteStored: (credentialId: string) => void;
  readonly random: Random;
}

/** A validated request with its caller. */
export interface QuoteRequest extends AskedStay {
  readonly locale: Locale;
  readonly credentialId: string;
  /** Whether the answer always says the ages of children, also that there are none. */
  readonly tellsAges?: boolean;
}

/** `body` is the quote as JSON, exactly as stored and sent. */
export type CreatedQuote =
  | { readonly quote: AnyQuote; readonly body: string; readonly refusal?: undefined }
  | { readonly refusal: 'PROPERTY_NOT_FOUND' | QuoteRefusal; readonly reason?: OutOfRangeReason };

/** 24 base62 characters are 142 bits: quotes can't be guessed. */
const QUOTE_ID_LENGTH = 24;

/** Resolves with a quote once it is stored durably. Rejects with `StorageUnavailable` when it can't be. */
export async function createQuote(deps: QuoteDeps, request: QuoteRequest): Promise<CreatedQuote> {
  const decided = await decideVisible(deps, request);
  if (decided === undefined) return { refusal: 'PROPERTY_NOT_FOUND' };
  const { stored, nowMs, decision, offered } = decided;
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
    childAges: request.childAges,
    locale: request.locale,
    partnerId: request.partnerId,
    total: pricing.total,
    currency: stored.property.currency,
    expiresAtMs,
    ...(deps.isTest ? { isTest: true } : {}),
  });
  const quote: AnyQuote = {
    quoteId,
    propertyId: stored.property.propertyId,
    stay: presentStay(request, stored.property.timezone, request.tellsAges),
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
