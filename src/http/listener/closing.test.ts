import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { Worker } from 'node:worker_threads';
import { pino } from 'pino';
import {
  createQuoteStub,
  QUOTE_REQUEST,
  SETTINGS,
  startPartnerServer,
  TOKENS,
} from '../../../test/kit/http-fixtures.ts';
import { openConnection, parseAnswers } from '../../../test/kit/raw-client.ts';
import { makeTestCertificates } from '../../../test/kit/test-certificates.ts';
import { createRequestMeter } from '../observability/metrics/request-meter.ts';
import { buildListener, CLOSE_GRACE_MS } from './listener.ts';
import { createWaitingBudget } from './waiting-budget.ts';

const BODY = JSON.stringify(QUOTE_REQUEST);
const HEAD = `Host: x\r\nAuthorization: Bearer ${TOKENS.full}\r\n`;
const QUOTE = `POST /v1/quotes HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`;

describe('closing the listener', () => {
  it('finishes what is under way, and says that the connection ends', async () => {
    const { promise: mayAnswer, resolve: answerNow } = Promise.withResolvers<void>();
    const server = await startPartnerServer({
      createQuote: async (request) => {
        await mayAnswer;
        return createQuoteStub(request);
      },
    });
    const socket = await openConnection(server.port);
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.write(QUOTE);
    await sleep(50);
    const closed = server.close();
    await sleep(20);
    // A second request on the same connection came too late.
    socket.write(`GET /v1/properties/hotel-ponte HTTP/1.1\r\n${HEAD}\r\n`);
    await sleep(20);
    answerNow();
    await Promise.all([closed, once(socket, 'close')]);
    const [answer] = parseAnswers(Buffer.concat(chunks), false).answers;
    assert.equal(answer?.status, 201);
    assert.equal(answer?.headers.get('connection'), 'close');
  });

  it('answers a request that was on its way, and says that the connection ends', async () => {
    const server = await startPartnerServer();
    const socket = await openConnection(server.port);
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.write(`GET /v1/properties/hotel-ponte HTTP/1.1\r\n${HEAD}`);
    await sleep(30);
    const closed = server.close();
    await sleep(20);
    socket.write('\r\n');
    await Promise.all([closed, once(socket, 'close')]);
    const { answers } = parseAnswers(Buffer.concat(chunks), false);
    assert.deepEqual(
      answers.map(({ status, headers }) => [status, headers.get('connection')]),
      [[200, 'close']],
    );
  });

  it('cuts no request that has arrived but was not yet read, on a new or on a kept connection', async () => {
    const server = await startPartnerServer();
    const request = `GET /v1/properties/hotel-ponte HTTP/1.1\r\n${HEAD}\r\n`;
    const kept = await openConnection(server.port);
    kept.write(request);
    await once(kept, 'data');
    const received = [kept, await openConnection(server.port)].map(async (socket) => {
      const chunks: Buffer[] = [];
      socket.on('data', (chunk: Buffer) => chunks.push(chunk));
      socket.write(request);
      await once(socket, 'close');
      return parseAnswers(Buffer.concat(chunks), false).answers.map(({ status }) => status);
    });
    // In the same turn of the event loop: the server has read nothing of these requests.
    await server.close();
    assert.deepEqual(await Promise.all(received), [[200], [200]]);
  });

  it('cuts no request that arrived while the thread was at work, accepted or not', async () => {
    const server = await startPartnerServer();
    const request = `GET /v1/properties/hotel-ponte HTTP/1.1\r\n${HEAD}\r\n`;
    const accepted = startClient({ port: server.port, request, connections: 20 });
    await accepted.isConnected();
    const waiting = startClient({ port: server.port, request, connections: 20 });
    // From here to the close this thread does nothing else: as long work, then a signal, then long work again.
    waiting.standStillUntilSent();
    const closed = server.close();
    accepted.standStillUntilSent();
    standStill(LONGER_THAN_SETTLING_MS);
    await closed;
    assert.deepEqual(
      await accepted.answers,
      Array.from({ length: 20 }, () => 'HTTP/1.1 200 OK'),
    );
    assert.deepEqual(
      await waiting.answers,
      Array.from({ length: 20 }, () => 'HTTP/1.1 200 OK'),
    );
  });

  it('ends in time while new connections keep coming, and the thread is busy', async () => {
    const server = await startPartnerServer();
    const flood = new Worker(FLOOD, { eval: true, workerData: { port: server.port } });
    await once(flood, 'message');
    let isOver = false;
    const work = (): void => {
      standStill(5);
      if (!isOver) setImmediate(work);
    };
    work();
    const startMs = performance.now();
    await server.close();
    isOver = true;
    await flood.terminate();
    assert.ok(performance.now() - startMs < CLOSE_GRACE_MS / 2, `${performance.now() - startMs} ms`);
  });

  it('does not wait for connections that ask nothing', async () => {
    const server = await startPartnerServer();
    await Promise.all([openConnection(server.port), server.fetch('/v1/properties/hotel-ponte')]);
    const startMs = performance.now();
    await server.close();
    assert.ok(performance.now() - startMs < 1_000);
    await assert.rejects(openConnection(server.port));
  });

  it('waits neither for handshakes that never end nor for clients that ask nothing after theirs', async () => {
    const { authority, certificate, key } = makeTestCertificates();
    const { listener, meter } = makeTlsListener({ cert: certificate, key });
    const { port } = await listener.listen(0, '127.0.0.1');
    const half = await openConnection(port);
    half.write(CLIENT_HELLO_START);
    const silent = connectTls({ port, host: '127.0.0.1', servername: 'localhost', ca: authority });
    await once(silent, 'secureConnect');
    const asking = connectTls({ port, host: '127.0.0.1', servername: 'localhost', ca: authority });
    await once(asking, 'secureConnect');
    asking.write('GET / HTTP/1.1\r\nHost: x\r\n');
    while (meter.connections.open < 3) await sleep(1);
    const startMs = performance.now();
    const closed = listener.close();
    await Promise.all([once(half, 'close'), once(silent, 'close')]);
    assert.ok(performance.now() - startMs < CLOSE_GRACE_MS / 2);
    // The one that began to ask may end.
    asking.write('\r\n');
    const [answer] = (await once(asking, 'data')) as [Buffer];
    assert.match(answer.toString(), /^HTTP\/1\.1 200 /);
    await closed;
  });
});

