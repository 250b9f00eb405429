/** Parameters of the operations (SPEC 4). */
import type { TSchema } from 'typebox';
import { Type } from './json-schema.ts';
import type { EpochDay } from '../../domain/local-date.ts';
import { CITY_LENGTH_MAX, DEFAULT_LOCALE, type Locale } from '../../domain/property.ts';
import { STAY_NIGHTS_MAX } from '../../domain/stay-limits.ts';
import { type Weekday, WEEKDAYS } from '../../domain/weekdays.ts';
import {
  CALENDAR_DATES_DEFAULT,
  CALENDAR_DATES_MAX,
  CALENDAR_NIGHTS_MAX,
  CALENDAR_STAYS_MAX,
  CHANGES_MAX,
  FURTHER_NIGHTS_MAX,
  GUESTS_DEFAULT,
  PAGE_DEFAULT,
  PAGE_MAX,
  PAGE_SIZE_DEFAULT,
  PAGE_SIZE_MAX,
  SUGGESTIONS_DEFAULT,
  SUGGESTIONS_MAX,
  WAIT_SECONDS_MAX,
  WINDOW_DATES_DEFAULT,
  WINDOW_DATES_MAX,
} from './limits.ts';
import { MISTAKE_LETTERS } from '../../domain/place-name.ts';
import type { ValidationIssue } from './issue-codes.ts';
import { childAges, country, guests, localDate, locale, propertyId } from './scalars.ts';

/** `Value` is the type of its parsed text; it includes `undefined` for an optional one without a default. */
export interface Parameter<Value = unknown> {
  readonly name: string;
  readonly required: boolean;
  readonly schema: TSchema;
  /** The value when it is absent; equals `default` of the schema. */
  readonly fallback: Value | undefined;
  /** Blanks around the text are dropped first. */
  readonly trimmed?: true;
}

export const propertyIdParameter: Parameter<string> = {
  name: 'propertyId',
  required: true,
  schema: propertyId(),
  fallback: undefined,
};

export const cityParameter: Parameter<string> = {
  name: 'city',
  required: true,
  trimmed: true,
  schema: Type.String({
    minLength: 1,
    maxLength: CITY_LENGTH_MAX,
    description:
      'Name of the city in any language of the catalogue; case, diacritics and repeated blanks do not matter. ' +
      'Blanks around it are dropped before its length is counted; control characters are refused.',
  }),
  fallback: undefined,
};

export const countryParameter: Parameter<string | undefined> = {
  name: 'country',
  required: false,
  schema: country(),
  fallback: undefined,
};

/** Without a default: a search without dates filters by guests only when the caller gives them. */
export const searchGuestsParameter: Parameter<number | undefined> = {
  name: 'guests',
  required: false,
  schema: guests({
    description:
      `Travellers that one inventory type must host. With dates: ${GUESTS_DEFAULT} unless given. Without dates: ` +
      'a filter by capacity, only when given.',
  }),
  fallback: undefined,
};

export const guestsParameter: Parameter<number> = {
  name: 'guests',
  required: false,
  schema: guests({
    default: GUESTS_DEFAULT,
    description: 'Travellers that one inventory type must host.',
  }),
  fallback: GUESTS_DEFAULT,
};

/** In any order; the answer has them ascending. */
export const childAgesParameter: Parameter<readonly number[] | undefined> = {
  name: 'childAges',
  required: false,
  schema: childAges({
    minItems: 1,
    description:
      'Ages of the children among the guests, in whole years at check-in, separated by commas: at most one less than ' +
      'guests. Without it all guests count as adults.',
  }),
  fallback: undefined,
};

/** One guest at least is an adult. */
export const AGES_RULES: readonly TogetherRule[] = [
  ({ number, count, isSent }) => {
    const travellers = isSent('guests') ? number('guests') : GUESTS_DEFAULT;
    if (travellers === undefined || count('childAges') < travellers) return undefined;
    const detail = 'Must be fewer ages than guests: one of them at least is an adult.';
    return { field: 'childAges', code: 'OUT_OF_RANGE', detail };
  },
];

