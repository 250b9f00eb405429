/** What goes over the wire: the partner contract (version 1.0.0-beta.1), then content and prices beside it. */

/** Opaque; never parse it. */
export type PropertyId = string;
/** `YYYY-MM-DD`, a calendar date in the property's own timezone. */
export type LocalDate = string;
/** A decimal with two digits, such as `"120.00"`. It stays a string: a floating-point number would round it. */
export type DecimalMoney = string;
/** ISO 4217, such as `"EUR"`. */
export type Currency = string;
export type Locale = 'it-IT' | 'en-GB';

export interface PropertySummary {
  propertyId: PropertyId;
  name: string;
  description: string | null;
  propertyType: string;
  location: { city: string; country: string; area: string | null };
  /** `guests` is what the largest single inventory type takes, not a sum. */
  capacity: { guests: number; bathrooms: number };
  amenities: string[];
  rating: { score: number; count: number } | null;
  /** The lowest rate of any night on offer; null where there is none. */
  startingPrice: DecimalMoney | null;
  currency: Currency;
  /** IANA name. Dates of this property are dates there. */
  timezone: string;
}

export interface Pagination {
  page: number;
  pageSize: number;
  total: number;
  hasMore: boolean;
}

export interface PropertyList {
  items: PropertySummary[];
  pagination: Pagination;
}

export interface Stay {
  checkIn: LocalDate;
  /** Exclusive: the night before it is the last one. */
  checkOut: LocalDate;
  nights: number;
  guests: number;
  timezone: string;
}

/** A stay with the ages of its children, where they were given: ascending. */
export interface FamilyStay extends Stay {
  childAges?: number[];
}

export interface Availability {
  propertyId: PropertyId;
  stay: Stay;
  /** One inventory type takes all guests on every night. Only this decides; `days` is for diagnosis. */
  available: boolean;
  days: { date: LocalDate; available: boolean }[];
}

export interface Pricing {
  mode: 'indicative';
  accommodation: DecimalMoney;
  cleaningFee: DecimalMoney;
  taxes: DecimalMoney;
  total: DecimalMoney;
  pricePreservedInHandoff: false;
}

export interface Quote {
  quoteId: string;
  propertyId: PropertyId;
  stay: FamilyStay;
  pricing: Pricing;
  currency: Currency;
  /** Instant in UTC. The price is not guaranteed before it either. */
  expiresAt: string;
  /** Send the traveller here, unchanged. */
  handoffUrl: string;
}

export interface ValidationIssue {
  field: string;
  code: string;
  detail: string;
}

/** RFC 9457. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  correlationId: string;
  errors?: ValidationIssue[];
  /** With a 409 of `prices.offer`: why the stay is not priced; null where the operator does not tell it. */
  reasons?: readonly StayReason[] | null;
  /** With a 409 of `prices.offer`: stays that can be had, other check-ins first, the nearest first. */
  instead?: InsteadStay[];
}

export interface SearchParameters {
  city: string;
  /** ISO 3166-1 alpha-2. */
  country?: string;
  /** Both dates or none. Without dates the answer is the catalogue of the city. */
  checkIn?: LocalDate;
  checkOut?: LocalDate;
  /** With dates: 2 unless given. Without dates: filters only when given. */
  guests?: number;
  page?: number;
  /** 1 to 50. */
  pageSize?: number;
  locale?: Locale;
}

export interface AvailabilityParameters {
  checkIn: LocalDate;
  checkOut: LocalDate;
  guests?: number;
}

/** Of children among the guests: whole years at check-in, 0 to 17, at most one less than guests; in any order. */
export type ChildAges = number[];

export interface QuoteRequest {
  propertyId: PropertyId;
  /** With `childAges`, even empty, it is `POST /prices/v1/quotes`, which needs the scope `prices:read`, too. */
  stay: { checkIn: LocalDate; checkOut: LocalDate; guests: number; childAges?: ChildAges };
  /** Language in which the traveller goes on. */
  locale: Locale;
}

/** A picture. The address changes when the picture does. */
export interface ContentImage {
  url: string;
  /** The picture in words. */
  alt: string;
  width: number;
  height: number;
}

