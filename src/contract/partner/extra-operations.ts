/**
 * Operations beside the contract: families of paths of their own, under the gates, limits and problems of `/v1`. Rows
 * are like those of `operations.ts`; `openapi-extras.json` describes them.
 */
import { EPOCH_DAY_MAX, type EpochDay } from '../../domain/local-date.ts';
import { withChildAges } from '../../domain/child-ages.ts';
import { type Weekday, weekdayRanges, WEEKDAYS } from '../../domain/weekdays.ts';
import {
  AGES_RULES,
  CALENDAR_RULES,
  childAgesParameter,
  calendarMaxNightsParameter,
  checkInDaysParameter,
  checkInFromParameter,
  checkInParameter,
  checkInUntilParameter,
  checkOutParameter,
  cityFromParameter,
  cityParameter,
  cityTextParameter,
  countryParameter,
  flexibleSortParameter,
  fromParameter,
  furtherNightsParameter,
  guestsParameter,
  limitParameter,
  localeParameter,
  nearestParameter,
  nightsParameter,
  pageParameter,
  pageSizeParameter,
  propertyIdParameter,
  queryOf,
  sinceParameter,
  sortParameter,
  suggestionsParameter,
  stayNightsParameter,
  untilParameter,
  waitParameter,
  WINDOW_RULES,
} from './parameters.ts';
import { countsParameter, FILTER_PARAMETERS, FILTER_RULES, filtersOf } from './filter-parameters.ts';
import { PRICED_IDS_MAX, WINDOW_DATES_DEFAULT } from './limits.ts';
import {
  flexibleExamples,
  priceCalendarExamples,
  priceDaysExamples,
  priceListExamples,
  priceStaysExamples,
  stayQuoteExamples,
} from './price-examples.ts';
import {
  AnyPriceCalendarSchema,
  FlexibleStayListSchema,
  PriceDaysSchema,
  PriceStaysRequestSchema,
  StayPriceListSchema,
  StayPricesSchema,
  StayQuoteRequestSchema,
  StayQuoteSchema,
} from './price-schemas.ts';
import { CityListSchema, cityExamples } from './city-schemas.ts';
import { changeExamples, PropertyChangesSchema } from './change-schemas.ts';
import { contentExamples, contentListExamples } from './content-examples.ts';
import { PropertyContentListSchema, PropertyContentSchema } from './content-schemas.ts';
import { stayOfferExamples } from './offer-examples.ts';
import { StayOfferSchema } from './offer-schemas.ts';
import { createPartnerQuote, type Operation, OPERATIONS } from './operations.ts';
import { codesOfOperation } from './problems.ts';

export const listPropertyContent: Operation<'listPropertyContent'> = {
  operationId: 'listPropertyContent',
  method: 'GET',
  path: '/content/v1/properties',
  tag: 'Content',
  summary: 'Read pictures and terms of the properties of a city',
  description:
    'The properties of a search without dates, in its order, with their pictures, times and terms in place of the ' +
    'summary. The answer has an ETag: ask again with `If-None-Match`.',
  scopes: ['content:read'],
  pathParameters: [],
  query: queryOf(
    [cityParameter, countryParameter, pageParameter, pageSizeParameter, localeParameter],
    ([city, country, page, pageSize, locale]) => ({ city, country, page, pageSize, locale }),
  ),
  bodySchema: undefined,
  stayRule: 'none',
  successStatus: 200,
  successDescription: 'One page of content.',
  successSchema: PropertyContentListSchema,
  cacheControl: 'private, max-age=60',
  hasEtag: true,
  problemCodes: codesOfOperation('listPropertyContent'),
  examples: contentListExamples,
};

export const getPropertyContent: Operation<'getPropertyContent'> = {
  operationId: 'getPropertyContent',
  method: 'GET',
  path: '/content/v1/properties/{propertyId}',
  tag: 'Content',
  summary: 'Read pictures and terms of one property',
  description:
    'Pictures, times and terms of a property. Texts are in the locale, else in `it-IT`, else in any. The answer has an ' +
    'ETag: ask again with `If-None-Match`.',
  scopes: ['content:read'],
  pathParameters: [propertyIdParameter],
  query: queryOf([localeParameter], ([locale]) => ({ locale })),
  bodySchema: undefined,
  stayRule: 'none',
  successStatus: 200,
  successDescription: 'The content.',
  successSchema: PropertyContentSchema,
  cacheControl: 'private, max-age=60',
  hasEtag: true,
  problemCodes: codesOfOperation('getPropertyContent'),
  examples: contentExamples,
};

