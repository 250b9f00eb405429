/** Feeds that fail are seen: once in the log for each change of their condition, and never with their URL. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { until } from '../../../test/kit/command-line.ts';
import { feedDeps, subscribed } from '../../../test/kit/feed-deps.ts';
import { calendar, type FeedServer, startFeedServer, status } from '../../../test/kit/feed-server.ts';
import { openTemporaryStorage, type TemporaryStorage } from '../../../test/kit/temporary-storage.ts';
import { suppliedWrite } from '../../../test/suites/storage/supply-samples.ts';
import { StorageUnavailable } from '../../storage/storage.ts';
import { listFeeds, pollNow, unsubscribeFeed } from './feed-changes.ts';
import { createPollCounts, startFeedPoller } from './feed-poller.ts';

const HOUR_MS = 3_600_000;
/** More than the longest pause between two polls. */
const LATER_MS = 25 * HOUR_MS;
const SECRETS = ['ada-name', 'ada-pass', 'secret-path', 'secret-query', 'secret-hop', 'secret-guest'];

const START_MS = Date.UTC(2026, 10, 21, 12);
let nowMs = START_MS;
let database: TemporaryStorage;
let server: FeedServer;
let url: string;
before(async () => {
  database = await openTemporaryStorage(() => nowMs);
  server = await startFeedServer();
  url = `http://ada-name:ada-pass@127.0.0.1:${server.port}/secret-path.ics?s=secret-query`;
});
after(async () => {
  await server.close();
  await database.close();
});
beforeEach(async () => {
  nowMs = START_MS;
  await database.storage.writeProperties([suppliedWrite('ponte', [[]])]);
});

const makeDeps = () =>
  feedDeps(database.storage, () => nowMs, { fetching: { allowsPrivate: true, timeoutMs: 10_000 } });