/** Times are local, such as `"15:00"`. Null: the operator says nothing. */
export interface PropertyContent {
  propertyId: PropertyId;
  /** The first is the cover. */
  images: ContentImage[];
  checkIn: { from: string; until: string | null } | null;
  checkOut: { until: string } | null;
  /** Who cancels that early or earlier gets the percentage back, after the last step nothing. Empty: non-refundable. */
  cancellation: { daysBefore: number; refundPercent: string }[] | null;
  /** `daysBefore` is set where `due` says so. */
  payment: { due: PaymentMoment; daysBefore: number | null; percent: string }[] | null;
  houseRules: string | null;
  /** Of the accommodation. Where adverts must state it (CIN in Italy), show it. */
  registrationNumber: string | null;
  seller: string | null;
  timezone: string;
  currency: Currency;
}

export type PaymentMoment = 'booking' | 'daysBefore' | 'arrival';

export interface PropertyContentList {
  items: PropertyContent[];
  pagination: Pagination;
}

export interface ContentListParameters {
  city: string;
  country?: string;
  page?: number;
  /** 1 to 50. */
  pageSize?: number;
  locale?: Locale;
}

/** What a quote of the stay would answer at this moment. */
export interface StayPricing {
  /** All nights, extra guests included, the discount taken off. */
  accommodation: DecimalMoney;
  cleaningFee: DecimalMoney;
  /** Taxes and mandatory fees that are not in the rates already. */
  taxes: DecimalMoney;
  total: DecimalMoney;
  discount: { percent: string; amount: DecimalMoney } | null;
}

/** `pricing` is null where no quote can be made. */
export interface PricedProperty extends PropertySummary {
  pricing: StayPricing | null;
}

export interface StayPriceList {
  items: PricedProperty[];
  pagination: Pagination;
  /** With `counts`. */
  counts?: SearchCounts;
  /** With `nearest`: openings within 30 days, the nearest first; empty where something is available. */
  nearest?: { checkIn: LocalDate; checkOut: LocalDate; properties: number }[];
}

/** Over all pages, at most 100 values each. */
export interface SearchCounts {
  propertyTypes: { value: string; count: number }[];
  amenities: { value: string; count: number }[];
  areas: { value: string; count: number }[];
}

/** Texts compare without case, diacritics and kinds of dashes. A property without the value does not pass. */
export interface StayFilters {
  /** Any of them, 10 at most. */
  propertyTypes?: string[];
  /** All of them, 20 at most. */
  amenities?: string[];
  /** Any of them, 20 at most. */
  areas?: string[];
  /** 0 to 5, in tenths. */
  minRating?: number;
  /** In halves. */
  minBathrooms?: number;
  /** With `currency`: stays in another, or without a price, do not pass. */
  maxTotal?: DecimalMoney;
  currency?: Currency;
}

export interface PriceSearchParameters extends StayFilters {
  city: string;
  country?: string;
  checkIn: LocalDate;
  checkOut: LocalDate;
  /** All travellers, children among them; 2 unless given. */
  guests?: number;
  childAges?: ChildAges;
  /** `total`: the cheapest first, what has no price last. */
  sort?: 'default' | 'total';
  counts?: boolean;
  nearest?: boolean;
  page?: number;
  /** 1 to 50. */
  pageSize?: number;
  locale?: Locale;
}

export interface FlexibleParameters extends StayFilters {
  city: string;
  country?: string;
  /** First and last check-in date, both included; 31 dates unless given, 92 at most. */
  checkInFrom: LocalDate;
  checkInUntil?: LocalDate;
  /** 1 to 30. */
  nights: number;
  /** `nights` unless given, 6 more at most. */
  maxNights?: number;
  /** Every day unless given. */
  checkInDays?: Weekday[];
  /** All travellers, children among them; 2 unless given. */
  guests?: number;
  childAges?: ChildAges;
  /** `total` unless given; `night`: the cheapest by night. */
  sort?: 'total' | 'night';
  counts?: boolean;
  page?: number;
  /** 1 to 50. */
  pageSize?: number;
  locale?: Locale;
}

