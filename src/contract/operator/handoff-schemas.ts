/** Requests and answers of `POST /handoff/resolve` and `POST /handoff/conversions`. */
import { Type } from '../partner/json-schema.ts';
import { PartnerPricingSchema } from '../partner/quote-schemas.ts';
import { PricedStaySchema } from '../partner/stay-schemas.ts';
import type { Static } from 'typebox';

export const ResolveHandoffRequestSchema = Type.Object(
  { handoff: Type.String({ description: 'The query parameter `handoff` of a handoff link.' }) },
  { additionalProperties: false },
);

export const HandoffResolutionSchema = Type.Object({
  outcome: Type.Unsafe<string>({
    type: 'string',
    enum: ['unchanged', 'price_changed', 'unavailable', 'expired'],
    description: 'What became of the quoted stay.',
  }),
  quoteId: Type.String(),
  propertyId: Type.String(),
  stay: PricedStaySchema,
  locale: Type.String(),
  partnerId: Type.String(),
  currency: Type.String({ description: 'Of quotedTotal.' }),
  quotedTotal: Type.String(),
  currentTotal: nullable({ type: 'string' }, 'Null unless the stay is available and priced now.'),
  pricing: Type.Unsafe<unknown>({
    anyOf: [PartnerPricingSchema, { type: 'null' }],
    description: 'The parts of currentTotal.',
  }),
  currentCurrency: nullable({ type: 'string' }, 'The currency of currentTotal and pricing.'),
  expiresAt: Type.String({ format: 'date-time' }),
  test: Type.Boolean({ description: 'The quote was made with a test token: book nothing.' }),
});

function nullable({ type }: { readonly type: string }, description: string) {
  return Type.Unsafe<string | null>({ type: [type, 'null'], description });
}

const REFERENCE_LENGTH_MAX = 120;

const CONVERSION_STATUSES = ['booked', 'cancelled'] as const;

const status = Type.Unsafe<(typeof CONVERSION_STATUSES)[number]>({
  type: 'string',
  enum: CONVERSION_STATUSES,
  description: 'What became of the booking.',
});

const reference = Type.String({
  minLength: 1,
  maxLength: REFERENCE_LENGTH_MAX,
  description: "Your booking system's name of the booking. The same reference is the same booking.",
});

export const RecordConversionRequestSchema = Type.Object(
  {
    quoteId: Type.String({ minLength: 1, maxLength: 100, description: 'As `/handoff/resolve` gives it.' }),
    reference,
    status,
    total: Type.Optional(
      Type.String({
        pattern: '^(?:0|[1-9][0-9]{0,9})(?:\\.[0-9]{1,2})?$',
        description: 'Price of the booking, such as `410.00`; needs `currency`.',
      }),
    ),
    currency: Type.Optional(
      Type.String({ pattern: '^[A-Z]{3}$', description: 'That of the quote; needs `total`.' }),
    ),
  },
  { additionalProperties: false },
);
export type RecordConversionRequest = Static<typeof RecordConversionRequestSchema>;

export const RecordedConversionSchema = Type.Object({
  quoteId: Type.String(),
  reference,
  status,
  recorded: Type.Boolean({ description: 'False when the same was recorded before.' }),
});
