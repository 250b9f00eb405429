import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readPriceTerms } from '../../../src/domain/price-terms.ts';
import { cursorAfter } from '../../../src/storage/catalogue/change-cursor.ts';
import type { Discount } from '../../../src/domain/property.ts';
import type { ChangeCursor } from '../../../src/storage/catalogue/store.ts';
import type { PropertyWrite } from '../../../src/domain/ledger/stored-write.ts';
import { NOTHING_READ } from '../../../src/storage/history/revision.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { RUN_SEED } from '../../kit/seeds.ts';
import { makeDiscount } from '../../kit/property-fixtures.ts';
import { performEach, storyOf } from '../../kit/story.ts';
import { type OpenFixture, withStorage } from './fixture.ts';
import { createNaiveStorage, type NaiveStorage } from './naive-storage.ts';
import { samplePartner, sampleQuote, sampleType, sampleWrite } from './sample-rows.ts';

const STEPS_MAX = 150;

/** Few ids, so that operations meet the same property again and again. */
const anyId = fc.constantFrom('0', 'A', 'a', 'a.b', 'b', '~');
const anyIds = fc.array(anyId, { maxLength: 4 });
const anySource = fc.constantFrom('catalogue', 'other');
const anyTypeIds = fc.uniqueArray(fc.constantFrom('x', 'y', 'z'), { minLength: 1 });

interface AnyWrite {
  readonly id: string;
  readonly source: string;
  readonly version: number;
  readonly typeIds: readonly string[];
  readonly discounts: readonly Discount[];
}

const anyWrite: fc.Arbitrary<AnyWrite> = fc.record({
  id: anyId,
  source: anySource,
  version: fc.nat(2),
  typeIds: anyTypeIds,
  discounts: fc.constantFrom([], [], [makeDiscount()], [makeDiscount(), makeDiscount({ code: 'early' })]),
});
const anyWrites = fc.array(anyWrite, { maxLength: 6 });

function writeOf({ id, source, version, typeIds, discounts }: AnyWrite): PropertyWrite {
  const inventoryTypes = typeIds.map(sampleType);
  return sampleWrite(id, {
    source,
    version,
    inventoryTypes,
    ...(discounts.length === 0 ? {} : { discounts }),
  });
}

type Step =
  | { readonly kind: 'write' | 'compare'; readonly writes: readonly AnyWrite[] }
  | { readonly kind: 'withdraw'; readonly ids: readonly string[] }
  | { readonly kind: 'find'; readonly id: string }
  | { readonly kind: 'list'; readonly source: string; readonly after: string; readonly limit: number }
  /** A follower that reads one page now and then sees the first of all changes behind its cursor. */
  | { readonly kind: 'follow'; readonly limit: number }
  | { readonly kind: 'read a snapshot' | 'write a partner' }
  | { readonly kind: 'store a quote'; readonly quoteId: string };

const anyLimit = fc.integer({ min: 1, max: 4 });
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), writes: anyWrites }),
  fc.record({ kind: fc.constant('compare' as const), writes: anyWrites }),
  fc.record({ kind: fc.constant('withdraw' as const), ids: anyIds }),
  fc.record({ kind: fc.constant('find' as const), id: anyId }),
  fc.record({ kind: fc.constant('list' as const), source: anySource, after: anyId, limit: anyLimit }),
  fc.record({ kind: fc.constant('follow' as const), limit: anyLimit }),
  fc.record({ kind: fc.constant('read a snapshot' as const) }),
  fc.record({ kind: fc.constant('write a partner' as const) }),
  fc.record({ kind: fc.constant('store a quote' as const), quoteId: fc.uuid() }),
);

/** The step as a line: what a failed test prints. */
function tell({ kind, ...of }: Step): string {
  return `${kind} ${fc.stringify(of)}`;
}

interface World {
  readonly storage: Storage;
  readonly model: NaiveStorage;
  cursor: ChangeCursor;
}

/** Does the step, to both; what is expected of the storage is what the model says. */
async function perform(step: Step, world: World): Promise<void> {
  const { storage, model } = world;
  switch (step.kind) {
    case 'write':
      return assert.deepEqual(
        await storage.writeProperties(step.writes.map(writeOf)),
        model.write(step.writes.map(writeOf)),
      );
    case 'compare':
      return assert.deepEqual(
        await storage.compareProperties(step.writes.map(writeOf)),
        model.compare(step.writes.map(writeOf)),
      );
    case 'withdraw':
      return assert.equal(await storage.withdrawProperties(step.ids), model.withdraw(step.ids));
    case 'find':
      return assertFound(step.id, world);
    case 'list': {
      const { source, after, limit } = step;
      const listed = await storage.listPropertyIds(source, after, limit);
      return assert.deepEqual(listed, model.listIds(source, after, limit));
    }
    case 'follow':
      return follow(step.limit, world);
    case 'read a snapshot':
      return assertSnapshot(world);
    case 'write a partner':
      await storage.putPartner(samplePartner('p'));
      model.revision++;
      return;
    case 'store a quote':
      await storage.insertQuote(sampleQuote(step.quoteId));
      assert.ok(await storage.findQuote(step.quoteId));
  }
}

async function assertFound(id: string, { storage, model }: World): Promise<void> {
  const row = model.rows.get(id);
  const stored = await storage.findProperty(id);
  const { changedAtMs: _changedAtMs, ...found } = stored ?? {};
  assert.deepEqual(
    found,
    row?.write ? { ...row.write, terms: readPriceTerms(row.write.property), revision: row.revision } : {},
  );
}

async function follow(limit: number, world: World): Promise<void> {
  const { storage, model } = world;
  const expected = model.changesAfter(world.cursor);
  const { changes, cursor, complete } = await storage.readPropertyChanges(world.cursor, limit);
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
  world.cursor = cursor;
}

async function assertSnapshot({ storage, model }: World): Promise<void> {
  const snapshot = await storage.openSnapshot();
  const batches = await Array.fromAsync(snapshot.readProperties());
  await snapshot.close();
  assert.equal(snapshot.history.revision, model.revision);
  assert.deepEqual(batches.flat(), model.snapshot());
}

export function describeModel(open: OpenFixture): void {
  describe('any sequence of operations', () => {
    it('does what the naive model does', () =>
      fc.assert(
        fc.asyncProperty(storyOf(anyStep, STEPS_MAX, tell), (steps) =>
          withStorage(open, async (storage) => {
            const world = { storage, model: createNaiveStorage(), cursor: cursorAfter(NOTHING_READ) };
            await performEach(steps, tell, async (step) => {
              await perform(step, world);
              assert.equal(await storage.readRevision(), world.model.revision);
            });
          }),
        ),
        { ...RUN_SEED, numRuns: 9 },
      ));
  });
}