export const searchStayPrices: Operation<'searchStayPrices'> = {
  operationId: 'searchStayPrices',
  method: 'GET',
  path: '/prices/v1/stays',
  tag: 'Prices',
  summary: 'Search properties with the price of a stay',
  description:
    'The properties of a search for the same stay, each with what a quote would answer at this moment. Nothing is ' +
    'stored, and no link is made. `sort=total` puts the cheapest first. Filters leave out properties, and dear stays.',
  scopes: ['prices:read'],
  pathParameters: [],
  query: queryOf(
    [
      cityParameter,
      countryParameter,
      checkInParameter,
      checkOutParameter,
      guestsParameter,
      childAgesParameter,
      sortParameter,
      pageParameter,
      pageSizeParameter,
      localeParameter,
      countsParameter,
      nearestParameter,
      ...FILTER_PARAMETERS,
    ],
    ([
      city,
      country,
      checkIn,
      checkOut,
      guests,
      childAges,
      sort,
      page,
      pageSize,
      locale,
      counts,
      nearest,
      ...filters
    ]) => {
      const stay = { checkIn, checkOut };
      const search = { city, country, stay, guests, sort, page, pageSize, locale, counts, nearest };
      return { ...search, ...withChildAges(childAges), filters: filtersOf(filters) };
    },
    [...AGES_RULES, ...FILTER_RULES],
  ),
  bodySchema: undefined,
  stayRule: 'required',
  successStatus: 200,
  successDescription: 'One page of properties with their prices.',
  successSchema: StayPriceListSchema,
  cacheControl: 'no-store',
  problemCodes: codesOfOperation('searchStayPrices'),
  examples: priceListExamples,
};

export const searchFlexibleStays: Operation<'searchFlexibleStays'> = {
  operationId: 'searchFlexibleStays',
  method: 'GET',
  path: '/prices/v1/flexible-stays',
  tag: 'Prices',
  summary: 'Search the best stays among many dates',
  description:
    'Each property of the city once, with the best of its available stays among the check-in dates and lengths asked ' +
    'for: what a search for the price of each of these stays would say. Properties without such a stay are left out.',
  scopes: ['prices:read'],
  pathParameters: [],
  query: queryOf(
    [
      cityParameter,
      countryParameter,
      checkInFromParameter,
      checkInUntilParameter,
      stayNightsParameter,
      furtherNightsParameter,
      checkInDaysParameter,
      guestsParameter,
      childAgesParameter,
      flexibleSortParameter,
      pageParameter,
      pageSizeParameter,
      localeParameter,
      countsParameter,
      ...FILTER_PARAMETERS,
    ],
    ([
      city,
      country,
      from,
      until,
      nights,
      most,
      days,
      guests,
      childAges,
      sort,
      page,
      pageSize,
      locale,
      counts,
      ...filters
    ]) => {
      const checkIns = checkInsOf(from, until, days);
      const window = { checkIns, nights, maxNights: most ?? nights };
      const search = { city, country, ...window, guests, sort, page, pageSize, locale, counts };
      return { ...search, ...withChildAges(childAges), filters: filtersOf(filters) };
    },
    [...AGES_RULES, ...WINDOW_RULES, ...FILTER_RULES],
  ),
  bodySchema: undefined,
  stayRule: 'none',
  successStatus: 200,
  successDescription: 'One page of properties with their best stays.',
  successSchema: FlexibleStayListSchema,
  cacheControl: 'no-store',
  problemCodes: codesOfOperation('searchFlexibleStays'),
  examples: flexibleExamples,
};