export const pageParameter: Parameter<number> = {
  name: 'page',
  required: false,
  schema: Type.Integer({
    minimum: 1,
    maximum: PAGE_MAX,
    format: 'int64',
    default: PAGE_DEFAULT,
    description: 'Number of the page, from 1 on. A page behind the last one has no items.',
  }),
  fallback: PAGE_DEFAULT,
};

export const pageSizeParameter: Parameter<number> = {
  name: 'pageSize',
  required: false,
  schema: Type.Integer({
    minimum: 1,
    maximum: PAGE_SIZE_MAX,
    format: 'int32',
    default: PAGE_SIZE_DEFAULT,
    description: 'Properties on one page.',
  }),
  fallback: PAGE_SIZE_DEFAULT,
};

export const localeParameter: Parameter<Locale> = {
  name: 'locale',
  required: false,
  schema: locale({
    default: DEFAULT_LOCALE,
    description: 'Language of names and descriptions.',
  }),
  fallback: DEFAULT_LOCALE,
};

const checkInSchema = localDate({ description: 'First night.' });
const checkOutSchema = localDate({
  description: `Day of departure, not an occupied night: after checkIn, at most ${STAY_NIGHTS_MAX} nights later.`,
});

export const checkInParameter: Parameter<EpochDay> = {
  name: 'checkIn',
  required: true,
  schema: checkInSchema,
  fallback: undefined,
};

export const checkOutParameter: Parameter<EpochDay> = {
  name: 'checkOut',
  required: true,
  schema: checkOutSchema,
  fallback: undefined,
};

/** Both dates or none. */
export const optionalCheckInParameter: Parameter<EpochDay | undefined> = {
  ...checkInParameter,
  required: false,
};

export const optionalCheckOutParameter: Parameter<EpochDay | undefined> = {
  ...checkOutParameter,
  required: false,
};

export const SORT_ORDERS = ['default', 'total'] as const;
export type SortOrder = (typeof SORT_ORDERS)[number];

export const sortParameter = makeSort<SortOrder>(
  SORT_ORDERS,
  'default',
  '`default`: by propertyId, as a search. `total`: by currency, then total, then propertyId; properties without a ' +
    'price last.',
);

export const FLEXIBLE_SORT_ORDERS = ['total', 'night'] as const;
export type FlexibleSortOrder = (typeof FLEXIBLE_SORT_ORDERS)[number];

export const flexibleSortParameter = makeSort<FlexibleSortOrder>(
  FLEXIBLE_SORT_ORDERS,
  'total',
  'Chooses the best stay of each property, and orders the properties. `total`: by currency, then total. `night`: by ' +
    'currency, then total divided by nights. Then the earlier check-in, fewer nights, propertyId; properties without a ' +
    'price last.',
);

function makeSort<Order extends string>(
  orders: readonly Order[],
  fallback: Order,
  description: string,
): Parameter<Order> {
  const schema = Type.Unsafe<Order>({ type: 'string', enum: [...orders], default: fallback, description });
  return { name: 'sort', required: false, schema, fallback };
}

export const checkInFromParameter: Parameter<EpochDay> = {
  name: 'checkInFrom',
  required: true,
  schema: localDate({ description: 'First check-in date.' }),
  fallback: undefined,
};

export const checkInUntilParameter: Parameter<EpochDay | undefined> = {
  name: 'checkInUntil',
  required: false,
  schema: localDate({
    description: `Last check-in date, included: at most ${WINDOW_DATES_MAX} dates; ${WINDOW_DATES_DEFAULT} dates unless given.`,
  }),
  fallback: undefined,
};

