import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readPriceTerms } from '../../../src/domain/price-terms.ts';
import { type OpenFixture, withStorage } from './fixture.ts';
import { sampleType, sampleWrite } from './sample-rows.ts';

export function describeCatalogue(open: OpenFixture): void {
  describe('catalogue', () => {
    it('finds a property as it was written', async () => {
      let nowMs = 1_000;
      await withStorage(
        open,
        async (storage) => {
          const write = sampleWrite('a', { inventoryTypes: [sampleType('z'), sampleType('a')] });
          assert.deepEqual(await storage.writeProperties([write]), ['created']);
          const terms = readPriceTerms(write.property);
          const stored = { ...write, terms, revision: 1, changedAtMs: 1_000 };
          assert.deepEqual(await storage.findProperty('a'), stored);
          nowMs = 2_000;
          await storage.writeProperties([sampleWrite('a', { version: 2 })]);
          assert.equal((await storage.findProperty('a'))?.changedAtMs, 2_000);
          assert.equal(await storage.findProperty('A'), undefined, 'ids are compared exactly');
        },
        () => nowMs,
      );
    });

    it('stamps each transaction that changes something with the next revision, and no other', () =>
      withStorage(open, async (storage) => {
        assert.equal(await storage.readRevision(), 0);
        await storage.writeProperties([sampleWrite('a'), sampleWrite('b')]);
        assert.equal(await storage.readRevision(), 1);
        assert.deepEqual(await storage.writeProperties([sampleWrite('a'), sampleWrite('b')]), [
          'unchanged',
          'unchanged',
        ]);
        assert.equal(await storage.readRevision(), 1);
        assert.deepEqual(
          await storage.writeProperties([sampleWrite('a'), sampleWrite('b', { version: 2 })]),
          ['unchanged', 'changed'],
        );
        assert.equal(await storage.readRevision(), 2);
        assert.equal((await storage.findProperty('a'))?.revision, 1);
        assert.equal((await storage.findProperty('b'))?.revision, 2);
        assert.deepEqual(await storage.writeProperties([]), []);
        assert.equal(await storage.withdrawProperties([]), 0);
        assert.equal(await storage.readRevision(), 2);
      }));

    it('sees a change of the document, the source, a calendar, the lowest rates and the types', () =>
      withStorage(open, async (storage) => {
        const write = sampleWrite('a');
        const [calendar] = write.calendars;
        assert.ok(calendar);
        const variants = [
          sampleWrite('a', { quoting: false }),
          { ...write, source: 'other' },
          { ...write, lowestRates: Uint8Array.of() },
          { ...write, calendars: [{ ...calendar, nights: Uint8Array.of(2) }] },
          { ...write, calendars: [{ ...calendar, rates: Uint8Array.of() }] },
          sampleWrite('a', { inventoryTypes: [sampleType('double'), sampleType('single')] }),
          sampleWrite('a', { inventoryTypes: [sampleType('single'), sampleType('double')] }),
        ];
        await storage.writeProperties([write]);
        for (const variant of variants) {
          assert.deepEqual(await storage.writeProperties([variant]), ['changed']);
          assert.deepEqual(await storage.writeProperties([variant]), ['unchanged']);
          const {
            revision: _revision,
            changedAtMs: _changedAtMs,
            ...stored
          } = (await storage.findProperty('a')) ?? {};
          assert.deepEqual(stored, variant);
        }
      }));

    it('does not take another order of keys for a change', () =>
      withStorage(open, async (storage) => {
        await storage.writeProperties([sampleWrite('a', { name: { 'it-IT': 'Ponte', 'en-GB': 'Bridge' } })]);
        const other = sampleWrite('a', { name: { 'en-GB': 'Bridge', 'it-IT': 'Ponte' } });
        assert.deepEqual(await storage.writeProperties([other]), ['unchanged']);
      }));

    it('stores no field beside those of a property', () =>
      withStorage(open, async (storage) => {
        const { property, ...rest } = sampleWrite('a');
        const location = { ...property.location, address: 'Calle 1' };
        await storage.writeProperties([{ ...rest, property: { ...property, location } }]);
        assert.deepEqual((await storage.findProperty('a'))?.property, property);
      }));

    it('compares without writing, and takes earlier writes of the same call into account', () =>
      withStorage(open, async (storage) => {
        await storage.writeProperties([sampleWrite('a'), sampleWrite('gone')]);
        await storage.withdrawProperties(['gone']);
        const writes = [
          sampleWrite('a'),
          sampleWrite('a', { version: 2 }),
          sampleWrite('new'),
          sampleWrite('new'),
          sampleWrite('gone'),
        ];
        const outcomes = await storage.compareProperties(writes);
        assert.deepEqual(outcomes, ['unchanged', 'changed', 'created', 'unchanged', 'created']);
        assert.equal(await storage.readRevision(), 2);
        assert.equal(await storage.findProperty('new'), undefined);
        assert.deepEqual(await storage.writeProperties(writes), outcomes);
        assert.equal((await storage.findProperty('a'))?.lowestRates[1], 2);
      }));

    it('keeps a tombstone of a withdrawn property until it returns', () =>
      withStorage(open, async (storage) => {
        await storage.writeProperties([sampleWrite('a'), sampleWrite('b')]);
        assert.equal(await storage.withdrawProperties(['a', 'unknown', 'a']), 1);
        assert.equal(await storage.readRevision(), 2);
        assert.equal(await storage.findProperty('a'), undefined);
        assert.equal(await storage.withdrawProperties(['a']), 0);
        assert.equal(await storage.readRevision(), 2, 'withdrawing it again changes nothing');
        assert.deepEqual(await storage.writeProperties([sampleWrite('a')]), ['created']);
        assert.equal((await storage.findProperty('a'))?.revision, 3);
      }));

    it('lists the ids of one source in byte order, page by page', () =>
      withStorage(open, async (storage) => {
        const ids = ['~', 'a', 'Z', '0', '_', '-', '.', 'aa', 'a.', 'a~', 'z'];
        await storage.writeProperties(ids.map((id) => sampleWrite(id)));
        await storage.writeProperties([sampleWrite('b', { source: 'other' }), sampleWrite('withdrawn')]);
        await storage.withdrawProperties(['withdrawn']);
        const listed: string[] = [];
        for (;;) {
          const page = await storage.listPropertyIds('catalogue', listed.at(-1) ?? '', 3);
          listed.push(...page);
          if (page.length < 3) break;
        }
        assert.deepEqual(listed, ['-', '.', '0', 'Z', '_', 'a', 'a.', 'aa', 'a~', 'z', '~']);
        assert.deepEqual(await storage.listPropertyIds('other', '', 3), ['b']);
        assert.deepEqual(await storage.listPropertyIds('none', '', 3), []);
      }));

    it('refuses calendars that are not those of the inventory types', () =>
      withStorage(open, async (storage) => {
        const write = sampleWrite('a', { inventoryTypes: [sampleType('one'), sampleType('two')] });
        const calendars = write.calendars.toReversed();
        await assert.rejects(storage.writeProperties([{ ...write, calendars }]), TypeError);
        await assert.rejects(storage.writeProperties([{ ...write, calendars: [] }]), TypeError);
        assert.equal(await storage.readRevision(), 0);
      }));

    it('gives concurrent writers one revision each, in the order of their commits', () =>
      withStorage(open, async (storage, { openAnother }) => {
        const writers = [storage, await openAnother(), await openAnother()];
        const ids = Array.from({ length: 60 }, (_, index) => `p${index}`);
        // Not all at once: who waits for a connection for too long is refused, on a machine that does much else.
        for (let first = 0; first < ids.length; first += 12)
          await Promise.all(
            ids
              .slice(first, first + 12)
              .map((id, index) => (writers[index % 3] ?? storage).writeProperties([sampleWrite(id)])),
          );
        assert.equal(await storage.readRevision(), 60);
        const found = await Promise.all(ids.map((id) => storage.findProperty(id)));
        assert.equal(new Set(found.map((property) => property?.revision)).size, 60);
      }));

    it('lets several writers of the same property at once agree who created it', () =>
      withStorage(open, async (storage, { openAnother }) => {
        const writers = [storage, await openAnother(), await openAnother()];
        for (let round = 1; round <= 20; round++) {
          const outcomes = await Promise.all(
            writers.map((writer) => writer.writeProperties([sampleWrite(`p${round}`)])),
          );
          assert.deepEqual(outcomes.flat().toSorted(), ['created', 'unchanged', 'unchanged']);
          assert.equal(await storage.readRevision(), round);
        }
      }));
  });
}
