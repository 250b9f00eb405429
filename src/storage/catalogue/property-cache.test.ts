import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { openTemporaryStorage, type TemporaryStorage } from '../../../test/kit/temporary-storage.ts';
import { sampleWrite } from '../../../test/suites/storage/sample-rows.ts';
import { openStorage } from '../open.ts';
import { type Storage, StorageUnavailable } from '../storage.ts';
import { openReader } from '../engine/sqlite/connection.ts';
import { CACHE_BYTES_MAX, prepareCatalogueQueries, PropertyCache, selectProperty } from './sqlite.ts';

describe('Properties that are kept', () => {
  let temporary: TemporaryStorage;
  /** Another process: it shares nothing but the file. */
  let other: Storage;
  before(async () => {
    temporary = await openTemporaryStorage();
    other = await openStorage(temporary.databaseUrl, { clock: Date.now });
  });
  after(async () => {
    await other.close();
    await temporary.close();
  });

  const path = (): string => temporary.databaseUrl.slice('sqlite:'.length);

  it('hold at most 16 MiB of bytes', () => {
    assert.equal(CACHE_BYTES_MAX, 16_777_216);
  });

  it('are read once while they do not change', async () => {
    const { storage } = temporary;
    await storage.writeProperties([sampleWrite('same'), sampleWrite('beside')]);
    const first = await storage.findProperty('same');
    await storage.writeProperties([sampleWrite('beside', { version: 2 })]);
    assert.equal(await storage.findProperty('same'), first);
  });

  it('are never older than the database, also when another process changes, withdraws or brings them back', async () => {
    const { storage } = temporary;
    const step = fc.record({
      actor: fc.constantFrom('this', 'other'),
      propertyId: fc.constantFrom('a', 'b', 'c'),
      act: fc.constantFrom('write', 'withdraw', 'read', 'read'),
      version: fc.integer({ min: 1, max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        for (const { actor, propertyId, act, version } of steps) {
          const writer = actor === 'this' ? storage : other;
          if (act === 'write') await writer.writeProperties([sampleWrite(propertyId, { version })]);
          if (act === 'withdraw') await writer.withdrawProperties([propertyId]);
          const database = openReader(path());
          const stored = selectProperty(prepareCatalogueQueries(database), propertyId);
          database.close();
          assert.deepEqual(await storage.findProperty(propertyId), stored);
        }
      }),
      { seed: 20261121, numRuns: 25 },
    );
  });

  it('are read again when their revision is another one, or their content at the same revision', async () => {
    const { storage } = temporary;
    await storage.writeProperties([sampleWrite('restored')]);
    const first = await storage.findProperty('restored');
    const database = new DatabaseSync(path());
    // Brought back as it was before.
    database.exec("UPDATE properties SET revision = revision + 1 WHERE property_id = 'restored'");
    const second = await storage.findProperty('restored');
    assert.equal(second!.revision, first!.revision + 1);
    // A backup that was restored into the file: other content at the same number.
    database.exec(`UPDATE properties SET content_hash = 'other', document = json_set(document, '$.rating', NULL)
      WHERE property_id = 'restored'`);
    database.close();
    const third = await storage.findProperty('restored');
    assert.equal(third!.revision, second!.revision);
    assert.notEqual(third, second);
  });

  it('are read together when they are asked for together, and a damaged one takes no other with it', async () => {
    const { storage } = temporary;
    await storage.writeProperties(['whole', 'damaged', 'last'].map((propertyId) => sampleWrite(propertyId)));
    const database = new DatabaseSync(path());
    database.prepare("UPDATE properties SET document = '{' WHERE property_id = 'damaged'").run();
    database.close();
    const ids = ['whole', 'damaged', 'missing', 'last', 'whole'];
    const found = await Promise.allSettled(ids.map((propertyId) => storage.findProperty(propertyId)));
    assert.deepEqual(
      found.map((one) => (one.status === 'fulfilled' ? one.value?.property.propertyId : 'rejected')),
      ['whole', 'rejected', undefined, 'last', 'whole'],
    );
    const closed = await openStorage(temporary.databaseUrl, { clock: Date.now });
    await closed.close();
    const refused = await Promise.allSettled(ids.map((propertyId) => closed.findProperty(propertyId)));
    for (const one of refused)
      assert.ok(one.status === 'rejected' && one.reason instanceof StorageUnavailable);
  });

  it('give way, the one asked for least recently first, when there are too many bytes', async () => {
    await temporary.storage.writeProperties(['x', 'y', 'z'].map((propertyId) => sampleWrite(propertyId)));
    const database = openReader(path());
    const queries = prepareCatalogueQueries(database);
    const size = sizeOfOne(queries);
    const kept = new PropertyCache(queries, 2 * size);
    const [x, y] = [kept.find('x'), kept.find('y')];
    assert.equal(kept.find('x'), x);
    kept.find('z');
    assert.equal(kept.find('x'), x, 'asked for more recently');
    assert.notEqual(kept.find('y'), y);
    assert.deepEqual(kept.find('y'), y);
    const none = new PropertyCache(queries, size - 1);
    assert.notEqual(none.find('x'), none.find('x'), 'larger than all that may be kept');
    database.close();
  });
});

/** Bytes of a sample property: its document and its calendars. */
function sizeOfOne({ property }: ReturnType<typeof prepareCatalogueQueries>): number {
  return property.all('x').reduce((sum, row) => {
    const values = [row['document'], row['nights'], row['rates'], row['lowest_rates']];
    return sum + values.reduce<number>((bytes, value) => bytes + lengthOf(value), 0);
  }, 0);
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' || value instanceof Uint8Array ? value.length : 0;
}
