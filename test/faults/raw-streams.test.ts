/** Clients that send anything, and leave in any way at any moment: nothing ends, and nothing is left behind. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningServer, startServer, until, Workplace } from '../kit/command-line.ts';

const STREAMS = 10_000;
const CLIENTS = 48;
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
  '\r\n',
  '\0',
  'x'.repeat(20_000),
] as const;

const LEAVINGS = ['reset', 'destroy', 'end', 'reset at once', 'half-close, then reset'] as const;

describe('Raw streams that break anywhere', () => {
  const workplace = new Workplace({ WORKERS: '2', INGRESS_LIMIT: '0', LOG_LEVEL: 'info' });
  let server: RunningServer;
  before(async () => {
    server = await startServer(workplace);
  });
  after(async () => workplace.remove());

  it(`end no process, and leave no descriptor open (${STREAMS} streams, both listeners, two workers)`, async (test) => {
    const ports = [server.partnerUrl, server.operatorUrl].map((url) => Number(new URL(url).port));
    const random = seededRandom(SEED);
    const descriptorsBefore = countDescriptors();
    let sent = 0;
    const client = async (): Promise<void> => {
      while (sent < STREAMS) {
        sent += 1;
        await sendStream(ports[sent % 2]!, random);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));

    assert.equal(server.child.exitCode, null, server.printed.stderr.slice(-2000));
    const troubles = server.printed.stderr.split('\n').filter((line) => /crashed|a worker ended/.test(line));
    assert.deepEqual(troubles, []);
    for (const path of ['/livez', '/readyz']) {
      assert.equal((await fetch(server.operatorUrl + path)).status, 200);
    }
    assert.equal((await fetch(`${server.partnerUrl}/v1/properties?city=x`)).status, 401);
    // A client that ended its side in a proper way may be waited for until the linger is over.
    const tookMs = await until(async () => countDescriptors() <= descriptorsBefore + 4, 20_000);
    test.diagnostic(
      `descriptors: ${descriptorsBefore}, then ${countDescriptors()} after ${Math.round(tookMs)} ms`,
    );
  });

  /** Of the primary process and its workers; 0 where the system does not show them. */
  function countDescriptors(): number {
    const started = server.printed.stderr.split('\n').filter((line) => line.endsWith('"worker started"}'));
    const pids = started.map((line) => (JSON.parse(line) as { pid: number }).pid);
    const folders = [server.child.pid, ...pids]
      .map((pid) => `/proc/${pid}/fd`)
      .filter((path) => existsSync(path));
    return folders.reduce((sum, path) => sum + readdirSync(path).length, 0);
  }
});

/** One to three pieces, in one write or several, and a way to leave. Resolves when our side is closed. */
async function sendStream(port: number, random: () => number): Promise<void> {
  const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)]!;
  const pieces = Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(PIECES));
  const leaving = pick(LEAVINGS);
  const isSlow = random() < 0.3;
  const waitsMs = random() < 0.5 ? 0 : 1 + random() * 10;
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => {});
  if (random() < 0.5) socket.resume(); // the others never read
  await new Promise<void>((resolve) => socket.once('connect', resolve).once('close', () => resolve()));
  for (const piece of pieces) {
    if (socket.writable) socket.write(Buffer.from(piece, 'latin1'));
    if (isSlow) await sleep(1);
  }
  if (leaving !== 'reset at once') await sleep(waitsMs);
  if (leaving === 'end' || leaving === 'half-close, then reset') {
    socket.end();
    await sleep(waitsMs);
  }
  if (leaving.includes('reset')) socket.resetAndDestroy();
  else socket.destroy();
  await closed;
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
