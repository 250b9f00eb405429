import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cursorAfter } from '../../../src/storage/catalogue/change-cursor.ts';
import type { FollowedProperty, Snapshot } from '../../../src/storage/catalogue/store.ts';
import { NOTHING_READ } from '../../../src/storage/history/revision.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { type OpenFixture, withStorage } from './fixture.ts';
import { sampleCredential, sampleType, sampleWrite } from './sample-rows.ts';

async function collect(snapshot: Snapshot): Promise<FollowedProperty[]> {
  return (await Array.fromAsync(snapshot.readProperties())).flat();
}

async function readSnapshot(storage: Storage) {
  const snapshot = await storage.openSnapshot();
  try {
    return { revision: snapshot.history.revision, properties: await collect(snapshot) };
  } finally {
    await snapshot.close();
  }
}

function numberedIds(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `p${String(index).padStart(5, '0')}`);
}

export function describeSnapshot(open: OpenFixture): void {
  describe('snapshot', () => {
    it('of an empty catalogue is empty', () =>
      withStorage(open, async (storage) => {
        assert.deepEqual(await readSnapshot(storage), { revision: 0, properties: [] });
      }));

    it('holds every property that is not withdrawn, in byte order of the ids', () =>
      withStorage(open, async (storage) => {
        const inventoryTypes = ['x', 'a', 'm'].map(sampleType);
        const writes = ['~', 'a', 'Z', '9', 'a-', 'gone'].map((id) => sampleWrite(id, { inventoryTypes }));
        await storage.writeProperties(writes);
        await storage.withdrawProperties(['gone']);
        const { revision, properties } = await readSnapshot(storage);
        assert.equal(revision, 2);
        assert.deepEqual(
          properties.map(({ property }) => property.propertyId),
          ['9', 'Z', 'a', 'a-', '~'],
        );
        const { property, lowestRates, calendars } = writes[0] ?? assert.fail();
        assert.deepEqual(properties.at(-1), {
          property,
          revision: 1,
          lowestRates,
          nights: calendars.map((calendar) => calendar.nights),
          rates: calendars.map((calendar) => calendar.rates),
        });
      }));

    it('of more than one batch loses none, whatever the sizes', () =>
      withStorage(open, async (storage) => {
        const writes = numberedIds(1_700).map((id, index) =>
          sampleWrite(id, {
            description: index % 100 === 0 ? 'x'.repeat(300_000) : null,
            inventoryTypes: Array.from({ length: 1 + (index % 4) }, (_, type) => sampleType(`t${type}`)),
          }),
        );
        await storage.writeProperties(writes);
        const { properties } = await readSnapshot(storage);
        assert.deepEqual(
          properties.map(({ property, nights }) => [property.propertyId, nights.length]),
          writes.map(({ property, calendars }) => [property.propertyId, calendars.length]),
        );
      }));

    it('stays as it was at its revision while writers go on, and following from there sees the rest', () =>
      withStorage(open, async (storage, { openAnother }) => {
        const writer = await openAnother();
        const ids = numberedIds(1_200);
        await writer.writeProperties(ids.map((id) => sampleWrite(id)));
        await writer.putCredentials([sampleCredential('before')]);
        const snapshot = await storage.openSnapshot();
        assert.equal(snapshot.history.revision, 2);
        const seen: FollowedProperty[] = [];
        for await (const batch of snapshot.readProperties()) {
          seen.push(...batch);
          await writer.writeProperties(ids.map((id) => sampleWrite(id, { version: 1 + seen.length })));
          await writer.writeProperties([sampleWrite(`p99999-${seen.length}`)]);
          await writer.withdrawProperties([String(ids.at(-1))]);
          await writer.putCredentials([sampleCredential(`after ${seen.length}`)]);
        }
        assert.deepEqual(
          seen.map(({ property, lowestRates, revision }) => [property.propertyId, lowestRates[1], revision]),
          ids.map((id) => [id, 1, 1]),
        );
        await snapshot.close();
        const { changes } = await storage.readPropertyChanges(cursorAfter(snapshot.history), 10_000);
        const after = await readSnapshot(storage);
        assert.equal(changes.length, after.properties.length + 1, 'all written again, one withdrawn');
      }));

    it('equals what following from the start collects', () =>
      withStorage(open, async (storage) => {
        for (let round = 0; round < 5; round++) {
          await storage.writeProperties(
            ['a', 'b', 'c', 'd'].map((id, n) => sampleWrite(id, { version: round % (n + 1) })),
          );
          await storage.withdrawProperties([['a', 'b', 'c', 'd', 'e'][round] ?? '']);
          const { properties, revision } = await readSnapshot(storage);
          const followed = await storage.readPropertyChanges(cursorAfter(NOTHING_READ), 100);
          const alive = followed.changes
            .filter((change) => 'property' in change)
            .toSorted((a, b) => (a.property.propertyId < b.property.propertyId ? -1 : 1));
          assert.deepEqual(properties, alive);
          assert.equal(followed.cursor.revision, revision);
        }
      }));

    it('may be left before its end, read twice, and closed twice', () =>
      withStorage(open, async (storage) => {
        await storage.writeProperties(numberedIds(1_200).map((id) => sampleWrite(id)));
        const snapshot = await storage.openSnapshot();
        for await (const batch of snapshot.readProperties()) {
          assert.ok(batch.length > 0);
          break;
        }
        assert.equal((await collect(snapshot)).length, 1_200);
        await snapshot.close();
        await snapshot.close();
        await assert.rejects(collect(snapshot));
      }));

    it('lets other work run between its batches', () =>
      withStorage(open, async (storage) => {
        await storage.writeProperties(numberedIds(2_000).map((id) => sampleWrite(id)));
        let turns = 0;
        const timer = setInterval(() => turns++, 0);
        await readSnapshot(storage);
        clearInterval(timer);
        assert.ok(turns >= 2, `${turns} turns`);
      }));
  });
}
