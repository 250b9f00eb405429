/**
 * Rows with plain contents, each with whatever a test wants different.
 */
import { buildCalendar } from '../../../src/domain/calendar.ts';
import { encodeNights, encodeRates } from '../../../src/domain/calendar-codec.ts';
import type { InventoryType, Property } from '../../../src/domain/property.ts';
import type {
  CredentialRow,
  HandoffKeyRow,
  OperatorTokenRow,
  PartnerRow,
} from '../../../src/storage/access/store.ts';
import type { PropertyWrite } from '../../../src/domain/ledger/stored-write.ts';
import type { QuoteRow } from '../../../src/storage/quotes/store.ts';
import { NOW_MS } from './fixture.ts';

export function sampleType(inventoryTypeId: string): InventoryType {
  return { inventoryTypeId, name: 'Double', guestsMax: 2, includedGuests: 2, extraGuestRate: '0.00' };
}

export function sampleProperty(propertyId: string, override: Partial<Property> = {}): Property {
  return {
    propertyId,
    name: { 'it-IT': 'Hotel Ponte', 'en-GB': 'Bridge Hotel' },
    description: null,
    propertyType: 'hotel',
    location: { city: { 'it-IT': 'Venezia', 'en-GB': 'Venice' }, country: 'IT', area: null },
    cityAliases: ['Venise'],
    bathrooms: 1.5,
    amenities: ['wifi'],
    rating: { score: 4.6, count: 212 },
    currency: 'EUR',
    timezone: 'Europe/Rome',
    visibleTo: 'all',
    quoting: true,
    cleaningFee: '40.00',
    taxes: [],
    inventoryTypes: [sampleType('double')],
    ...override,
  };
}

/** Calendars that name the type and `version`: another version is another calendar. */
export function sampleWrite(
  propertyId: string,
  {
    version = 1,
    source = 'catalogue',
    ...override
  }: Partial<Property> & { version?: number; source?: string } = {},
): PropertyWrite {
  const property = sampleProperty(propertyId, override);
  return {
    property,
    source,
    lowestRates: Uint8Array.of(9, version),
    calendars: property.inventoryTypes.map(({ inventoryTypeId }, position) => {
      const set = { availability: version, rate: version };
      const calendar = buildCalendar([{ from: position, to: position, set }]);
      return { inventoryTypeId, nights: encodeNights(calendar), rates: encodeRates(calendar) };
    }),
  };
}

export function samplePartner(partnerId: string, override: Partial<PartnerRow> = {}): PartnerRow {
  const origins = ['https://partner.example'];
  return {
    partnerId,
    name: 'Partner',
    origins,
    disabled: false,
    createdAtMs: NOW_MS,
    revision: 0,
    ...override,
  };
}

export function sampleCredential(credentialId: string, override: Partial<CredentialRow> = {}): CredentialRow {
  return {
    credentialId,
    partnerId: 'partner',
    tokenHash: `hash of ${credentialId}`,
    scopes: ['properties:read', 'quotes:write'],
    quota: 120,
    createdAtMs: NOW_MS,
    expiresAtMs: null,
    revokedAtMs: null,
    isTest: false,
    networks: [],
    revision: 0,
    ...override,
  };
}

export function sampleHandoffKey(keyId: string): HandoffKeyRow {
  return { keyId, secret: `secret of ${keyId}`, createdAtMs: NOW_MS, retiredAtMs: null, revision: 0 };
}

export function sampleOperatorToken(
  operatorTokenId: string,
  override: Partial<OperatorTokenRow> = {},
): OperatorTokenRow {
  return {
    operatorTokenId,
    name: 'web application',
    tokenHash: `hash of ${operatorTokenId}`,
    scopes: ['handoff:resolve'],
    source: null,
    createdAtMs: NOW_MS,
    expiresAtMs: null,
    revokedAtMs: null,
    revision: 0,
    ...override,
  };
}

export function sampleQuote(quoteId: string, override: Partial<QuoteRow> = {}): QuoteRow {
  return {
    quoteId,
    propertyId: 'hotel-ponte',
    partnerId: 'partner',
    credentialId: 'credential',
    inventoryTypeId: 'double',
    locale: 'it-IT',
    createdAtMs: NOW_MS,
    expiresAtMs: NOW_MS + 1_800_000,
    answer: '{"pricing":{"total":"240.00"}}',
    breakdown: '{"nights":[]}',
    isTest: false,
    ...override,
  };
}
