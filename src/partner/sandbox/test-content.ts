import { NO_DETAILS, type PropertyDetails } from '../../domain/property-details.ts';
import type { StoredContent } from '../../storage/catalogue/content.ts';
import type { StoredProperty } from '../../storage/catalogue/store.ts';
import { WITHOUT_DETAILS_ID } from './special-properties.ts';

export interface TestPicture {
  readonly url: string;
  readonly width: number;
  readonly height: number;
}

/** Undefined without a property. All have the same content, except one without any. */
export function testContent(
  stored: StoredProperty | undefined,
  { url: src, width, height }: TestPicture,
): StoredContent | undefined {
  if (stored === undefined) return undefined;
  const { property, revision } = stored;
  const { propertyId, timezone, currency } = property;
  const details: PropertyDetails = {
    images: [
      { src, alt: { 'it-IT': 'Una casa tra i monti', 'en-GB': 'A house in the hills' }, width, height },
    ],
    checkIn: { from: '15:00', until: '22:00' },
    checkOut: { until: '10:30' },
    cancellation: [
      { daysBefore: 14, refundPercent: '100' },
      { daysBefore: 3, refundPercent: '50' },
    ],
    payment: [
      { due: 'booking', daysBefore: null, percent: '30' },
      { due: 'arrival', daysBefore: null, percent: '70' },
    ],
    houseRules: { 'it-IT': 'Silenzio dopo le 22.', 'en-GB': 'Quiet after 22:00.' },
    registrationNumber: 'TEST-0001',
    seller: null,
  };
  const hasNone = propertyId === WITHOUT_DETAILS_ID;
  return { propertyId, revision, timezone, currency, details: hasNone ? NO_DETAILS : details, textLength: 0 };
}
