/** Setting supply up over HTTP, as the operator's systems do: no shell, on a real service. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { PAGE_LIMIT_MAX } from '../../../src/contract/operator/supply-parts.ts';
import { hotel } from '../../kit/catalogue-lines.ts';
import { until } from '../../kit/command-line.ts';
import { calendar, type FeedServer, startFeedServer, status } from '../../kit/feed-server.ts';
import {
  callSupply,
  codesOf,
  startSupply,
  type SupplyAnswer,
  type SupplyCall,
  type SupplyRunning,
} from '../../kit/supply-client.ts';

const BODY_LIMIT_BYTES = 100_000;
const TYPE = { propertyId: 'ponte', inventoryTypeId: 'double' };

let running: SupplyRunning;
let feeds: FeedServer;
let anyToken: string;
let pmsToken: string;

before(async () => {
  feeds = await startFeedServer();
  running = await startSupply(
    ['ponte', 'canal', 'rialto'].map((id) => hotel(id)),
    {
      ICAL_ALLOW_PRIVATE: 'true',
      SUPPLY_BODY_LIMIT_BYTES: String(BODY_LIMIT_BYTES),
      WEB_PORT: '0',
    },
  );
  ({ anyToken, pmsToken } = running);
});
after(async () => {
  await running.installation.close();
  await feeds.close();
});

const call = (method: string, path: string, options: Partial<SupplyCall> = {}): Promise<SupplyAnswer> =>
  callSupply(running.service.operatorUrl, method, path, { token: anyToken, ...options });

/** All rows of a list, two a page. */
// oxlint-disable-next-line typescript/no-explicit-any -- as above
async function pages(path: string, name: string, token = anyToken): Promise<any[]> {
  const rows = [];
  let next: string | null = '';
  while (next !== null) {
    const after: string = next === '' ? '' : `&after=${encodeURIComponent(next)}`;
    const { status: code, body } = await call('GET', `${path}limit=2${after}`, { token });
    assert.equal(code, 200, JSON.stringify(body));
    assert.ok(body[name].length <= 2);
    rows.push(...body[name]);
    ({ next } = body);
  }
  return rows;
}

const closing = (propertyId: string, dateFrom: string, dateTo: string, set: object = { stopSell: true }) => ({
  propertyId,
  inventoryTypeId: 'double',
  dateFrom,
  dateTo,
  ...set,
});
const patch = (source: string, entries: readonly object[], query = ''): Promise<SupplyAnswer> =>
  call('PATCH', `calendars?source=${source}${query}`, { body: { entries } });

async function closedNights(source: string, query = ''): Promise<string[]> {
  const { body } = await call('GET', `properties/ponte${query}`);
  return body.layers
    .filter((layer: { source: string }) => layer.source === source)
    .flatMap((layer: { calendar: { dateFrom: string; dateTo: string; stopSell?: boolean }[] }) =>
      layer.calendar
        .filter(({ stopSell }) => stopSell)
        .map(({ dateFrom, dateTo }) => `${dateFrom} ${dateTo}`),
    );
}

describe('a message that is all that its source says', () => {
  it('forgets what it said before of the nights from the first to the last, of the types that it names', async () => {
    await patch('channel', [
      closing('ponte', '2026-12-01', '2026-12-10'),
      closing('canal', '2026-12-01', '2026-12-10'),
    ]);
    const replaced = await patch(
      'channel',
      [
        closing('ponte', '2026-12-05', '2026-12-05', { stopSell: true }),
        closing('ponte', '2026-12-03', '2026-12-07', { minStayArrival: 2, weekdays: ['mon'] }),
      ],
      '&replace=true',
    );
    assert.equal(replaced.status, 200);
    assert.deepEqual(await closedNights('channel'), [
      '2026-12-01 2026-12-02',
      '2026-12-05 2026-12-05',
      '2026-12-08 2026-12-10',
    ]);
    const { body } = await call('GET', 'properties/canal');
    assert.match(JSON.stringify(body.layers), /"dateTo":"2026-12-10","stopSell":true/);
    const again = await patch(
      'channel',
      [closing('ponte', '2026-12-05', '2026-12-05'), closing('ponte', '2026-12-03', '2026-12-07', {})],
      '&replace=true',
    );
    assert.equal(again.status, 200);
    assert.equal((await closedNights('channel')).length, 3);
  });

  it('is whole or nothing, and not partial', async () => {
    const before = await closedNights('channel');
    const wrong = [closing('ponte', '2026-12-01', '2026-12-31'), closing('none', '2026-12-01', '2026-12-31')];
    assert.deepEqual(codesOf(await patch('channel', wrong, '&replace=true')), [
      400,
      'SUPPLY_VALIDATION_ERROR',
      '/entries/1/propertyId',
    ]);
    assert.deepEqual(codesOf(await patch('channel', wrong, '&replace=true&partial=true')), [
      400,
      'SUPPLY_VALIDATION_ERROR',
      '?replace',
    ]);
    assert.deepEqual(await closedNights('channel'), before);
  });
});

