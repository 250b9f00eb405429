/** Pictures and terms of a property: stored beside its document, and part of it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_DETAILS } from '../../../src/domain/property-details.ts';
import { DETAILS } from '../../kit/property-details.ts';
import { type OpenFixture, withStorage } from './fixture.ts';
import { calendarWork, nightEntry, OPEN, send, suppliedWrite } from './supply-samples.ts';

export function describeDetails(open: OpenFixture): void {
  describe('the details of a property', () => {
    const bare = suppliedWrite('a', [[OPEN]]);
    const detailed = { ...bare, details: DETAILS };

    it('are found as they were written, change with the document, and go with a document without them', () =>
      withStorage(open, async (storage) => {
        assert.deepEqual(await storage.writeProperties([detailed, suppliedWrite('b', [[OPEN]])]), [
          'created',
          'created',
        ]);
        assert.deepEqual(await storage.findDetails('a'), DETAILS);
        assert.equal(await storage.findDetails('b'), undefined);
        assert.equal(await storage.findDetails('A'), undefined);
        assert.deepEqual(await storage.writeProperties([detailed]), ['unchanged']);

        const other = { ...bare, details: { ...DETAILS, seller: 'Ponte & Figli' } };
        assert.deepEqual(await storage.compareProperties([other]), ['changed']);
        assert.deepEqual(await storage.writeProperties([other]), ['changed']);
        assert.equal((await storage.findDetails('a'))?.seller, 'Ponte & Figli');

        for (const without of [bare, { ...bare, details: NO_DETAILS }]) {
          assert.deepEqual(await storage.writeProperties([detailed]), ['changed']);
          assert.deepEqual(await storage.writeProperties([without]), ['changed']);
          assert.equal(await storage.findDetails('a'), undefined);
          assert.deepEqual((await storage.findProperty('a'))?.property, bare.property);
        }
      }));

    it('stay out of what quotes and followers read', () =>
      withStorage(open, async (storage) => {
        await storage.writeProperties([detailed]);
        const { property } = (await storage.findProperty('a')) ?? {};
        const { detailsDigest, ...rest } = property!;
        assert.match(detailsDigest ?? '', /^[\w-]{22}$/);
        assert.deepEqual(rest, bare.property);
      }));

    it('stay when a calendar changes, by whatever source, and are shown with the layers', () =>
      withStorage(open, async (storage) => {
        await storage.writeProperties([detailed]);
        for (const source of ['pms', 'channel'])
          await send(
            storage,
            source,
            calendarWork([{ propertyId: 'a', entries: [nightEntry(1, 2, { availability: 1 })] }]),
          );
        assert.deepEqual(await storage.findDetails('a'), DETAILS);
        assert.deepEqual((await storage.findLayers('a'))?.details, DETAILS);
        // A document of a property with layers is written another way.
        const other = { ...detailed, details: { ...DETAILS, registrationNumber: null } };
        assert.deepEqual(await storage.writeProperties([other]), ['changed']);
        assert.deepEqual(await storage.writeProperties([other]), ['unchanged']);
        assert.equal((await storage.findDetails('a'))?.registrationNumber, null);
        assert.deepEqual(await storage.writeProperties([bare]), ['changed']);
        assert.equal(await storage.findDetails('a'), undefined);
      }));

    it('arrive with a document that is a message, and go with the property', () =>
      withStorage(open, async (storage) => {
        const outcome = await send(storage, 'pms', { kind: 'document', write: detailed });
        assert.equal(outcome.verdict, 'applied');
        assert.deepEqual(await storage.findDetails('a'), DETAILS);
        assert.equal(await storage.withdrawProperties(['a']), 1);
        assert.equal(await storage.findDetails('a'), undefined);
        await storage.writeProperties([bare]);
        assert.equal(await storage.findDetails('a'), undefined);
      }));
  });
}
