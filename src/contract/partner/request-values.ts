/** Typed values of the path, query and body of each operation. */
import type { Party } from '../../domain/child-ages.ts';
import type { EpochDay } from '../../domain/local-date.ts';
import type { Locale } from '../../domain/property.ts';
import type { StayFilters } from '../../domain/stay-filters.ts';

export interface StayDates {
  readonly checkIn: EpochDay;
  readonly checkOut: EpochDay;
}

interface ListQuery {
  /** Trimmed, 1 to 120 code points. */
  readonly city: string;
  readonly country: string | undefined;
  readonly stay: StayDates | undefined;
  /** Undefined: no filter by capacity. With a stay it is always a number. */
  readonly guests: number | undefined;
  readonly page: number;
  readonly pageSize: number;
  readonly locale: Locale;
}

/** A dated search for prices. */
type PriceListQuery = Omit<ListQuery, 'guests'> &
  Party & {
    readonly stay: StayDates;
    readonly sort: 'default' | 'total';
    readonly filters: StayFilters | undefined;
    readonly counts: boolean;
    readonly nearest: boolean;
  };

/** A search over check-in dates and lengths. */
type FlexibleQuery = Omit<ListQuery, 'stay' | 'guests'> &
  Party & {
    /** Ascending; empty where no date is on a wanted weekday. */
    readonly checkIns: readonly EpochDay[];
    readonly nights: number;
    readonly maxNights: number;
    readonly sort: 'total' | 'night';
    readonly filters: StayFilters | undefined;
    readonly counts: boolean;
  };

interface PriceCalendarQuery extends Party {
  readonly from: EpochDay | undefined;
  /** Excluded. */
  readonly until: EpochDay | undefined;
  readonly nights: number;
  /** Undefined: stays of one length. */
  readonly maxNights: number | undefined;
}

type PriceDaysQuery = Pick<ListQuery, 'city' | 'country'> &
  Omit<PriceCalendarQuery, 'maxNights'> & { readonly filters: StayFilters | undefined };

/** Ages in any order, maybe none. */
type AskedStay = StayDates & Party;

interface PriceStaysRequest {
  readonly propertyIds: readonly string[];
  readonly stay: AskedStay;
  /** Undefined: no. */
  readonly why: boolean | undefined;
}

interface CityQuery {
  /** Trimmed, 1 to 120 code points. */
  readonly text: string;
  readonly country: string | undefined;
  readonly locale: Locale;
  readonly limit: number;
}

/** A search without dates. */
type ContentListQuery = Pick<ListQuery, 'city' | 'country' | 'page' | 'pageSize' | 'locale'>;

interface ChangesQuery {
  /** As it was sent, whatever it is. Undefined: from now on. */
  readonly since: string | undefined;
  readonly limit: number;
  /** Seconds. */
  readonly wait: number;
}

interface PropertyQuery {
  readonly locale: Locale;
}

interface AvailabilityValues {
  readonly stay: StayDates;
  readonly guests: number;
}

interface OfferQuery extends AvailabilityValues, Party {
  readonly locale: Locale;
}

interface QuoteRequest {
  readonly propertyId: string;
  readonly stay: StayDates & { readonly guests: number };
  readonly locale: Locale;
}

/** A quote whose stay has the ages of children. */
interface StayQuoteRequest extends Omit<QuoteRequest, 'stay'> {
  readonly stay: AskedStay;
}

interface PropertyPath {
  readonly propertyId: string;
}

/** Values of each operation's query, path and body; `Nothing` without one. */
type Nothing = Record<never, never>;
/** All operations, of the contract and beside it. */
export type OperationId = keyof QueryValues;

export interface QueryValues {
  readonly listPartnerProperties: ListQuery;
  readonly getPartnerProperty: PropertyQuery;
  readonly getPartnerPropertyAvailability: AvailabilityValues;
  readonly createPartnerQuote: Nothing;
  readonly listPropertyContent: ContentListQuery;
  readonly getPropertyContent: PropertyQuery;
  readonly searchStayPrices: PriceListQuery;
  readonly searchFlexibleStays: FlexibleQuery;
  readonly listPriceDays: PriceDaysQuery;
  readonly priceStays: Nothing;
  readonly getPriceCalendar: PriceCalendarQuery;
  readonly getStayOffer: OfferQuery;
  readonly createStayQuote: Nothing;
  readonly suggestCities: CityQuery;
  readonly listChanges: ChangesQuery;
}
export interface PathValues {
  readonly listPartnerProperties: Nothing;
  readonly getPartnerProperty: PropertyPath;
  readonly getPartnerPropertyAvailability: PropertyPath;
  readonly createPartnerQuote: Nothing;
  readonly listPropertyContent: Nothing;
  readonly getPropertyContent: PropertyPath;
  readonly searchStayPrices: Nothing;
  readonly searchFlexibleStays: Nothing;
  readonly listPriceDays: Nothing;
  readonly priceStays: Nothing;
  readonly getPriceCalendar: PropertyPath;
  readonly getStayOffer: PropertyPath;
  readonly createStayQuote: Nothing;
  readonly suggestCities: Nothing;
  readonly listChanges: Nothing;
}
export interface BodyValues {
  readonly listPartnerProperties: Nothing;
  readonly getPartnerProperty: Nothing;
  readonly getPartnerPropertyAvailability: Nothing;
  readonly createPartnerQuote: QuoteRequest;
  readonly listPropertyContent: Nothing;
  readonly getPropertyContent: Nothing;
  readonly searchStayPrices: Nothing;
  readonly searchFlexibleStays: Nothing;
  readonly listPriceDays: Nothing;
  readonly priceStays: PriceStaysRequest;
  readonly getPriceCalendar: Nothing;
  readonly getStayOffer: Nothing;
  readonly createStayQuote: StayQuoteRequest;
  readonly suggestCities: Nothing;
  readonly listChanges: Nothing;
}
