/** Clients that send anything, and leave in any way at any moment: nothing ends, and nothing is left behind. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  firstLine,
  type RunningServer,
  type Started,
  startServer,
  until,
  Workplace,
} from '../kit/command-line.ts';
import { postgresMissing, type PostgresServer, startPostgres } from '../kit/postgres-server.ts';
import { parseAnswers, type RawAnswer } from '../kit/raw-client.ts';

/** FUZZ_STREAMS: another number, for a slow machine or a long night. */
const STREAMS = Number(process.env['FUZZ_STREAMS'] ?? 100_000);
const CLIENTS = 64;
/** Those of a pool open when they are needed; a stream that leaves one behind would leave hundreds. */
const DATABASE_CONNECTIONS = 12;
/** Of the streams, so many wait between their parts. */
const SLOW_SHARE = 0.05;
const SEED = 20_261_120;

const GET = 'GET /v1/properties?city=x HTTP/1.1\r\nHost: x\r\n';
/** Streams are put together from these; each is a place where the parser or node hands something over. */
const PIECES = [
  'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n',
  'CONNECT a:1 HTTP/1.1\r\n',
  `${GET}\r\n`,
  GET,
  `${GET}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  `${GET}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n`,
  'POST /v1/quotes HTTP/1.1\r\nHost: x\r\nContent-Length: 20\r\n\r\n{"propertyId":"x"}  ',
  'POST /v1/quotes HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n{',
  'POST /v1/quotes HTTP/1.1\r\nHost: x\r\nContent-Length: 999999\r\n\r\n',
  'POST /handoff/resolve HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n',
  'POST /handoff/resolve HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n',
  'GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'HEAD /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(20),
  'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'hello\r\n\r\n',
  'GET // HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'GET http://[ HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
  'POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer x\r\nContent-Length: 99\r\n\r\n{',
  'GET /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer x\r\nAccept: text/event-stream\r\n\r\n',
  'POST /handoff/continue HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nhandoff=x',
  'GET /handoff?handoff=x HTTP/1.1\r\nHost: x\r\n\r\n',
  '\r\n',
  '\0',
  'x'.repeat(20_000),
] as const;

const LEAVINGS = ['reset', 'destroy', 'end', 'reset at once', 'half-close, then reset'] as const;

const WEB = { WEB_PORT: '0', WEB_LIMIT: '0' };

const DATABASES = {
  SQLite: { streams: STREAMS, urlOf: () => undefined },
  PostgreSQL: {
    // The same listeners before another database: a tenth shows what is different.
    streams: STREAMS / 10,
    urlOf: async (server: PostgresServer | undefined) => server?.createDatabase(),
  },
} as const;

let postgres: PostgresServer | undefined;
before(async () => {
  if (postgresMissing() === false) postgres = await startPostgres();
});
after(() => postgres?.close());

for (const [database, { streams, urlOf }] of Object.entries(DATABASES)) {
  const skip = database === 'PostgreSQL' && postgresMissing();
  describe(`Raw streams that break anywhere, on ${database}`, { skip }, () => {
    let workplace: Workplace;
    let server: RunningServer;
    let mcp: Started;
    let ports: readonly number[];
    before(async () => {
      const databaseUrl = await urlOf(postgres);
      const settings = { WORKERS: '2', INGRESS_LIMIT: '0', LOG_LEVEL: 'info', ...WEB };
      workplace = new Workplace({ ...settings, ...(databaseUrl && { DATABASE_URL: databaseUrl }) });
      server = await startServer(workplace);
      mcp = workplace.start([
        'mcp',
        '--url',
        server.partnerUrl,
        '--listen',
        '127.0.0.1:0',
        '--limit',
        '0',
        '--json',
      ]);
      const { url } = JSON.parse(await firstLine(mcp)) as { url: string };
      const { webUrl } = JSON.parse(await firstLine(server)) as { webUrl: string };
      ports = [server.partnerUrl, server.operatorUrl, webUrl, url].map((text) => Number(new URL(text).port));
    });
    after(async () => workplace.remove());

    it(`end no process, and leave no descriptor open (${streams} streams, all listeners, two workers)`, async (test) => {
      const random = seededRandom(SEED);
      const descriptorsBefore = countDescriptors();
      let sent = 0;
      let answerCount = 0;
      const wrong: string[] = [];
      const client = async (): Promise<void> => {
        while (sent < streams) {
          sent += 1;
          const listener = sent % ports.length;
          const received = await sendStream(ports[listener]!, random, patienceMs(sent));
          for (const answer of received) {
            answerCount += 1;
            // The first one is the partner listener.
            if (!isAsItShouldBe(answer, listener === 0))
              wrong.push(`${listener}: ${answer.statusLine} ${answer.body}`);
          }
        }
      };
      await Promise.all(Array.from({ length: CLIENTS }, client));
      test.diagnostic(`${answerCount} answers were read`);
      assert.deepEqual(wrong.slice(0, 5), []);
      assert.ok(answerCount > streams / 1_000, `${answerCount} answers`);

      for (const { child, printed } of [server, mcp]) {
        assert.equal(child.exitCode, null, printed.stderr.slice(-2000));
        const troubles = printed.stderr
          .split('\n')
          .filter((line) => /crashed|a worker ended|unexpected/.test(line));
        assert.deepEqual(troubles, []);
      }
      for (const path of ['/livez', '/readyz']) {
        assert.equal((await fetch(server.operatorUrl + path)).status, 200);
      }
      assert.equal((await fetch(`${server.partnerUrl}/v1/properties?city=x`)).status, 401);
      assert.equal((await fetch(`http://127.0.0.1:${ports[3]}/mcp`)).status, 401);
      // A client that ended its side in a proper way may be waited for until its body is drained.
      const tookMs = await until(
        async () => countDescriptors() <= descriptorsBefore + DATABASE_CONNECTIONS,
        20_000,
      );
      test.diagnostic(
        `descriptors: ${descriptorsBefore}, then ${countDescriptors()} after ${Math.round(tookMs)} ms`,
      );
    });

    /** Of the primary process and its workers, without files; 0 where the system does not show them. */
    function countDescriptors(): number {
      const started = server.printed.stderr.split('\n').filter((line) => line.endsWith('"worker started"}'));
      const pids = started.map((line) => (JSON.parse(line) as { pid: number }).pid);
      const folders = [server.child.pid, ...pids]
        .map((pid) => `/proc/${pid}/fd`)
        .filter((path) => existsSync(path));
      return folders.flatMap((folder) => readdirSync(folder).filter((name) => !isFile(join(folder, name))))
        .length;
    }
  });
}