export const checkInDaysParameter: Parameter<readonly Weekday[] | undefined> = {
  name: 'checkInDays',
  required: false,
  schema: Type.Array(Type.Unsafe<Weekday>({ type: 'string', enum: [...WEEKDAYS] }), {
    minItems: 1,
    maxItems: WEEKDAYS.length,
    description: 'Weekdays of check-in, separated by commas: all unless given.',
  }),
  fallback: undefined,
};

export const stayNightsParameter: Parameter<number> = {
  name: 'nights',
  required: true,
  schema: nightsSchema({ description: 'Nights of a stay, at least.' }),
  fallback: undefined,
};

export const furtherNightsParameter: Parameter<number | undefined> = {
  name: 'maxNights',
  required: false,
  schema: Type.Integer({
    minimum: 1,
    maximum: CALENDAR_NIGHTS_MAX + FURTHER_NIGHTS_MAX,
    format: 'int32',
    description: `Nights of a stay, at most: nights to nights + ${FURTHER_NIGHTS_MAX}; as many as nights unless given.`,
  }),
  fallback: undefined,
};

/** The dates and lengths of a search over many. */
export const WINDOW_RULES: readonly TogetherRule[] = [
  ({ number }) => {
    const [from, until] = [number('checkInFrom'), number('checkInUntil')];
    if (from === undefined || until === undefined) return undefined;
    if (until < from) return issue('checkInUntil', 'DATE_ORDER_INVALID', 'Must not be before checkInFrom.');
    const isTooLong = until - from >= WINDOW_DATES_MAX;
    const detail = `Must be at most ${WINDOW_DATES_MAX - 1} days after checkInFrom.`;
    return isTooLong ? issue('checkInUntil', 'OUT_OF_RANGE', detail) : undefined;
  },
  ({ number }) => {
    const [nights, most] = [number('nights'), number('maxNights')];
    if (nights === undefined || most === undefined) return undefined;
    const isWithin = most >= nights && most <= nights + FURTHER_NIGHTS_MAX;
    const detail = `Must be from nights to nights + ${FURTHER_NIGHTS_MAX}.`;
    return isWithin ? undefined : issue('maxNights', 'OUT_OF_RANGE', detail);
  },
];

function issue(field: string, code: ValidationIssue['code'], detail: string): ValidationIssue {
  return { field, code, detail };
}

function nightsSchema(more: { readonly description: string; readonly default?: number }) {
  return Type.Integer({ minimum: 1, maximum: CALENDAR_NIGHTS_MAX, format: 'int32', ...more });
}

export const fromParameter: Parameter<EpochDay | undefined> = {
  name: 'from',
  required: false,
  schema: localDate({ description: 'First check-in date; today at the property unless given.' }),
  fallback: undefined,
};

export const cityFromParameter: Parameter<EpochDay | undefined> = {
  ...fromParameter,
  schema: localDate({
    description: 'First check-in date; the earliest today of the properties of the city unless given.',
  }),
};

export const untilParameter: Parameter<EpochDay | undefined> = {
  name: 'until',
  required: false,
  schema: localDate({
    description:
      `Behind the last check-in date: after from, at most ${CALENDAR_DATES_MAX} days; ${CALENDAR_DATES_DEFAULT} days ` +
      'after from unless given.',
  }),
  fallback: undefined,
};

export const nightsParameter: Parameter<number> = {
  name: 'nights',
  required: false,
  schema: nightsSchema({ default: 1, description: 'Nights of each stay.' }),
  fallback: 1,
};

export const calendarMaxNightsParameter: Parameter<number | undefined> = {
  name: 'maxNights',
  required: false,
  schema: Type.Integer({
    minimum: 1,
    maximum: CALENDAR_NIGHTS_MAX,
    format: 'int32',
    description:
      'Answers stays of all lengths from nights to this, as `stays` of each day. Dates times lengths are at most ' +
      `${CALENDAR_STAYS_MAX}.`,
  }),
  fallback: undefined,
};

