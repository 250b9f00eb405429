/** Request and answer of `POST /handoff/conversions`. */
import type { Static } from 'typebox';
import { Type } from '../partner/json-schema.ts';

export const REFERENCE_LENGTH_MAX = 120;

export const CONVERSION_STATUSES = ['booked', 'cancelled'] as const;

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
