/**
 * Details of a property for the traveller's page: pictures, and the terms of a stay. Partners do not see them, and
 * prices and availability do not depend on them, so they are stored beside the property document and read only for a
 * page.
 */
import { payableUnitOf } from './currency-codes.ts';
import type { EpochDay } from './local-date.ts';
import { parseMoney, roundHalfUp } from './money.ts';
import type { LocalizedText } from './property.ts';
import { Wrong } from './wrong.ts';

export const IMAGES_MAX = 30;

/** Below the folder of pictures: those that people upload in the console. */
export const UPLOAD_FOLDER = 'uploaded';

/** Widths of the smaller sizes that are made of an uploaded picture, in pixels, ascending. */
export const SMALLER_WIDTHS = [640, 1_280] as const;

const UPLOADED = new RegExp(`^(${UPLOAD_FOLDER}/[0-9a-f]{40})(\\.(?:jpg|png|webp|avif))$`);

/** `uploaded/ab…-640.jpg` of `uploaded/ab….jpg`; undefined for a picture that nobody uploaded. It need not exist. */
export function smallerPathOf(src: string, width: (typeof SMALLER_WIDTHS)[number]): string | undefined {
  const [, stem, ending] = UPLOADED.exec(src) ?? [];
  return stem === undefined ? undefined : `${stem}-${width}${ending}`;
}

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

/** A cancellation so many days before check-in, or earlier, refunds this part of the price. */
export interface CancellationStep {
  readonly daysBefore: number;
  /** Decimal string, 0 to 100. */
  readonly refundPercent: string;
}

export const PAYMENT_MOMENTS = ['booking', 'daysBefore', 'arrival'] as const;

export interface PaymentStep {
  readonly due: (typeof PAYMENT_MOMENTS)[number];
  /** Days before check-in; only for `daysBefore`. */
  readonly daysBefore: number | null;
  /** Decimal string above 0; all steps together are 100. */
  readonly percent: string;
}

export interface PropertyDetails {
  /** The first is the cover. */
  readonly images: readonly PropertyImage[];
  readonly checkIn: ArrivalTimes | null;
  readonly checkOut: { readonly until: string } | null;
  /** Falling `daysBefore`; after the last step nothing is refunded. Empty: never a refund. Null: unknown. */
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

/** Details of a property without any. */
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

/** The refund of a cancellation on this day or earlier. */
export interface Refund {
  readonly until: EpochDay;
  /** Decimal string above 0. */
  readonly refundPercent: string;
}

/** Ascending, without past steps and steps that refund nothing. */
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

/** The last of the steps with one percentage is the deadline. */
function isSamePercent(one: string, other: string | undefined): boolean {
  return other !== undefined && parseMoney(one) === parseMoney(other);
}

export const REFUNDABILITIES = ['refundable', 'partially_refundable', 'non_refundable'] as const;
export type Refundability = (typeof REFUNDABILITIES)[number];

/** Says how much a cancellation today would give back: all, a part, nothing. `refunds` are those of `refundsFrom`. */
export function refundabilityOf([now]: readonly Refund[]): Refundability {
  if (now === undefined) return 'non_refundable';
  return parseMoney(now.refundPercent) === HUNDREDTHS_PER_WHOLE ? 'refundable' : 'partially_refundable';
}

/** Minor units: the percentage of what is not paid at the property, rounded half up to what can be paid. */
export function refundAmountOf({ refundPercent }: Pick<Refund, 'refundPercent'>, price: SplitPrice): bigint {
  const { total, atArrival = 0n, currency } = price;
  return shareOf(total - atArrival, parseMoney(refundPercent) ?? 0n, currency);
}

export interface Payment {
  readonly due: 'booking' | 'arrival' | EpochDay;
  /** Minor units; all add up to the total. */
  readonly amount: bigint;
  /** Taxes and fees that are paid at the property, whatever the steps say. */
  readonly isCharges?: true;
}

export interface SplitPrice {
  /** Minor units, with what is due at arrival. */
  readonly total: bigint;
  readonly atArrival?: bigint;
  readonly currency: string;
}

const HUNDREDTHS_PER_WHOLE = 10_000n;

/** Hundredths of a percent of an amount, half up to what can be paid; never above the amount, and all of it for 100 %. */
function shareOf(amount: bigint, hundredths: bigint, currency: string): bigint {
  const unit = BigInt(payableUnitOf(currency));
  const rounded = unit * roundHalfUp(amount * hundredths, unit * HUNDREDTHS_PER_WHOLE);
  return hundredths === HUNDREDTHS_PER_WHOLE || rounded > amount ? amount : rounded;
}

/**
 * The payments in order. Each amount is the sum due by then (rounded half up) less the sums before, so they add up to
 * the total: 100.00 in three steps of 33.33, 33.33 and 33.34 %. For a currency without cents only the last amount may
 * have any. A past due date becomes the day of booking. The steps divide what is left of the total without the charges
 * at arrival, which are the last payment. Nothing is left out but payments of nothing.
 */
export function splitPayment(
  steps: readonly PaymentStep[],
  { total, atArrival = 0n, currency }: SplitPrice,
  { checkIn, today }: { readonly checkIn: EpochDay; readonly today: EpochDay },
): readonly Payment[] {
  const payments: Payment[] = [];
  const divided = total - atArrival;
  let hundredths = 0n;
  let paid = 0n;
  for (const { due, daysBefore, percent } of steps) {
    hundredths += parseMoney(percent) ?? 0n;
    const dueByThen = shareOf(divided, hundredths, currency);
    const amount = dueByThen - paid;
    paid = dueByThen;
    const day = checkIn - (daysBefore ?? 0);
    const moment = due !== 'daysBefore' ? due : day <= today ? 'booking' : day;
    const last = payments.at(-1);
    if (last?.due === moment) payments[payments.length - 1] = { due: moment, amount: last.amount + amount };
    else payments.push({ due: moment, amount });
  }
  payments.push({ due: 'arrival', amount: atArrival, isCharges: true });
  return payments.filter(({ amount }) => amount > 0n);
}

// Paths of pictures below the operator's folder, as documents name them and as browsers ask for them.

/** Characters that change meaning in a URL or on another file system: escapes, queries, drives, backslashes. */
const AMBIGUOUS = /[%?#:\\\p{Cc}]/u;

/** Undefined for names of files joined by `/`; else the mistake, as the beginning of a sentence. */
export function findPicturePathProblem(path: string): Wrong | undefined {
  if (AMBIGUOUS.test(path) || !path.isWellFormed()) return new Wrong('picturePathSigns');
  // Windows takes `a.jpg.` and `a.jpg ` for `a.jpg`.
  if (path.split('/').every((name) => name !== '' && !name.startsWith('.') && !/[. ]$/.test(name)))
    return undefined;
  return new Wrong('notPicturePath', { example: 'hotel-ponte/front.jpg' });
}