describe('a TLS connection that is late', () => {
  for (const [name, sent, answered] of [
    ['is closed without a byte where nothing was sent', '', /^$/],
    ['gets a problem in the middle of its headers', 'GET / HTTP/1.1\r\nHost: x\r\n', /^HTTP\/1\.1 400 /],
  ] as const)
    it(name, async () => {
      const { authority, certificate, key } = makeTestCertificates();
      const { listener } = makeTlsListener({ cert: certificate, key }, { headersTimeoutMs: 200 });
      const { port } = await listener.listen(0, '127.0.0.1');
      const socket = connectTls({ port, host: '127.0.0.1', servername: 'localhost', ca: authority });
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk));
      await once(socket, 'secureConnect');
      socket.write(sent);
      await once(socket, 'close');
      assert.match(text, answered);
      await listener.close();
    });
});

const LONGER_THAN_SETTLING_MS = 300;

interface ClientWork {
  readonly port: number;
  readonly request: string;
  readonly connections: number;
}

/** Stages of a client, which another thread waits for. */
const CONNECTED = 1;
const ASKED = 2;
const SENT = 3;

/** A client in a thread of its own, so that it goes on while this one stands still. */
function startClient(work: ClientWork) {
  const stage = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(CLIENT, { eval: true, workerData: { ...work, stage } });
  return {
    answers: once(worker, 'message').then(([lines]) => lines as string[]),
    async isConnected(): Promise<void> {
      await Atomics.waitAsync(stage, 0, 0).value;
    },
    standStillUntilSent(): void {
      while (Atomics.load(stage, 0) < CONNECTED) Atomics.wait(stage, 0, 0);
      Atomics.store(stage, 0, ASKED);
      Atomics.notify(stage, 0);
      Atomics.wait(stage, 0, ASKED);
    },
  };
}

function standStill(forMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, forMs);
}

const CLIENT = `
  const { connect } = require('node:net');
  const { once } = require('node:events');
  const { parentPort, workerData: { port, request, connections, stage } } = require('node:worker_threads');
  const goTo = (next) => { Atomics.store(stage, 0, next); Atomics.notify(stage, 0); };
  (async () => {
    const sockets = Array.from({ length: connections }, () => connect(port, '127.0.0.1'));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    const answers = sockets.map(async (socket) => {
      let text = '';
      socket.on('data', (chunk) => (text += chunk));
      await new Promise((resolve) => socket.on('close', resolve).on('error', (error) => (text += error.code)));
      return text.split('\\r\\n', 1)[0];
    });
    goTo(${CONNECTED});
    while (Atomics.load(stage, 0) < ${ASKED}) await new Promise((resolve) => setTimeout(resolve, 1));
    await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.write(request, resolve))));
    goTo(${SENT});
    parentPort.postMessage(await Promise.all(answers));
  })();
`;

/** New connections without a pause; the last hundred stay open. */
const FLOOD = `
  const { connect } = require('node:net');
  const { parentPort, workerData: { port } } = require('node:worker_threads');
  const open = [];
  const add = () => {
    const socket = connect(port, '127.0.0.1', () => {
      parentPort.postMessage('open');
      if (open.push(socket) > 100) open.shift().destroy();
      add();
    });
    socket.on('error', () => undefined).on('close', () => undefined);
  };
  for (let count = 0; count < 20; count += 1) add();
`;

/** The start of a record of 512 bytes: the server waits for the rest. */
const CLIENT_HELLO_START = Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]);

function makeTlsListener(
  tls: { readonly cert: string; readonly key: string },
  settings: Partial<typeof SETTINGS> = {},
) {
  const meter = createRequestMeter();
  const codes = {
    operationNotFound: 'PARTNER_OPERATION_NOT_FOUND',
    unavailable: 'PARTNER_API_UNAVAILABLE',
  } as const;
  const listener = buildListener(
    {
      logger: pino({ level: 'silent' }),
      meter,
      budget: createWaitingBudget(1_000_000),
      isKnownOrigin: () => false,
      codes,
      settings: { ...SETTINGS, ...settings },
      tls,
    },
    (_request, response) => response.answer({ status: 200, cacheControl: 'no-store', body: 'ok' }),
  );
  return { listener, meter };
}
