/** The scalar types of SPEC 2 as schemas; each use adds its description or default. */
import type { TUnsafe } from 'typebox';
import { Type } from './json-schema.ts';
import { LOCAL_DATE_FORM } from '../../domain/local-date.ts';
import { CHILD_AGE_MAX, ID_CHARACTERS, ID_LENGTH_MAX, type Locale, LOCALES } from '../../domain/property.ts';
import { STAY_CHILDREN_MAX, STAY_GUESTS_MAX } from '../../domain/stay-limits.ts';
import { GUESTS_MIN } from './limits.ts';

interface Addition {
  readonly description?: string;
  readonly default?: unknown;
  readonly minItems?: number;
}

const MONEY_PATTERN = String.raw`^(0|[1-9]\d*)\.\d{2}$`;

/** Schemas with a name in the document, and the additions of each use. */
const additions = new WeakMap<object, { readonly name: ScalarName; readonly addition: Addition }>();

export const SCALAR_SCHEMAS = {
  PropertyId: {
    type: 'string',
    minLength: 1,
    maxLength: ID_LENGTH_MAX,
    pattern: `^${ID_CHARACTERS}+$`,
    description: 'Opaque identifier of a property. Do not parse it.',
  },
  /** A real Gregorian date; a schema can only describe its form. */
  LocalDate: {
    type: 'string',
    format: 'date',
    pattern: LOCAL_DATE_FORM.source,
    description: 'A calendar date in the timezone of the property.',
  },
  DecimalMoney: {
    type: 'string',
    pattern: MONEY_PATTERN,
    description: 'A decimal string with two digits after the point, in the currency of the answer.',
  },
  Currency: { type: 'string', pattern: '^[A-Z]{3}$', description: 'ISO 4217 code.' },
  CountryCode: { type: 'string', pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2 code.' },
  Locale: { type: 'string', enum: [...LOCALES], description: 'BCP 47 language tag.' },
} as const;
export type ScalarName = keyof typeof SCALAR_SCHEMAS;

/** The named scalar of a schema, and the additions of its use; undefined for any other schema. */
export function scalarUse(
  schema: object,
): { readonly name: ScalarName; readonly addition: Addition } | undefined {
  return additions.get(schema);
}

function use<Value>(name: ScalarName, addition: Addition): TUnsafe<Value> {
  const schema = Type.Unsafe<Value>({ ...SCALAR_SCHEMAS[name], ...addition });
  additions.set(schema, { name, addition });
  return schema;
}

export const propertyId = (addition: Addition = {}) => use<string>('PropertyId', addition);
export const localDate = (addition: Addition = {}) => use<string>('LocalDate', addition);
export const decimalMoney = (addition: Addition = {}) => use<string>('DecimalMoney', addition);
export const currency = (addition: Addition = {}) => use<string>('Currency', addition);
export const country = (addition: Addition = {}) => use<string>('CountryCode', addition);
export const locale = (addition: Addition = {}) => use<Locale>('Locale', addition);

export const nullableDecimalMoney = ({ description, ...addition }: Addition = {}) =>
  Type.Unsafe<string | null>({ anyOf: [decimalMoney(addition), { type: 'null' }], description });

export const nullableText = (addition: Addition = {}) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], ...addition });

export const childAges = (addition: Addition = {}) =>
  Type.Array(Type.Integer({ minimum: 0, maximum: CHILD_AGE_MAX, format: 'int32' }), {
    maxItems: STAY_CHILDREN_MAX,
    ...addition,
  });

export const guests = (addition: Addition = {}) =>
  Type.Integer({ minimum: GUESTS_MIN, maximum: STAY_GUESTS_MAX, format: 'int32', ...addition });
