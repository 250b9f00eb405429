/** The database load of a flood of requests, counted on a real database. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { openTemporaryStorage, type TemporaryStorage } from '../../../test/kit/temporary-storage.ts';
import { nightEntry, OPEN, suppliedWrite } from '../../../test/suites/storage/supply-samples.ts';
import { NOW_MS } from '../../../test/suites/storage/fixture.ts';
import { CACHE_BYTES_MAX, CalendarCache, type DatedCalendar } from './calendar-cache.ts';
import { hashCalendarSecret, mintCalendarSecret, parseCalendarFile } from './calendar-secret.ts';
import { publishCalendar } from './published-calendar.ts';
import { watchPublished } from './watch-published.ts';

const KEY = { propertyId: 'ponte', inventoryTypeId: 'double' };
const DAY_MS = 86_400_000;
const LOGGER = { error: () => undefined, info: () => undefined };

describe('The cache of published calendars', () => {
  let temporary: TemporaryStorage;
  let nowMs = NOW_MS;
  let uptimeMs = 0;
  let reads = 0;
  let shown: number | undefined;
  let lossCount = 0;
  const makeCache = (publish?: () => Promise<DatedCalendar | undefined>): CalendarCache =>
    new CalendarCache({
      publish:
        publish ??
        (async ({ propertyId, inventoryTypeId }) => {
          reads += 1;
          const deps = { storage: temporary.storage, clock: () => nowMs, horizonNights: 730, publicUrl: 'x' };
          return publishCalendar(deps, propertyId, inventoryTypeId);
        }),
      revisionOf: () => shown,
      lossCount: () => lossCount,
      clock: () => nowMs,
      uptimeMs: () => uptimeMs,
    });
  const readsOf = async (work: () => Promise<unknown>): Promise<number> => {
    const before = reads;
    await work();
    return reads - before;
  };

  before(async () => {
    temporary = await openTemporaryStorage(() => NOW_MS);
    await temporary.storage.writeProperties([suppliedWrite('ponte', [[OPEN]])]);
    shown = await temporary.storage.readRevision();
  });
  after(() => temporary.close());

  it('reads a calendar once for all who ask, until its property or the day changes', async () => {
    const cache = makeCache();
    const many = () => Promise.all(Array.from({ length: 500 }, () => cache.find(KEY)));
    assert.equal(await readsOf(many), 1);
    assert.equal(await readsOf(many), 0);
    const closed = suppliedWrite('ponte', [[OPEN, nightEntry(0, 1, { stopSell: 1 })]]);
    const before = await cache.find(KEY);
    await temporary.storage.writeProperties([closed]);
    shown = await temporary.storage.readRevision();
    assert.equal(await readsOf(many), 1);
    assert.notEqual((await cache.find(KEY))?.etag, before?.etag);
    nowMs += DAY_MS;
    assert.equal(await readsOf(many), 1);
    assert.equal(await readsOf(many), 0);
  });

  it('reads again after a loss of history, though the number of what was lost is higher, or the same', async () => {
    const cache = makeCache();
    assert.equal(await readsOf(() => cache.find(KEY)), 1);
    lossCount += 1;
    shown! -= 1;
    assert.equal(await readsOf(() => cache.find(KEY)), 1);
    assert.equal(await readsOf(() => cache.find(KEY)), 0);
    lossCount += 1;
    shown! += 1;
    assert.equal(await readsOf(() => cache.find(KEY)), 1);
    assert.equal(await readsOf(() => cache.find(KEY)), 0);
  });

  it('asks once a second for what partners are not shown', async () => {
    const cache = makeCache();
    const none = { ...KEY, inventoryTypeId: 'none' };
    const many = () => Promise.all(Array.from({ length: 500 }, () => cache.find(none)));
    assert.equal(await readsOf(many), 1);
    assert.equal(await readsOf(many), 0);
    uptimeMs += 1_000;
    assert.equal(await readsOf(many), 1);
    shown = undefined;
    assert.equal(await readsOf(() => cache.find(KEY)), 1);
    assert.equal(await readsOf(() => cache.find(KEY)), 0);
  });

  it('holds no more than its bytes, and one that is too large alone not at all', async () => {
    shown = 1;
    let size = CACHE_BYTES_MAX / 8;
    const made: string[] = [];
    const cache = new CalendarCache({
      publish: async ({ propertyId }) => {
        made.push(propertyId);
        return {
          body: 'x'.repeat(size),
          etag: '',
          revision: 1,
          timezone: 'UTC',
          today: Math.floor(nowMs / DAY_MS),
        };
      },
      revisionOf: () => shown,
      lossCount: () => lossCount,
      clock: () => nowMs,
    });
    const find = (propertyId: string): Promise<unknown> => cache.find({ ...KEY, propertyId });
    for (const id of ['a', 'b', 'c', 'd']) await find(id);
    assert.deepEqual(made.splice(0), ['a', 'b', 'c', 'd']);
    for (const id of ['d', 'c', 'b']) await find(id);
    assert.deepEqual(made.splice(0), [], 'the newest three have room');
    await find('a');
    size = CACHE_BYTES_MAX;
    await find('large');
    await find('large');
    assert.deepEqual(made, ['a', 'large', 'large']);
  });
});

describe('What is known of published calendars', () => {
  const row = { ...KEY, publishedAtMs: NOW_MS };
  const until = async (isTrue: () => boolean): Promise<void> => {
    for (let left = 500; !isTrue(); left -= 1) {
      assert.ok(left > 0);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };

  it('is asked in memory: no secret makes the database work', async () => {
    const temporary = await openTemporaryStorage();
    const secret = mintCalendarSecret((count) => Buffer.alloc(count, 7));
    assert.equal(parseCalendarFile(`${secret}.ics`), secret);
    await temporary.storage.publishCalendar({ ...row, secretHash: hashCalendarSecret(secret) });
    let reads = 0;
    const { storage } = temporary;
    const watch = watchPublished({
      storage: {
        readHistory: (known) => storage.readHistory(known),
        async readPublishedChanges(after, limit) {
          reads += 1;
          return storage.readPublishedChanges(after, limit);
        },
      },
      logger: LOGGER,
      stalenessMaxMs: 60_000,
      lookMs: 5,
    });
    try {
      assert.equal(watch.find(secret), 'away', 'before the first look nothing is known');
      await until(() => watch.find(secret) !== 'away');
      assert.equal((watch.find(secret) as typeof KEY).propertyId, 'ponte');
      const before = reads;
      for (let index = 0; index < 1_000; index += 1) {
        assert.equal(watch.find(mintCalendarSecret((count) => Buffer.alloc(count, index % 5))), undefined);
      }
      await storage.unpublishCalendar(KEY);
      await until(() => watch.find(secret) === undefined);
      assert.ok(reads - before <= 2);
    } finally {
      await watch.stop();
      await temporary.close();
    }
  });

  it('is read again when the database went back, also where its number is the same', async () => {
    const other = await openTemporaryStorage();
    const temporary = await openTemporaryStorage();
    const secretOf = (byte: number): string => mintCalendarSecret((count) => Buffer.alloc(count, byte));
    let { storage } = temporary;
    await storage.publishCalendar({ ...row, secretHash: hashCalendarSecret(secretOf(1)) });
    await other.storage.publishCalendar({ ...row, secretHash: hashCalendarSecret(secretOf(2)) });
    assert.equal(await storage.readRevision(), await other.storage.readRevision());
    const watch = watchPublished({
      storage: {
        readHistory: (known) => storage.readHistory(known),
        readPublishedChanges: (after, limit) => storage.readPublishedChanges(after, limit),
      },
      logger: LOGGER,
      stalenessMaxMs: 60_000,
      lookMs: 5,
      rereadMs: 3_600_000,
    });
    try {
      await until(() => typeof watch.find(secretOf(1)) === 'object');
      // A backup whose history has the same number of writes.
      storage = other.storage;
      await until(() => typeof watch.find(secretOf(2)) === 'object');
      assert.equal(watch.find(secretOf(1)), undefined);
    } finally {
      await watch.stop();
      await temporary.close();
      await other.close();
    }
  });

  it('is read again now and then', async () => {
    let rows = [{ ...row, secretHash: hashCalendarSecret('old'), revision: 5 }];
    const again = watchPublished({
      storage: {
        readHistory: async () => ({ revision: 9, stamp: '' }),
        readPublishedChanges: async (after) => rows.filter((one) => one.revision > after),
      },
      logger: LOGGER,
      stalenessMaxMs: 60_000,
      lookMs: 5,
      rereadMs: 40,
    });
    try {
      await until(() => typeof again.find('old') === 'object');
      rows = [{ ...row, secretHash: hashCalendarSecret('other'), revision: 3 }];
      await until(() => typeof again.find('other') === 'object');
      assert.equal(again.find('old'), undefined);
    } finally {
      await again.stop();
    }
  });
});
