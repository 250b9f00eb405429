/** The scalar types of SPEC 2 as schemas; each call takes what its place adds (a description, a default). */
import { Type } from 'typebox';
import { GUESTS_MAX, GUESTS_MIN, PROPERTY_ID_LENGTH_MAX } from '../limits.ts';

interface Place {
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
}

const CONTRACT_LOCALES = ['it-IT', 'en-GB'] as const;
export type ContractLocale = (typeof CONTRACT_LOCALES)[number];
export const LOCALE_DEFAULT: ContractLocale = 'it-IT';

const LOCAL_DATE_PATTERN = String.raw`^\d{4}-\d{2}-\d{2}$`;
const MONEY_PATTERN = String.raw`^(0|[1-9]\d*)\.\d{2}$`;
const PROPERTY_ID_PATTERN = '^[A-Za-z0-9._~-]+$';

export const propertyId = (place: Place = {}) =>
  Type.String({
    minLength: 1,
    maxLength: PROPERTY_ID_LENGTH_MAX,
    pattern: PROPERTY_ID_PATTERN,
    description: 'Opaque identifier of a property. Do not parse it.',
    ...place,
  });

/** A real Gregorian date; in schemas only its form can be said. */
export const localDate = (place: Place = {}) =>
  Type.String({ format: 'date', pattern: LOCAL_DATE_PATTERN, ...place });

export const decimalMoney = (place: Place = {}) => Type.String({ pattern: MONEY_PATTERN, ...place });

export const nullableDecimalMoney = (place: Place = {}) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], pattern: MONEY_PATTERN, ...place });

export const nullableText = (place: Place = {}) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], ...place });

export const currency = (place: Place = {}) =>
  Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217 code.', ...place });

export const country = (place: Place = {}) =>
  Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2 code.', ...place });

export const locale = (place: Place = {}) =>
  Type.Enum([...CONTRACT_LOCALES] as const, { type: 'string', ...place });

export const guests = (place: Place = {}) =>
  Type.Integer({ minimum: GUESTS_MIN, maximum: GUESTS_MAX, ...place });
