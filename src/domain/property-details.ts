/**
 * What only the traveller's page shows of a property: pictures, and the terms of a stay. No partner sees it, and no
 * price or availability depends on it, so it is stored beside the property document and read for a page alone.
 */
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
