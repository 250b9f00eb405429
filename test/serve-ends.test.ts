/** `serve` as a child process: how it starts, and that it ends as it is told to. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { daysAhead } from './kit/catalogue-lines.ts';
import { SAMPLE, startServer, until, Workplace } from './kit/command-line.ts';
import { WorkplaceHere } from './kit/commands-here.ts';

const IS_WINDOWS = process.platform === 'win32';

describe(
  'The end of a server',
  { skip: IS_WINDOWS && 'Windows has no signals that a process can answer' },
  () => {
    const workplace = new WorkplaceHere();
    let token: string;
    before(async () => {
      await workplace.run(['partner', 'create', '--name', 'Acme', '--partner-id', 'acme']);
      ({ token } = await workplace.json(['credential', 'issue', '--partner', 'acme']));
    });
    after(async () => workplace.remove());

    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      it(`comes with ${signal} after what is in flight is answered, with exit code 0`, async () => {
        const server = await startServer(workplace);
        const slow = await startSlowRequest(server.partnerUrl, token);
        server.child.kill(signal);
        await until(async () => server.printed.stderr.includes('"stopping"'));
        slow.finish();
        assert.equal(await slow.status, 404);
        const ended = await server.ended;
        assert.deepEqual([ended.code, ended.signal], [0, null]);
        assert.match(ended.stderr, /"stopped"/);
        assert.equal(ended.stderr.includes('Warning'), false);
      });
    }

    it('comes in time while a feed and the collector of traces switch protocols', async () => {
      const switching = createServer((socket) => {
        socket.on('error', () => undefined);
        const head = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n';
        socket.once('data', () => void socket.write(head));
      }).listen(0, '127.0.0.1');
      await once(switching, 'listening');
      switching.unref();
      const { port } = switching.address() as AddressInfo;
      const url = `http://127.0.0.1:${port}`;
      await workplace.json(['import', 'catalogue', join(SAMPLE, 'italy.ndjson')]);
      await workplace.json([
        'ical',
        'subscribe',
        '--property',
        'hotel-ponte-venezia',
        '--type',
        'single',
        '--url',
        url,
      ]);
      const server = await startServer(workplace, {
        ICAL_ALLOW_PRIVATE: 'true',
        OTEL_EXPORTER_OTLP_ENDPOINT: url,
      });
      await fetch(`${server.partnerUrl}/v1/properties`);
      await until(async () => server.printed.stderr.includes('iCal feed cannot be read'));
      const begunMs = performance.now();
      server.child.kill('SIGTERM');
      const ended = await server.ended;
      assert.deepEqual([ended.code, performance.now() - begunMs < 20_000], [0, true]);
      switching.close();
    });

    it('comes at once with a second signal', async () => {
      const server = await startServer(workplace);
      const slow = await startSlowRequest(server.partnerUrl, token);
      slow.status.catch(() => undefined);
      server.child.kill('SIGTERM');
      await until(async () => server.printed.stderr.includes('"stopping"'));
      await new Promise((resolve) => setTimeout(resolve, 150));
      server.child.kill('SIGTERM');
      const ended = await server.ended;
      assert.equal(ended.code, 143);
    });

    it('is not hurried by one key press that arrives twice', async () => {
      const server = await startServer(workplace);
      const slow = await startSlowRequest(server.partnerUrl, token);
      server.child.kill('SIGINT');
      server.child.kill('SIGINT');
      await until(async () => server.printed.stderr.includes('"stopping"'));
      slow.finish();
      assert.equal(await slow.status, 404);
      assert.equal((await server.ended).code, 0);
    });
  },
);

describe('The start of a server', () => {
  const workplace = new Workplace();
  after(async () => workplace.remove());

  it('fails in one line that names the port that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    for (const [name, free] of [
      ['PORT', 'OPERATOR_PORT'],
      ['OPERATOR_PORT', 'PORT'],
    ] as const) {
      const ended = await workplace.run(['serve'], {
        env: { [name]: String(port), [free]: '0', LOG_LEVEL: 'warn' },
      });
      assert.equal(ended.code, 1);
      assert.match(ended.stderr, new RegExp(`^stayport: ${name}: 127\\.0\\.0\\.1:${port} [^\n]+\n$`));
    }
    other.close();
  });

  it('writes its log to standard error as JSON lines, and nothing but the URLs to standard output', async () => {
    const server = await startServer(workplace, { LOG_LEVEL: 'debug' });
    server.child.kill('SIGTERM');
    const { stdout, stderr } = await server.ended;
    assert.deepEqual(Object.keys(JSON.parse(stdout)), ['partnerUrl', 'operatorUrl', 'consoleUrl']);
    for (const line of stderr.trimEnd().split('\n')) assert.equal(typeof JSON.parse(line).msg, 'string');
  });
});

/** A quote request for an unknown property (404) whose body does not end before `finish`. */
async function startSlowRequest(
  url: string,
  token: string,
): Promise<{ finish(): void; status: Promise<number> }> {
  const stay = { checkIn: daysAhead(2), checkOut: daysAhead(4), guests: 2 };
  const body = JSON.stringify({ propertyId: 'unknown', stay, locale: 'it-IT' });
  const outgoing = request(`${url}/v1/quotes`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': body.length,
    },
  });
  const status = once(outgoing, 'response').then(([response]) => response.statusCode as number);
  outgoing.write(body.slice(0, 10));
  await once(outgoing, 'socket');
  await new Promise((resolve) => setTimeout(resolve, 100));
  return { finish: () => void outgoing.end(body.slice(10)), status };
}