export const listPriceDays: Operation<'listPriceDays'> = {
  operationId: 'listPriceDays',
  method: 'GET',
  path: '/prices/v1/days',
  tag: 'Prices',
  summary: 'Read the lowest totals of a city by check-in date',
  description:
    'For each check-in date, how many properties of the city can host a stay of so many nights, and the least total in ' +
    'each currency: what a search for this stay by total would say.',
  scopes: ['prices:read'],
  pathParameters: [],
  query: queryOf(
    [
      cityParameter,
      countryParameter,
      cityFromParameter,
      untilParameter,
      nightsParameter,
      guestsParameter,
      childAgesParameter,
      ...FILTER_PARAMETERS,
    ],
    ([city, country, from, until, nights, guests, childAges, ...filters]) => {
      const party = { guests, ...withChildAges(childAges) };
      return { city, country, from, until, nights, ...party, filters: filtersOf(filters) };
    },
    [...AGES_RULES, ...FILTER_RULES],
  ),
  bodySchema: undefined,
  stayRule: 'none',
  successStatus: 200,
  successDescription: 'The calendar of the city.',
  successSchema: PriceDaysSchema,
  cacheControl: 'no-store',
  problemCodes: codesOfOperation('listPriceDays'),
  examples: priceDaysExamples,
};

/** The wanted dates, both ends included. */
function checkInsOf(
  from: EpochDay,
  until = Math.min(from + WINDOW_DATES_DEFAULT - 1, EPOCH_DAY_MAX),
  days: readonly Weekday[] = WEEKDAYS,
): readonly EpochDay[] {
  return [...weekdayRanges(from, until, days)].flatMap((range) =>
    Array.from({ length: range.to - range.from + 1 }, (_, index) => range.from + index),
  );
}

export const priceStays: Operation<'priceStays'> = {
  operationId: 'priceStays',
  method: 'POST',
  path: '/prices/v1/stays',
  tag: 'Prices',
  summary: 'Price one stay at several properties',
  description:
    `What a quote of the stay would answer, for up to ${PRICED_IDS_MAX} properties in the order asked. Idempotent: it ` +
    'may be tried again. With `why`, each item says why the stay is not priced, and which stays can be had instead. ' +
    'Fields that are not listed here, and fields that appear twice, are refused.',
  scopes: ['prices:read'],
  pathParameters: [],
  query: queryOf([], () => ({})),
  bodySchema: PriceStaysRequestSchema,
  bodyLimitFactor: 2,
  stayRule: 'required',
  successStatus: 200,
  successDescription: 'The prices.',
  successSchema: StayPricesSchema,
  cacheControl: 'no-store',
  problemCodes: codesOfOperation('priceStays'),
  examples: priceStaysExamples,
};

export const getPriceCalendar: Operation<'getPriceCalendar'> = {
  operationId: 'getPriceCalendar',
  method: 'GET',
  path: '/prices/v1/properties/{propertyId}/calendar',
  tag: 'Prices',
  summary: 'Read totals by check-in date',
  description:
    'For each check-in date, whether a stay of so many nights can be had, and what a quote of it would come to; with ' +
    '`maxNights` the same for each length. Dates in the past and beyond what the operator offers are not available.',
  scopes: ['prices:read'],
  pathParameters: [propertyIdParameter],
  query: queryOf(
    [
      fromParameter,
      untilParameter,
      nightsParameter,
      calendarMaxNightsParameter,
      guestsParameter,
      childAgesParameter,
    ],
    ([from, until, nights, maxNights, guests, childAges]) => {
      return { from, until, nights, maxNights, guests, ...withChildAges(childAges) };
    },
    [...AGES_RULES, ...CALENDAR_RULES],
  ),
  bodySchema: undefined,
  stayRule: 'none',
  successStatus: 200,
  successDescription: 'The calendar.',
  successSchema: AnyPriceCalendarSchema,
  cacheControl: 'no-store',
  problemCodes: codesOfOperation('getPriceCalendar'),
  examples: priceCalendarExamples,
};

