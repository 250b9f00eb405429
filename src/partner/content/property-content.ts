/** Pictures, times and terms of properties for partners, written field by field. */
import type { PropertyContent } from '../../contract/partner/content-schemas.ts';
import { type Locale, textFor } from '../../domain/property.ts';
import type { PropertyImage } from '../../domain/property-details.ts';
import type { ContentStore, StoredContent } from '../../storage/catalogue/content.ts';

/** A picture that can be served, at an absolute address that changes with its content. */
export interface AddressedImage extends PropertyImage {
  readonly url: string;
}

/** In order, without pictures that can't be served. */
export type FindAddresses = (images: readonly PropertyImage[]) => Promise<readonly AddressedImage[]>;

/** In the order of the ids, without missing ones. Rejects with `StorageUnavailable`. */
export type ReadContent = (
  propertyIds: readonly string[],
  locale: Locale,
) => Promise<readonly PropertyContent[]>;

export interface ContentDeps {
  readonly find: ContentStore['findContent'];
  readonly findAddresses: FindAddresses;
  /** The seller of properties that name none. */
  readonly seller: string;
}

export function makeReadContent({ find, findAddresses, seller }: ContentDeps): ReadContent {
  return async (propertyIds, locale) => {
    const contents: PropertyContent[] = [];
    for (const stored of await find(propertyIds)) {
      const images = await findAddresses(stored.details.images);
      contents.push(presentContent(stored, { images, locale, seller }));
    }
    return contents;
  };
}

interface Shown {
  readonly images: readonly AddressedImage[];
  readonly locale: Locale;
  readonly seller: string;
}

function presentContent(stored: StoredContent, { images, locale, seller }: Shown): PropertyContent {
  const { propertyId, timezone, currency, details } = stored;
  const { checkIn, checkOut, cancellation, payment, houseRules, registrationNumber } = details;
  return {
    propertyId,
    images: images.map(({ url, alt, width, height }) => ({ url, alt: textFor(alt, locale), width, height })),
    checkIn: checkIn && { from: checkIn.from, until: checkIn.until },
    checkOut: checkOut && { until: checkOut.until },
    cancellation:
      cancellation && cancellation.map(({ daysBefore, refundPercent }) => ({ daysBefore, refundPercent })),
    payment: payment && payment.map(({ due, daysBefore, percent }) => ({ due, daysBefore, percent })),
    houseRules: houseRules === null ? null : textFor(houseRules, locale),
    registrationNumber,
    seller: details.seller ?? seller,
    timezone,
    currency,
  };
}
