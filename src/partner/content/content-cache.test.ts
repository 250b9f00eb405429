import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { bridgeHotel, NOW_MS } from '../../../test/kit/quote-fixtures.ts';
import { openTemporaryStorage, type TemporaryStorage } from '../../../test/kit/temporary-storage.ts';
import { ContentCache } from './content-cache.ts';

const IDS = Array.from({ length: 50 }, (_, index) => `hotel-${index}`);

let database: TemporaryStorage;
before(async () => {
  database = await openTemporaryStorage(() => NOW_MS);
  await database.storage.writeProperties(IDS.map((propertyId) => bridgeHotel({ propertyId }, [[], []])));
});
after(() => database.close());

/** A cache over the real database that counts its reads. */
function countingCache() {
  let reads = 0;
  const findContent = async (propertyIds: readonly string[]) => {
    reads += 1;
    return database.storage.findContent(propertyIds);
  };
  const cache = new ContentCache({
    storage: { findContent },
    revisionOf: () => undefined,
    lossCount: () => 0,
    uptimeMs: () => 0,
  });
  return { cache, readCount: () => reads };
}

describe('ContentCache', () => {
  it('reads a page once for all who ask for it at once', async () => {
    const { cache, readCount } = countingCache();
    const answers = await Promise.all(Array.from({ length: 200 }, async () => cache.find(IDS)));
    assert.equal(readCount(), 1);
    for (const answer of answers) {
      assert.deepEqual(
        answer.map(({ propertyId }) => propertyId),
        IDS,
      );
    }
  });

  it('reads again after a read that failed', async () => {
    let isAway = true;
    const storage = {
      findContent: async (propertyIds: readonly string[]) => {
        if (isAway) throw new Error('the database is away');
        return database.storage.findContent(propertyIds);
      },
    };
    const cache = new ContentCache({
      storage,
      revisionOf: () => undefined,
      lossCount: () => 0,
      uptimeMs: () => 0,
    });
    await assert.rejects(cache.find(IDS), /away/);
    isAway = false;
    assert.equal((await cache.find(IDS)).length, IDS.length);
  });

  it('reads again after a loss of history, though the number of what was lost is the same', async () => {
    let reads = 0;
    let lossCount = 0;
    const [propertyId] = IDS as [string];
    const revision = (await database.storage.findContent([propertyId]))[0]!.revision;
    const cache = new ContentCache({
      storage: {
        findContent: async (propertyIds) => {
          reads += 1;
          return database.storage.findContent(propertyIds);
        },
      },
      revisionOf: () => revision,
      lossCount: () => lossCount,
    });
    for (let index = 0; index < 3; index += 1) await cache.find([propertyId]);
    assert.equal(reads, 1);
    lossCount = 1;
    for (let index = 0; index < 3; index += 1) await cache.find([propertyId]);
    assert.equal(reads, 2);
  });

  it('reads again when memory shows another revision, and five seconds after it read a later one', async () => {
    let reads = 0;
    let shown: number | undefined;
    let uptimeMs = 0;
    const [propertyId] = IDS as [string];
    const { revision } = (await database.storage.findContent([propertyId]))[0]!;
    const cache = new ContentCache({
      storage: {
        findContent: async (propertyIds) => {
          reads += 1;
          return database.storage.findContent(propertyIds);
        },
      },
      revisionOf: () => shown,
      lossCount: () => 0,
      uptimeMs: () => uptimeMs,
    });
    const readsOf = async (times: number): Promise<number> => {
      const before = reads;
      for (let time = 0; time < times; time += 1) await cache.find([propertyId]);
      return reads - before;
    };
    shown = revision;
    assert.equal(await readsOf(3), 1);
    // It changed: what was read is older than what memory shows.
    shown = revision + 1;
    assert.equal(await readsOf(1), 1);
    // Memory is behind, or does not show it.
    for (const behind of [revision - 1, undefined]) {
      shown = behind;
      uptimeMs += 5_000;
      assert.equal(await readsOf(3), 1);
      uptimeMs += 4_999;
      assert.equal(await readsOf(1), 0);
      uptimeMs += 1;
      assert.equal(await readsOf(1), 1);
    }
  });
});
