/** Rows of quotes, as both adapters select them. A flag is 0 or 1. */
import type { Locale } from '../../domain/property.ts';
import type { QuoteRow } from './store.ts';

export interface StoredQuote {
  readonly quote_id: string;
  readonly property_id: string;
  readonly partner_id: string;
  readonly credential_id: string;
  readonly inventory_type_id: string;
  readonly locale: Locale;
  readonly created_at_ms: number;
  readonly expires_at_ms: number;
  readonly answer: string;
  readonly breakdown: string;
  readonly is_test: number;
}

export function toQuote(row: StoredQuote): QuoteRow {
  return {
    quoteId: row.quote_id,
    propertyId: row.property_id,
    partnerId: row.partner_id,
    credentialId: row.credential_id,
    inventoryTypeId: row.inventory_type_id,
    locale: row.locale,
    createdAtMs: row.created_at_ms,
    expiresAtMs: row.expires_at_ms,
    answer: row.answer,
    breakdown: row.breakdown,
    isTest: row.is_test === 1,
  };
}
