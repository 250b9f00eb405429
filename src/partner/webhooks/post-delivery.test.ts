/** Endpoints that are slow, wrong or hostile: over real sockets. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, describe, it } from 'node:test';
import {
  type HookServer,
  startHookServer,
  status,
  trustedCertificates,
} from '../../../test/kit/hook-server.ts';
import { makeTestCertificates } from '../../../test/kit/test-certificates.ts';
import type { LookupAll } from '../../runtime/outbound/public-addresses.ts';
import { inEnglish, Wrong } from '../../domain/wrong.ts';
import { parseWebhookUrl } from './webhook-changes.ts';
import { ANSWER_BYTES_MAX, postDelivery, type PostOptions, TRY_MS_MAX } from './post-delivery.ts';

const MESSAGE = { headers: { 'webhook-id': 'msg_1' }, body: '{"è":1}' };

let server: HookServer;
let untrusted: HookServer;
before(async () => {
  server = await startHookServer(trustedCertificates());
  untrusted = await startHookServer(makeTestCertificates());
});
after(() => Promise.all([server.close(), untrusted.close()]));
afterEach(() => void (server.received.length = 0));

const post = (url: string, options: Partial<PostOptions> = {}) =>
  postDelivery(new URL(url), MESSAGE, {
    allowsPrivate: true,
    signal: new AbortController().signal,
    timeoutMs: 2_000,
    ...options,
  });

const answered = (code: number, retryAfter?: string) => ({ kind: 'answered', status: code, retryAfter });

describe('A try', () => {
  it('takes 15 seconds at most', () => assert.equal(TRY_MS_MAX, 15_000));

  it('posts the body as it is, with its headers', async () => {
    assert.deepEqual(await post(`${server.url}/hooks?a=b`), answered(204));
    const [received] = server.received;
    assert.deepEqual([received?.path, received?.body], ['/hooks?a=b', MESSAGE.body]);
    assert.equal(received?.headers['content-type'], 'application/json');
    assert.equal(received?.headers['webhook-id'], 'msg_1');
  });

  it('follows no redirect', async () => {
    for (const code of [301, 302, 303, 307, 308]) {
      server.answer = status(code, { location: `${server.url}/elsewhere` });
      assert.deepEqual(await post(server.url), answered(code));
    }
    assert.deepEqual(new Set(server.received.map(({ path }) => path)), new Set(['/']));
  });

  it('knows how long the server asks to be left alone', async () => {
    server.answer = status(503, { 'retry-after': '120' });
    assert.deepEqual(await post(server.url), answered(503, '120'));
  });

  it('waits for a server that never answers as long as it may, and no longer', async () => {
    server.answer = () => undefined;
    const begunMs = performance.now();
    assert.deepEqual(await post(server.url, { timeoutMs: 300 }), {
      kind: 'failed',
      wrong: { code: 'serverLate', values: { seconds: 0.3 } },
    });
    assert.ok(performance.now() - begunMs < 2_000);
  });

  it('ends in time when the body drips for ever', async () => {
    server.answer = (response) => {
      response.writeHead(200).write('a');
      const drip = setInterval(() => response.write('a'), 20);
      response.on('close', () => clearInterval(drip));
    };
    const begunMs = performance.now();
    assert.deepEqual(await post(server.url, { timeoutMs: 300 }), answered(200));
    assert.ok(performance.now() - begunMs < 2_000);
  });

  it('reads a little of a body of 1 GB', async () => {
    let sentBytes = 0;
    const gone = Promise.withResolvers<void>();
    server.answer = (response) => {
      response.writeHead(200, { 'content-length': String(2 ** 30) });
      const chunk = Buffer.alloc(64 * 1024);
      response.on('close', gone.resolve);
      const pour = (): void => {
        while (!response.destroyed && sentBytes < 2 ** 30) {
          sentBytes += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', pour);
        }
      };
      pour();
    };
    assert.deepEqual(await post(server.url), answered(200));
    await gone.promise;
    // Bytes in the buffers of sockets count as sent.
    assert.ok(sentBytes < ANSWER_BYTES_MAX + 32 * 2 ** 20, String(sentBytes));
  });

  it('survives answers that are no HTTP', async () => {
    server.answer = (response) => void response.socket?.end('hello\r\n\r\n');
    assert.equal((await post(server.url)).kind, 'failed');
    server.answer = (response) => void response.socket?.destroy();
    assert.equal((await post(server.url)).kind, 'failed');
  });

  it('refuses certificates of authorities that nobody knows, and of other names', async () => {
    const unknown = await post(untrusted.url);
    assert.match(
      unknown.kind === 'failed' ? inEnglish(unknown.wrong) : '',
      /UNABLE_TO_VERIFY|SELF_SIGNED|CERT_SIGNATURE_FAILURE/,
    );
    const other = await post(server.url.replace('localhost', '127.0.0.1'));
    assert.match(other.kind === 'failed' ? inEnglish(other.wrong) : '', /ERR_TLS_CERT_ALTNAME_INVALID/);
    assert.deepEqual([untrusted.received.length, server.received.length], [0, 0]);
  });

  it('checks them whatever NODE_TLS_REJECT_UNAUTHORIZED says', async () => {
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      assert.equal((await post(untrusted.url)).kind, 'failed');
    } finally {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
    }
  });

  it('rejects when it is given up', async () => {
    const giveUp = new AbortController();
    // Once the server has it: a later arrival would count in the next test.
    server.answer = () => giveUp.abort();
    await assert.rejects(post(server.url, { signal: giveUp.signal }));
  });
});

/** As WHATWG URLs read them: decimal, octal, hexadecimal, short, with a dot at the end, and IPv4 within IPv6. */
const PRIVATE_HOSTS = [
  '127.0.0.1',
  '127.0.0.1.',
  '2130706433',
  '0177.0.0.1',
  '0x7f000001',
  '127.1',
  '0',
  '0.0.0.0',
  '10.1',
  '169.254.169.254',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:a00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::10.0.0.1]',
  '[64:ff9b:1::1]',
  '[2002:7f00:1::]',
  '[fe80::1]',
  '[fc00::1]',
];

