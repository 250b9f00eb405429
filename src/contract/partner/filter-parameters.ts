/** Filters that searches with prices share, and the counts of what is left. */
import {
  AMENITY_LENGTH_MAX,
  AREA_LENGTH_MAX,
  BATHROOMS_MAX,
  PROPERTY_TYPE_LENGTH_MAX,
  RATING_SCORE_MAX,
} from '../../domain/document/document-limits.ts';
import { COUNTED_VALUES_MAX, type StayFilters } from '../../domain/stay-filters.ts';
import { Type } from './json-schema.ts';
import { FILTER_AMENITIES_MAX, FILTER_AREAS_MAX, FILTER_TYPES_MAX } from './limits.ts';
import type { Parameter, SentValues, TogetherRule } from './parameters.ts';
import { currency, decimalMoney } from './scalars.ts';

type Texts = readonly string[] | undefined;

const FOLDED = 'Compared as cities are. Values are separated by commas.';

function listParameter(
  name: string,
  { lengthMax, maxItems, description }: { lengthMax: number; maxItems: number; description: string },
): Parameter<Texts> {
  return {
    name,
    required: false,
    schema: Type.Array(Type.String({ minLength: 1, maxLength: lengthMax }), {
      minItems: 1,
      maxItems,
      description: `${description} ${FOLDED}`,
    }),
    fallback: undefined,
  };
}

const propertyTypesParameter = listParameter('propertyTypes', {
  lengthMax: PROPERTY_TYPE_LENGTH_MAX,
  maxItems: FILTER_TYPES_MAX,
  description: 'Only properties of any of these types.',
});

const amenitiesParameter = listParameter('amenities', {
  lengthMax: AMENITY_LENGTH_MAX,
  maxItems: FILTER_AMENITIES_MAX,
  description: 'Only properties that have all of these.',
});

const areasParameter = listParameter('areas', {
  lengthMax: AREA_LENGTH_MAX,
  maxItems: FILTER_AREAS_MAX,
  description: 'Only properties in any of these areas, named in any language.',
});

const minRatingParameter: Parameter<number | undefined> = {
  name: 'minRating',
  required: false,
  schema: Type.Number({
    minimum: 0,
    maximum: RATING_SCORE_MAX,
    multipleOf: 0.1,
    description: 'Only properties rated at least so. Those without a rating do not pass.',
  }),
  fallback: undefined,
};

const minBathroomsParameter: Parameter<number | undefined> = {
  name: 'minBathrooms',
  required: false,
  schema: Type.Number({
    minimum: 0,
    maximum: BATHROOMS_MAX,
    multipleOf: 0.5,
    description: 'Only properties with at least so many bathrooms.',
  }),
  fallback: undefined,
};

const maxTotalParameter: Parameter<string | undefined> = {
  name: 'maxTotal',
  required: false,
  schema: decimalMoney({
    description:
      'Only stays whose total is at most this, in `currency`. Stays in another currency, or without a price, do not ' +
      'pass.',
  }),
  fallback: undefined,
};

const currencyParameter: Parameter<string | undefined> = {
  name: 'currency',
  required: false,
  schema: currency({ description: 'The currency of maxTotal: both or neither.' }),
  fallback: undefined,
};

export const FILTER_PARAMETERS = [
  propertyTypesParameter,
  amenitiesParameter,
  areasParameter,
  minRatingParameter,
  minBathroomsParameter,
  maxTotalParameter,
  currencyParameter,
] as const;

type FilterValues = readonly [
  Texts,
  Texts,
  Texts,
  number | undefined,
  number | undefined,
  string | undefined,
  string | undefined,
];

/** The filters, from the values of FILTER_PARAMETERS; undefined without any. */
export function filtersOf(values: FilterValues): StayFilters | undefined {
  if (values.every((value) => value === undefined)) return undefined;
  const [propertyTypes, amenities, areas, minRating, minBathrooms, maxTotal, limitCurrency] = values;
  const hasLimit = maxTotal !== undefined && limitCurrency !== undefined;
  // DecimalMoney has two digits after the point, however many before it.
  const limit = hasLimit ? { total: BigInt(maxTotal.replace('.', '')), currency: limitCurrency } : undefined;
  return { propertyTypes, amenities, areas, minRating, minBathrooms, maxTotal: limit };
}

/** `maxTotal` and `currency` go together. */
export const FILTER_RULES: readonly TogetherRule[] = [
  needs('maxTotal', 'currency'),
  needs('currency', 'maxTotal'),
];

function needs(name: string, other: string): TogetherRule {
  return ({ isSent }: SentValues) =>
    isSent(name) && !isSent(other)
      ? { field: other, code: 'REQUIRED', detail: `Is required when ${name} is given.` }
      : undefined;
}

export const countsParameter: Parameter<boolean> = {
  name: 'counts',
  required: false,
  schema: Type.Boolean({
    default: false,
    description:
      `\`true\` adds \`counts\`, over all pages: at most ${COUNTED_VALUES_MAX} property types, amenities and areas each, and ` +
      'how many properties have them. Types and areas are counted under all filters but their own, amenities under all.',
  }),
  fallback: false,
};