describe('sources', () => {
  it('are listed, retired after a dry run, and their nights are open again', async () => {
    await patch('chanel', [
      closing('ponte', '2026-12-20', '2026-12-22'),
      closing('canal', '2026-12-20', '2026-12-20'),
    ]);
    const { body } = await call('GET', 'sources');
    const listed = body.sources.find(({ source }: { source: string }) => source === 'chanel');
    assert.deepEqual([listed.properties, typeof listed.lastConfirmedAt], [2, 'string']);
    const dry = await call('DELETE', 'sources/chanel?dryRun=true');
    assert.deepEqual(dry.body, { source: 'chanel', properties: 2, nights: 4, dryRun: true });
    const one = await call('DELETE', 'sources/chanel?propertyId=canal');
    assert.deepEqual(one.body, { source: 'chanel', properties: 1, nights: 1, dryRun: false });
    assert.deepEqual(await closedNights('chanel'), ['2026-12-20 2026-12-22']);
    assert.equal((await call('DELETE', 'sources/chanel')).body.nights, 3);
    assert.deepEqual(await closedNights('chanel'), []);
    assert.deepEqual(codesOf(await call('DELETE', 'sources/chanel')), [404, 'SUPPLY_NOT_FOUND']);
    const { body: told } = await call('GET', 'messages?source=chanel&limit=1');
    assert.equal(told.messages[0].kind, 'retirement');
  });

  it('that own a document are not retired, nor by the token of another source', async () => {
    const owned = await call('DELETE', 'sources/catalogue');
    assert.deepEqual(codesOf(owned), [409, 'SUPPLY_CONFLICT']);
    assert.match(owned.body.detail, /owns the document of canal, ponte, rialto: withdraw it first/);
    assert.deepEqual(codesOf(await call('DELETE', 'sources/manual')), [409, 'SUPPLY_CONFLICT']);
    const foreign = await call('DELETE', 'sources/channel', { token: pmsToken });
    assert.deepEqual(codesOf(foreign), [403, 'SUPPLY_SOURCE_MISMATCH', '{source}']);
    assert.deepEqual((await call('GET', 'sources', { token: pmsToken })).body, { sources: [] });
  });
});

