/** Several requests on one connection, and clients that do not read their answers. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRequestMeter, type RequestMeter } from '../observability/metrics/request-meter.ts';
import {
  byteTextOf,
  CATALOGUE,
  createQuoteStub,
  type Overrides,
  QUOTE_REQUEST,
  type RunningServer,
  startPartnerServer,
  TOKENS,
} from '../../../test/kit/http-fixtures.ts';
import { exchange, openConnection } from '../../../test/kit/raw-client.ts';
import { LOOPBACK_PLACES } from './connections.ts';
import { PIPELINED_MAX } from './pipelining.ts';
import { createWaitingBudget, WAITING_REQUEST_BYTES } from './waiting-budget.ts';

const HEAD = `Host: x\r\nAuthorization: Bearer ${TOKENS.full}\r\n`;
const GET = `GET /v1/properties/hotel-ponte HTTP/1.1\r\n${HEAD}\r\n`;
const BODY = JSON.stringify(QUOTE_REQUEST);
const QUOTE = `POST /v1/quotes HTTP/1.1\r\n${HEAD}Content-Length: ${BODY.length}\r\n\r\n${BODY}`;
const LARGE = { ...CATALOGUE, findSummary: () => byteTextOf('x'.repeat(8_000_000)) };

let server: RunningServer;
async function start(overrides: Overrides = {}): Promise<void> {
  server = await startPartnerServer(overrides);
}
afterEach(() => server.close(), { timeout: 12_000 });

async function sendWithoutReading(text: string): Promise<Socket> {
  const socket = await openConnection(server.port);
  socket.pause();
  socket.write(text);
  return socket;
}

async function statusesOf(parts: readonly string[], answerCount: number): Promise<readonly number[]> {
  const { answers, rest } = await exchange(server.port, parts, { answerCount });
  assert.equal(rest, '');
  return answers.map(({ status }) => status);
}

describe('Requests on one connection', () => {
  it('are answered one after the other, in their order', async () => {
    let underWay = 0;
    let most = 0;
    await start({
      createQuote: async (request) => {
        underWay += 1;
        most = Math.max(most, underWay);
        await sleep(5);
        underWay -= 1;
        return createQuoteStub(request);
      },
    });
    assert.deepEqual(
      await statusesOf([(QUOTE + GET).repeat(10)], 20),
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? 201 : 200)),
    );
    assert.equal(most, 1);
  });

  it('are measured from their own turn on, and never take less than no time', async () => {
    const meter = createRequestMeter();
    const slowQuote = async (request: Parameters<typeof createQuoteStub>[0]) => (
      await sleep(500),
      createQuoteStub(request)
    );
    await start({ meter, createQuote: slowQuote });
    await statusesOf([QUOTE + GET], 2);
    const quoteMs = meter.operations.get('createPartnerQuote')!.sumMs;
    const propertyMs = meter.operations.get('getPartnerProperty')!.sumMs;
    assert.ok(quoteMs >= 490, `${quoteMs} ms`);
    assert.ok(propertyMs >= 0 && propertyMs < 490, `${propertyMs} ms: the wait for the quote is not its own`);
  });

  it('get their own answers where CONNECT follows a quote', async () => {
    await start({ createQuote: async (request) => (await sleep(30), createQuoteStub(request)) });
    assert.deepEqual(await statusesOf([`${QUOTE}CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n`], 2), [201, 404]);
  });

  it('get their own answers where garbage follows several', async () => {
    await start();
    assert.deepEqual(await statusesOf([`${QUOTE}${GET}hello\r\n\r\n`], 3), [201, 200, 400]);
  });

  it('end with the connection where their source asks too often', async () => {
    await start({ settings: { ingressLimit: 1 } });
    const { answers, isClosedByServer } = await exchange(server.port, [GET.repeat(10)], { answerCount: 2 });
    assert.deepEqual(
      answers.map(({ status, headers }) => [status, headers.get('connection')]),
      [
        [200, 'keep-alive'],
        [429, 'close'],
      ],
    );
    assert.ok(isClosedByServer);
    assert.ok(Error.stackTraceLimit > 0);
  });

  it('learn that the connection ends where one asks for another protocol: what follows was not read', async () => {
    await start();
    const upgrading = GET.replace('\r\n\r\n', '\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n');
    const { answers, isClosedByServer } = await exchange(server.port, [upgrading + GET], { settledMs: 200 });
    assert.deepEqual(
      answers.map(({ status, headers }) => [status, headers.get('connection')]),
      [[200, 'close']],
    );
    assert.ok(isClosedByServer);
  });

  it('are not worked on behind an answer that ends the connection', async () => {
    let quotes = 0;
    await start({ createQuote: async (request) => ((quotes += 1), createQuoteStub(request)) });
    const closing = GET.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
    assert.deepEqual(await statusesOf([closing + QUOTE], 1), [200]);
    await sleep(20);
    assert.equal(quotes, 0);
  });
});

describe('A client that takes nothing of its answers', () => {
  it('loses the connection after the write timeout, and has cost one answer', async () => {
    const meter = createRequestMeter();
    let searches = 0;
    const readModel = { ...LARGE, findSummary: () => ((searches += 1), LARGE.findSummary()) };
    await start({ meter, readModel, settings: { writeTimeoutMs: 300 } });
    const socket = await sendWithoutReading(GET.repeat(100));
    const sentMs = performance.now();
    await until(() => meter.connections.open === 0);
    const tookMs = performance.now() - sentMs;
    assert.ok(tookMs > 250 && tookMs < 3_000, `${tookMs} ms`);
    assert.deepEqual([searches, meter.connections.cutUnread], [1, 1]);
    socket.destroy();
  });

  it('is not kept by what it sends meanwhile, however slowly', async () => {
    const meter = createRequestMeter();
    await start({ meter, readModel: LARGE, settings: { writeTimeoutMs: 300 } });
    const socket = await sendWithoutReading(GET);
    const dribble = setInterval(() => socket.write('G'), 50);
    await until(() => meter.connections.open === 0);
    clearInterval(dribble);
    assert.equal(meter.connections.cutUnread, 1);
  });

  it('keeps the connection as long as it takes some of them', async () => {
    await start({ readModel: LARGE, settings: { writeTimeoutMs: 400 } });
    const socket = await sendWithoutReading(
      GET.repeat(2) + GET.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'),
    );
    let bytes = 0;
    socket.on('data', (chunk: Buffer) => (bytes += chunk.length));
    const reading = setInterval(() => {
      socket.resume();
      setTimeout(() => socket.pause(), 3);
    }, 150);
    await once(socket, 'end');
    clearInterval(reading);
    assert.ok(bytes > 24_000_000, `${bytes}`);
  });

  it('is cut when it pipelines more than may wait', async () => {
    const meter = createRequestMeter();
    await start({ meter, readModel: LARGE });
    const short = 'GET / HTTP/1.1\r\nHost:\r\n\r\n';
    const socket = await sendWithoutReading(GET + short.repeat(PIPELINED_MAX + 1));
    await until(() => meter.connections.open === 0);
    assert.equal(meter.connections.cutPipelined, 1);
    socket.destroy();
  });

  it('is cut when one write fills the memory with short requests', async () => {
    const meter = createRequestMeter();
    await start({ meter, readModel: LARGE });
    const short = 'GET / HTTP/1.1\r\nHost:\r\n\r\n';
    const socket = await sendWithoutReading(GET + short.repeat(500));
    await until(() => meter.connections.open === 0);
    assert.equal(meter.connections.cutPipelined, 1);
    socket.destroy();
  });
});

describe('More connections than there may be', () => {
  const lines: string[] = [];
  const logger = {
    level: 'warn',
    isLevelEnabled: () => false,
    warn: (_: object, text: string) => lines.push(text),
  };
  const startBounded = async (settings: Overrides['settings']): Promise<RequestMeter> => {
    lines.length = 0;
    const meter = createRequestMeter();
    await start({ meter, logger: logger as never, ...(settings && { settings }) });
    return meter;
  };
  const isClosed = async (socket: Socket): Promise<void> => {
    if (!socket.destroyed) await new Promise((resolve) => socket.resume().once('close', resolve));
  };
  /** Open, with an occasional request of a partner. */
  const openKnown = async (): Promise<Socket> => {
    const socket = await openConnection(server.port);
    socket.write(GET);
    await once(socket, 'data');
    return socket;
  };

  it('close the oldest on which nothing was asked, whatever comes next', async () => {
    const meter = await startBounded({ connectionsMax: 3 });
    const known = await openKnown();
    const silent = await Promise.all([1, 2].map(() => openConnection(server.port)));
    await until(() => meter.connections.open === 3);
    assert.deepEqual(await statusesOf([GET], 1), [200]);
    await isClosed(silent[0]!);
    assert.equal(meter.connections.cutSilent, 1);
    assert.ok(!known.destroyed && !silent[1]!.destroyed);
    assert.deepEqual([meter.connections.refused, lines.length], [0, 0]);
    for (const socket of [known, silent[1]!]) socket.destroy();
  });

  it('close one whose caller nobody knows, where none is silent', async () => {
    const meter = await startBounded({ connectionsMax: 2 });
    const known = await openKnown();
    const stranger = await openConnection(server.port);
    stranger.write('GET /v1/properties?city=x HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(stranger, 'data');
    assert.deepEqual(await statusesOf([GET], 1), [200]);
    await isClosed(stranger);
    assert.ok(!known.destroyed);
    assert.equal(meter.connections.cutSilent, 1);
    known.destroy();
  });

  it('are closed as they come, counted, and told in one line where partners hold all of them', async () => {
    const meter = await startBounded({ connectionsMax: 2 });
    const known: Socket[] = [];
    while (known.length < 2 + LOOPBACK_PLACES) known.push(await openKnown());
    const refused = await Promise.all([1, 2, 3, 4].map(() => openConnection(server.port)));
    for (const socket of refused) await isClosed(socket);
    assert.deepEqual([meter.connections.open, meter.connections.refused], [2 + LOOPBACK_PLACES, 4]);
    assert.deepEqual(lines, ['connections are refused: the limit of open connections is reached']);
    for (const socket of known) socket.destroy();
    await until(() => meter.connections.open === 0);
    assert.deepEqual(await statusesOf([GET], 1), [200]);
  });

  it('of one address are closed as they come, at the limit and one past it, unless it is a trusted proxy', async () => {
    const meter = await startBounded({ connectionsPerAddressMax: 3 });
    const held = await Promise.all([1, 2, 3].map(() => openConnection(server.port)));
    await until(() => meter.connections.open === 3);
    await isClosed(await openConnection(server.port));
    assert.deepEqual([meter.connections.open, meter.connections.refusedAddress], [3, 1]);
    assert.deepEqual(lines, ['connections are refused: one address has reached its limit']);
    held[0]!.destroy();
    await until(() => meter.connections.open === 2);
    assert.deepEqual(await statusesOf([GET], 1), [200]);
    for (const socket of held) socket.destroy();
    await server.close();

    const proxied = await startBounded({ connectionsPerAddressMax: 3, trustedProxies: ['127.0.0.0/8'] });
    const many = await Promise.all(Array.from({ length: 5 }, () => openConnection(server.port)));
    await until(() => proxied.connections.open === 5);
    for (const socket of many) socket.destroy();
  });
});

