/** Request and answer of `POST /handoff/resolve`. */
import { Type } from '../partner/json-schema.ts';
import { PartnerPricingSchema } from '../partner/quote-schemas.ts';
import { StaySchema } from '../partner/stay-schemas.ts';

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
  stay: StaySchema,
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