describe('mappings', () => {
  const rows = ['a', 'b', 'c/d'].map((externalKey) => ({ externalKey, ...TYPE }));

  it('are set together, listed page by page, and deleted', async () => {
    const set = await call('PUT', 'mappings?source=channel', { body: { mappings: rows } });
    assert.deepEqual(set.body, { source: 'channel', set: 3 });
    assert.equal(
      (await call('PUT', 'mappings', { token: pmsToken, body: { mappings: rows } })).body.source,
      'pms',
    );
    const listed = await pages('mappings?', 'mappings');
    assert.deepEqual(
      listed.map(({ source, externalKey }) => `${source} ${externalKey}`),
      ['channel a', 'channel b', 'channel c/d', 'pms a', 'pms b', 'pms c/d'],
    );
    assert.equal((await pages('mappings?source=channel&', 'mappings')).length, 3);
    const deleted = await call('DELETE', 'mappings/c%2Fd?source=channel');
    assert.deepEqual(deleted.body, { source: 'channel', externalKey: 'c/d' });
    assert.deepEqual(codesOf(await call('DELETE', 'mappings/c%2Fd?source=channel')), [
      404,
      'SUPPLY_NOT_FOUND',
    ]);
  });

  it('belong to their source', async () => {
    assert.equal((await pages('mappings?', 'mappings', pmsToken)).length, 3);
    for (const [method, path] of [
      ['GET', 'mappings?source=channel'],
      ['PUT', 'mappings?source=channel'],
      ['DELETE', 'mappings/a?source=channel'],
    ] as const) {
      const body = method === 'PUT' ? { body: { mappings: rows } } : {};
      const answer = await call(method, path, { token: pmsToken, ...body });
      assert.deepEqual(codesOf(answer), [403, 'SUPPLY_SOURCE_MISMATCH', '?source']);
    }
  });

  it('that are wrong are named, and none of the message is set', async () => {
    const wrong = [...rows.slice(0, 1), { ...rows[1], propertyId: 'no id' }];
    const refused = await call('PUT', 'mappings?source=other', { body: { mappings: wrong } });
    assert.deepEqual(codesOf(refused), [400, 'SUPPLY_VALIDATION_ERROR', '/mappings/1/propertyId']);
    assert.equal((await pages('mappings?source=other&', 'mappings')).length, 0);
    assert.equal((await call('GET', 'mappings?after=x')).status, 400);
  });

  it('are at most 1,000 in a message', async () => {
    const many = (length: number) => ({
      mappings: Array.from({ length }, (_, index) => ({ externalKey: `key ${index}`, ...TYPE })),
    });
    const refused = await call('PUT', 'mappings?source=many', { body: many(1_001) });
    assert.deepEqual(codesOf(refused), [400, 'SUPPLY_VALIDATION_ERROR', '/mappings']);
    const { body: none } = await call('GET', 'mappings?source=many');
    assert.deepEqual(none.mappings, []);
    const set = await call('PUT', 'mappings?source=many', { body: many(1_000) });
    assert.deepEqual(set.body, { source: 'many', set: 1_000 });
  });

  it('are listed at most 200 a page', async () => {
    const { body } = await call('GET', `mappings?source=many&limit=${PAGE_LIMIT_MAX}`);
    assert.deepEqual([PAGE_LIMIT_MAX, body.mappings.length], [200, 200]);
    assert.ok(body.next !== null);
    const refused = await call('GET', `mappings?source=many&limit=${PAGE_LIMIT_MAX + 1}`);
    assert.deepEqual(codesOf(refused), [400, 'SUPPLY_VALIDATION_ERROR', '?limit']);
  });
});