/** The database of what happened opens its files when there is something to write. */
function isFile(descriptor: string): boolean {
  try {
    return readlinkSync(descriptor).startsWith('/');
  } catch {
    return true; // closed meanwhile
  }
}

/** No 500; and what a partner is refused with is a problem, whole. */
function isAsItShouldBe({ status, headers, body }: RawAnswer, isPartner: boolean): boolean {
  if (status === 500) return false;
  if (!isPartner || status < 400 || body === '') return true;
  if (headers.get('content-type') !== 'application/problem+json') return false;
  const problem = JSON.parse(body) as Record<string, unknown>;
  return (
    problem['status'] === status && typeof problem['code'] === 'string' && headers.has('x-correlation-id')
  );
}

/** How long a stream waits for an answer. One in 97 is patient: where the machine is busy, the others read none. */
function patienceMs(stream: number): number {
  return stream % 97 === 0 ? 2_000 : 20;
}

/** One to three pieces, some of them mutated, and a way to leave. The answers that were read, when our side is closed. */
async function sendStream(
  port: number,
  random: () => number,
  answerMsMax: number,
): Promise<readonly RawAnswer[]> {
  const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)]!;
  const pieces = Array.from({ length: 1 + Math.floor(random() * 3) }, () => mutate(pick(PIECES), random));
  const leaving = pick(LEAVINGS);
  const isSlow = random() < SLOW_SHARE;
  const isReader = random() < 0.5;
  const waitsMs = random() < 1 - SLOW_SHARE ? 0 : 1 + random() * 10;
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const chunks: Buffer[] = [];
  socket.on('error', () => {});
  if (isReader) socket.on('data', (chunk: Buffer) => chunks.push(chunk)); // the others never read
  await new Promise<void>((resolve) => socket.once('connect', resolve).once('close', () => resolve()));
  for (const piece of pieces) {
    if (socket.writable) socket.write(Buffer.from(piece, 'latin1'));
    if (isSlow) await sleep(1);
  }
  if (isReader && random() < 0.6)
    await Promise.race([once(socket, 'data').catch(() => undefined), sleep(answerMsMax)]);
  else if (leaving !== 'reset at once' && waitsMs > 0) await sleep(waitsMs);
  if (leaving === 'end' || leaving === 'half-close, then reset') {
    socket.end();
    // A reset in the same turn would wait for the end that was just sent.
    await (isReader ? Promise.race([closed, sleep(20)]) : sleep(1));
  }
  if (leaving.includes('reset')) socket.resetAndDestroy();
  else socket.destroy();
  await Promise.race([closed, sleep(100)]);
  socket.destroy();
  await closed;
  // What follows an answer to HEAD, or was cut by our leaving, is not judged.
  if (pieces.some((piece) => piece.includes('HEAD'))) return [];
  return parseAnswers(Buffer.concat(chunks), false).answers;
}

/** Half of the pieces stay as they are; of the others one byte is another one, or a part is missing or comes twice. */
function mutate(piece: string, random: () => number): string {
  if (random() < 0.5) return piece;
  const at = Math.floor(random() * piece.length);
  const end = Math.min(piece.length, at + 1 + Math.floor(random() * 8));
  const kind = random();
  if (kind < 0.4)
    return piece.slice(0, at) + String.fromCharCode(Math.floor(random() * 256)) + piece.slice(at + 1);
  if (kind < 0.7) return piece.slice(0, at) + piece.slice(end);
  return piece.slice(0, end) + piece.slice(at);
}

/** mulberry32: the same streams at each run. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
