import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { utcDay } from '../../../src/domain/local-date.ts';
import type { SetupFacts } from '../../../src/storage/setup/store.ts';
import { DETAILS } from '../../kit/property-details.ts';
import { NOW_MS, type OpenFixture, withStorage } from './fixture.ts';
import { sampleCredential, samplePartner, sampleQuote } from './sample-rows.ts';
import { OPEN, suppliedWrite } from './supply-samples.ts';

const NOTHING: SetupFacts = {
  hasPasskey: false,
  hasProperties: false,
  hasPictures: false,
  hasPrices: false,
  unpricedCount: 0,
  hasBookingSites: false,
  hasCalendars: false,
  hasPartner: false,
  hasCredential: false,
  hasQuote: false,
};

export function describeSetup(open: OpenFixture): void {
  describe('what is set up', () => {
    it('is nothing at first, and each part as it comes', () =>
      withStorage(open, async (storage) => {
        const expected: Record<string, boolean | number> = { ...NOTHING };
        const holds = async (...names: readonly (keyof SetupFacts)[]): Promise<void> => {
          for (const name of names) expected[name] = true;
          assert.deepEqual(await storage.readSetup(utcDay(NOW_MS), NOW_MS), expected);
        };
        await holds();
        const bare = { ...suppliedWrite('bare', [[]]), details: { ...DETAILS, images: [] } };
        await storage.writeProperties([bare]);
        expected['unpricedCount'] = 1;
        await holds('hasProperties');
        await storage.writeProperties([{ ...suppliedWrite('a', [[OPEN]]), details: DETAILS }]);
        await holds('hasPictures', 'hasPrices');
        const details = { ...DETAILS, bookingUrl: 'https://book.example.com/{propertyId}' };
        await storage.writeProperties([{ ...suppliedWrite('a', [[OPEN]]), details }]);
        await holds('hasBookingSites');
        await storage.withdrawProperties(['a', 'bare']);
        Object.assign(expected, NOTHING);
        await holds();
        await storage.putPartner(samplePartner('p'));
        await holds('hasPartner');
        await storage.putCredentials([sampleCredential('test', { isTest: true })]);
        await storage.putCredentials([sampleCredential('revoked', { revokedAtMs: 1 })]);
        await storage.putCredentials([sampleCredential('ended', { expiresAtMs: NOW_MS })]);
        await holds();
        await storage.putCredentials([sampleCredential('live', { expiresAtMs: NOW_MS + 1 })]);
        await holds('hasCredential');
        await storage.insertQuote(sampleQuote('test', { isTest: true }));
        assert.equal(await storage.hasQuote(), false);
        await storage.insertQuote(sampleQuote('live'));
        assert.equal(await storage.hasQuote(), true);
        await holds('hasQuote');
      }));
  });
}
