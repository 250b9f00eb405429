/** Calendars that other platforms subscribe to, fetched from the web listener as a platform does. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { systemRandom } from '../../../src/runtime/random.ts';
import { type PublishedDeps, publishType } from '../../../src/supply/published/publish-changes.ts';
import { readCalendar } from '../../../src/supply/ical/read-calendar.ts';
import { parseLocalDate } from '../../../src/domain/local-date.ts';
import { ownEventMark } from '../../../src/supply/published/own-events.ts';
import { changeNights } from '../../../src/supply/manual-override/change-nights.ts';
import { hotel } from '../../kit/catalogue-lines.ts';
import { until } from '../../kit/command-line.ts';
import { pollNow, unsubscribeFeed } from '../../../src/supply/ical/feed-changes.ts';
import { feedDeps, subscribed } from '../../kit/feed-deps.ts';
import { exchange, headerOf, type Received } from '../../kit/http-exchange.ts';
import { type Installation, NOW_MS, openInstallation, type Served } from '../../kit/installation.ts';

const TYPE = { propertyId: 'ponte', inventoryTypeId: 'double' };
const DECEMBER_1 = parseLocalDate('2026-12-01')!;

let installation: Installation;
let service: Served;
let deps: PublishedDeps;
before(async () => {
  installation = await openInstallation();
  await installation.importLines([hotel('ponte'), hotel('canal')]);
  service = await installation.serve({ WEB_PORT: '0', WEB_LIMIT: '1', CALENDARS_LIMIT: '0' });
  deps = {
    storage: installation.storage,
    clock: () => NOW_MS,
    random: systemRandom,
    calendarsBaseUrl: `${service.webUrl}/calendars`,
  };
});
after(() => installation.close());

async function publish(type = TYPE): Promise<string> {
  const published = await publishType(deps, type);
  assert.ok(published.ok);
  return new URL(published.value.url).pathname;
}

interface Answer {
  readonly status: number;
  readonly body: string;
  /** The only value of a header. */
  readonly header: (name: string) => string | undefined;
}

