/**
 * The part of the storage port that keeps which quotes became bookings, as the operator's booking system reports them.
 * No name, no address: a reference, an amount, and the quote.
 */

export type ConversionStatus = 'booked' | 'cancelled';

/** What a booking system says of one booking. */
export interface ConversionReport {
  readonly quoteId: string;
  /** The booking system's own name of the booking: one reference stands for one booking. */
  readonly reference: string;
  readonly status: ConversionStatus;
  /** Price of the booking in minor units (hundredths), in the currency of the quote; null when it was not told. */
  readonly total: number | null;
  readonly currency: string | null;
  readonly atMs: number;
}

export type ConversionOutcome =
  | { readonly kind: 'recorded' }
  /** The same was reported before. */
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
  /** Of the quotes, days since 1970-01-01. */
  readonly day: number;
  readonly partnerId: string;
  /** Quotes that were ever booked. */
  readonly converted: number;
  /** Quotes of which a booking was cancelled. */
  readonly cancelled: number;
}

/** What stands of the bookings of a day, per currency. */
export interface ConversionTotal {
  readonly day: number;
  readonly partnerId: string;
  readonly currency: string;
  /** Minor units. */
  readonly total: number;
}

export interface ConversionStore {
  /**
   * One transaction; two reports of one reference at once count once. A report of a known reference needs its quote no
   * more: retention may have deleted it.
   */
  recordConversion(report: ConversionReport): Promise<ConversionOutcome>;
  /** Quotes made on the days `first` to `last` (both included), without the sandbox's; in no order. */
  readConversions(
    first: number,
    last: number,
  ): Promise<{ readonly days: readonly ConversionDay[]; readonly totals: readonly ConversionTotal[] }>;
}
