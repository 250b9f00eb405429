/**
 * The part of the storage port that keeps which quotes became bookings, as the operator's booking system reports them.
 * It stores a reference, an amount and the quote; no name and no address.
 */

export type ConversionStatus = 'booked' | 'cancelled';

/** One report of a booking system about one booking. */
export interface ConversionReport {
  readonly quoteId: string;
  /** The booking system's own reference, one per booking. */
  readonly reference: string;
  readonly status: ConversionStatus;
  /** Price of the booking in minor units (hundredths), in the currency of the quote; null if not reported. */
  readonly total: number | null;
  readonly currency: string | null;
  readonly atMs: number;
}

export type ConversionOutcome =
  | { readonly kind: 'recorded' }
  /** This report is stored already. */
  | { readonly kind: 'known' }
  | { readonly kind: 'quoteUnknown' }
  /** `currency` is the quote's. */
  | { readonly kind: 'currencyDiffers'; readonly currency: string }
  | { readonly kind: 'conflict'; readonly reason: ConversionConflict };

export type ConversionConflict = 'otherQuote' | 'otherTotal' | 'cancelledBefore' | 'tooMany';

/** References of one quote: a system that is out of control, or a stolen token, must not fill the disk. */
export const CONVERSIONS_PER_QUOTE_MAX = 100;

/** Bookings of quotes that a partner was given on one day (UTC). */
export interface ConversionDay {
  /** Day of the quotes, in days since 1970-01-01. */
  readonly day: number;
  readonly partnerId: string;
  /** Quotes that were ever booked. */
  readonly converted: number;
  /** Quotes with a cancelled booking. */
  readonly cancelled: number;
}

/** Value of the bookings of a day that are not cancelled, per currency. */
export interface ConversionTotal {
  readonly day: number;
  readonly partnerId: string;
  readonly currency: string;
  /** Minor units. */
  readonly total: number;
}

/** One booking of a quote. */
export interface Conversion extends Pick<ConversionReport, 'reference' | 'total' | 'currency'> {
  /** Null when only its cancellation was reported. */
  readonly bookedAtMs: number | null;
  readonly cancelledAtMs: number | null;
}

export interface ConversionStore {
  /** By reference; CONVERSIONS_PER_QUOTE_MAX at most. */
  listConversions(quoteId: string): Promise<readonly Conversion[]>;
  /**
   * One transaction; simultaneous reports of one reference count once. A report of a known reference does not need its
   * quote, which retention may have deleted.
   */
  recordConversion(report: ConversionReport): Promise<ConversionOutcome>;
  /** Quotes made on the days `first` to `last` (both included), without sandbox quotes; unordered. */
  readConversions(
    first: number,
    last: number,
  ): Promise<{ readonly days: readonly ConversionDay[]; readonly totals: readonly ConversionTotal[] }>;
}
