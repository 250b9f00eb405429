/** Where calendars may come from, and where name and password go: over real sockets. */
import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { inEnglish } from '../../domain/wrong.ts';
import { type FeedServer, startFeedServer, status } from '../../../test/kit/feed-server.ts';
import { makeTestCertificates } from '../../../test/kit/test-certificates.ts';
import { Wrong } from '../../domain/wrong.ts';
import { fetchFeed, type FetchOptions, parseFeedUrl } from './fetch-feed.ts';
import { isPublicAddress, type LookupAll } from '../../runtime/outbound/public-addresses.ts';

let server: FeedServer;
let other: FeedServer;
before(async () => {
  [server, other] = await Promise.all([startFeedServer(), startFeedServer()]);
});
after(async () => {
  await Promise.all([server.close(), other.close()]);
});

async function fetchFrom(url: string, options: Partial<FetchOptions> = {}): Promise<string> {
  const validators = { etag: null, lastModified: null };
  const fetched = await fetchFeed(new URL(url), validators, {
    allowsPrivate: true,
    timeoutMs: 2000,
    ...options,
  });
  if (fetched.kind === 'fetched') return fetched.body.toString();
  return fetched.kind === 'failed' ? inEnglish(fetched.reason) : fetched.kind;
}

/** Whatever the name is. */
const toLoopback: LookupAll = (_host, done) => done(null, [{ address: '127.0.0.1', family: 4 }]);

describe('A server that falls silent', () => {
  const answers: readonly (readonly [string, FeedServer['answer']])[] = [
    ['before its answer', () => undefined],
    ['within its answer', (_request, response) => void response.writeHead(200).write('BEGIN:VCALENDAR')],
  ];
  for (const [when, answer] of answers) {
    it(`is given up ${when}, before all the time for a calendar is over`, async () => {
      server.answer = answer;
      const reason = await fetchFrom(server.url, { silenceMs: 100, timeoutMs: 5_000 });
      assert.equal(reason, 'the server sent nothing for 0.1 s');
    });
  }
});

describe('Addresses', () => {
  const refused = [
    '127.0.0.1',
    '127.255.0.9',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'fc00::1',
    'fd12::1',
    'fec0::1',
    'ff02::1',
    '::ffff:10.0.0.1',
    '::ffff:7f00:1',
    '::127.0.0.1',
    '64:ff9b::a00:1',
    '64:ff9b:1::1',
    '2002:7f00:1::',
    '168.63.129.16',
    '::ffff:168.63.129.16',
    '::ffff:a83f:8110',
    '::168.63.129.16',
    '64:ff9b::a83f:8110',
    '2002:a83f:8110::',
    '2001::1',
    '2001:db8::1',
    'fe80::1%eth0',
    '2001:470:1:1:0:5efe:10.0.0.1',
    '2001:470:1:1:200:5efe:192.168.1.1',
    '2001:470:1:1:0:5efe:7f00:1',
    '2606:4700::5efe:168.63.129.16',
    '::5efe:10.0.0.1',
    '2002:a00:1::5efe:10.0.0.1',
    '2001:0:5ef5:79fd::a00:1',
    'nonsense',
    '',
  ];
  for (const address of refused)
    it(`${address} is not public`, () => assert.equal(isPublicAddress(address), false));
  for (const address of [
    '93.184.215.14',
    '::ffff:93.184.215.14',
    '64:ff9b::5db8:d70e',
    '2606:4700::1111',
    '2001:470:1:1:200:5efe:93.184.215.14',
  ]) {
    it(`${address} is public`, () => assert.equal(isPublicAddress(address), true));
  }
});

