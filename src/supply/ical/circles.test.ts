/** A platform that reads `calendar.ics` and publishes what it read, beside its own stays. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { feedDeps, subscribed } from '../../../test/kit/feed-deps.ts';
import { calendarText, type FeedServer, startFeedServer, status } from '../../../test/kit/feed-server.ts';
import { openTemporaryStorage, type TemporaryStorage } from '../../../test/kit/temporary-storage.ts';
import { valueOf } from '../../../test/kit/value-of.ts';
import { effectiveCalendar, nightEntry, suppliedWrite } from '../../../test/suites/storage/supply-samples.ts';
import { formatLocalDate } from '../../domain/local-date.ts';
import { publishCalendar } from '../published/published-calendar.ts';
import { type FeedDeps, pollNow } from './feed-changes.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12);

let database: TemporaryStorage;
let server: FeedServer;
let deps: FeedDeps;
let published: FeedDeps & Pick<TemporaryStorage, 'storage'>;

before(async () => {
  database = await openTemporaryStorage(() => NOW_MS);
  server = await startFeedServer();
  deps = feedDeps(database.storage, () => NOW_MS, { horizonNights: 30 });
  published = { ...deps, storage: database.storage };
});
after(async () => {
  await server.close();
  await database.close();
});

/** As a platform has it that took `calendar.ics` over. */
async function publish(propertyId: string, publicUrl = deps.publicUrl): Promise<string> {
  return (await publishCalendar({ ...published, publicUrl }, propertyId, 'double'))!.body;
}

async function poll(feedId: string): Promise<unknown[]> {
  const { outcome, ownEvents } = valueOf(await pollNow(deps, feedId));
  return [outcome, ownEvents];
}

async function closed(propertyId: string): Promise<string> {
  const { stopSell } = await effectiveCalendar(database.storage, propertyId);
  return stopSell.map(({ from, until }) => `${formatLocalDate(from)} to ${formatLocalDate(until)}`).join();
}

describe('A feed that gives back our own calendar', () => {
  it('opens what its platform no longer closes: events of our own close nothing', async () => {
    await database.storage.writeProperties([
      suppliedWrite('a', [[nightEntry(-30, 400, { availability: 1 })]]),
    ]);
    const feedId = await subscribed(deps, { propertyId: 'a', url: server.url });
    const stays = calendarText(['2026-12-01', '2026-12-04'], ['2026-12-06', '2026-12-08']);
    server.answer = status(200, {}, stays);
    assert.deepEqual(await poll(feedId), ['changed', 0]);
    const ours = await publish('a');
    server.answer = status(200, {}, calendarText(['2026-12-01', '2026-12-04']) + ours);
    assert.deepEqual(await poll(feedId), ['changed', 2]);
    assert.equal(await closed('a'), '2026-12-01 to 2026-12-04');
    assert.deepEqual(await poll(feedId), ['unchanged', null], 'not read again');
  });

  it('closes what another type of ours or another service publishes', async () => {
    await database.storage.writeProperties(
      ['b', 'c'].map((id) => suppliedWrite(id, [[nightEntry(-30, 3, { availability: 1 })]])),
    );
    const feedId = await subscribed(deps, { propertyId: 'b', url: server.url });
    for (const text of [await publish('c'), await publish('b', 'https://other.example')]) {
      server.answer = status(200, {}, text);
      assert.equal((await poll(feedId))[1], 0);
      assert.equal(await closed('b'), '2026-12-05 to 2026-12-21');
    }
  });
});
