/** The memory's side of the three GET operations. Answers are complete JSON bodies, ready to be sent. */
import type { Found } from '../../domain/found-markets.ts';
import type { AvailabilityQuery } from './bodies/availability-body.ts';
import type { ByteText } from './bodies/byte-text.ts';
import type { SearchQuery } from './cities/city-search.ts';
import type { Locale } from '../../domain/property.ts';

export interface FoundPage {
  readonly propertyIds: readonly string[];
  readonly found: Found;
}

/** Returns true when the bytes are free: the next search then reuses their memory. */
export type SendList = (list: Uint8Array, found: Found) => boolean;

export interface ReadModel {
  /** Hands a PartnerPropertyList (SPEC 4.1) to `send`, before it returns. */
  search(query: SearchQuery, send: SendList): void;
  /** The ids of the page that `search` would send. */
  findPage(query: SearchQuery): FoundPage;
  /** PartnerPropertySummary (SPEC 4.2); undefined when the property is unknown or hidden from this partner. */
  findSummary(propertyId: string, locale: Locale, partnerId: string): ByteText | undefined;
  /** PartnerAvailability (SPEC 4.3); undefined when the property is unknown or hidden from this partner. */
  findAvailability(query: AvailabilityQuery): ByteText | undefined;
  isVisible(propertyId: string, partnerId: string): boolean;
}