export const getStayOffer: Operation<'getStayOffer'> = {
  operationId: 'getStayOffer',
  method: 'GET',
  path: '/prices/v1/properties/{propertyId}/offer',
  tag: 'Prices',
  summary: 'Read one stay with its price and terms',
  description:
    'What a quote of the stay would answer at this moment, with the price of each night, each tax and fee, and the ' +
    'terms as dates and amounts. Nothing is stored, and no link is made. A 409 says why the stay is not priced, and ' +
    'which stays can be had instead.',
  scopes: ['prices:read', 'content:read'],
  pathParameters: [propertyIdParameter],
  query: queryOf(
    [checkInParameter, checkOutParameter, guestsParameter, childAgesParameter, localeParameter],
    ([checkIn, checkOut, guests, childAges, locale]) => {
      return { stay: { checkIn, checkOut }, guests, ...withChildAges(childAges), locale };
    },
    AGES_RULES,
  ),
  bodySchema: undefined,
  stayRule: 'required',
  successStatus: 200,
  successDescription: 'The stay.',
  successSchema: StayOfferSchema,
  cacheControl: 'no-store',
  problemCodes: codesOfOperation('getStayOffer'),
  examples: stayOfferExamples,
};

export const createStayQuote: Operation<'createStayQuote'> = {
  ...createPartnerQuote,
  operationId: 'createStayQuote',
  path: '/prices/v1/quotes',
  summary: 'Create an indicative quote for a family',
  description:
    'As `POST /v1/quotes`, for a stay whose children may be told by age: they pay and sleep as the operator says, here ' +
    'and behind the link. The same limits count for both. Not idempotent: a retry may create another quote. Fields that ' +
    'are not listed here are refused at every level.',
  scopes: ['quotes:write', 'prices:read'],
  query: queryOf([], () => ({})),
  ignoresQuery: false,
  bodySchema: StayQuoteRequestSchema,
  successSchema: StayQuoteSchema,
  problemCodes: codesOfOperation('createStayQuote'),
  examples: stayQuoteExamples,
};

export const suggestCities: Operation<'suggestCities'> = {
  operationId: 'suggestCities',
  method: 'GET',
  path: '/places/v1/cities',
  tag: 'Places',
  summary: 'Find cities by the beginning of their name',
  description:
    'The cities of properties that this partner may see whose name, in any language or as an alias, has a word that ' +
    'begins with the text. Whole names come first, then names that begin so, then later words, then names with a ' +
    'typing mistake; of these the city with most properties. Use `city` and `country` of an item in a search.',
  scopes: ['properties:read'],
  pathParameters: [],
  query: queryOf(
    [cityTextParameter, countryParameter, localeParameter, suggestionsParameter],
    ([text, country, locale, limit]) => ({ text, country, locale, limit }),
  ),
  bodySchema: undefined,
  stayRule: 'none',
  successStatus: 200,
  successDescription: 'The cities, the best first.',
  successSchema: CityListSchema,
  cacheControl: 'private, max-age=60',
  problemCodes: codesOfOperation('suggestCities'),
  examples: cityExamples,
};

export const listChanges: Operation<'listChanges'> = {
  operationId: 'listChanges',
  method: 'GET',
  path: '/feeds/v1/changes',
  tag: 'Changes',
  summary: 'Follow what changes',
  description:
    'Which properties to read again, or to forget, since a cursor. A property that this partner never could see is ' +
    'never named. Nothing is named before the other operations answer with the change.',
  scopes: ['changes:read'],
  pathParameters: [],
  query: queryOf([sinceParameter, limitParameter, waitParameter], ([since, limit, wait]) => ({
    since,
    limit,
    wait,
  })),
  bodySchema: undefined,
  stayRule: 'none',
  successStatus: 200,
  successDescription: 'The changes.',
  successSchema: PropertyChangesSchema,
  cacheControl: 'no-store',
  problemCodes: codesOfOperation('listChanges'),
  examples: changeExamples,
};

export const EXTRA_OPERATIONS: readonly Operation[] = [
  searchStayPrices,
  searchFlexibleStays,
  listPriceDays,
  priceStays,
  getPriceCalendar,
  getStayOffer,
  createStayQuote,
  suggestCities,
  listPropertyContent,
  getPropertyContent,
  listChanges,
];

/** All operations of the partner listener; pages are elsewhere. */
export const ALL_OPERATIONS: readonly Operation[] = [...OPERATIONS, ...EXTRA_OPERATIONS];