describe('A feed that a service polls', () => {
  it('is in the log once for each change of its condition, and in no line with its URL', async () => {
    const deps = makeDeps();
    const lines: string[] = [];
    const take = (fields: object, message: string): void =>
      void lines.push(JSON.stringify({ message, ...fields }));
    const counts = createPollCounts();
    const logger = { error: take, info: take, warn: take };
    const feedId = await subscribed(deps, { propertyId: 'ponte', url });
    const poller = startFeedPoller({ ...deps, logger, counts, roundMs: 5 });
    let pollCount = 0;
    /** The lines of the next poll, which meets this answer. */
    const next = async (answer: FeedServer['answer']): Promise<string[]> => {
      server.answer = answer;
      lines.length = 0;
      nowMs += LATER_MS;
      pollCount += 1;
      await until(async () => Object.values(counts).reduce((sum, count) => sum + count, 0) === pollCount);
      return lines.map((line) => JSON.parse(line).message);
    };
    const failing = ['iCal feed cannot be read: its nights stay as they are'];
    const again = 'iCal feed can be read again';
    const changed = 'iCal feed changed nights';
    const stay = calendar(['2026-12-20', '2026-12-24']);
    assert.deepEqual(await next(status(500)), failing);
    const reason = 'the server answered with status 500';
    const fields = { feedId, propertyId: 'ponte', inventoryTypeId: 'double', reason };
    assert.deepEqual(JSON.parse(lines[0]!), { message: failing[0], ...fields });
    assert.deepEqual(await next(status(500)), []);
    assert.deepEqual(await next(status(404)), [], 'for another reason');
    assert.deepEqual(await next(stay), [again, changed]);
    assert.equal(JSON.parse(lines[0]!).failedPolls, 3);
    assert.deepEqual(await next(stay), []);
    const held = ['iCal feed held back: it would open half or more of its closed nights'];
    assert.deepEqual(await next(calendar()), held);
    assert.deepEqual(await next(calendar(['2026-12-20', '2026-12-21'])), [], 'another one is held back');
    assert.deepEqual(await next(stay), ['iCal feed no longer held back']);
    assert.deepEqual(await next(calendar()), held);
    assert.deepEqual(await next(status(500)), failing);
    assert.deepEqual(await next(calendar()), [again, changed]);
    await poller.stop();
    await unsubscribeFeed(deps, feedId);
  });

  it('is polled when the database is back, wherever in a poll it went away', async () => {
    const { storage } = database;
    const deps = makeDeps();
    server.answer = calendar(['2026-12-20', '2026-12-24']);
    const steps = [
      'listDueFeeds',
      'claimTask',
      'findFeed',
      'findLayers',
      'applySupply',
      'saveFeedState',
    ] as const;
    for (const step of steps) {
      let awayCount = 0;
      const flaky = {
        ...storage,
        async [step](...args: never[]) {
          awayCount += 1;
          if (awayCount === 1) throw new StorageUnavailable('away');
          return (storage[step] as (...args: never[]) => unknown)(...args);
        },
      } as typeof storage;
      const feedId = await subscribed(deps, { propertyId: 'ponte', url });
      const counts = createPollCounts();
      const logger = { error: () => undefined, info: () => undefined, warn: () => undefined };
      const poller = startFeedPoller({ ...deps, storage: flaky, logger, counts, roundMs: 5 });
      await until(async () => counts.changed + counts.unchanged === 1);
      await poller.stop();
      assert.deepEqual([awayCount > 1, counts.failed], [true, 0], step);
      assert.equal((await storage.findFeed(feedId))!.failure, null);
      await unsubscribeFeed(deps, feedId);
    }
  });

  it('says nowhere what its URL, its redirects and its calendar keep secret', async () => {
    const lines: string[] = [];
    const deps = makeDeps();
    const take = (fields: object): void => void lines.push(JSON.stringify(fields));
    const counts = createPollCounts();
    const feedId = await subscribed(deps, { propertyId: 'ponte', url });
    const poller = startFeedPoller({
      ...deps,
      logger: { error: take, info: take, warn: take },
      counts,
      roundMs: 5,
    });
    const guest = 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID;secret-guest\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n';
    const answers: FeedServer['answer'][] = [
      status(302, { location: '/secret-hop' }),
      status(302, { location: 'ftp://secret-hop/' }),
      status(302, { location: 'http://secret-hop.invalid/' }),
      status(302, { location: 'http://secret-hop%/' }),
      status(302, { location: `http://ada-name:ada-pass@127.0.0.1:1/secret-hop` }),
      status(200, {}, guest),
      status(200, { 'content-type': 'text/html' }, '<html>secret-guest'),
      (_request, response) => void response.socket!.destroy(),
      () => undefined,
      (_request, response) => void response.socket!.end('secret-guest\r\n\r\n'),
      status(418, { 'retry-after': 'secret-guest' }),
    ];
    for (const [index, answer] of answers.entries()) {
      server.answer = answer;
      nowMs += LATER_MS;
      await until(async () => counts.failed === index + 1);
      // Each reason is logged as the first one.
      server.answer = calendar();
      const polled = await pollNow(deps, feedId);
      assert.ok(polled.ok && polled.value.outcome !== 'failed', JSON.stringify(polled));
      lines.push(JSON.stringify(polled), JSON.stringify(await listFeeds(deps)));
    }
    await poller.stop();
    assert.equal(lines.filter((line) => line.includes('"reason"')).length, answers.length);
    const said = lines.join('\n');
    assert.deepEqual(
      SECRETS.filter((secret) => said.includes(secret)),
      [],
      said,
    );
  });

  it('is not asked again before the time that its server names in Retry-After', async () => {
    const deps = makeDeps();
    const feedId = await subscribed(deps, { propertyId: 'ponte', url });
    const waited = async (code: number, retryAfter: string): Promise<number> => {
      server.answer = status(code, { 'retry-after': retryAfter });
      assert.ok((await pollNow(deps, feedId)).ok);
      return ((await database.storage.findFeed(feedId))!.nextPollAtMs - nowMs) / HOUR_MS;
    };
    const isAbout = (hours: number, least: number): void =>
      assert.ok(hours >= least && hours <= least * 1.1 + 0.001, `${hours} h`);
    isAbout(await waited(503, '36000'), 10);
    isAbout(await waited(429, new Date(nowMs + 12 * HOUR_MS).toUTCString()), 12);
    isAbout(await waited(500, '999999999'), 24);
    // The fourth failure of a feed that is fetched every half an hour.
    const hours = await waited(503, 'soon');
    assert.ok(hours >= 3.6 && hours <= 4.4, `${hours} h`);
    await unsubscribeFeed(deps, feedId);
  });
});
