/**
 * Property details as both adapters keep them: JSON text in a table of its own, written field by field in one order.
 * The property document holds their digest, so that they count as part of it: other details are another document.
 */
import { hash } from 'node:crypto';
import { NO_DETAILS, type PropertyDetails } from '../../domain/property-details.ts';
import { orderLocales } from './stored-document.ts';

export interface DetailsRow {
  readonly details: string;
}

/** The stored JSON text; undefined when nothing is said. */
export function formatDetails(details: PropertyDetails): string | undefined {
  const { images, checkIn, checkOut, cancellation, payment, houseRules, registrationNumber, seller } =
    details;
  const stored: PropertyDetails = {
    images: images.map(({ src, alt, width, height }) => ({ src, alt: orderLocales(alt), width, height })),
    checkIn: checkIn && { from: checkIn.from, until: checkIn.until },
    checkOut: checkOut && { until: checkOut.until },
    cancellation:
      cancellation && cancellation.map(({ daysBefore, refundPercent }) => ({ daysBefore, refundPercent })),
    payment: payment && payment.map(({ due, daysBefore, percent }) => ({ due, daysBefore, percent })),
    houseRules: orderLocales(houseRules),
    registrationNumber,
    seller,
  };
  const text = JSON.stringify(stored);
  return text === NOTHING_SAID ? undefined : text;
}

const NOTHING_SAID = JSON.stringify(NO_DETAILS);

/** Only texts of `formatDetails` are stored, so nothing is checked again. */
export function parseDetails(text: string): PropertyDetails {
  return JSON.parse(text) as PropertyDetails;
}

/** 132 bits: no two texts have the same. */
export function digestDetails(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 22);
}
