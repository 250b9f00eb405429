/** Quotes: request and answer (SPEC 2, SPEC 4.4). */
import type { Static } from 'typebox';
import { Type } from './json-schema.ts';
import { STAY_NIGHTS_MAX } from '../../domain/stay-limits.ts';
import { HTTPS_URL_PATTERN } from './limits.ts';
import { currency, decimalMoney, guests, localDate, locale, propertyId } from './scalars.ts';
import { type PricedStay, StaySchema } from './stay-schemas.ts';

export const QuoteStayRequestSchema = Type.Object(
  {
    checkIn: localDate({ description: 'First night.' }),
    checkOut: localDate({
      description: `Day of departure: after checkIn, at most ${STAY_NIGHTS_MAX} nights later.`,
    }),
    guests: guests(),
  },
  { additionalProperties: false, description: 'The stay that a quote is asked for.' },
);

export const CreatePartnerQuoteRequestSchema = Type.Object(
  {
    propertyId: propertyId(),
    stay: QuoteStayRequestSchema,
    locale: locale({ description: 'Language in which the traveller goes on.' }),
  },
  { additionalProperties: false, description: 'What a quote is asked for. There are no other fields.' },
);
export type CreatePartnerQuoteRequest = Static<typeof CreatePartnerQuoteRequestSchema>;

export const PartnerPricingSchema = Type.Object(
  {
    mode: Type.Literal('indicative'),
    accommodation: decimalMoney({ description: 'All nights, extra guests included.' }),
    cleaningFee: decimalMoney(),
    taxes: decimalMoney({ description: 'Taxes and mandatory fees that are not in the rates already.' }),
    total: decimalMoney({ description: 'accommodation + cleaningFee + taxes.' }),
    pricePreservedInHandoff: Type.Literal(false, {
      description: 'The price is recalculated during the handoff.',
    }),
  },
  { additionalProperties: false, description: 'The price in its parts, in the currency of the quote.' },
);
export type PartnerPricing = Static<typeof PartnerPricingSchema>;

export const PartnerQuoteSchema = Type.Object(
  {
    quoteId: Type.String({ description: 'Opaque.' }),
    propertyId: propertyId(),
    stay: StaySchema,
    pricing: PartnerPricingSchema,
    currency: currency(),
    expiresAt: Type.String({
      format: 'date-time',
      description: 'Instant in UTC at which the quote expires. Until then, too, the price is not guaranteed.',
    }),
    handoffUrl: Type.String({
      format: 'uri',
      pattern: HTTPS_URL_PATTERN,
      description: 'Send the traveller here. Use it unchanged; never build or edit it.',
    }),
  },
  { additionalProperties: false, description: 'An indicative quote and where to send the traveller.' },
);
export type PartnerQuote = Static<typeof PartnerQuoteSchema>;

/** A quote of `/v1`, or of the family of prices: then its stay has the ages of children. */
export interface AnyQuote extends Omit<PartnerQuote, 'stay'> {
  readonly stay: PricedStay;
}