describe('Addresses of endpoints', () => {
  const PRIVATE = {
    kind: 'failed',
    wrong: { code: 'addressPrivate', values: { setting: 'WEBHOOK_ALLOW_PRIVATE' } },
  };

  it('are refused when they are private, literal or by name', async () => {
    for (const host of [...PRIVATE_HOSTS, 'localhost'])
      assert.deepEqual(await post(`https://${host}:9/`, { allowsPrivate: false }), PRIVATE, host);
    // Not every system knows this name.
    const dotted = server.url.replace('localhost', 'localhost.');
    assert.equal((await post(dotted, { allowsPrivate: false })).kind, 'failed');
    assert.equal(server.received.length, 0);
  });

  it('are refused when a webhook is created, however they are written', () => {
    const reasonOf = (text: string, allowsPrivate: boolean): string => {
      const parsed = parseWebhookUrl(text, allowsPrivate);
      return parsed instanceof Wrong ? inEnglish(parsed) : '';
    };
    for (const host of PRIVATE_HOSTS) {
      assert.match(reasonOf(`https://${host}/hooks`, false), /^leads to the private address/, host);
      assert.ok(parseWebhookUrl(`https://${host}/hooks`, true) instanceof URL, host);
    }
    assert.match(reasonOf('https://[fe80::1%25eth0]/', true), /must be at most/, 'no URL');
  });

  it('each try opens a new connection, although the server would keep the last one', async () => {
    server.answer = status(200, { connection: 'keep-alive' });
    const before = server.connectionCount;
    for (let count = 0; count < 3; count += 1) assert.deepEqual(await post(server.url), answered(200));
    assert.equal(server.connectionCount - before, 3);
  });

  it('are looked up again for each try: a name that becomes private is refused then', async () => {
    server.answer = status(204);
    let address = '127.0.0.1';
    const lookup: LookupAll = (_host, done) => done(null, [{ address, family: 4 }]);
    const rule = { allowsPrivate: false, lookup, isPublic: (one: string) => one === '127.0.0.1' };
    assert.deepEqual(await post(server.url, rule), answered(204));
    address = '10.0.0.7';
    assert.deepEqual(await post(server.url, rule), PRIVATE);
    assert.equal(server.received.length, 1);
  });

  it('are refused when one of several is private', async () => {
    const lookup: LookupAll = (_host, done) =>
      done(null, [
        { address: '127.0.0.1', family: 4 },
        { address: '10.0.0.7', family: 4 },
      ]);
    const rule = { allowsPrivate: false, lookup, isPublic: (one: string) => one === '127.0.0.1' };
    assert.deepEqual(await post(server.url, rule), PRIVATE);
  });

  it('can not be reached by a redirect to plain HTTP', async () => {
    let count = 0;
    const plain = createServer((_request, response) => {
      count += 1;
      response.end();
    });
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    const { port } = plain.address() as AddressInfo;
    server.answer = status(307, { location: `http://127.0.0.1:${port}/` });
    assert.deepEqual(await post(server.url), answered(307));
    assert.equal(count, 0);
    plain.close();
  });
});
