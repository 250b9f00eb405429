/** `/images/…` of the web listener: the pictures of one folder, to browsers and to people who want more than that. */
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Installation, openInstallation } from '../../kit/installation.ts';
import { exchange } from '../../kit/raw-client.ts';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 2"><rect width="3" height="2"/></svg>';

describe('/images', () => {
  let installation: Installation;
  let folder: string;
  let webUrl = '';
  let port = 0;

  before(async () => {
    installation = await openInstallation();
    folder = join(installation.folder, 'pictures');
    mkdirSync(join(folder, 'hotel ponte'), { recursive: true });
    mkdirSync(join(folder, '.git'));
    for (const path of ['hotel ponte/façade.svg', '.git/config.svg', '.hidden.svg', '../secret.svg'])
      writeFileSync(join(folder, path), SVG);
    symlinkSync('../secret.svg', join(folder, 'link.svg'));
    symlinkSync('..', join(folder, 'up'));
    const service = await installation.serve({ WEB_PORT: '0', WEB_LIMIT: '0', WEB_IMAGES: folder });
    webUrl = service.webUrl ?? '';
    port = Number(new URL(webUrl).port);
  });
  after(() => installation.close());

  const raw = async (target: string, { method = 'GET', headers = '' } = {}) => {
    const request = `${method} ${target} HTTP/1.1\r\nHost: x\r\n${headers}Connection: close\r\n\r\n`;
    const { answers } = await exchange(port, [request], { isHead: method === 'HEAD' });
    return answers[0]!;
  };
  const FACADE = '/images/hotel%20ponte/fa%C3%A7ade.svg';

  it('answers with the picture, its type, a tag of its content, and headers that keep it a picture', async () => {
    const answer = await raw(FACADE);
    assert.equal(answer.status, 200);
    assert.equal(answer.body, SVG);
    assert.equal(answer.headers.get('content-type'), 'image/svg+xml');
    assert.equal(answer.headers.get('content-length'), String(SVG.length));
    assert.match(answer.headers.get('etag') ?? '', /^"[\w-]{27}"$/);
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=600');
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(
      answer.headers.get('content-security-policy'),
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    );
    assert.equal(answer.headers.get('cross-origin-resource-policy'), 'cross-origin');
    assert.equal(answer.headers.get('set-cookie'), undefined);
  });

  it('answers a HEAD and a conditional request without the picture', async () => {
    const { headers } = await raw(FACADE);
    const etag = headers.get('etag') ?? '';
    const head = await raw(FACADE, { method: 'HEAD' });
    assert.deepEqual([head.status, head.body, head.headers.get('etag')], [200, '', etag]);
    assert.equal(head.headers.get('content-length'), String(SVG.length));
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const answer = await raw(FACADE, { headers: `If-None-Match: ${known}\r\n` });
      assert.deepEqual([answer.status, answer.body, answer.headers.get('etag')], [304, '', etag], known);
    }
    assert.equal((await raw(FACADE, { headers: 'If-None-Match: "x"\r\n' })).status, 200);
    assert.equal((await raw(`${FACADE}?width=3`)).status, 200);
  });

  it('shows a changed file without a restart', async () => {
    writeFileSync(join(folder, 'changing.svg'), SVG);
    const before = await raw('/images/changing.svg');
    writeFileSync(join(folder, 'changing.svg'), SVG.replace('height="2"', 'height="1"'));
    const changed = await raw('/images/changing.svg', {
      headers: `If-None-Match: ${before.headers.get('etag')}\r\n`,
    });
    assert.equal(changed.status, 200);
    assert.match(changed.body, /height="1"/);
  });

  for (const target of [
    '/images',
    '/images/',
    '/images/none.svg',
    '/images/../secret.svg',
    '/images/%2e%2e/secret.svg',
    '/images/%2E%2E%2Fsecret.svg',
    '/images/..%2fsecret.svg',
    '/images/%252e%252e/secret.svg',
    '/images/..%252fsecret.svg',
    '/images/..%5csecret.svg',
    '/images/..\\secret.svg',
    '/images/hotel%20ponte/..%2f..%2fsecret.svg',
    '/images/hotel%20ponte%2Ffa%C3%A7ade.svg',
    '/images/hotel%20ponte/../../secret.svg',
    '/images//etc/passwd',
    '/images/%2Fetc/passwd',
    '/images/C:%5csecret.svg',
    '/images/.hidden.svg',
    '/images/%2ehidden.svg',
    '/images/.git/config.svg',
    '/images/link.svg',
    '/images/up/secret.svg',
    '/images/up/pictures/hotel%20ponte/fa%C3%A7ade.svg%00',
    '/images/hotel%20ponte/fa%C3%A7ade.svg%00.png',
    '/images/hotel%20ponte/fa%C3%A7ade.svg/',
    '/images/hotel%20ponte',
    '/images/hotel%20ponte/fa%E7ade.svg',
    '/images/%c0%ae%c0%ae/secret.svg',
    '/images/%zz',
    '/images/%',
    `/images/${'a/'.repeat(5_000)}`,
    `/images/${'x'.repeat(10_000)}`,
  ])
    it(`has nothing at ${target.slice(0, 60)}`, async () => {
      const answer = await raw(target);
      assert.equal(answer.status, 404);
      assert.doesNotMatch(answer.body, /<rect/);
      assert.equal(answer.headers.get('cache-control'), 'private, no-store');
    });

  it('takes no other method', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const answer = await raw(FACADE, { method, headers: 'Content-Length: 0\r\n' });
      assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'GET, HEAD'], method);
    }
  });

  it('counts pictures apart from pages: thirty of them for each page that WEB_LIMIT lets pass', async () => {
    const limited = await installation.serve({ WEB_PORT: '0', WEB_LIMIT: '1', WEB_IMAGES: folder });
    const statuses: number[] = [];
    for (let count = 0; count < 31; count += 1)
      statuses.push((await fetch(`${limited.webUrl}${FACADE}`)).status);
    assert.deepEqual(new Set(statuses.slice(0, 30)), new Set([200]));
    assert.equal(statuses[30], 429);
    assert.notEqual((await fetch(`${limited.webUrl}/handoff`)).status, 429);
  });

  it('is not there without the setting, and a folder that is not there stops the start', async () => {
    const service = await installation.serve({ WEB_PORT: '0' });
    assert.equal((await fetch(`${service.webUrl}${FACADE}`)).status, 404);
    for (const [path, code] of [
      [join(folder, 'none'), 'ENOENT'],
      [join(folder, '.hidden.svg'), 'ENOTDIR'],
    ] as const)
      await assert.rejects(
        installation.serve({ WEB_PORT: '0', WEB_IMAGES: path }),
        new RegExp(`WEB_IMAGES: .*\\(${code}\\); name a folder`),
      );
  });
});
