/** Feeds from a real server into a real database, with a clock that moves by hand. */
import type { Outcome } from '../../domain/outcome.ts';
import { inEnglish } from '../../domain/wrong.ts';
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { feedDeps } from '../../../test/kit/feed-deps.ts';
import {
  calendar,
  calendarText,
  type FeedServer,
  startFeedServer,
  status,
} from '../../../test/kit/feed-server.ts';
import { until } from '../../../test/kit/command-line.ts';
import { openTemporaryStorage, type TemporaryStorage } from '../../../test/kit/temporary-storage.ts';
import { valueOf } from '../../../test/kit/value-of.ts';
import { nightEntry, suppliedWrite } from '../../../test/suites/storage/supply-samples.ts';
import { decodeCalendar } from '../../domain/calendar-codec.ts';
import { formatLocalDate } from '../../domain/local-date.ts';
import { StorageUnavailable } from '../../storage/storage.ts';
import { openStorage } from '../../storage/open.ts';
import {
  acceptFeed,
  type FeedDeps,
  listFeeds,
  pollNow,
  subscribeFeed,
  unsubscribeFeed,
  updateFeed,
} from './feed-changes.ts';
import { EMPTY_HELD_MS } from '../polling/held-back.ts';
import { createPollCounts, startFeedPoller } from './feed-poller.ts';

const DAY_MS = 86_400_000;
const PROPERTY = 'ponte';
const TYPE = suppliedWrite(PROPERTY, []).property.inventoryTypes[0]!.inventoryTypeId;

let nowMs = Date.UTC(2026, 10, 21, 12);
let database: TemporaryStorage;
let server: FeedServer;
let deps: FeedDeps;

before(async () => {
  database = await openTemporaryStorage(() => nowMs);
  server = await startFeedServer();
});
after(async () => {
  await server.close();
  await database.close();
});
beforeEach(async () => {
  nowMs = Date.UTC(2026, 10, 21, 12);
  deps = depsOf('this');
  for (const { feedId } of await listFeeds(deps)) valueOf(await unsubscribeFeed(deps, feedId));

  await database.storage.writeProperties([
    suppliedWrite(PROPERTY, [[nightEntry(-30, 400, { availability: 2 })]], {
      timezone: 'Europe/Rome',
    }),
  ]);
});

function depsOf(holder: string, storage: FeedDeps['storage'] = database.storage): FeedDeps {
  // Only a server that stays silent may take that long: a busy machine is slow, and its polls must not fail.
  const fetching = { allowsPrivate: true, timeoutMs: 10_000 };
  return feedDeps(storage, () => nowMs, { holder, fetching });
}

async function subscribe(): Promise<string> {
  const options = { propertyId: PROPERTY, inventoryTypeId: TYPE, everySeconds: 1800, name: null };
  const url = `${server.url}/room.ics?s=secret`;
  return valueOf(await subscribeFeed(deps, { ...options, url })).feedId;
}

async function poll(feedId: string): Promise<string> {
  return valueOf(await pollNow(deps, feedId)).outcome;
}

/** Nights that partners see closed, as `12-01..12-03` (both included). */
async function closed(): Promise<string> {
  const stored = (await database.storage.findProperty(PROPERTY))!;
  const runs = stored.calendars.flatMap(({ nights, rates }) => decodeCalendar(nights, rates).stopSell);
  const day = (night: number): string => formatLocalDate(night).slice(5);
  return runs.map(({ from, until: end }) => `${day(from)}..${day(end - 1)}`).join(' ');
}

function problemOf(outcome: Outcome<unknown>): string {
  return outcome.ok ? '' : inEnglish(outcome.problem);
}

