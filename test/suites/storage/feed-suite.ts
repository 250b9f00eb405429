import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CLOCKS_DIFFER_MS, conditionOf, type Feed } from '../../../src/storage/feeds/store.ts';
import { NOW_MS, type OpenFixture, withStorage } from './fixture.ts';
import { calendarWork, send, suppliedWrite } from './supply-samples.ts';

export function sampleFeed(feedId: string, changes: Partial<Feed> = {}): Feed {
  return {
    feedId,
    propertyId: 'ponte',
    inventoryTypeId: 'double',
    url: 'https://feeds.example/1.ics',
    name: null,
    everySeconds: 1800,
    createdAtMs: NOW_MS,
    nextPollAtMs: NOW_MS,
    polledAtMs: null,
    confirmedAtMs: null,
    failureCount: 0,
    failure: null,
    failureWrong: null,
    etag: null,
    lastModified: null,
    contentHash: null,
    heldHash: null,
    heldNights: null,
    eventCount: null,
    nightCount: null,
    ...changes,
  };
}

export function describeFeeds(open: OpenFixture): void {
  describe('iCal feeds', () => {
    it('are kept as they are, with the state that was saved last', () =>
      withStorage(open, async (storage) => {
        const feed = sampleFeed('b', { name: 'Airbnb, è' });
        await storage.insertFeed(feed);
        assert.deepEqual(await storage.findFeed('b'), feed);
        const polled = sampleFeed('b', {
          ...feed,
          nextPollAtMs: NOW_MS + 5,
          polledAtMs: NOW_MS + 1,
          confirmedAtMs: NOW_MS + 2,
          failureCount: 3,
          failure: 'away',
          failureWrong: { code: 'connectionFailedWith', values: { code: 'ENOTFOUND' } },
          etag: '"é"',
          lastModified: 'x',
          contentHash: 'c',
          heldHash: 'h',
          heldNights: '{}',
          eventCount: 4,
          nightCount: 5,
        });
        assert.equal(await storage.saveFeedState('b', polled), true);
        assert.deepEqual(await storage.findFeed('b'), polled);
        assert.equal(await storage.saveFeedState('other', polled), false);
        const changed = {
          ...polled,
          url: 'https://other.example/2.ics',
          name: null,
          everySeconds: 1,
          etag: null,
        };
        assert.equal(await storage.updateFeed({ ...changed, propertyId: 'no' } as Feed), true);
        assert.deepEqual(await storage.findFeed('b'), changed);
        assert.equal(await storage.updateFeed({ ...changed, feedId: 'other' }), false);
        assert.equal(await storage.readRevision(), 0);
      }));

    it('are listed by age, and those that are due by how long they wait', () =>
      withStorage(open, async (storage) => {
        await storage.insertFeed(sampleFeed('a', { createdAtMs: NOW_MS + 1, nextPollAtMs: NOW_MS - 1 }));
        await storage.insertFeed(sampleFeed('b', { nextPollAtMs: NOW_MS + 1 }));
        await storage.insertFeed(sampleFeed('c', { createdAtMs: NOW_MS + 2, nextPollAtMs: NOW_MS - 2 }));
        assert.deepEqual(idsOf(await storage.listFeeds()), ['b', 'a', 'c']);
        assert.deepEqual(idsOf(await storage.listFeeds(2)), ['b', 'a']);
        assert.deepEqual(idsOf(await storage.listDueFeeds(NOW_MS, 10)), ['c', 'a']);
        assert.deepEqual(idsOf(await storage.listDueFeeds(NOW_MS, 1)), ['c']);
        const polledAtMs = NOW_MS + CLOCKS_DIFFER_MS + 1;
        await storage.saveFeedState('b', { ...sampleFeed('b'), polledAtMs, nextPollAtMs: polledAtMs });
        assert.deepEqual(
          idsOf(await storage.listDueFeeds(NOW_MS, 10)),
          ['c', 'a', 'b'],
          'its clock was ahead',
        );
        assert.deepEqual(idsOf(await storage.listDueFeeds(NOW_MS + 1, 10)), ['c', 'a']);
        assert.deepEqual(idsOf(await storage.pageFeeds('', 2)), ['a', 'b']);
        assert.deepEqual(idsOf(await storage.pageFeeds('b', 2)), ['c']);
      }));

    it('are found by their property, and by their need of a person', () =>
      withStorage(open, async (storage) => {
        await storage.insertFeed(sampleFeed('a', { createdAtMs: NOW_MS + 1, heldNights: '{}' }));
        await storage.insertFeed(sampleFeed('b'));
        await storage.insertFeed(sampleFeed('c', { propertyId: 'ponte2', failure: 'away' }));
        assert.deepEqual(idsOf(await storage.listFeedsOf('ponte', 10)), ['b', 'a']);
        assert.deepEqual(idsOf(await storage.listFeedsOf('ponte', 1)), ['b']);
        assert.deepEqual(idsOf(await storage.listFeedsInNeed(10)), ['a', 'c']);
        assert.deepEqual(idsOf(await storage.listFeedsInNeed(1)), ['a']);
      }));

    it('are summed up: how many are in which condition, and since when one should have confirmed', () =>
      withStorage(open, async (storage) => {
        const none = { new: 0, ok: 0, held: 0, failing: 0 };
        assert.deepEqual(await storage.summarizeFeeds(), { counts: none, confirmationDueMs: null });
        const states: Partial<Feed>[] = [
          {},
          { polledAtMs: 1 },
          { polledAtMs: 1, heldNights: '{}' },
          { heldNights: '{}', failure: 'away' },
          { polledAtMs: 1, failure: '' },
        ];
        for (const [index, state] of states.entries())
          await storage.insertFeed(sampleFeed(`${index}`, state));
        const conditions = (await storage.listFeeds()).map(conditionOf);
        assert.deepEqual(conditions, ['new', 'ok', 'held', 'failing', 'failing']);
        assert.deepEqual(await storage.summarizeFeeds(), {
          counts: { new: 1, ok: 1, held: 1, failing: 2 },
          confirmationDueMs: NOW_MS + 1_800_000,
        });
        await storage.insertFeed(
          sampleFeed('late', { createdAtMs: 5, confirmedAtMs: NOW_MS - 9, everySeconds: 1 }),
        );
        assert.equal((await storage.summarizeFeeds()).confirmationDueMs, NOW_MS - 9 + 1_000);
        await storage.saveFeedState('late', sampleFeed('late', { confirmedAtMs: NOW_MS + 9_000_000 }));
        assert.equal((await storage.summarizeFeeds()).confirmationDueMs, NOW_MS + 1_800_000);
      }));

    it('can be deleted, and only once', () =>
      withStorage(open, async (storage) => {
        await storage.insertFeed(sampleFeed('a'));
        assert.equal(await storage.deleteFeed('a', 'ical:a'), true);
        assert.equal(await storage.deleteFeed('a', 'ical:a'), false);
        assert.equal(await storage.findFeed('a'), undefined);
      }));

    it('take with them what they confirmed, and nothing else', () =>
      withStorage(open, async (storage) => {
        const propertyIds = ['ponte', 'other'];
        await storage.writeProperties(propertyIds.map((propertyId) => suppliedWrite(propertyId, [[]])));
        const confirms = propertyIds.map((propertyId) => ({ propertyId, entries: [] }));
        for (const source of ['ical:a', 'ical:b']) await send(storage, source, calendarWork(confirms));
        await storage.insertFeed(sampleFeed('a'));
        await storage.deleteFeed('a', 'ical:a');
        const confirmed = await storage.listConfirmations({ propertyId: '', source: '' }, 10);
        assert.deepEqual(
          confirmed.map(({ propertyId, source }) => `${propertyId} ${source}`),
          ['other ical:a', 'other ical:b', 'other pms', 'ponte ical:b', 'ponte pms'],
        );
      }));

    it('refuse text that a database would change', () =>
      withStorage(open, async (storage) => {
        await assert.rejects(storage.insertFeed(sampleFeed('a', { name: 'a\0b' })), TypeError);
        await assert.rejects(storage.saveFeedState('a', sampleFeed('a', { etag: '\ud800' })), TypeError);
      }));
  });
}

function idsOf(feeds: readonly Feed[]): string[] {
  return feeds.map(({ feedId }) => feedId);
}
