/**
 * What the three GET operations ask of memory. Answers are complete JSON bodies, ready to be sent.
 */
import type { EpochDay } from '../domain/local-date.ts';
import type { MarketName } from './index/market.ts';
import type { ByteText } from './byte-text.ts';
import type { Locale } from '../domain/property.ts';

export interface SearchQuery {
  readonly city: string;
  /** ISO 3166-1 alpha-2; any country when absent. */
  readonly country?: string | undefined;
  readonly stay?: { readonly checkIn: EpochDay; readonly checkOut: EpochDay } | undefined;
  /** With a stay: who must fit. Without: present only when the caller gave it, and then filters. */
  readonly guests?: number | undefined;
  readonly page: number;
  readonly pageSize: number;
  readonly locale: Locale;
  readonly partnerId: string;
}

export interface AvailabilityQuery {
  readonly propertyId: string;
  readonly checkIn: EpochDay;
  readonly checkOut: EpochDay;
  readonly guests: number;
  readonly partnerId: string;
}

export interface FoundMarket {
  readonly market: MarketName;
  /** Properties that match, on all pages. */
  readonly count: number;
}

/** What a search came to, beside the bytes of one page. */
export interface Found {
  /** Properties that match, on all pages. */
  readonly total: number;
  /** The city as it was asked for: a copy that keeps no request in memory. */
  readonly askedName: string;
  /** The city that was asked for, folded. */
  readonly cityName: string;
  /** Those that answer to its name, of the country that was asked for. */
  readonly markets: readonly FoundMarket[];
  /** The name is known, but of another country than the one that was asked for. */
  readonly isKnownElsewhere: boolean;
}

export interface FoundPage {
  readonly propertyIds: readonly string[];
  readonly found: Found;
}

/** True when nobody needs the bytes any more: the next search then reuses their memory. */
export type SendList = (list: Uint8Array, found: Found) => boolean;

export interface ReadModel {
  /** Hands a PartnerPropertyList (SPEC 4.1) to `send`, before it returns. */
  search(query: SearchQuery, send: SendList): void;
  /** The ids of the page that `search` would hand over. */
  findPage(query: SearchQuery): FoundPage;
  /** PartnerPropertySummary (SPEC 4.2); undefined when unknown or not visible to this partner. */
  findSummary(propertyId: string, locale: Locale, partnerId: string): ByteText | undefined;
  /** PartnerAvailability (SPEC 4.3); undefined when unknown or not visible to this partner. */
  findAvailability(query: AvailabilityQuery): ByteText | undefined;
  isVisible(propertyId: string, partnerId: string): boolean;
}