export const CALENDAR_RULES: readonly TogetherRule[] = [
  ({ number, isSent }) => {
    const most = number('maxNights');
    const nights = isSent('nights') ? number('nights') : nightsParameter.fallback;
    const isBelow = most !== undefined && nights !== undefined && most < nights;
    return isBelow ? issue('maxNights', 'OUT_OF_RANGE', 'Must not be below nights.') : undefined;
  },
];

export const nearestParameter: Parameter<boolean> = {
  name: 'nearest',
  required: false,
  schema: Type.Boolean({
    default: false,
    description:
      '`true` adds `nearest`: where nothing is available, the nearest openings of the same length, under the same ' +
      'filters but `maxTotal`.',
  }),
  fallback: false,
};

/** Without a form: the feed judges cursors. As of every text, control characters and invalid UTF-8 are refused before. */
export const sinceParameter: Parameter<string | undefined> = {
  name: 'since',
  required: false,
  schema: Type.String({
    description:
      '`next` of the answer before, unchanged. Without it: no changes, and the cursor of now. Read the catalogue after ' +
      'that, then follow.',
  }),
  fallback: undefined,
};

export const limitParameter: Parameter<number> = {
  name: 'limit',
  required: false,
  schema: Type.Integer({
    minimum: 1,
    maximum: CHANGES_MAX,
    format: 'int32',
    default: CHANGES_MAX,
    description: 'Changes of one answer, at most.',
  }),
  fallback: CHANGES_MAX,
};

export const cityTextParameter: Parameter<string> = {
  name: 'text',
  required: true,
  trimmed: true,
  schema: Type.String({
    minLength: 1,
    maxLength: CITY_LENGTH_MAX,
    description:
      'The beginning of a word of the name, in any language of the catalogue or as an alias; compared as `city` of a ' +
      `search is. From ${MISTAKE_LETTERS[0]} letters a typing mistake is forgiven, from ${MISTAKE_LETTERS[1]} two.`,
  }),
  fallback: undefined,
};

export const suggestionsParameter: Parameter<number> = {
  name: 'limit',
  required: false,
  schema: Type.Integer({
    minimum: 1,
    maximum: SUGGESTIONS_MAX,
    format: 'int32',
    default: SUGGESTIONS_DEFAULT,
    description: 'Cities, at most.',
  }),
  fallback: SUGGESTIONS_DEFAULT,
};

export const waitParameter: Parameter<number> = {
  name: 'wait',
  required: false,
  schema: Type.Integer({
    minimum: 0,
    maximum: WAIT_SECONDS_MAX,
    format: 'int32',
    default: 0,
    description:
      'Seconds for which an answer without changes is held back until there is one. Needs `since`.',
  }),
  fallback: 0,
};

/** Values in the order of the parameters: `undefined` only for an absent optional one without a default. */
type ValuesOf<Parameters extends readonly Parameter[]> = {
  readonly [Index in keyof Parameters]: Parameters[Index] extends Parameter<infer Value> ? Value : never;
};

/** The sent parameters, for rules between them. */
export interface SentValues {
  /** Undefined when it is absent or refused. */
  readonly number: (name: string) => number | undefined;
  readonly isSent: (name: string) => boolean;
  /** Entries of a list; 0 when it is absent or refused. */
  readonly count: (name: string) => number;
}

/** A rule between parameters: the issue of the one at fault. */
export type TogetherRule = (sent: SentValues) => ValidationIssue | undefined;

export interface QueryReading<Query> {
  readonly parameters: readonly Parameter[];
  readonly together: readonly TogetherRule[];
  /** `values` are valid, with defaults filled in, in the order of `parameters`. */
  readonly present: (values: readonly unknown[]) => Query;
}

/** The compiler checks `present` against the parameters: order, types and optional ones. */
export function queryOf<const Parameters extends readonly Parameter[], Query>(
  parameters: Parameters,
  present: (values: ValuesOf<Parameters>) => Query,
  together: readonly TogetherRule[] = [],
): QueryReading<Query> {
  return { parameters, together, present: present as unknown as QueryReading<Query>['present'] };
}
