/**
 * A property, a moment and the dependencies for tests of quotes and handoffs; the storage is the real one.
 */
import { buildHandoffKeyring, type HandoffKeyring } from '../../src/handoff/handoff-keys.ts';
import { systemRandom } from '../../src/runtime/random.ts';
import { encodeNights, encodeRates } from '../../src/domain/calendar-codec.ts';
import { buildCalendar, type CalendarEntry } from '../../src/domain/calendar.ts';
import { buildLowestRates } from '../../src/domain/lowest-rates.ts';
import type { Property } from '../../src/domain/property.ts';
import type { PropertyWrite } from '../../src/domain/ledger/stored-write.ts';
import type { Storage } from '../../src/storage/storage.ts';
import type { QuoteDeps, QuoteRequest } from '../../src/partner/quotes/create-quote.ts';
import { dayOf, makeInventoryType, makeProperty, makeTaxRule } from './property-fixtures.ts';

/** Noon of 20 November 2026 in Rome. */
export const NOW_MS = Date.UTC(2026, 10, 20, 11);
export const HORIZON_NIGHTS = 730;
export const QUOTE_TTL_SECONDS = 1800;

/** All of December, three units a night. */
export function december(set: CalendarEntry['set'] = {}): CalendarEntry {
  return { from: dayOf('2026-12-01'), to: dayOf('2026-12-31'), set: { availability: 3, ...set } };
}

const DOUBLE = makeInventoryType();
const SUITE = makeInventoryType({
  inventoryTypeId: 'suite',
  name: { 'en-GB': 'Suite', 'it-IT': 'Suite grande' },
  guestsMax: 4,
  extraGuestRate: '15.00',
});
const CITY_TAX = makeTaxRule({
  code: 'city-tax',
  kind: 'city_tax',
  logic: 'per_person_per_night',
  amount: '4.00',
  percent: null,
  maxNights: 5,
});
const VAT = makeTaxRule({
  code: 'vat',
  kind: 'tax',
  logic: 'percent',
  amount: null,
  percent: '10',
  base: ['accommodation', 'cleaningFee'],
});

/** Double at 120.00 and suite at 200.00 a night, all of December 2026, unless changed. */
export function bridgeHotel(
  changes: Partial<Property> = {},
  entries: readonly (readonly CalendarEntry[])[] = [
    [december({ rate: 12_000 })],
    [december({ rate: 20_000 })],
  ],
): PropertyWrite {
  const property = makeProperty({
    cleaningFee: '40.00',
    taxes: [CITY_TAX, VAT],
    inventoryTypes: [DOUBLE, SUITE],
    ...changes,
  });
  const calendars = property.inventoryTypes.map((_, index) => buildCalendar(entries[index] ?? []));
  return {
    property,
    source: 'catalogue',
    lowestRates: buildLowestRates(calendars, HORIZON_NIGHTS),
    calendars: property.inventoryTypes.map(({ inventoryTypeId }, index) => ({
      inventoryTypeId,
      nights: encodeNights(calendars[index]!),
      rates: encodeRates(calendars[index]!),
    })),
  };
}

/** Three nights for two from 1 December 2026. */
export function quoteRequest(changes: Partial<QuoteRequest> = {}): QuoteRequest {
  return {
    propertyId: 'hotel-ponte',
    checkIn: dayOf('2026-12-01'),
    checkOut: dayOf('2026-12-04'),
    guests: 2,
    locale: 'it-IT',
    partnerId: 'acme',
    credentialId: 'cr_1',
    ...changes,
  };
}

export function makeKeyring(...keyIds: readonly string[]): HandoffKeyring {
  const rows = keyIds.map((keyId, index) => ({
    keyId,
    secret: Buffer.from(systemRandom(32)).toString('base64'),
    createdAtMs: NOW_MS,
    retiredAtMs: null,
    revision: index + 1,
  }));
  const keyring = buildHandoffKeyring(rows, QUOTE_TTL_SECONDS);
  if (keyring === undefined) throw new Error('a keyring needs a key id');
  return keyring;
}

export function quoteDeps(storage: Storage, changes: Partial<QuoteDeps> = {}): QuoteDeps {
  const keyring = makeKeyring('hk_1');
  return {
    storage,
    isVisible: () => true,
    handoffKeys: () => keyring,
    handoffBaseUrl: 'https://stay.example/handoff',
    quoteTtlSeconds: QUOTE_TTL_SECONDS,
    isTest: false,
    noteStored: () => undefined,
    horizonNights: HORIZON_NIGHTS,
    clock: () => NOW_MS,
    random: systemRandom,
    ...changes,
  };
}
