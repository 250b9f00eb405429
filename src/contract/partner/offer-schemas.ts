/** One stay at one property, whole: its price in all parts, and the terms as dates and amounts. */
import type { Static } from 'typebox';
import { CHARGE_KINDS } from '../../domain/charges.ts';
import { PAYMENT_MOMENTS, REFUNDABILITIES } from '../../domain/property-details.ts';
import { TAX_DUES } from '../../domain/property.ts';
import { STAY_NIGHTS_MAX } from '../../domain/stay-limits.ts';
import { PropertyContentSchema } from './content-schemas.ts';
import { Type } from './json-schema.ts';
import { StayPricingSchema } from './price-schemas.ts';
import { currency, decimalMoney, localDate, nullableDecimalMoney, propertyId } from './scalars.ts';
import { PricedStaySchema } from './stay-schemas.ts';

const { checkIn, checkOut, houseRules, registrationNumber, seller } = PropertyContentSchema.properties;

export const OfferNightSchema = Type.Object(
  {
    date: localDate({ description: 'The night that begins on this date.' }),
    amount: decimalMoney({ description: 'Extra guests included, the discount taken off.' }),
  },
  { additionalProperties: false, description: 'The price of one occupied night.' },
);

export const OfferChargeSchema = Type.Object(
  {
    code: Type.String({ description: 'Of the operator; `cleaning-fee` with the kind `cleaning`.' }),
    name: Type.String({ description: 'For travellers, in the locale where the code has a name in it.' }),
    kind: Type.Unsafe<(typeof CHARGE_KINDS)[number]>({ type: 'string', enum: [...CHARGE_KINDS] }),
    amount: decimalMoney({ description: 'Added to the price; `0.00` for a tax that is in it already.' }),
    included: nullableDecimalMoney({
      description: 'The tax that is in the price already; null where it is added.',
    }),
    due: Type.Unsafe<(typeof TAX_DUES)[number]>({
      type: 'string',
      enum: [...TAX_DUES],
      description: '`booking`: paid with the stay. `arrival`: paid at the property.',
    }),
  },
  { additionalProperties: false, description: 'The cleaning fee, a tax, or a mandatory fee.' },
);

export const OfferRefundSchema = Type.Object(
  {
    until: Type.String({
      pattern: String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}[+-]\d{2}:\d{2}$`,
      description:
        'The last second of the last day for this refund, with the offset of the zone of the property.',
    }),
    refundPercent: Type.String({ pattern: String.raw`^\d+(\.\d+)?$`, description: 'Above 0, at most 100.' }),
    refundAmount: decimalMoney({ description: 'The percentage of `total` less charges due at arrival.' }),
  },
  { additionalProperties: false, description: 'What a cancellation until then gives back.' },
);

export const OfferPaymentSchema = Type.Object(
  {
    due: Type.Unsafe<(typeof PAYMENT_MOMENTS)[number]>({ type: 'string', enum: [...PAYMENT_MOMENTS] }),
    date: Type.Unsafe<string | null>({
      anyOf: [localDate(), { type: 'null' }],
      description: 'Last day of the payment; set for `daysBefore` only.',
    }),
    amount: decimalMoney(),
  },
  { additionalProperties: false, description: 'One payment.' },
);

export const StayOfferSchema = Type.Object(
  {
    propertyId: propertyId(),
    stay: PricedStaySchema,
    currency: currency(),
    pricing: StayPricingSchema,
    nights: Type.Array(OfferNightSchema, {
      minItems: 1,
      maxItems: STAY_NIGHTS_MAX,
      description: 'One entry per occupied night, in order; they sum to `accommodation`.',
    }),
    charges: Type.Array(OfferChargeSchema, {
      description:
        'The cleaning fee, then each tax rule that adds or includes something, as they run; the amounts sum to ' +
        '`cleaningFee` and `taxes`.',
    }),
    refundability: Type.Unsafe<(typeof REFUNDABILITIES)[number] | null>({
      enum: [...REFUNDABILITIES, null],
      description: 'What cancelling now would give back: all, some, none. Null: the operator says nothing.',
    }),
    cancellation: Type.Union([Type.Array(OfferRefundSchema), Type.Null()], {
      description:
        'Refunds that are left, the earliest deadline first; after the last nothing comes back. Empty: nothing does. ' +
        'Null: the operator says nothing.',
    }),
    payment: Type.Union([Type.Array(OfferPaymentSchema), Type.Null()], {
      description:
        'When parts of `total` are due, in order; a step whose date has passed is due at booking. Charges due at ' +
        'arrival are the last entry, of their own. Null: the operator says nothing.',
    }),
    checkIn,
    checkOut,
    houseRules,
    registrationNumber,
    seller,
    asOf: Type.String({ format: 'date-time', description: 'Instant in UTC at which this was decided.' }),
  },
  { additionalProperties: false, description: 'One stay at one property, with its price and terms.' },
);
export type StayOffer = Static<typeof StayOfferSchema>;