async function ask(
  { webUrl = '' }: Served,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Answer> {
  const received: Received = await exchange(webUrl, { path, method, headers });
  const { status, body } = received;
  return { status, body: Buffer.from(body).toString(), header: (name) => headerOf(received, name) };
}

const get = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> =>
  ask(service, path, headers, method);

/** Within a second of the command. */
async function served(path: string): Promise<Answer> {
  let answer = await get(path);
  await until(async () => (answer = await get(path)).status === 200);
  return answer;
}

describe('a published calendar', () => {
  it('is fetched without a token, and says which nights are closed and nothing else', async () => {
    const answer = await served(await publish());
    assert.equal(answer.header('content-type'), 'text/calendar; charset=utf-8');
    assert.equal(answer.header('cache-control'), 'private, max-age=300');
    assert.equal(answer.header('x-robots-tag'), 'noindex, nofollow');
    const options = { timezone: 'Europe/Rome', from: DECEMBER_1, until: DECEMBER_1 + 40 };
    const read = readCalendar(Buffer.from(answer.body), options);
    assert.ok(read.ok);
    assert.deepEqual(
      read.closed.map((run) => [run.from - DECEMBER_1, run.until - DECEMBER_1]),
      [[31, 40]],
    );
    assert.doesNotMatch(answer.body, /catalogue|rate|guest|source|EUR/i);
  });

  it('is answered with 304 to its ETag, and HEAD has the headers of GET', async () => {
    const path = await publish();
    const { header, body } = await served(path);
    const etag = String(header('etag'));
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const again = await get(path, { 'if-none-match': known });
      assert.deepEqual([again.status, again.body, again.header('etag')], [304, '', etag]);
    }
    assert.equal((await get(path, { 'if-none-match': '"x"' })).status, 200);
    const head = await get(path, {}, 'HEAD');
    assert.deepEqual([head.status, head.body, head.header('etag')], [200, '', etag]);
    assert.equal(head.header('content-length'), String(Buffer.byteLength(body)));
    assert.equal((await get(path, {}, 'POST')).status, 405);
  });

  it('changes with the property, and its events keep the mark by which our own feeds know them', async () => {
    const path = await publish({ propertyId: 'canal', inventoryTypeId: 'double' });
    const first = await served(path);
    const nights = { propertyId: 'canal', from: DECEMBER_1, to: DECEMBER_1, dryRun: false };
    await changeNights(
      feedDeps(installation.storage, () => NOW_MS),
      { action: 'close', inventoryTypeIds: ['double'], ...nights },
    );
    await until(async () => (await get(path)).body !== first.body, 5_000);
    const { body } = await get(path);
    assert.match(body, /DTSTART;VALUE=DATE:20261120\r\nDTEND;VALUE=DATE:20261202/);
    const mark = ownEventMark({
      publicUrl: 'http://127.0.0.1:8080',
      propertyId: 'canal',
      inventoryTypeId: 'double',
    });
    assert.equal(body.match(/^UID:/gm)?.length, body.match(new RegExp(`^UID:.*${mark}`, 'gm'))?.length);
  });

  it('a published calendar has one URL at a time; the one before ends within a second', async () => {
    const first = await publish();
    await served(first);
    const second = await publish();
    await served(second);
    assert.equal((await get(first)).status, 404);
    assert.equal(await installation.storage.unpublishCalendar(TYPE), true);
    await until(async () => (await get(second)).status === 404, 5_000);
  });

  it('is 404 in the same words whatever is wrong: unknown, ended, malformed, or without its property', async () => {
    const ended = await publish();
    await served(ended);
    await installation.storage.unpublishCalendar(TYPE);
    await installation.importLines([hotel('gone')]);
    const gone = await publish({ propertyId: 'gone', inventoryTypeId: 'double' });
    await served(gone);
    await installation.storage.withdrawProperties(['gone']);
    await until(async () => (await get(gone)).status === 404 && (await get(ended)).status === 404, 5_000);
    const secret = 'A'.repeat(43);
    const paths = [
      ended,
      gone,
      `/calendars/${secret}.ics`,
      `/calendars/${secret}`,
      `/calendars/${secret}A.ics`,
      `/calendars/${secret.slice(1)}.ics`,
      `/calendars/${secret}.ICS`,
      `/calendars/%41${secret.slice(1)}.ics`,
      '/calendars/..%2f..%2fetc.ics',
      '/calendars/__proto__.ics',
      '/calendars/x',
    ];
    const answers = await Promise.all(paths.map((path) => get(path)));
    const shapes = answers.map(({ status, body, header }) =>
      JSON.stringify([status, body, ...['content-type', 'cache-control', 'etag'].map(header)]),
    );
    assert.equal(new Set(shapes).size, 1, 'nobody can tell them apart');
    assert.equal(answers[0]?.status, 404);
  });

  it('is stored without its secret', async () => {
    const secret = /([\w-]{43})\.ics$/.exec(await publish())?.[1] ?? '';
    const { DatabaseSync } = await import('node:sqlite');
    const database = new DatabaseSync(installation.databasePath, { readOnly: true });
    const rows = JSON.stringify(database.prepare('SELECT * FROM published_calendars').all());
    database.close();
    assert.match(rows, /"secret_hash":"[0-9a-f]{64}"/);
    assert.ok(!rows.includes(secret));
  });
});

describe('the limit of published calendars', () => {
  it('counts each address, and apart from travellers', async () => {
    const limited = await installation.serve({ WEB_PORT: '0', WEB_LIMIT: '5', CALENDARS_LIMIT: '2' });
    const path = `/calendars/${'A'.repeat(43)}.ics`;
    const answers = [await ask(limited, path), await ask(limited, path), await ask(limited, path)];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [404, 404, 429],
    );
    assert.ok(Number(answers[2]?.header('retry-after')) > 0);
    assert.equal((await ask(limited, '/handoff?handoff=x')).status, 400);
  });
});

describe('a calendar that comes back', () => {
  it('from a platform that took it over closes nothing', async () => {
    const path = await publish();
    await served(path);
    const deps = feedDeps(installation.storage, () => NOW_MS, { publicUrl: 'http://127.0.0.1:8080' });
    const feedId = await subscribed(deps, { propertyId: 'ponte', url: `${service.webUrl}${path}` });
    const polled = await pollNow(deps, feedId);
    assert.ok(polled.ok);
    const { outcome, ownEvents, events, nights } = polled.value;
    assert.equal(outcome, 'unchanged');
    assert.ok((ownEvents ?? 0) > 0);
    assert.deepEqual([events, nights], [ownEvents, 0]);
    await unsubscribeFeed(deps, feedId);
  });
});
