import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { KNOWN_ORIGIN, type RunningServer, startPartnerServer } from '../../../test/kit/http-fixtures.ts';

describe('pages on the partner listener', () => {
  let server: RunningServer;
  before(async () => {
    server = await startPartnerServer();
  });
  after(() => server.close());

  it('need no credential and have the correlation id', async () => {
    for (const path of ['/', '/docs', '/openapi.json', '/problems', '/problems/validation-error']) {
      const response = await fetch(server.url + path);
      assert.equal(response.status, 200, path);
      assert.ok(response.headers.has('x-correlation-id'));
      assert.equal(response.headers.has('x-ratelimit-limit'), false);
    }
  });

  it('answer HEAD, and no other method', async () => {
    const head = await fetch(`${server.url}/docs`, { method: 'HEAD' });
    assert.equal(head.status, 200);
    assert.equal(await head.text(), '');
    assert.ok(Number(head.headers.get('content-length')) > 1_000);
    const post = await fetch(`${server.url}/docs`, { method: 'POST', body: 'x' });
    assert.equal(post.status, 405);
    assert.equal(post.headers.get('allow'), 'GET, HEAD');
  });

  it('are served while the catalogue is not ready', async () => {
    const starting = await startPartnerServer({ readiness: () => ({ reason: 'loading' }) });
    assert.equal((await fetch(`${starting.url}/docs`)).status, 200);
    await starting.close();
  });

  it('a problem that does not exist has none', async () => {
    assert.equal((await fetch(`${server.url}/problems/nope`)).status, 404);
  });

  it('the OpenAPI description is for any origin, once', async () => {
    const response = await fetch(`${server.url}/openapi.json`, { headers: { origin: KNOWN_ORIGIN } });
    assert.equal(response.headers.get('access-control-allow-origin'), '*');
    assert.equal(response.headers.get('content-type'), 'application/json');
  });

  it('do not change with the query', async () => {
    assert.equal((await fetch(`${server.url}/docs?x=1`)).status, 200);
  });

  it('that are compressed are unpacked for a client that does not take gzip', async () => {
    const reference = await (await fetch(`${server.url}/docs/reference`)).text();
    const script = /src="\.\/(scalar-[^"]*)"/.exec(reference)?.[1];
    const lengths = new Map<string, number>();
    for (const coding of ['gzip', 'br, gzip;q=0.5', 'identity', 'gzip;q=0', '*;q=0.0']) {
      const headers = { 'accept-encoding': coding };
      const response = await fetch(`${server.url}/docs/${script}`, { headers, method: 'HEAD' });
      assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable');
      assert.match(response.headers.get('vary') ?? '', /Accept-Encoding/);
      lengths.set(coding, Number(response.headers.get('content-length')));
    }
    const [packed, alsoPacked, ...unpacked] = [...lengths.values()];
    assert.ok(packed === alsoPacked && packed! < 1_500_000, JSON.stringify([...lengths]));
    for (const length of unpacked) assert.ok(length > 4_000_000, JSON.stringify([...lengths]));
  });

  it('make their examples on the day that is asked, and keep their paths', async () => {
    let nowMs = Date.parse('2026-11-20T23:59:00Z');
    const moving = await startPartnerServer({ clock: () => nowMs });
    const search = async (): Promise<string> => await (await fetch(`${moving.url}/docs`)).text();
    assert.match(await search(), /checkIn=2026-12-20/);
    nowMs += 120_000;
    assert.match(await search(), /checkIn=2026-12-21/);
    await moving.close();
  });

  it('may call operations from the page that this service shows, and from no other', async () => {
    const ask = (origin: string) => server.fetch('/v1/properties?city=Roma', { headers: { origin } });
    assert.equal((await ask('http://127.0.0.1:8080')).status, 200);
    assert.equal((await ask('http://127.0.0.1:8081')).status, 403);
  });
});