describe('A feed', () => {
  it('closes its nights, each answer as a whole, and opens them when it is unsubscribed', async () => {
    const feedId = await subscribe();
    server.answer = calendar(['2026-12-01', '2026-12-04'], ['2026-12-05', '2026-12-06']);
    assert.equal(await poll(feedId), 'changed');
    assert.equal(await closed(), '12-01..12-03 12-05..12-05');
    server.answer = calendar(['2026-12-02', '2026-12-06']);
    assert.equal(await poll(feedId), 'changed');
    assert.equal(await closed(), '12-02..12-05');
    valueOf(await unsubscribeFeed(deps, feedId));
    assert.equal(await closed(), '');
    assert.match(problemOf(await pollNow(deps, feedId)), /there is no feed/);
  });

  it('closes nothing more when it was unsubscribed while its property was withdrawn, which returns', async () => {
    const feedId = await subscribe();
    server.answer = calendar(['2026-12-01', '2026-12-04']);
    await poll(feedId);
    await database.storage.withdrawProperties([PROPERTY]);
    valueOf(await unsubscribeFeed(deps, feedId));
    await database.storage.writeProperties([
      suppliedWrite(PROPERTY, [[nightEntry(-30, 400, { availability: 2 })]], { timezone: 'Europe/Rome' }),
    ]);
    assert.equal(await closed(), '');
  });

  it('is asked with its validators, but once a day as a whole; an unchanged answer confirms', async () => {
    const feedId = await subscribe();
    server.answer = calendar(['2026-12-01', '2026-12-04']);
    await poll(feedId);
    const sent = async (): Promise<unknown> => {
      assert.equal(await poll(feedId), 'unchanged');
      return server.requests.at(-1)!.headers['if-none-match'];
    };
    nowMs += 1000;
    assert.ok(await sent());
    assert.equal((await database.storage.findFeed(feedId))!.confirmedAtMs, nowMs);
    nowMs += DAY_MS;
    assert.equal(await sent(), undefined);
    assert.ok(await sent());
  });

  it('keeps its closed nights when its URL changes, and asks there at once, with nothing of the old one', async () => {
    const feedId = await subscribe();
    server.answer = calendar(['2026-12-01', '2026-12-05']);
    await poll(feedId);
    await poll(feedId);
    const url = `${server.url}/other.ics?s=another`;
    const changed = valueOf(await updateFeed(deps, feedId, { url, everySeconds: 7_200, name: 'B' }));
    assert.deepEqual([changed.every, changed.name, changed.nights], ['7200s', 'B', 4]);
    assert.equal(changed.nextPollAt, new Date(nowMs).toISOString());
    assert.equal(await closed(), '12-01..12-04');
    server.answer = status(500);
    assert.equal(await poll(feedId), 'failed');
    const { url: asked, headers } = server.requests.at(-1)!;
    assert.deepEqual([asked, headers['if-none-match']], ['/other.ics?s=another', undefined]);
    assert.equal(await closed(), '12-01..12-04', 'whatever comes from there');
    server.answer = calendar(['2026-12-01', '2026-12-02']);
    assert.equal(await poll(feedId), 'held', 'a calendar that opens most of them is held back as ever');
    assert.equal(await closed(), '12-01..12-04');
    valueOf(await updateFeed(deps, feedId, { url: `${server.url}/third.ics` }));
    assert.equal((await database.storage.findFeed(feedId))!.heldNights, null);
    server.answer = calendar(['2026-12-01', '2026-12-05'], ['2026-12-20', '2026-12-21']);
    assert.equal(await poll(feedId), 'changed');
    assert.equal(await closed(), '12-01..12-04 12-20..12-20');
  });

  it('is asked earlier when its interval becomes shorter, unless it fails; what is not named stays', async () => {
    const feedId = await subscribe();
    server.answer = calendar(['2026-12-01', '2026-12-05']);
    await poll(feedId);
    const before = (await database.storage.findFeed(feedId))!;
    valueOf(await updateFeed(deps, feedId, { url: before.url, everySeconds: 60 }));
    assert.deepEqual(await database.storage.findFeed(feedId), {
      ...before,
      everySeconds: 60,
      nextPollAtMs: nowMs + 60_000,
    });
    valueOf(await updateFeed(deps, feedId, { everySeconds: 86_400, name: 'A' }));
    valueOf(await updateFeed(deps, feedId, { name: null }));
    const later = (await database.storage.findFeed(feedId))!;
    assert.deepEqual(later, { ...before, everySeconds: 86_400, nextPollAtMs: nowMs + 60_000 });
    server.answer = status(503, { 'retry-after': '7200' });
    await poll(feedId);
    const { nextPollAtMs } = (await database.storage.findFeed(feedId))!;
    valueOf(await updateFeed(deps, feedId, { everySeconds: 1 }));
    assert.equal((await database.storage.findFeed(feedId))!.nextPollAtMs, nextPollAtMs);
  });

  it('is changed within the bounds of a new one', async () => {
    const feedId = await subscribe();
    for (const everySeconds of [1, 86_400]) valueOf(await updateFeed(deps, feedId, { everySeconds }));
    for (const everySeconds of [0, 86_401])
      assert.match(problemOf(await updateFeed(deps, feedId, { everySeconds })), /from 1s to 24h/);
    assert.match(problemOf(await updateFeed(deps, feedId, { url: 'ftp://x.example' })), /--url/);
    assert.match(problemOf(await updateFeed(deps, 'feed_none', { name: 'A' })), /there is no feed/);
  });

  it('fails when the server says "not modified" of what nobody had', async () => {
    const feedId = await subscribe();
    server.answer = status(304);
    assert.equal(await poll(feedId), 'failed');
    const { confirmedAtMs, failure } = (await database.storage.findFeed(feedId))!;
    assert.equal(confirmedAtMs, null);
    assert.match(failure!, /not modified" to an unconditional/);
  });

  it('keeps what it closed when the answer is not a calendar, and says why without the URL', async () => {
    const feedId = await subscribe();
    server.answer = calendar(['2026-12-01', '2026-12-04']);
    await poll(feedId);
    const bad: [RegExp, FeedServer['answer']][] = [
      [/status 500/, status(500)],
      [/it is not a calendar/, status(200, { 'content-type': 'text/calendar' }, 'sorry')],
      [/web page.*text\/html/, status(200, { 'content-type': 'text/html' }, '<!DOCTYPE html><p>Log in')],
      [/it is empty/, status(200)],
      [/cut off/, status(200, {}, 'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART;VALUE=DATE:2026')],
      [/larger than 5 MB/, status(200, {}, ' '.repeat(6 * 1024 * 1024))],
      [
        /larger than 5 MB/,
        (_request, response) => void response.writeHead(200).write(Buffer.alloc(6_000_000, 'x')),
      ],
      [/did not arrive within 0.4 s/, oneByteASecond],
      [/did not arrive within 0.4 s/, () => undefined],
      [/connection failed|connection ended/, (_request, response) => void response.socket!.destroy()],
      [/redirects more than 3 times/, status(302, { location: '/again' })],
      [/not a web address/, status(302, { location: 'file:///etc/passwd' })],
      [/compressed/, status(200, { 'content-encoding': 'gzip' }, 'x')],
    ];
    for (const [reason, answer] of bad) {
      server.answer = answer;
      // Only what never arrives may take no longer: six megabytes take a moment on a busy machine.
      const timeoutMs = reason.source.includes('did not arrive') ? 400 : 10_000;
      deps = { ...deps, fetching: { allowsPrivate: true, timeoutMs } };
      assert.equal(await poll(feedId), 'failed', String(reason));
      const { failure } = (await listFeeds(deps))[0]!;
      assert.match(failure!, reason);
      assert.doesNotMatch(failure!, /secret/);
    }
    const readable = /^the calendar cannot be used: [ -~…]*$/;
    for (const lines of [
      'UID;\0SECRET=\0',
      `STATUS${'\u{1f3e8}'.repeat(300)}`,
      `X-ODD\r\nEND:\0${'\u{1f3e8}'.repeat(300)}`,
    ]) {
      bad.push([readable, status(200, {}, `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n${lines}\r\nEND:VEVENT\r\n`)]);
      server.answer = bad.at(-1)![1];
      assert.equal(await poll(feedId), 'failed', lines);
      assert.match((await listFeeds(deps))[0]!.failure!, readable);
    }
    assert.equal(await closed(), '12-01..12-03');
    const { nextPollAtMs, failureCount } = (await database.storage.findFeed(feedId))!;
    assert.equal(failureCount, bad.length);
    assert.ok(nextPollAtMs - nowMs > 5 * 3_600_000 && nextPollAtMs - nowMs < 7 * 3_600_000);
    server.answer = calendar(['2026-12-01', '2026-12-05']);
    assert.equal(await poll(feedId), 'changed');
    assert.equal((await database.storage.findFeed(feedId))!.failureCount, 0);
  });

  it('is not fetched from a private address, at any hop and by any name', async () => {
    const feedId = await subscribe();
    server.answer = calendar(['2026-12-01', '2026-12-04']);
    deps = { ...deps, fetching: { allowsPrivate: false, timeoutMs: 10_000 } };
    const count = server.requests.length;
    assert.equal(await poll(feedId), 'failed');
    const hosts = [
      'localhost',
      '[::ffff:127.0.0.1]',
      '0x7f.1',
      '127.1',
      '[::1]',
      '0.0.0.0',
      '[64:ff9b::7f00:1]',
    ];
    for (const host of hosts) {
      const feed = (await database.storage.findFeed(feedId))!;
      const url = `http://${host}:${server.port}/`;
      const options = { ...feed, url, everySeconds: 60 };
      const { feedId: other } = valueOf(await subscribeFeed(deps, options));
      assert.equal(await poll(other), 'failed', host);
      assert.match((await database.storage.findFeed(other))!.failure!, /private address/, host);
    }
    assert.equal(server.requests.length, count, 'nobody was connected to');
  });

  it('is held back when it opens half of its nights or more, until it says so twice or a person accepts', async () => {
    const feedId = await subscribe();
    server.answer = calendar(['2026-12-01', '2026-12-05']);
    await poll(feedId);
    server.answer = calendar(['2026-12-01', '2026-12-04']);
    assert.equal(await poll(feedId), 'changed', 'a quarter');
    server.answer = calendar(['2026-12-01', '2026-12-02']);
    assert.equal(await poll(feedId), 'held');
    assert.equal(await closed(), '12-01..12-03');
    assert.equal((await listFeeds(deps))[0]!.state, 'held');
    server.answer = calendar();
    assert.equal(await poll(feedId), 'held', 'another one');
    assert.equal(await poll(feedId), 'changed', 'the same');
    assert.equal(await closed(), '');

    server.answer = calendar(['2026-12-01', '2026-12-05']);
    await poll(feedId);
    server.answer = calendar(['2026-12-08', '2026-12-09']);
    assert.equal(await poll(feedId), 'held');
    assert.equal(await closed(), '12-01..12-04 12-08..12-08', 'what it closes counts at once');
    valueOf(await acceptFeed(deps, feedId));
    assert.equal(await closed(), '12-08..12-08');
    assert.match(problemOf(await acceptFeed(deps, feedId)), /nothing of the feed/);
  });

  it('is held back for six hours when it is empty where several stays were', async () => {
    const stays = [
      [
        ['2026-12-01', '2026-12-05'],
        ['2026-12-08', '2026-12-10'],
      ],
      [
        ['2026-12-01', '2026-12-05'],
        ['2026-12-05', '2026-12-10'],
      ],
    ] as const;
    const startMs = nowMs;
    for (const [index, two] of stays.entries()) {
      nowMs = startMs;
      const feedId = await subscribe();
      server.answer = calendar(...two);
      await poll(feedId);
      const before = await closed();
      server.answer = calendar();
      assert.equal(await poll(feedId), 'held');
      for (const afterMs of [30 * 60_000, EMPTY_HELD_MS - 1]) {
        nowMs = startMs + afterMs;
        assert.equal(await poll(feedId), 'held', `${index}, after ${afterMs} ms`);
        assert.equal(await closed(), before);
      }
      nowMs = startMs + EMPTY_HELD_MS;
      assert.equal(await poll(feedId), 'changed');
      assert.equal(await closed(), '');
      server.answer = calendar(...two);
      await poll(feedId);
      server.answer = calendar();
      assert.equal(await poll(feedId), 'held');
      valueOf(await acceptFeed(deps, feedId));
      assert.equal(await closed(), '', 'a person accepts at once');
    }
    nowMs = startMs;
  });

  it('closes at once what a fetch that is held back closes, and reads on from there', async () => {
    const feedId = await subscribe();
    const withEtag = (
      etag: string,
      ...stays: readonly (readonly [string, string])[]
    ): FeedServer['answer'] => {
      return (request, response) => {
        if (request.headers['if-none-match'] === etag) response.writeHead(304).end();
        else response.writeHead(200, { etag }).end(calendarText(...stays));
      };
    };
    const first = withEtag('"a"', ['2026-12-01', '2026-12-05']);
    const moved = withEtag('"b"', ['2026-12-10', '2026-12-14']);
    server.answer = first;
    assert.equal(await poll(feedId), 'changed');
    server.answer = moved;
    assert.equal(await poll(feedId), 'held');
    assert.equal(await closed(), '12-01..12-04 12-10..12-13');
    // The feed as it was: its nights are closed, and to open the others it has to say so twice.
    server.answer = first;
    assert.equal(await poll(feedId), 'held', 'not taken for what is there already');
    assert.equal(await closed(), '12-01..12-04 12-10..12-13');
    assert.equal(await poll(feedId), 'changed');
    assert.equal(await closed(), '12-01..12-04');
    server.answer = moved;
    assert.equal(await poll(feedId), 'held');
    assert.equal(await poll(feedId), 'changed');
    assert.equal(await closed(), '12-10..12-13');
  });

  it('closes what it holds back with the next poll when the database was away in between', async () => {
    const feedId = await subscribe();
    server.answer = calendar(['2026-12-01', '2026-12-05']);
    await poll(feedId);
    server.answer = calendar(['2026-12-10', '2026-12-14']);
    const away = {
      ...database.storage,
      applySupply: () => Promise.reject(new StorageUnavailable('away')),
    };
    await assert.rejects(pollNow(depsOf('this', away), feedId), StorageUnavailable);
    assert.equal(await closed(), '12-01..12-04');
    assert.equal(await poll(feedId), 'held', 'not taken for its second time');
    assert.equal(await closed(), '12-01..12-04 12-10..12-13');
  });

  it('does not count as confirmed by a fetch that is held back', async () => {
    const feedId = await subscribe();
    const confirmedAt = async () =>
      (await database.storage.findLayers('ponte'))!.confirmations.find(
        ({ source }) => source === `ical:${feedId}`,
      )?.confirmedAtMs;
    server.answer = calendar(['2026-12-01', '2026-12-05']);
    await poll(feedId);
    const before = await confirmedAt();
    assert.equal(before, nowMs);
    nowMs += 1_000;
    server.answer = calendar(['2026-12-10', '2026-12-14']);
    assert.equal(await poll(feedId), 'held');
    assert.equal(await confirmedAt(), before);
    assert.equal(await poll(feedId), 'changed');
    assert.equal(await confirmedAt(), nowMs);
  });

  it('is polled by one process of several, and not again before it is due', async () => {
    server.answer = calendar(['2026-12-01', '2026-12-04']);
    const count = server.requests.length;
    const feedIds = await Promise.all(Array.from({ length: 8 }, subscribe));
    const another = await openStorage(database.databaseUrl, { clock: () => nowMs });
    const counts = createPollCounts();
    const logger = { error: () => undefined, info: () => undefined, warn: () => undefined };
    const pollers = [database.storage, another].map((storage, index) =>
      startFeedPoller({ ...depsOf(`process ${index}`, storage), logger, counts, roundMs: 5 }),
    );
    await until(async () => counts.changed === feedIds.length);
    await Promise.all(pollers.map((poller) => poller.stop()));
    await another.close();
    assert.equal(server.requests.length - count, feedIds.length);
    assert.deepEqual(counts, { ...createPollCounts(), changed: feedIds.length });
  });

  it('is not held up by another one whose server does not answer', async () => {
    const good = calendar(['2026-12-01', '2026-12-04']);
    let isAsked = false;
    server.answer = (request, response) => {
      if (!isAsked) isAsked = true;
      else good(request, response);
    };
    await subscribe();
    const counts = createPollCounts();
    const logger = { error: () => undefined, info: () => undefined, warn: () => undefined };
    const fetching = { allowsPrivate: true };
    const poller = startFeedPoller({ ...deps, fetching, logger, counts, roundMs: 5 });
    await until(async () => isAsked);
    await subscribe();
    await until(async () => counts.changed === 1);
    await poller.stop();
    assert.deepEqual(counts, { ...createPollCounts(), changed: 1 });
  });

  it('is polled again when the clock of the process that polled it last was ahead', async () => {
    server.answer = calendar(['2026-12-01', '2026-12-04']);
    const feedId = await subscribe();
    nowMs += 30 * DAY_MS;
    await pollNow(depsOf('a process before'), feedId);
    nowMs -= 30 * DAY_MS;
    server.answer = calendar(['2026-12-01', '2026-12-05']);
    const counts = createPollCounts();
    const logger = { error: () => undefined, info: () => undefined, warn: () => undefined };
    let uptimeMs = 0;
    const poller = startFeedPoller({ ...deps, uptimeMs: () => uptimeMs, logger, counts, roundMs: 5 });
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(counts.changed, 0, 'a process that is alive would poll it in time');
    // Its interval, with what is drawn.
    uptimeMs += 1.1 * 1_800_000;
    await until(async () => counts.changed === 1);
    await poller.stop();
    assert.equal(await closed(), '12-01..12-04');
    assert.equal((await database.storage.findFeed(feedId))!.polledAtMs, nowMs);
  });

  it('is polled once by two processes whose clocks differ by much', async () => {
    server.answer = calendar(['2026-12-01', '2026-12-04']);
    const requestCount = server.requests.length;
    await subscribe();
    const another = await openStorage(database.databaseUrl, { clock: () => nowMs });
    const counts = createPollCounts();
    const logger = { error: () => undefined, info: () => undefined, warn: () => undefined };
    const pollers = [0, 40 * 60_000].map((aheadMs, index) => {
      const clock = (): number => nowMs + aheadMs;
      const storage = index === 0 ? database.storage : another;
      return startFeedPoller({ ...depsOf(`process ${index}`, storage), clock, logger, counts, roundMs: 5 });
    });
    await until(async () => counts.changed + counts.unchanged > 0);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await Promise.all(pollers.map((poller) => poller.stop()));
    await another.close();
    assert.ok(server.requests.length - requestCount <= 2, `${server.requests.length - requestCount} polls`);
  });

  it('is taken over when the process that had claimed it is dead', async () => {
    server.answer = calendar(['2026-12-01', '2026-12-04']);
    const feedId = await subscribe();
    const term = { nowMs, untilMs: nowMs + 120_000 };
    assert.ok(await database.storage.claimTask(`ical feed ${feedId}`, 'dead', term));
    const counts = createPollCounts();
    const logger = { error: () => undefined, info: () => undefined, warn: () => undefined };
    const poller = startFeedPoller({ ...deps, logger, counts, roundMs: 5 });
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(counts.changed, 0);
    nowMs += 120_000;
    await until(async () => counts.changed === 1);
    await poller.stop();
  });
});

const oneByteASecond: FeedServer['answer'] = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/calendar' });
  const timer = setInterval(() => response.write('B'), 1000);
  response.on('close', () => clearInterval(timer));
};
