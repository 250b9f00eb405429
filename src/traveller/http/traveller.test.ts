import assert from 'node:assert/strict';
import { it } from 'node:test';
import { makeKeyring, NOW_MS } from '../../../test/kit/quote-fixtures.ts';
import { sealHandoff } from '../../handoff/handoff-value.ts';
import { createWebMeter } from '../../http/observability/metrics/web-families.ts';
import { StorageUnavailable } from '../../storage/storage.ts';
import { makeTraveller, PAGE_MS_MAX } from './traveller.ts';

it('A handoff of a known key is opened however busy the process is', async () => {
  const keyring = makeKeyring('hk_1');
  const away = (): Promise<never> => Promise.reject(new StorageUnavailable('away'));
  const traveller = makeTraveller({
    storage: { findProperty: away, findQuote: away },
    findDetails: async () => undefined,
    findTestProperty: () => Promise.resolve(undefined),
    handoffKeys: () => keyring,
    horizonNights: 730,
    clock: () => NOW_MS,
    visits: { opened: () => {}, continued: () => {}, resolved: () => {}, close: () => Promise.resolve() },
    findName: () => 'Bridge Hotel',
    sites: { bookingUrlTemplate: undefined, bookingOrigins: [] },
    meter: createWebMeter(),
  });
  const value = sealHandoff(keyring, {
    quoteId: 'qt_1',
    propertyId: 'hotel-ponte',
    checkIn: 20_788,
    checkOut: 20_790,
    guests: 2,
    locale: 'en-GB',
    partnerId: 'acme',
    total: '100.00',
    currency: 'EUR',
    expiresAtMs: NOW_MS + 60_000,
  });
  const opening = traveller.open(value);
  const until = performance.now() + PAGE_MS_MAX + 50;
  while (performance.now() < until);
  assert.equal((await opening).kind, 'unchecked');
});
