/** The web listener with a certificate and a logo of its own; and what happens to connections that behave badly. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { connect as connectTcp, type Socket } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { type Installation, openInstallation, type Served } from '../../kit/installation.ts';
import { makeTestCertificates } from '../../kit/test-certificates.ts';

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40"><script>alert(1)</script><rect width="120" height="40"/></svg>';
const HEADERS_TIMEOUT_SECONDS = 1;
const { authority, certificate, key } = makeTestCertificates();

let installation: Installation;
let service: Served;
let environment: Readonly<Record<string, string>>;
before(async () => {
  installation = await openInstallation();
  const file = (name: string, text: string | Uint8Array): string => {
    const path = join(installation.folder, name);
    writeFileSync(path, text);
    return path;
  };
  environment = {
    WEB_PORT: '0',
    WEB_LIMIT: '0',
    WEB_TLS_CERT: file('web.crt', certificate),
    WEB_TLS_KEY: file('web.key', key),
    WEB_LOGO: file('logo.svg', LOGO),
    HEADERS_TIMEOUT_SECONDS: String(HEADERS_TIMEOUT_SECONDS),
  };
  file('other.key', makeTestCertificates().key);
  file('logo.png', 'not a picture');
  file('large.svg', `<svg>${' '.repeat(300_000)}</svg>`);
  service = await installation.serve(environment);
});
after(() => installation.close());

const port = (): number => Number(new URL(service.webUrl ?? '').port);

async function get(path: string): Promise<{ response: IncomingMessage; body: string }> {
  const asked = request({ host: 'localhost', port: port(), path, ca: authority, agent: false }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return { response, body: (await buffer(response)).toString('utf8') };
}

describe('the web listener with a certificate', () => {
  it('is reached over TLS, by those who trust it', async () => {
    assert.match(service.webUrl ?? '', /^https:\/\/127\.0\.0\.1:\d+$/);
    const { response, body } = await get('/handoff?handoff=x');
    assert.equal(response.statusCode, 400);
    assert.match(body, /data-outcome="invalid"/);
  });

  it('tells browsers to come back over TLS alone, with every answer; without a certificate it does not', async () => {
    for (const path of ['/handoff', '/nothing', '/handoff?handoff=x']) {
      const { response } = await get(path);
      assert.equal(response.headers['strict-transport-security'], 'max-age=31536000', path);
    }
    const plain = await installation.serve({ WEB_PORT: '0' });
    const answer = await fetch(`${plain.webUrl}/handoff`);
    assert.equal(answer.headers.get('strict-transport-security'), null);
    const proxied = await fetch(answer.url, { headers: { 'x-forwarded-proto': 'https' } });
    assert.equal(proxied.headers.get('strict-transport-security'), 'max-age=31536000');
  });

  it('shows the logo with the name, as an asset that runs nothing', async () => {
    const { body } = await get('/handoff');
    const [, path = ''] = /<img src="\.(\/assets\/logo-[0-9a-f]+\.svg)" alt="Stayport"/.exec(body) ?? [];
    const { response, body: svg } = await get(path);
    assert.equal(svg, LOGO);
    assert.equal(response.headers['content-type'], 'image/svg+xml');
    assert.match(String(response.headers['content-security-policy']), /default-src 'none'; sandbox/);
  });

  const wrong = {
    'a key of another certificate': [{ WEB_TLS_KEY: 'other.key' }, /WEB_TLS_CERT and WEB_TLS_KEY/],
    'a file that is not there': [{ WEB_TLS_CERT: 'none.crt' }, /WEB_TLS_CERT: .*none\.crt.*ENOENT/],
    'a logo that is not a picture': [{ WEB_LOGO: 'logo.png' }, /WEB_LOGO: .*PNG/],
    'a logo that is too large': [{ WEB_LOGO: 'large.svg' }, /WEB_LOGO: .*256 KB/],
  } as const;
  for (const [what, [settings, message]] of Object.entries(wrong)) {
    it(`does not start with ${what}, and says which setting is wrong`, async () => {
      const paths = Object.entries(settings).map(([name, file]) => [name, join(installation.folder, file)]);
      await assert.rejects(installation.serve({ ...environment, ...Object.fromEntries(paths) }), message);
    });
  }
});

describe('connections that behave badly', () => {
  const answers = async (): Promise<void> => assert.equal((await get('/handoff')).response.statusCode, 400);

  /** Resolves when the other side has ended it. */
  const ended = (socket: Socket): Promise<void> =>
    new Promise((resolve) => {
      socket.on('error', () => undefined);
      socket.once('close', () => resolve());
      socket.resume();
    });

  it('are ended when they never shake hands', async () => {
    const silent = Array.from({ length: 24 }, () => connectTcp(port(), '127.0.0.1'));
    await answers();
    await Promise.all(silent.map(ended));
  });

  it('are ended when they shake hands and never ask', async () => {
    const socket = connectTls({ port: port(), host: '127.0.0.1', servername: 'localhost', ca: authority });
    await once(socket, 'secureConnect');
    socket.write('GET /handoff HTTP/1.1\r\n');
    await answers();
    await ended(socket);
  });

  it('harm nobody when they speak plain HTTP, or noise, or break off', async () => {
    for (const bytes of [
      'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
      '\u0016\u0003\u0001\u00ff\u00ff',
      'x'.repeat(70_000),
    ]) {
      const socket = connectTcp(port(), '127.0.0.1');
      socket.write(Buffer.from(bytes, 'latin1'));
      await ended(socket);
    }
    for (let times = 0; times < 20; times += 1) {
      const socket = connectTls({ port: port(), host: '127.0.0.1', servername: 'localhost', ca: authority });
      socket.on('error', () => undefined);
      await once(socket, 'secureConnect');
      socket.write('GET /handoff?handoff=x HTTP/1.1\r\nHost: localhost\r\n\r\n');
      socket.destroy();
    }
    await answers();
  });
});
