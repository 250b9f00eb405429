import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { readPriceTerms } from '../../../src/domain/price-terms.ts';
import type { StoredCalendar } from '../../../src/domain/ledger/stored-write.ts';
import { type OpenFixture, withStorage } from './fixture.ts';
import { samplePartner, sampleQuote, sampleType, sampleWrite } from './sample-rows.ts';

const ODD_TEXTS = [
  '',
  ' ',
  'Cà d’Oro 🏨👩‍👩‍👧',
  'line\u2028separator\u2029\u0085',
  'nul \0 inside',
  'lone \ud800 high, \udc00 low',
  '\ufeffmark \uffff \u{10ffff}',
  'quotes \' " ` \\ %s $1 ? :a @b {"json":1}',
  'e\u0301 is not \u00e9',
];

function hexOf({ nights, rates }: StoredCalendar): string[] {
  return [nights, rates].map((bytes) => Buffer.from(bytes).toString('hex'));
}

export function describeValues(open: OpenFixture): void {
  describe('values', () => {
    it('keeps every text of a document as it is', () =>
      withStorage(open, async (storage) => {
        const writes = ODD_TEXTS.map((text, index) =>
          sampleWrite(`p${index}`, {
            name: { 'en-GB': text },
            description: text,
            amenities: ODD_TEXTS,
            location: { city: text, country: 'IT', area: text },
          }),
        );
        await storage.writeProperties(writes);
        for (const { property } of writes) {
          assert.deepEqual((await storage.findProperty(property.propertyId))?.property, property);
        }
        assert.ok((await storage.writeProperties(writes)).every((outcome) => outcome === 'unchanged'));
      }));

    it('keeps numbers, nulls and lists of a document as they are', () =>
      withStorage(open, async (storage) => {
        const tax = {
          code: 'city-tax',
          kind: 'city_tax',
          logic: 'per_person_per_night',
          amount: '4.00',
          percent: null,
          maxNights: 5,
          skipNights: 0,
          validFrom: '2026-12-01',
          validTo: null,
          inclusive: false,
          base: ['accommodation', 'cleaningFee'],
          order: -3,
        } as const;
        const { property, ...rest } = sampleWrite('a', {
          rating: null,
          cleaningFee: null,
          visibleTo: [],
          bathrooms: 0.5,
          taxes: [tax, { ...tax, logic: 'percent', amount: null, percent: '9999999999.123456789' }],
        });
        await storage.writeProperties([{ ...rest, property }]);
        assert.deepEqual((await storage.findProperty('a'))?.property, property);
      }));

    it('takes ids for text, those above 2^53 too', () =>
      withStorage(open, async (storage) => {
        const ids = ['9007199254740992', '9007199254740993', '00', '0', '1e3', '1000', '9'.repeat(160)];
        await storage.writeProperties(ids.map((id) => sampleWrite(id)));
        for (const id of ids) assert.equal((await storage.findProperty(id))?.property.propertyId, id);
        assert.deepEqual(await storage.listPropertyIds('catalogue', '', 10), ids.toSorted());
      }));

    it('keeps bytes as they are, and only those of the array that it was given', () =>
      withStorage(open, async (storage) => {
        const pool = randomBytes(4_000);
        const inventoryTypes = [sampleType('one'), sampleType('two')];
        const calendars = [
          { inventoryTypeId: 'one', nights: pool.subarray(10, 300), rates: pool.subarray(300, 3_000) },
          { inventoryTypeId: 'two', nights: new Uint8Array(0), rates: pool.subarray(3_999) },
        ];
        const write = {
          ...sampleWrite('a', { inventoryTypes }),
          lowestRates: pool.subarray(5, 9),
          calendars,
        };
        await storage.writeProperties([write]);
        const stored = await storage.findProperty('a');
        assert.ok(stored);
        assert.deepEqual(stored.calendars.map(hexOf), calendars.map(hexOf));
        assert.deepEqual([...stored.lowestRates], [...write.lowestRates]);
      }));

    it('keeps a document of megabytes and a property of hundreds of types', () =>
      withStorage(open, async (storage) => {
        const inventoryTypes = Array.from({ length: 300 }, (_, index) => sampleType(`type-${index}`));
        const write = sampleWrite('a', { description: '🏨'.repeat(2_000_000), inventoryTypes });
        await storage.writeProperties([write, sampleWrite('b')]);
        const {
          revision,
          changedAtMs: _changedAtMs,
          terms,
          ...stored
        } = (await storage.findProperty('a')) ?? {};
        assert.equal(revision, 1);
        assert.deepEqual(stored, write);
        assert.deepEqual(terms, readPriceTerms(write.property));
      }));

    it('keeps the texts of partners and quotes', () =>
      withStorage(open, async (storage) => {
        const origins = ['https://a.example', 'https://\ud800.example'];
        await storage.putPartner(samplePartner('p', { name: 'Tom & "Jerry" 🏨 \u2028', origins }));
        const [partner] = (await storage.readAccess()).partners;
        assert.deepEqual(
          partner,
          samplePartner('p', { name: 'Tom & "Jerry" 🏨 \u2028', origins, revision: 1 }),
        );
        const quote = sampleQuote('q', { answer: JSON.stringify(ODD_TEXTS), breakdown: '"🏨 \u2028"' });
        await storage.insertQuote(quote);
        assert.deepEqual(await storage.findQuote('q'), quote);
      }));

    it('refuses text outside JSON that not every engine can hold', () =>
      withStorage(open, async (storage) => {
        for (const text of ['a\0b', 'a\ud800b']) {
          await assert.rejects(storage.putPartner(samplePartner('p', { name: text })), TypeError);
          await assert.rejects(storage.insertQuote(sampleQuote('q', { breakdown: text })), TypeError);
          await assert.rejects(storage.writeProperties([sampleWrite('a', { source: text })]), TypeError);
        }
        assert.equal(await storage.readRevision(), 0);
      }));
  });
}
