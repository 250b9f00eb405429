/** Setting supply up over HTTP, on PostgreSQL: each operation once, as far as an engine could make a difference. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { hotel } from '../../kit/catalogue-lines.ts';
import { until } from '../../kit/command-line.ts';
import { WorkplaceHere } from '../../kit/commands-here.ts';
import { calendar, type FeedServer, startFeedServer } from '../../kit/feed-server.ts';
import {
  callSupply,
  codesOf,
  startSupply,
  type SupplyAnswer,
  type SupplyCall,
  type SupplyRunning,
} from '../../kit/supply-client.ts';
import { describePostgres } from '../../suites/storage/postgres-fixture.ts';

const TYPE = { propertyId: 'ponte', inventoryTypeId: 'double' };
const NIGHTS = { ...TYPE, dateFrom: '2026-12-30', dateTo: '2026-12-31' };

describePostgres('Setting supply up on PostgreSQL', (server) => {
  let running: SupplyRunning;
  let feeds: FeedServer;
  let databaseUrl: string;
  before(async () => {
    feeds = await startFeedServer();
    databaseUrl = await server().createDatabase();
    const environment = { ICAL_ALLOW_PRIVATE: 'true', WEB_PORT: '0' };
    running = await startSupply([hotel('ponte'), hotel('canal')], environment, databaseUrl);
  });
  after(async () => {
    await running.installation.close();
    await feeds.close();
  });

  const call = (method: string, path: string, options: Partial<SupplyCall> = {}): Promise<SupplyAnswer> =>
    callSupply(running.service.operatorUrl, method, path, { token: running.anyToken, ...options });
  const closeFor = (source: string): Promise<SupplyAnswer> => {
    const entries = ['ponte', 'canal'].map((propertyId) => ({ ...NIGHTS, propertyId, stopSell: true }));
    return call('PATCH', `calendars?source=${source}`, { body: { entries } });
  };
  /** Of a list with two rows, one a page. */
  async function keysOf(path: string, name: string, key: string): Promise<readonly unknown[]> {
    const { body: first } = await call('GET', `${path}?limit=1`);
    const { body: second } = await call('GET', `${path}?limit=1&after=${encodeURIComponent(first.next)}`);
    assert.equal(second.next, null);
    return [...first[name], ...second[name]].map((row) => row[key]);
  }
  async function closers(): Promise<readonly string[]> {
    const { body } = await call('GET', 'properties/ponte');
    const closing = body.layers.filter((layer: object) => JSON.stringify(layer).includes('"stopSell":true'));
    return closing.map(({ source }: { source: string }) => source);
  }

  it('lists properties, sets mappings, and deletes one', async () => {
    assert.deepEqual(await keysOf('properties', 'properties', 'propertyId'), ['canal', 'ponte']);
    const mappings = ['a/b', 'B'].map((externalKey) => ({ externalKey, ...TYPE }));
    const set = await call('PUT', 'mappings?source=pms', { body: { mappings } });
    assert.deepEqual(set.body, { source: 'pms', set: 2 });
    assert.deepEqual(await keysOf('mappings', 'mappings', 'externalKey'), ['B', 'a/b']);
    assert.equal((await call('DELETE', 'mappings/a%2Fb?source=pms')).status, 200);
    const gone = await call('DELETE', 'mappings/a%2Fb?source=pms');
    assert.deepEqual(codesOf(gone), [404, 'SUPPLY_NOT_FOUND']);
  });

  it('subscribes to a feed once for a key, reads it, and ends it', async () => {
    feeds.answer = calendar(['2026-12-24', '2026-12-26']);
    const body = { ...TYPE, url: `${feeds.url}/1.ics`, every: '2h', name: 'Airbnb' };
    const subscribe = (): Promise<SupplyAnswer> =>
      call('POST', 'feeds', { body, headers: { 'idempotency-key': 'key-1' } });
    const both = await Promise.all([subscribe(), subscribe()]);
    const [feedId, same] = both.map((answer) => answer.body.feedId as string);
    assert.deepEqual([both.map((answer) => answer.status), same], [[201, 201], feedId]);
    await call('POST', `feeds/${feedId}/poll`);
    const { body: feed } = await call('GET', `feeds/${feedId}`);
    assert.deepEqual([feed.state, feed.events, feed.nights], ['ok', 1, 2]);
    assert.deepEqual(await closers(), [`ical:${feedId}`]);
    assert.equal((await call('DELETE', `feeds/${feedId}`)).status, 200);
    assert.deepEqual(await closers(), []);
  });

  it('closes nights and opens them', async () => {
    const dry = await call('POST', 'close', { body: { ...NIGHTS, dryRun: true } });
    assert.deepEqual([dry.body.changed, await closers()], [true, []]);
    assert.equal((await call('POST', 'close', { body: NIGHTS })).body.changed, true);
    assert.deepEqual(await closers(), ['manual']);
    assert.equal((await call('POST', 'open', { body: NIGHTS })).body.changed, true);
    assert.deepEqual(await closers(), []);
  });

  it('publishes calendars and ends one', async () => {
    const pathOf = (id: string): string => `inventory-types/${id}/double/published-calendar`;
    const [published] = await Promise.all(['ponte', 'canal'].map((id) => call('POST', pathOf(id))));
    assert.deepEqual(await keysOf('published-calendars', 'calendars', 'propertyId'), ['canal', 'ponte']);
    const url = `${running.service.webUrl}${new URL(published!.body.url).pathname}`;
    const isServed = async (): Promise<boolean> => (await fetch(url)).status === 200;
    await until(isServed);
    assert.deepEqual((await call('DELETE', pathOf('ponte'))).body, TYPE);
    await until(async () => !(await isServed()));
  });

  it('retires a source, and by command leaves the same message behind', async () => {
    const workplace = new WorkplaceHere({ DATABASE_URL: databaseUrl });
    try {
      const retired = { properties: 2, nights: 4, dryRun: false };
      await closeFor('by-http');
      assert.deepEqual((await call('DELETE', 'sources/by-http')).body, { source: 'by-http', ...retired });
      await closeFor('by-command');
      const { body } = await call('GET', 'sources');
      assert.ok(body.sources.some(({ source }: { source: string }) => source === 'by-command'));
      const printed = await workplace.json(['source', 'retire', 'by-command']);
      assert.deepEqual(printed, { source: 'by-command', ...retired });
      assert.deepEqual(await closers(), []);
    } finally {
      await workplace.remove();
    }
    const messages = ['by-http', 'by-command'].map(async (source) => {
      const { body } = await call('GET', `messages?source=${source}&limit=1`);
      const { messageId: _id, receivedAt: _at, source: _source, ...rest } = body.messages[0];
      return rest;
    });
    const [byHttp, byCommand] = await Promise.all(messages);
    assert.equal(byHttp.kind, 'retirement');
    assert.deepEqual(byCommand, { ...byHttp, revision: byCommand.revision });
  });
});