export type Weekday = 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun';

export interface FlexibleStayList {
  items: (PropertySummary & {
    /** The best of its stays. */
    stay: FamilyStay;
    /** Null where no quote can be made. */
    pricing: StayPricing | null;
    /** On how many dates of the window a stay can begin. */
    checkIns: number;
  })[];
  pagination: Pagination;
  counts?: SearchCounts;
}

export interface PriceDaysParameters extends StayFilters {
  city: string;
  country?: string;
  /** The earliest today of the city's properties unless given. */
  from?: LocalDate;
  /** Exclusive; 31 days after `from` unless given, 92 at most. */
  until?: LocalDate;
  /** 1 unless given. */
  nights?: number;
  /** All travellers, children among them; 2 unless given. */
  guests?: number;
  childAges?: ChildAges;
}

export interface PriceDays {
  nights: number;
  guests: number;
  childAges?: number[];
  days: {
    checkIn: LocalDate;
    /** How many properties a search for the stay finds. */
    properties: number;
    /** By currency. */
    lowest: { currency: Currency; total: DecimalMoney; propertyId: PropertyId }[];
  }[];
}

export interface PriceStaysRequest {
  /** 1 to 100. */
  propertyIds: PropertyId[];
  stay: { checkIn: LocalDate; checkOut: LocalDate; guests: number; childAges?: ChildAges };
  locale?: Locale;
  /** Whether each item says why the stay has no price, and which stays are instead. */
  why?: boolean;
}

/** Why a stay is not priced, by its code. New codes may be added. */
export type StayReason =
  | { readonly code: 'CAPACITY'; readonly guestsMax: number }
  | {
      readonly code: 'PAST' | 'BEYOND_HORIZON' | 'CLOSED_TO_ARRIVAL' | 'CLOSED_TO_DEPARTURE';
      readonly date: LocalDate;
    }
  | { readonly code: 'TOO_SOON' | 'TOO_FAR_AHEAD'; readonly days: number }
  /** `NO_PRICE` without dates: the property gives no quotes. */
  | { readonly code: 'NIGHTS_CLOSED' | 'NO_PRICE'; readonly dates: readonly LocalDate[] }
  | { readonly code: 'MIN_STAY' | 'MAX_STAY'; readonly nights: number };

/** A stay that can be had instead. */
export interface InsteadStay {
  checkIn: LocalDate;
  checkOut: LocalDate;
  nights: number;
  /** Null where no quote can be made. */
  total: DecimalMoney | null;
}

/** Why there is no quote for a stay. */
export type QuoteConflictCode = 'STAY_UNAVAILABLE' | 'QUOTE_UNAVAILABLE';

export interface StayPrice {
  propertyId: PropertyId;
  /** Null, or the code of the problem that a quote would be refused with. */
  code: null | 'PROPERTY_NOT_FOUND' | QuoteConflictCode;
  /** Null where the property is unknown. */
  currency: Currency | null;
  pricing: StayPricing | null;
  /** With `why`. Empty where the stay is priced, or the property unknown; null where the operator does not tell them. */
  reasons?: readonly StayReason[] | null;
  /** With `why`: other check-ins first, the nearest first; then another length. */
  instead?: InsteadStay[];
}

export interface StayPrices {
  /** In the order asked. */
  items: StayPrice[];
}

/** With `why: true`. */
export interface ExplainedStayPrice extends StayPrice {
  reasons: readonly StayReason[] | null;
  instead: InsteadStay[];
}

export interface ExplainedStayPrices {
  /** In the order asked. */
  items: ExplainedStayPrice[];
}

export interface OfferParameters extends AvailabilityParameters {
  childAges?: ChildAges;
  /** Language of the texts. */
  locale?: Locale;
}

