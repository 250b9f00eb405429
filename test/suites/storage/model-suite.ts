import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { ChangeCursor, PropertyWrite } from '../../../src/storage/port/catalogue-store.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { type OpenFixture, withStorage } from './fixture.ts';
import { makeNaiveStorage, type NaiveStorage } from './naive-storage.ts';
import { samplePartner, sampleQuote, sampleType, sampleWrite } from './sample-rows.ts';

/** Few ids, so that operations meet the same property again and again. */
const anyId = fc.constantFrom('0', 'A', 'a', 'a.b', 'b', '~');
const anyIds = fc.array(anyId, { maxLength: 4 });
const anySource = fc.constantFrom('catalogue', 'other');
const anyTypeIds = fc.uniqueArray(fc.constantFrom('x', 'y', 'z'), { minLength: 1 });
const anyWrite: fc.Arbitrary<PropertyWrite> = fc
  .tuple(anyId, anySource, fc.nat(2), anyTypeIds)
  .map(([id, source, version, typeIds]) =>
    sampleWrite(id, { source, version, inventoryTypes: typeIds.map(sampleType) }),
  );
const anyWrites = fc.array(anyWrite, { maxLength: 6 });

type Step = (storage: Storage, model: NaiveStorage, follower: { cursor: ChangeCursor }) => Promise<void>;

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  anyWrites.map((writes): Step => async (storage, model) => {
    assert.deepEqual(await storage.writeProperties(writes), model.write(writes));
  }),
  anyWrites.map((writes): Step => async (storage, model) => {
    assert.deepEqual(await storage.compareProperties(writes), model.compare(writes));
  }),
  anyIds.map((ids): Step => async (storage, model) => {
    assert.equal(await storage.withdrawProperties(ids), model.withdraw(ids));
  }),
  anyId.map((id): Step => async (storage, model) => {
    const row = model.rows.get(id);
    const stored = await storage.findProperty(id);
    const { changedAtMs: _changedAtMs, ...found } = stored ?? {};
    assert.deepEqual(found, row?.write ? { ...row.write, revision: row.revision } : {});
  }),
  fc
    .tuple(anySource, anyId, fc.integer({ min: 1, max: 3 }))
    .map(([source, after, limit]): Step => async (storage, model) => {
      assert.deepEqual(
        await storage.listPropertyIds(source, after, limit),
        model.listIds(source, after, limit),
      );
    }),
  // A follower that reads one page now and then sees the first of all changes behind its cursor.
  fc.integer({ min: 1, max: 4 }).map((limit): Step => async (storage, model, follower) => {
    const expected = model.changesAfter(follower.cursor);
    const { changes, cursor, complete } = await storage.readPropertyChanges(follower.cursor, limit);
    assert.deepEqual(
      changes.map((change) => ({
        propertyId: 'property' in change ? change.property.propertyId : change.propertyId,
        revision: change.revision,
        withdrawn: !('property' in change),
      })),
      expected.slice(0, limit),
    );
    assert.equal(complete, expected.length <= limit);
    if (complete) assert.equal(cursor.revision, model.revision);
    follower.cursor = cursor;
  }),
  fc.constant<Step>(async (storage, model) => {
    const snapshot = await storage.openSnapshot();
    const batches = await Array.fromAsync(snapshot.readProperties());
    await snapshot.close();
    assert.equal(snapshot.revision, model.revision);
    assert.deepEqual(batches.flat(), model.snapshot());
  }),
  fc.constant<Step>(async (storage, model) => {
    await storage.putPartner(samplePartner('p'));
    model.revision++;
  }),
  fc.uuid().map((quoteId): Step => async (storage) => {
    await storage.insertQuote(sampleQuote(quoteId));
    assert.ok(await storage.findQuote(quoteId));
  }),
);

export function describeModel(open: OpenFixture): void {
  describe('any sequence of operations', () => {
    it('does what the naive model does', () =>
      fc.assert(
        fc.asyncProperty(fc.array(anyStep, { minLength: 40, maxLength: 150 }), (steps) =>
          withStorage(open, async (storage) => {
            const model = makeNaiveStorage();
            const follower = { cursor: { revision: 0, propertyId: '' } };
            for (const run of steps) {
              await run(storage, model, follower);
              assert.equal(await storage.readRevision(), model.revision);
            }
          }),
        ),
        { seed: 20261120, numRuns: 12 },
      ));
  });
}