describe('A fetch', () => {
  it('does not connect to a name that leads to loopback', async () => {
    const count = server.requests.length;
    const url = `http://calendar.example:${server.port}/`;
    assert.match(await fetchFrom(url, { allowsPrivate: false, lookup: toLoopback }), /private address/);
    const mixed: LookupAll = (_host, done) =>
      done(null, [
        { address: '93.184.215.14', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ]);
    assert.match(await fetchFrom(url, { allowsPrivate: false, lookup: mixed }), /private address/);
    assert.equal(server.requests.length, count);
  });

  it('connects to the address that was checked: a name is looked up once', async () => {
    let lookups = 0;
    const lookup: LookupAll = (host, done) => {
      lookups += 1;
      toLoopback(host, done);
    };
    server.answer = status(200, {}, 'calendar');
    const options = { allowsPrivate: false, lookup, isPublic: () => true };
    assert.equal(await fetchFrom(`http://calendar.example:${server.port}/`, options), 'calendar');
    assert.equal(lookups, 1);
  });

  it('is refused by the name that leads elsewhere a moment later, at the next hop', async () => {
    const answers = ['127.0.0.1', '10.0.0.1'];
    const lookup: LookupAll = (_host, done) => done(null, [{ address: answers.shift()!, family: 4 }]);
    const isPublic = (address: string): boolean => address === '127.0.0.1' || isPublicAddress(address);
    server.answer = status(302, { location: '/next' });
    const count = server.requests.length;
    const options = { allowsPrivate: false, lookup, isPublic };
    assert.match(await fetchFrom(`http://calendar.example:${server.port}/`, options), /private address/);
    assert.equal(server.requests.length - count, 1);
    assert.deepEqual(answers, []);
  });

  it('ends when a name does not resolve, or is never answered', async () => {
    const notFound = Object.assign(new Error('calendar.example'), { code: 'ENOTFOUND' });
    const cases: [LookupAll, RegExp][] = [
      [() => undefined, /did not arrive within 0.3 s/],
      [(_host, done) => done(notFound, []), /^the connection failed \(ENOTFOUND\)$/],
      [(_host, done) => done(null, []), /^the connection failed/],
    ];
    for (const [lookup, reason] of cases) {
      const options = { allowsPrivate: false, lookup, timeoutMs: 300 };
      assert.match(await fetchFrom('http://calendar.example/', options), reason);
    }
  });

  it('does not follow a redirect to 127.0.0.1, nor to a name that leads there', async () => {
    for (const host of ['127.0.0.1', '[::ffff:7f00:1]', 'inside.example']) {
      let checks = 0;
      const isPublic = (address: string): boolean => ++checks === 1 || isPublicAddress(address);
      server.answer = status(302, { location: `http://${host}:${other.port}/` });
      const options = { allowsPrivate: false, lookup: toLoopback, isPublic };
      assert.match(
        await fetchFrom(`http://calendar.example:${server.port}/`, options),
        /private address/,
        host,
      );
      assert.equal(checks, 2);
    }
    assert.equal(other.requests.length, 0);
  });

  it('follows three redirects, and sends name and password to their own origin only', async () => {
    server.answer = (request, response) => {
      const hop = Number(request.url!.slice(1));
      const location = hop < 2 ? `/${hop + 1}` : `http://127.0.0.1:${other.port}/`;
      response.writeHead(302, { location }).end();
    };
    other.answer = status(200, {}, 'calendar');
    assert.equal(await fetchFrom(`http://ada:s%40crét@127.0.0.1:${server.port}/0`), 'calendar');
    const sent = server.requests.slice(-3).map(({ headers }) => headers.authorization);
    assert.deepEqual(new Set(sent), new Set([`Basic ${Buffer.from('ada:s@crét').toString('base64')}`]));
    assert.equal(other.requests.at(-1)!.headers.authorization, undefined);
    assert.match(await fetchFrom(`http://ada:x@127.0.0.1:${server.port}/-1`), /more than 3 times/);
  });

  it('ends in time, whatever comes before the body', async () => {
    const slow = (request: IncomingMessage, response: ServerResponse): void =>
      void setTimeout(() => response.writeHead(302, { location: `${request.url}x` }).end(), 150);
    const raw =
      (first: string, text = first): FeedServer['answer'] =>
      (_request, response) => {
        const { socket } = response;
        socket!.on('error', () => undefined);
        const write = (): void => void (socket!.destroyed || socket!.write(text, () => setImmediate(write)));
        socket!.write(first, () => setImmediate(write));
      };
    const cases: [FeedServer['answer'], RegExp][] = [
      // Each hop is quick enough, all of them are not.
      [slow, /did not arrive within 0.4 s/],
      [raw('HTTP/1.1 103 Early Hints\r\n\r\n'), /did not arrive within 0.4 s/],
      [raw('HTTP/1.1 200 OK\r\n', `x: ${'x'.repeat(1000)}\r\n`), /connection failed \(HPE_HEADER_OVERFLOW\)/],
      [raw('not http at all\r\n'), /connection failed \(HPE_INVALID_CONSTANT\)/],
      [status(200, { 'content-length': '6000000' }), /larger than 5 MB/],
      [status(206, {}, 'BEGIN'), /status 206/],
      [status(204), /status 204/],
    ];
    for (const [answer, reason] of cases) {
      server.answer = answer;
      assert.match(await fetchFrom(`http://127.0.0.1:${server.port}/`, { timeoutMs: 400 }), reason);
    }
  });

  it('trusts https only with a certificate, and does not go from there to http', async () => {
    const { key, certificate: cert, authority } = makeTestCertificates();
    const secure = createServer({ key, cert }, (_request, response) =>
      response.writeHead(302, { location: `http://localhost:${server.port}/` }).end(),
    );
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
    const url = `https://localhost:${(secure.address() as AddressInfo).port}/`;
    const count = server.requests.length;
    assert.match(await fetchFrom(url), /connection failed \([A-Z_]*UNABLE_TO_VERIFY[A-Z_]*\)/);
    const trusted = getCACertificates('default');
    setDefaultCACertificates([...trusted, authority]);
    try {
      assert.equal(await fetchFrom(url), 'it redirects from https to http');
    } finally {
      setDefaultCACertificates(trusted);
      secure.closeAllConnections();
      secure.close();
    }
    assert.equal(server.requests.length, count);
  });

  it('takes URLs of the web, and webcal', () => {
    assert.equal(String(parseFeedUrl('webcal://a.example/1.ics')), 'https://a.example/1.ics');
    for (const text of [
      'file:///etc/passwd',
      'ftp://a.example/',
      'a.example/1.ics',
      '',
      `https://a/${'x'.repeat(2000)}`,
    ]) {
      assert.ok(parseFeedUrl(text) instanceof Wrong, text);
    }
  });
});
