/** Pictures, times and terms of a property, as partners show them. */
import type { Static } from 'typebox';
import { IMAGES_MAX, PAYMENT_MOMENTS } from '../../domain/property-details.ts';
import { Type } from './json-schema.ts';
import { HTTPS_URL_PATTERN, PAGE_SIZE_MAX } from './limits.ts';
import { PaginationSchema } from './property-schemas.ts';
import { currency, nullableText, propertyId } from './scalars.ts';

const localTime = (description: string) =>
  Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description });
const percent = (description: string) => Type.String({ pattern: String.raw`^\d+(\.\d+)?$`, description });
const pixels = (description: string) => Type.Integer({ minimum: 1, format: 'int32', description });
const daysBefore = Type.Integer({
  minimum: 0,
  format: 'int32',
  description: 'Days before the check-in date.',
});

export const ContentImageSchema = Type.Object(
  {
    url: Type.String({
      format: 'uri',
      pattern: HTTPS_URL_PATTERN,
      description: 'Absolute. A picture that changes gets another address.',
    }),
    alt: Type.String({ description: 'The picture in words.' }),
    width: pixels('Width in pixels.'),
    height: pixels('Height in pixels.'),
  },
  { additionalProperties: false, description: 'A picture of a property.' },
);

const CheckInTimesSchema = Type.Object(
  {
    from: localTime('Earliest arrival, local time.'),
    until: Type.Union([localTime('Latest arrival, local time.'), Type.Null()]),
  },
  { additionalProperties: false },
);

const CancellationStepSchema = Type.Object(
  { daysBefore, refundPercent: percent('Part of the price that comes back, 0 to 100.') },
  { additionalProperties: false },
);

const PaymentStepSchema = Type.Object(
  {
    due: Type.Unsafe<(typeof PAYMENT_MOMENTS)[number]>({ type: 'string', enum: [...PAYMENT_MOMENTS] }),
    daysBefore: Type.Union([daysBefore, Type.Null()], { description: 'Set for `daysBefore` only.' }),
    percent: percent('Part of the price; all steps together are 100.'),
  },
  { additionalProperties: false },
);

export const PropertyContentSchema = Type.Object(
  {
    propertyId: propertyId(),
    images: Type.Array(ContentImageSchema, {
      maxItems: IMAGES_MAX,
      description: 'The first is the cover. Pictures that cannot be served are left out.',
    }),
    checkIn: Type.Union([CheckInTimesSchema, Type.Null()]),
    checkOut: Type.Union([
      Type.Object({ until: localTime('Latest departure, local time.') }, { additionalProperties: false }),
      Type.Null(),
    ]),
    cancellation: Type.Union([Type.Array(CancellationStepSchema), Type.Null()], {
      description:
        'Falling daysBefore; who cancels that early or earlier gets the percentage back, after the last step nothing. ' +
        'Empty: non-refundable. Null: the operator says nothing.',
    }),
    payment: Type.Union([Type.Array(PaymentStepSchema), Type.Null()], {
      description: 'When parts of the price are due. Null: the operator says nothing.',
    }),
    houseRules: nullableText(),
    registrationNumber: nullableText({
      description: 'Registration of the accommodation. Where adverts must state it (CIN in Italy), show it.',
    }),
    seller: nullableText({ description: 'Who sells the stay.' }),
    timezone: Type.String({ description: 'IANA timezone of dates and times.' }),
    currency: currency(),
  },
  { additionalProperties: false, description: 'Pictures, times and terms of a property.' },
);
export type PropertyContent = Static<typeof PropertyContentSchema>;

export const PropertyContentListSchema = Type.Object(
  {
    items: Type.Array(PropertyContentSchema, {
      maxItems: PAGE_SIZE_MAX,
      description: 'Ordered by propertyId before pagination.',
    }),
    pagination: PaginationSchema,
  },
  { additionalProperties: false, description: 'One page of content.' },
);
export type PropertyContentList = Static<typeof PropertyContentListSchema>;
