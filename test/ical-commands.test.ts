/** `ical` and `import ical`, as a person and a script use them. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { hotel } from './kit/catalogue-lines.ts';
import { type Ended } from './kit/command-line.ts';
import { WorkplaceHere } from './kit/commands-here.ts';
import { NOW_MS } from './kit/now.ts';
import { calendar, calendarText, type FeedServer, startFeedServer, status } from './kit/feed-server.ts';

const SECRET = 'abc-secret';
const PLACE = ['--property', 'hotel-ponte', '--type', 'double'];

describe('The commands for calendars of other platforms', () => {
  const workplace = new WorkplaceHere({ ICAL_ALLOW_PRIVATE: 'true' }, () => NOW_MS);
  const said: string[] = [];
  let server: FeedServer;
  let feedId: string;
  before(async () => {
    server = await startFeedServer();
    await workplace.json(['import', 'catalogue', '-'], { input: JSON.stringify(hotel('hotel-ponte')) });
  });
  after(async () => {
    await server.close();
    await workplace.remove();
  });

  const run = async (...args: string[]): Promise<Ended> => {
    const ended = await workplace.run(args);
    said.push(ended.stdout, ended.stderr);
    return ended;
  };
  const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);
  const closed = async (): Promise<string[]> => {
    const { calendar: entries } = (await workplace.json(['property', 'show', 'hotel-ponte']))
      .inventoryTypes[0];
    return entries
      .filter(({ stopSell }: { stopSell?: boolean }) => stopSell)
      .map(({ dateFrom, dateTo }: Record<string, string>) => `${dateFrom}..${dateTo}`);
  };

  it('subscribe to a calendar, list it by its host, and poll it', async () => {
    const url = `http://ada:${SECRET}@127.0.0.1:${server.port}/${SECRET}.ics?s=${SECRET}`;
    const feed = await json('ical', 'subscribe', ...PLACE, '--url', url, '--name', 'Airbnb');
    ({ feedId } = feed);
    assert.deepEqual([feed.state, feed.every, feed.host], ['new', '1800s', `127.0.0.1:${server.port}`]);
    server.answer = calendar(['2026-12-20', '2026-12-24']);
    const polled = await json('ical', 'poll', feedId);
    assert.deepEqual([polled.outcome, polled.state, polled.failure], ['changed', 'ok', null]);
    assert.deepEqual(await closed(), ['2026-12-20..2026-12-23']);
    const [listed] = await json('ical', 'list');
    assert.deepEqual(listed, {
      ...feed,
      state: 'ok',
      confirmedAt: listed.confirmedAt,
      nextPollAt: listed.nextPollAt,
      events: 1,
      nights: 4,
    });
    assert.match((await run('ical', 'list')).stdout, /Airbnb +hotel-ponte +double +127\.0\.0\.1:\d+ +ok /);
  });

  it('fail when a poll fails, with the reason, and as JSON too', async () => {
    server.answer = status(500);
    const sentence =
      /^stayport: the feed feed_\w+ could not be read, and its nights stay as they are: the server answered with status 500\n$/;
    const readable = await run('ical', 'poll', feedId);
    assert.equal(readable.code, 1);
    assert.match(readable.stderr, sentence);
    assert.match(readable.stdout, /^state +failing$/m);
    const script = await run('ical', 'poll', feedId, '--json');
    assert.equal(script.code, 1);
    assert.match(script.stderr, sentence);
    const { outcome, state, failure } = JSON.parse(script.stdout);
    assert.deepEqual(
      { outcome, state, failure },
      {
        outcome: 'failed',
        state: 'failing',
        failure: 'the server answered with status 500',
      },
    );
    assert.deepEqual(await closed(), ['2026-12-20..2026-12-23']);
  });

  it('accept what a poll held back, which is not a failure', async () => {
    server.answer = calendar(['2026-12-28', '2026-12-29']);
    const held = await run('ical', 'poll', feedId);
    assert.equal(held.code, 0, held.stderr);
    assert.match(held.stdout, /^state +held$/m);
    assert.match(held.stdout, /^outcome +held$/m);
    const { state, outcome } = await json('ical', 'accept', feedId);
    assert.deepEqual({ state, outcome }, { state: 'ok', outcome: 'changed' });
    assert.deepEqual(await closed(), ['2026-12-28..2026-12-28']);
    const nothing = await run('ical', 'accept', feedId);
    assert.equal(nothing.code, 1);
    assert.match(nothing.stderr, /^stayport: nothing of the feed feed_\w+ is held back\n$/);
  });

  it('change name, interval and URL, and print no URL', async () => {
    const changed = await json('ical', 'update', feedId, '--name', 'none', '--every', '2h');
    assert.deepEqual([changed.name, changed.every], [null, '7200s']);
    const { stdout } = await run('ical', 'update', feedId, '--name', 'Airbnb');
    assert.ok(stdout.includes('Airbnb') && !stdout.includes('.ics'), stdout);
    assert.equal((await run('ical', 'update', feedId)).code, 2);
  });

  it('unsubscribe, which opens what only the feed closed', async () => {
    assert.match((await run('ical', 'unsubscribe', feedId)).stdout, /is unsubscribed/);
    assert.deepEqual(await closed(), []);
    assert.deepEqual(await json('ical', 'list'), []);
    const sources = (await json('freshness')).map(({ source }: { source: string }) => source);
    assert.deepEqual(sources, ['catalogue'], 'nobody waits for it any more');
    const gone = await run('ical', 'poll', feedId);
    assert.equal(gone.code, 1);
    assert.match(gone.stderr, /^stayport: there is no feed "feed_\w+"; "ical list" shows them\n$/);
  });

  it('refuse what cannot be subscribed, without saying it again', async () => {
    const cases: [string, RegExp][] = [
      [`ftp://127.0.0.1/${SECRET}`, /^stayport: --url must begin with https:\/\/ or http:\/\/\n$/],
      [SECRET, /^stayport: --url must be a URL of at most 2000 characters/],
      [
        `http://ada:%zz${SECRET}@127.0.0.1/`,
        /^stayport: --url must have its name and password percent-encoded\n$/,
      ],
    ];
    for (const [url, problem] of cases) {
      const refused = await run('ical', 'subscribe', ...PLACE, '--url', url);
      assert.equal(refused.code, 1, url);
      assert.match(refused.stderr, problem);
    }
  });

  it('import a calendar from a file, after a dry run that writes nothing', async () => {
    const file = join(workplace.directory, 'bookings.ics');
    writeFileSync(file, calendarText(['2026-12-10', '2026-12-12']));
    const counts = { eventCount: 1, closed: 2, newlyClosed: 2, opened: 0, leftOut: [] };
    assert.deepEqual(await json('import', 'ical', file, ...PLACE, '--dry-run'), counts);
    assert.deepEqual(await closed(), []);
    assert.deepEqual(await json('import', 'ical', file, ...PLACE), counts);
    assert.deepEqual(await closed(), ['2026-12-10..2026-12-11']);
  });

  it('name the lines of a calendar that are left out', async () => {
    const text = calendarText(['2026-12-10', '2026-12-12']).replace(
      'END:VEVENT',
      'X-OPENS:YES\r\nEND:VEVENT',
    );
    const file = join(workplace.directory, 'left-out.ics');
    writeFileSync(file, text);
    assert.deepEqual((await json('import', 'ical', file, ...PLACE)).leftOut, ['X-OPENS']);
    assert.match((await run('import', 'ical', file, ...PLACE)).stdout, /^leftOut +X-OPENS$/m);
    const url = `http://127.0.0.1:${server.port}/left-out.ics`;
    const feed = await json('ical', 'subscribe', ...PLACE, '--url', url);
    server.answer = status(200, {}, text);
    assert.deepEqual((await json('ical', 'poll', feed.feedId)).leftOut, ['X-OPENS']);
    server.answer = status(500);
    assert.equal((await json('ical', 'poll', feed.feedId)).leftOut, null);
  });

  it('have said nothing of the URL but its host', () => {
    assert.ok(said.length > 20);
    assert.deepEqual(
      said.filter((text) => text.includes(SECRET)),
      [],
    );
  });
});