describe('feeds', () => {
  const feedRequest = (path: string) => ({
    ...TYPE,
    url: `${feeds.url}/${path}`,
    every: '2h',
    name: 'Airbnb',
  });
  const subscribe = (path: string, key?: string): Promise<SupplyAnswer> =>
    call('POST', 'feeds', { body: feedRequest(path), ...(key && { headers: { 'idempotency-key': key } }) });

  it('are subscribed once for each key, polled, listed with what they read, and unsubscribed', async () => {
    feeds.answer = calendar(['2026-12-24', '2026-12-26'], ['2026-12-28', '2026-12-29']);
    const first = await subscribe('one', 'key-1');
    assert.equal(first.status, 201);
    const { feedId } = first.body;
    assert.ok(!JSON.stringify(first.body).includes('/one'), 'the URL may hold a secret');
    const both = await Promise.all([subscribe('one', 'key-1'), subscribe('one', 'key-1')]);
    assert.deepEqual(
      both.map(({ status: code, body }) => [code, body.feedId]),
      [
        [201, feedId],
        [201, feedId],
      ],
    );
    assert.deepEqual(codesOf(await subscribe('two', 'key-1')), [409, 'IDEMPOTENCY_KEY_REUSED']);
    await call('POST', `feeds/${feedId}/poll`);
    const { body } = await call('GET', `feeds/${feedId}`);
    assert.deepEqual([body.state, body.events, body.nights, body.every], ['ok', 2, 3, '7200s']);
    const more = [await subscribe('two'), await subscribe('two')];
    const listed = (await pages('feeds?', 'feeds')).map((feed) => feed.feedId);
    assert.deepEqual(listed, [feedId, ...more.map((feed) => feed.body.feedId)].toSorted());
    for (const id of listed) assert.equal((await call('DELETE', `feeds/${id}`)).status, 200);
    assert.deepEqual(codesOf(await call('GET', `feeds/${feedId}`)), [404, 'SUPPLY_NOT_FOUND']);
    assert.deepEqual(await closedNights(`ical:${feedId}`), []);
  });

  it('hold back what would open too much until it is accepted', async () => {
    feeds.answer = calendar(['2026-12-24', '2026-12-26']);
    const { feedId } = (await subscribe('held')).body;
    await call('POST', `feeds/${feedId}/poll`);
    const nothing = await call('POST', `feeds/${feedId}/accept`);
    assert.deepEqual(codesOf(nothing), [409, 'SUPPLY_CONFLICT']);
    assert.match(nothing.body.detail, /nothing of the feed feed_\w+ is held back/i);
    feeds.answer = calendar();
    const held = await call('POST', `feeds/${feedId}/poll`);
    assert.deepEqual([held.body.outcome, held.body.state, held.body.nights], ['held', 'held', 0]);
    const accepted = await call('POST', `feeds/${feedId}/accept`);
    assert.deepEqual([accepted.status, accepted.body.outcome], [200, 'changed']);
    assert.deepEqual(codesOf(await call('DELETE', `sources/ical%3A${feedId}`)), [409, 'SUPPLY_CONFLICT']);
    await call('DELETE', `feeds/${feedId}`);
  });

  it('that fail say so, and what is not a feed is refused', async () => {
    feeds.answer = status(500);
    const { feedId } = (await subscribe('bad')).body;
    const failed = await call('POST', `feeds/${feedId}/poll`);
    assert.deepEqual([failed.status, failed.body.outcome], [200, 'failed']);
    assert.match(failed.body.failure, /status 500/);
    await call('DELETE', `feeds/${feedId}`);
    for (const [change, pointer, detail] of [
      [{ url: 'ftp://x' }, '/url', 'Must begin with https:// or http://.'],
      [{ every: '0s' }, '/every', 'Must be a duration from 1s to 24h, such as 30m.'],
      [{ every: 'soon' }, '/every', 'Must be a duration such as 90s, 30m, 24h or 7d, not "soon".'],
      [
        { inventoryTypeId: 'suite' },
        '/inventoryTypeId',
        'The property ponte has no inventory type "suite"; it has double.',
      ],
      [
        { more: 1 },
        '/more',
        'Is not a known field; remove it (known here: propertyId, inventoryTypeId, url, every, name).',
      ],
    ] as const) {
      const answer = await call('POST', 'feeds', { body: { ...feedRequest('x'), ...change } });
      assert.deepEqual(codesOf(answer), [400, 'SUPPLY_VALIDATION_ERROR', pointer]);
      assert.equal(answer.body.errors[0].detail, detail);
    }
    const unknown = await call('POST', 'feeds', { body: { ...feedRequest('x'), propertyId: 'none' } });
    assert.deepEqual(codesOf(unknown), [404, 'SUPPLY_PROPERTY_NOT_FOUND']);
    for (const act of ['poll', 'accept']) {
      assert.deepEqual(codesOf(await call('POST', `feeds/none/${act}`)), [404, 'SUPPLY_NOT_FOUND']);
    }
  });

  it('are fetched under the rules of the command: no private address', async () => {
    const guarded = await running.installation.serve();
    const ask = (method: string, path: string, body?: object): Promise<SupplyAnswer> =>
      callSupply(guarded.operatorUrl, method, path, { token: anyToken, body });
    let asked = 0;
    feeds.answer = (request, response) => {
      if (request.url === '/private') asked += 1;
      return status(500)(request, response);
    };
    for (const url of [`${feeds.url}/private`, 'http://169.254.169.254/private', 'http://[::1]:1/private']) {
      const { body } = await ask('POST', 'feeds', { ...TYPE, url });
      // The other service, which may, polls as well: by a failure that stays.
      const polled = await ask('POST', `feeds/${body.feedId}/poll`);
      assert.match(polled.body.failure, /private address/);
      await ask('DELETE', `feeds/${body.feedId}`);
    }
    assert.ok(asked <= 3);
  });
});

