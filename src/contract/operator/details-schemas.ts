/** The fields of a property document that only the traveller's page shows, as the operator's reference lists them. */
import type { TSchema } from 'typebox';
import { Type } from '../partner/json-schema.ts';
import { PAYMENT_MOMENTS } from '../../domain/property-details.ts';

const localized = (description: string): TSchema =>
  Type.Unsafe<unknown>({
    type: ['string', 'object', 'null'],
    description: `${description} One text, or one by locale (it-IT, en-GB).`,
  });
const time = (description: string): TSchema =>
  Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description });
const daysBefore = Type.Integer({ minimum: 0, maximum: 730, description: 'Days before check-in.' });
const percent = (description: string): TSchema => Type.String({ description });

/** All optional; null says the same as nothing, and a document without a field clears it. */
export const DETAIL_SCHEMAS: Readonly<Record<string, TSchema>> = {
  images: Type.Array(
    Type.Object({
      src: Type.String({
        description:
          'An https URL whose origin is in WEB_IMAGE_ORIGINS, or a path below the folder WEB_IMAGES.',
      }),
      alt: localized('What the picture shows.'),
      width: Type.Integer({ minimum: 1, description: 'Pixels.' }),
      height: Type.Integer({ minimum: 1, description: 'Pixels.' }),
    }),
    { maxItems: 30, description: 'In order; the first is the cover.' },
  ),
  checkIn: Type.Object(
    {
      from: time('Local time.'),
      until: Type.Optional(Type.Union([time('Local time.'), Type.Null()], { description: 'Local time.' })),
    },
    { description: 'When guests can arrive.' },
  ),
  checkOut: Type.Object({ until: time('Local time.') }, { description: 'When guests have to leave.' }),
  cancellation: Type.Array(
    Type.Object({ daysBefore, refundPercent: percent('What is refunded, 0 to 100, in a string.') }),
    {
      description:
        'Steps with falling daysBefore. After the last, nothing is refunded. An empty list is non-refundable.',
    },
  ),
  payment: Type.Array(
    Type.Object({
      due: Type.Enum([...PAYMENT_MOMENTS]),
      daysBefore: Type.Optional(daysBefore),
      percent: percent('Of the total, above 0; all steps are 100 together.'),
    }),
    { description: 'In the order in which they are due.' },
  ),
  houseRules: localized('At most 4,000 characters.'),
  registrationNumber: Type.String({
    maxLength: 64,
    description: 'Of the property, as its country gives it.',
  }),
  seller: Type.String({ maxLength: 200, description: 'Who sells the stay; WEB_NAME unless given.' }),
};
