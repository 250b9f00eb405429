/**
 * What only the traveller's page shows of a property: pictures, and the terms of a stay. No partner sees it, and no
 * price or availability depends on it, so it is stored beside the property document and read for a page alone.
 */
import { minorDigitsOf } from './currency-codes.ts';
import type { EpochDay } from './local-date.ts';
import { parseMoney, roundHalfUp } from './money.ts';
import type { LocalizedText } from './property.ts';

/** Pictures of one property. */
export const IMAGES_MAX = 30;

export interface PropertyImage {
  /** An `https:` URL, or a path below the operator's folder of pictures: `hotel-ponte/front.jpg`. */
  readonly src: string;
  readonly alt: LocalizedText;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** Local times, `15:00`. */
export interface ArrivalTimes {
  readonly from: string;
  readonly until: string | null;
}

/** Who cancels so many days before check-in, or earlier, gets this part of the price back. */
export interface CancellationStep {
  readonly daysBefore: number;
  /** Decimal string, 0 to 100. */
  readonly refundPercent: string;
}

export const PAYMENT_MOMENTS = ['booking', 'daysBefore', 'arrival'] as const;

export interface PaymentStep {
  readonly due: (typeof PAYMENT_MOMENTS)[number];
  /** Before check-in; set for `daysBefore` only. */
  readonly daysBefore: number | null;
  /** Decimal string above 0; all steps together are 100. */
  readonly percent: string;
}

export interface PropertyDetails {
  /** The first is the cover. */
  readonly images: readonly PropertyImage[];
  readonly checkIn: ArrivalTimes | null;
  readonly checkOut: { readonly until: string } | null;
  /** Falling `daysBefore`; after the last step nothing comes back. Empty: nothing ever does. Null: nothing is said. */
  readonly cancellation: readonly CancellationStep[] | null;
  /** In the order in which they are due. */
  readonly payment: readonly PaymentStep[] | null;
  readonly houseRules: LocalizedText | null;
  readonly registrationNumber: string | null;
  /** Who sells the stay; null: the operator of the page. */
  readonly seller: string | null;
  /** Template of its own booking site; absent: BOOKING_URL_TEMPLATE. */
  readonly bookingUrl?: string;
}

/** Of a property of which nothing is said. */
export const NO_DETAILS: PropertyDetails = {
  images: [],
  checkIn: null,
  checkOut: null,
  cancellation: null,
  payment: null,
  houseRules: null,
  registrationNumber: null,
  seller: null,
};

// The terms of a property as dates and amounts of one stay.

/** Who cancels on this day, or before, gets so much back. */
export interface Refund {
  readonly until: EpochDay;
  /** Decimal string above 0. */
  readonly refundPercent: string;
}

/** Ascending. Steps that have passed are left out, and those that give nothing back. */
export function refundsFrom(
  steps: readonly CancellationStep[],
  checkIn: EpochDay,
  today: EpochDay,
): readonly Refund[] {
  return steps
    .map(({ daysBefore, refundPercent }) => ({ until: checkIn - daysBefore, refundPercent }))
    .filter(({ until, refundPercent }) => until >= today && parseMoney(refundPercent) !== 0n)
    .filter(({ refundPercent }, index, all) => !isSamePercent(refundPercent, all[index + 1]?.refundPercent));
}

/** Of steps with one percentage the last says until when. */
function isSamePercent(one: string, other: string | undefined): boolean {
  return other !== undefined && parseMoney(one) === parseMoney(other);
}

export interface Payment {
  readonly due: 'booking' | 'arrival' | EpochDay;
  /** Minor units; all together are the total. */
  readonly amount: bigint;
}

const HUNDREDTHS_PER_WHOLE = 10_000n;

/**
 * What is paid when, in order. Each amount is what is due by then (rounded half up) less what was due before, so that
 * they are the total together: 100.00 in three steps of 33.33, 33.33 and 33.34 %. Where the currency has no cents, nor
 * has any amount but the last. A day that has come is paid with the booking.
 */
export function splitPayment(
  steps: readonly PaymentStep[],
  { total, currency }: { readonly total: bigint; readonly currency: string },
  { checkIn, today }: { readonly checkIn: EpochDay; readonly today: EpochDay },
): readonly Payment[] {
  const payments: Payment[] = [];
  const unit = minorDigitsOf(currency) === 0 ? 100n : 1n;
  let hundredths = 0n;
  let paid = 0n;
  for (const { due, daysBefore, percent } of steps) {
    hundredths += parseMoney(percent) ?? 0n;
    const rounded = unit * roundHalfUp(total * hundredths, unit * HUNDREDTHS_PER_WHOLE);
    const dueByThen = hundredths === HUNDREDTHS_PER_WHOLE || rounded > total ? total : rounded;
    const amount = dueByThen - paid;
    paid = dueByThen;
    const day = checkIn - (daysBefore ?? 0);
    const moment = due !== 'daysBefore' ? due : day <= today ? 'booking' : day;
    const last = payments.at(-1);
    if (last?.due === moment) payments[payments.length - 1] = { due: moment, amount: last.amount + amount };
    else payments.push({ due: moment, amount });
  }
  return payments;
}

// Paths of pictures below the operator's folder, as documents name them and as browsers ask for them.

/** What would mean something else in a URL, or on another file system: escapes, queries, drives, backslashes. */
const AMBIGUOUS = /[%?#:\\\p{Cc}]/u;

/** Names of files joined by `/`; undefined when it is one, else what is wrong: the beginning of a sentence. */
export function findPicturePathProblem(path: string): string | undefined {
  if (AMBIGUOUS.test(path) || !path.isWellFormed())
    return 'must be a path below the folder of pictures, without any of % ? # : \\ and control characters';
  // Windows takes `a.jpg.` and `a.jpg ` for `a.jpg`.
  if (path.split('/').every((name) => name !== '' && !name.startsWith('.') && !/[. ]$/.test(name)))
    return undefined;
  return 'must be a path below the folder of pictures, such as "hotel-ponte/front.jpg", without "..", hidden files, and a slash in front or doubled';
}