describe('manual overrides', () => {
  it('closes and opens nights, after a dry run', async () => {
    const nights = { ...TYPE, dateFrom: '2026-12-30', dateTo: '2026-12-31' };
    const dry = await call('POST', 'close', { body: { ...nights, dryRun: true } });
    assert.deepEqual([dry.status, dry.body.dryRun, dry.body.changes.length], [200, true, 1]);
    assert.deepEqual(await closedNights('manual'), []);
    const closed = await call('POST', 'close', { body: nights });
    assert.deepEqual([closed.body.action, closed.body.changed], ['close', true]);
    assert.deepEqual(await closedNights('manual'), ['2026-12-30 2026-12-31']);
    const { body } = await call('GET', 'messages?source=manual&limit=1');
    assert.deepEqual(body.messages[0].entries, [{ ...nights, stopSell: true }]);
    assert.equal(
      (await call('POST', 'open', { body: { ...nights, inventoryTypeId: null } })).body.changed,
      true,
    );
    assert.deepEqual(await closedNights('manual'), []);
  });

  it('refuses what is not there', async () => {
    const nights = { ...TYPE, dateFrom: '2026-12-30', dateTo: '2026-12-29' };
    assert.deepEqual(codesOf(await call('POST', 'close', { body: nights })), [
      400,
      'SUPPLY_VALIDATION_ERROR',
      '/dateTo',
    ]);
    const good = { ...nights, dateTo: '2026-12-30' };
    const unknown = await call('POST', 'close', {
      body: { ...good, propertyId: 'none', inventoryTypeId: null },
    });
    assert.deepEqual(codesOf(unknown), [404, 'SUPPLY_PROPERTY_NOT_FOUND']);
    const type = await call('POST', 'open', { body: { ...good, inventoryTypeId: 'suite' } });
    assert.deepEqual(codesOf(type), [400, 'SUPPLY_VALIDATION_ERROR', '/inventoryTypeId']);
  });
});

describe('published calendars', () => {
  const path = 'inventory-types/ponte/double/published-calendar';

  it('are published, listed without their URLs, served by the web listener, and ended', async () => {
    const published = await call('POST', path);
    assert.deepEqual([published.status, published.body.replaced], [201, false]);
    const { pathname } = new URL(published.body.url);
    assert.equal((await call('POST', 'inventory-types/canal/double/published-calendar')).status, 201);
    const listed = await pages('published-calendars?', 'calendars');
    assert.deepEqual(
      listed.map(({ propertyId }) => propertyId),
      ['canal', 'ponte'],
    );
    const fetched = async (): Promise<number> => (await fetch(`${running.service.webUrl}${pathname}`)).status;
    await until(async () => (await fetched()) === 200);
    assert.deepEqual((await call('DELETE', path)).body, TYPE);
    await until(async () => (await fetched()) === 404);
    assert.deepEqual(codesOf(await call('DELETE', path)), [404, 'SUPPLY_NOT_FOUND']);
    const none = await call('POST', 'inventory-types/ponte/suite/published-calendar');
    assert.deepEqual(codesOf(none), [404, 'SUPPLY_PROPERTY_NOT_FOUND']);
  });
});

