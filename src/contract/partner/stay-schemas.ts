/** Stays and their availability (SPEC 2). */
import type { Static } from 'typebox';
import { Type } from './json-schema.ts';
import { STAY_NIGHTS_MAX } from '../../domain/stay-limits.ts';
import { childAges, guests, localDate, propertyId } from './scalars.ts';

export const StaySchema = Type.Object(
  {
    checkIn: localDate({ description: 'First night.' }),
    checkOut: localDate({ description: 'Day of departure: not an occupied night.' }),
    nights: Type.Integer({
      minimum: 1,
      maximum: STAY_NIGHTS_MAX,
      format: 'int32',
      description: 'Occupied local calendar nights.',
    }),
    guests: guests({ description: 'Travellers that the decision was made for.' }),
    timezone: Type.String({ description: 'IANA timezone in which checkIn and checkOut are meant.' }),
  },
  { additionalProperties: false, description: 'The half-open interval from checkIn to checkOut.' },
);
export type Stay = Static<typeof StaySchema>;

const { checkIn, checkOut, nights, guests: travellers, timezone } = StaySchema.properties;

/** Stays beside `/v1`, which know more than its own. */
export const PricedStaySchema = Type.Object(
  {
    checkIn,
    checkOut,
    nights,
    guests: travellers,
    childAges: Type.Optional(childAges({ description: 'Ages of the children among them, ascending.' })),
    timezone,
  },
  { additionalProperties: false, description: 'The half-open interval from checkIn to checkOut.' },
);
export type PricedStay = Static<typeof PricedStaySchema>;

export const AvailabilityDaySchema = Type.Object(
  {
    date: localDate({ description: 'The night that begins on this date.' }),
    available: Type.Boolean({
      description:
        'At least one inventory type for the guests is open this night. Says nothing about the stay as a whole.',
    }),
  },
  { description: 'One night, looked at alone.' },
);

export const PartnerAvailabilitySchema = Type.Object(
  {
    propertyId: propertyId(),
    stay: StaySchema,
    available: Type.Boolean({
      description: 'True only when one inventory type hosts the guests on every night of the stay.',
    }),
    days: Type.Array(AvailabilityDaySchema, {
      minItems: 1,
      maxItems: STAY_NIGHTS_MAX,
      description: 'One entry per occupied night, in order.',
    }),
  },
  { description: 'Whether the stay is available, and a diagnosis by night.' },
);
export type PartnerAvailability = Static<typeof PartnerAvailabilitySchema>;