describe('What clients make the process hold', () => {
  const BUDGET_BYTES = 20 * WAITING_REQUEST_BYTES;

  it('is bounded over all connections: what has waited longest is closed', async () => {
    const meter = createRequestMeter();
    const budget = createWaitingBudget(BUDGET_BYTES);
    const { promise: mayAnswer, resolve: answerNow } = Promise.withResolvers<void>();
    const createQuote: typeof createQuoteStub = async (request) => (
      await mayAnswer,
      createQuoteStub(request)
    );
    await start({ meter, budget, createQuote });
    const sockets: Socket[] = [];
    for (let count = 0; count < 6; count += 1) {
      sockets.push(await sendWithoutReading(QUOTE + GET.repeat(5)));
      await sleep(20);
    }
    assert.ok(budget.heldBytes() <= BUDGET_BYTES, `${budget.heldBytes()} bytes`);
    assert.ok(meter.connections.cutMemory >= 2, `${meter.connections.cutMemory} cut`);
    const last = once(sockets.at(-1)!.resume(), 'data');
    answerNow();
    assert.match(String((await last)[0]), /^HTTP\/1.1 201 /);
    for (const socket of sockets) socket.destroy();
    await until(() => meter.connections.open === 0);
    assert.equal(budget.heldBytes(), 0);
  });

  it('counts answers that nobody takes, and forgets them when they are taken', async () => {
    const budget = createWaitingBudget(64_000_000);
    await start({ budget, readModel: LARGE });
    const socket = await sendWithoutReading(GET);
    await until(() => budget.heldBytes() > 1_000_000);
    socket.resume();
    await until(() => budget.heldBytes() === 0);
    socket.destroy();
  });
});

async function until(isTrue: () => boolean): Promise<void> {
  const endMs = performance.now() + 5_000;
  while (!isTrue()) {
    assert.ok(performance.now() < endMs, 'not true within 5 s');
    await sleep(5);
  }
}