describe('a token with a source', () => {
  it('may not change what belongs to no source', async () => {
    const nights = { ...TYPE, dateFrom: '2026-12-30', dateTo: '2026-12-31' };
    for (const [method, path, body] of [
      ['GET', 'feeds'],
      ['POST', 'feeds', { ...TYPE, url: 'https://feeds.example/1.ics' }],
      ['GET', 'feeds/x'],
      ['POST', 'feeds/x/poll'],
      ['POST', 'feeds/x/accept'],
      ['DELETE', 'feeds/x'],
      ['POST', 'close', nights],
      ['POST', 'open', nights],
      ['POST', 'inventory-types/ponte/double/published-calendar'],
      ['DELETE', 'inventory-types/ponte/double/published-calendar'],
      ['GET', 'published-calendars'],
    ] as const) {
      const answer = await call(method, path, { token: pmsToken, ...(body && { body }) });
      assert.deepEqual(codesOf(answer).slice(0, 2), [403, 'SUPPLY_SOURCE_MISMATCH'], `${method} ${path}`);
    }
  });

  it('reads the messages of its source', async () => {
    await patch('channel', [closing('ponte', '2026-12-15', '2026-12-15')]);
    const own = await call('PATCH', 'calendars', { token: pmsToken, body: { entries: [] } });
    const { body } = await call('GET', 'messages', { token: pmsToken });
    assert.deepEqual(
      new Set(body.messages.map(({ source }: { source: string }) => source)),
      new Set(['pms']),
    );
    const foreign = await call('GET', 'messages?source=channel', { token: pmsToken });
    assert.deepEqual(codesOf(foreign), [403, 'SUPPLY_SOURCE_MISMATCH', '?source']);
    const [other] = (await call('GET', 'messages?source=channel&limit=1')).body.messages;
    const hidden = await call('GET', `messages/${other.messageId}`, { token: pmsToken });
    assert.deepEqual(codesOf(hidden), [404, 'SUPPLY_NOT_FOUND']);
    assert.equal((await call('GET', `messages/${own.body.messageId}`, { token: pmsToken })).status, 200);
  });
});

describe('what is read', () => {
  it('lists properties page by page, with their types, and by who owns them', async () => {
    const listed = await pages('properties?', 'properties', pmsToken);
    assert.deepEqual(
      listed.map(({ propertyId, source, name }) => [propertyId, source, name]),
      ['canal', 'ponte', 'rialto'].map((id) => [id, 'catalogue', `Hotel ${id}`]),
    );
    assert.deepEqual(listed[0].inventoryTypes, [{ inventoryTypeId: 'double', name: 'Double' }]);
    assert.deepEqual(await pages('properties?source=pms&', 'properties'), []);
    assert.equal((await call('GET', `properties?limit=${PAGE_LIMIT_MAX + 1}`)).status, 400);
  });

  it('has a range of nights, whose document can be sent back without closing anything', async () => {
    await patch('ranged', [closing('ponte', '2026-12-01', '2026-12-31')]);
    const { body } = await call('GET', 'properties/ponte?from=2026-12-10&to=2026-12-11');
    const nights = JSON.stringify([body.layers, body.calendars]).matchAll(/"date(?:From|To)":"([\d-]+)"/g);
    assert.deepEqual(new Set([...nights].map(([, night]) => night)), new Set(['2026-12-10', '2026-12-11']));
    assert.equal(body.document.inventoryTypes[0].calendar, undefined);
    assert.deepEqual(await closedNights('ranged', '?to=2026-12-02'), ['2026-12-01 2026-12-02']);
    assert.deepEqual(await closedNights('ranged', '?from=2026-12-31'), ['2026-12-31 2026-12-31']);
    const sent = await call('PUT', 'properties/ponte?source=catalogue', { body: body.document });
    assert.deepEqual([sent.status, sent.body.changed], [200, false]);
    assert.deepEqual(codesOf(await call('GET', 'properties/ponte?from=2026-02-30')), [
      400,
      'SUPPLY_VALIDATION_ERROR',
      '?from',
    ]);
  });

  it('keeps the entries of messages, refused ones too, up to 64 KB, and finds them by time', async () => {
    const entry = closing('ponte', '2026-12-15', '2026-12-15');
    const taken = (await patch('kept', [entry])).body.messageId;
    await patch('kept', [{ ...entry, dateTo: 'never' }]);
    const many = Array.from({ length: 600 }, (_, index) => ({ ...entry, maxStay: index + 1 }));
    assert.equal((await patch('kept', many)).status, 200);
    const { body } = await call('GET', 'messages?source=kept');
    const [large, refused, first] = body.messages;
    assert.deepEqual([first.messageId, first.entries, first.entriesLeftOut], [taken, [entry], 0]);
    assert.deepEqual([refused.verdict, refused.entries[0].dateTo], ['refused', 'never']);
    assert.ok(large.entries.length > 400 && Buffer.byteLength(JSON.stringify(large.entries)) <= 65_536);
    assert.equal(large.entries.length + large.entriesLeftOut, 600);
    assert.deepEqual((await call('GET', `messages/${taken}`)).body, first);
    running.installation.time.nowMs += 60_000;
    const later = (await patch('kept', [entry])).body.messageId;
    const at = new Date(running.installation.time.nowMs).toISOString();
    const idsOf = async (query: string): Promise<string[]> =>
      (await call('GET', `messages?source=kept&${query}`)).body.messages.map(
        (message: { messageId: string }) => message.messageId,
      );
    assert.deepEqual(await idsOf(`since=${at}`), [later]);
    assert.equal((await idsOf(`until=${at}`)).length, 3);
    assert.deepEqual(await idsOf(`since=${at}&until=${at}`), []);
    assert.deepEqual(codesOf(await call('GET', 'messages?since=yesterday')), [
      400,
      'SUPPLY_VALIDATION_ERROR',
      '?since',
    ]);
    assert.deepEqual(codesOf(await call('GET', 'messages/sm_none')), [404, 'SUPPLY_NOT_FOUND']);
  });
});

