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
});