/** One stay at one property, as a quote would price it at this moment. Null: the operator says nothing. */
export interface StayOffer {
  propertyId: PropertyId;
  stay: FamilyStay;
  currency: Currency;
  pricing: StayPricing;
  /** They sum to `accommodation`. */
  nights: { date: LocalDate; amount: DecimalMoney }[];
  /** The cleaning fee, then taxes and fees; the amounts sum to `cleaningFee` and `taxes`. */
  charges: {
    code: string;
    /** For travellers. */
    name: string;
    kind: 'cleaning' | 'tax' | 'fee' | 'city_tax';
    amount: DecimalMoney;
    /** The tax that is in the price already. */
    included: DecimalMoney | null;
    /** `arrival`: paid at the property. */
    due: 'booking' | 'arrival';
  }[];
  /** What cancelling now would give back: all, some, none. */
  refundability: 'refundable' | 'partially_refundable' | 'non_refundable' | null;
  /** The earliest deadline first, each an instant with the offset of the property's zone; after the last, nothing. */
  cancellation: { until: string; refundPercent: string; refundAmount: DecimalMoney }[] | null;
  /** They sum to `total`. `date` is set for `daysBefore`; what is paid at the property is the last. */
  payment: { due: PaymentMoment; date: LocalDate | null; amount: DecimalMoney }[] | null;
  checkIn: { from: string; until: string | null } | null;
  checkOut: { until: string } | null;
  houseRules: string | null;
  registrationNumber: string | null;
  seller: string | null;
  /** Instant in UTC. */
  asOf: string;
}

export interface PriceCalendarParameters {
  /** Today at the property unless given. */
  from?: LocalDate;
  /** Exclusive; 31 days after `from` unless given, 92 at most. */
  until?: LocalDate;
  /** 1 unless given. */
  nights?: number;
  /** All travellers, children among them; 2 unless given. */
  guests?: number;
  childAges?: ChildAges;
}

export interface PriceCalendar {
  propertyId: PropertyId;
  timezone: string;
  currency: Currency;
  nights: number;
  guests: number;
  childAges?: number[];
  /** By check-in date. `total` is null where no quote can be made. */
  days: { checkIn: LocalDate; available: boolean; total: DecimalMoney | null }[];
}

export interface LengthsParameters extends PriceCalendarParameters {
  /** From `nights` to 30; dates times lengths at most 1,000. */
  maxNights: number;
}

export interface PriceCalendarOfLengths extends Omit<PriceCalendar, 'days'> {
  days: {
    checkIn: LocalDate;
    stays: { nights: number; checkOut: LocalDate; available: boolean; total: DecimalMoney | null }[];
  }[];
}

export interface CityParameters {
  /** The beginning of a word of the name; a typing mistake is forgiven from 4 letters on. */
  text: string;
  country?: string;
  locale?: Locale;
  /** 1 to 20, 10 unless given. */
  limit?: number;
}

export interface CityList {
  /** The best first. */
  items: {
    /** In the locale; a search takes it. */
    city: string;
    country: string;
    /** The name or alias that the text begins. */
    matched: string;
    /** How many properties a search for the city finds. */
    properties: number;
  }[];
}

export interface RateLimit {
  /** Requests in the current window of 60 seconds. */
  limit: number;
  remaining: number;
  /** When the window ends. */
  resetAt: Date;
}

/** An answer and what came with it. */
export interface Result<Body> {
  /** The body, exactly as it was sent. */
  data: Body;
  /** 200, or 201 for a quote. */
  status: number;
  headers: Headers;
  /** Name it when you ask the operator for help. */
  correlationId: string;
  rateLimit: RateLimit | undefined;
}

export interface ChangesParameters {
  /** `next` of the answer before. */
  since?: string | undefined;
  /** 1 to 1,000, default 1,000. */
  limit?: number | undefined;
  /** Seconds to hold back an answer without changes, 0 to 20. */
  wait?: number | undefined;
}

export interface FollowParameters {
  /** The cursor that `onCursor` stored last; without it the feed begins now. */
  since?: string | undefined;
  onCursor: (cursor: string) => void | Promise<void>;
}

export interface PropertyChange {
  propertyId: PropertyId;
  /** `content`: read all of it again. `calendar`: nights or rates. `gone`: you no longer see it. */
  change: 'content' | 'calendar' | 'gone';
}

export interface PropertyChanges {
  /** Each property once. */
  changes: PropertyChange[];
  /** The cursor to ask with next. */
  next: string;
  hasMore: boolean;
}