describe('a compressed body', () => {
  const headers = { 'content-encoding': 'gzip' };
  const entries = { entries: [closing('rialto', '2026-12-20', '2026-12-20')] };
  /** JSON of exactly so many bytes. */
  const padded = (bytes: number): string => JSON.stringify(entries).padEnd(bytes, ' ');
  const send = (body: string, path = 'calendars?source=zip', more = {}): Promise<SupplyAnswer> =>
    call('PATCH', path, { body: gzipSync(body), headers: { ...headers, ...more } });

  it('is read as a plain one, up to the same limit, and means the same to a key', async () => {
    const key = { 'idempotency-key': 'zip-1' };
    const sent = await send(JSON.stringify(entries), undefined, key);
    assert.deepEqual([sent.status, sent.body.changed], [200, 1]);
    const plain = await call('PATCH', 'calendars?source=zip', { body: entries, headers: key });
    assert.deepEqual(plain.body, sent.body);
    assert.equal((await send(padded(BODY_LIMIT_BYTES))).status, 200);
    assert.deepEqual(codesOf(await send(padded(BODY_LIMIT_BYTES + 1))), [413, 'SUPPLY_PAYLOAD_TOO_LARGE']);
  });

  it('that is a bomb is refused without being held', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));
    assert.ok(bomb.byteLength < BODY_LIMIT_BYTES);
    const before = process.memoryUsage().rss;
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call('PATCH', 'calendars?source=zip', { body: bomb, headers })),
    );
    for (const answer of answers) assert.deepEqual(codesOf(answer), [413, 'SUPPLY_PAYLOAD_TOO_LARGE']);
    // Held, they would take 1,280 MiB. What the allocator keeps of those that were begun depends on the moment.
    assert.ok(process.memoryUsage().rss - before < 512 * 1024 * 1024);
    const imported = await call('POST', 'import?source=zip', {
      body: bomb,
      headers: { ...headers, 'content-type': 'application/x-ndjson' },
    });
    assert.deepEqual(codesOf(imported), [413, 'SUPPLY_PAYLOAD_TOO_LARGE']);
  });

  it('is taken by an import, and one that is broken or of another coding is refused', async () => {
    const ndjson = { 'content-type': 'application/x-ndjson' };
    const body = gzipSync(JSON.stringify(hotel('zipped')));
    const imported = await call('POST', 'import?source=zip', { body, headers: { ...headers, ...ndjson } });
    assert.deepEqual([imported.status, imported.body.created], [200, 1]);
    const cut = body.subarray(0, -6);
    const broken = await call('POST', 'import?source=zip', { body: cut, headers: { ...headers, ...ndjson } });
    assert.equal(broken.status, 400);
    const wrong = await call('PATCH', 'calendars?source=zip', { body: cut, headers });
    assert.deepEqual(codesOf(wrong), [400, 'SUPPLY_VALIDATION_ERROR', '']);
    const other = await call('PATCH', 'calendars?source=zip', {
      body,
      headers: { 'content-encoding': 'br' },
    });
    assert.deepEqual([other.status, other.body.code], [400, 'SUPPLY_VALIDATION_ERROR']);
    await call('DELETE', 'properties/zipped?source=zip');
  });
});
