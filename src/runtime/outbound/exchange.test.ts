/** Servers that answer with anything but an answer: over real sockets. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { OutOfTime, sendRequest, withinExchange } from './exchange.ts';

const TIMEOUT_MS = 400;
/** Far less than it takes a peer to end by itself. */
const ENDED_MS_MAX = 5_000;
const STEP_MS = 20;

const SWITCHING = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n';
const EARLY_HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n';
const HEAD = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';

const repeatedly = (socket: Socket, text: string): void => {
  const timer = setInterval(() => void socket.write(text), STEP_MS);
  socket.once('close', () => clearInterval(timer));
};

/** Each server does this with its connection. */
const PEERS: Readonly<Record<string, (socket: Socket) => void>> = {
  'nothing at all': () => undefined,
  'an end at once': (socket) => void socket.end(),
  '101': (socket) => void socket.write(SWITCHING),
  '101 without its headers': (socket) => void socket.write('HTTP/1.1 101 x\r\n\r\n'),
  '101, then the end': (socket) => void socket.end(SWITCHING),
  '101, then bytes without end': (socket) => {
    socket.write(SWITCHING);
    repeatedly(socket, 'x'.repeat(1_000));
  },
  '103 without end': (socket) => repeatedly(socket, EARLY_HINTS),
  '103, then 101': (socket) => void socket.write(EARLY_HINTS + SWITCHING),
  '103, then the end': (socket) => void socket.end(EARLY_HINTS),
  'header lines without end': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    repeatedly(socket, 'x: y\r\n');
  },
  'a head, then nothing': (socket) => void socket.write(HEAD),
  'a body without end': (socket) => {
    socket.write(HEAD);
    repeatedly(socket, '1\r\nx\r\n');
  },
  'a head, then a reset': (socket) =>
    void socket.write(HEAD, () => setTimeout(() => socket.resetAndDestroy(), STEP_MS)),
};

describe('An exchange', () => {
  let server: Server;
  let answer: (socket: Socket) => void;
  const open = new Set<Socket>();
  before(async () => {
    server = createServer((socket) => {
      open.add(socket);
      socket.on('error', () => undefined).once('close', () => open.delete(socket));
      // Until the client ends it, whatever was answered.
      socket.once('data', () => answer(socket));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => server.close());

  const ask = (protocol: 'http' | 'https') => {
    const { port } = server.address() as AddressInfo;
    return withinExchange({ timeoutMs: TIMEOUT_MS }, async (signal) => {
      const options = { rejectUnauthorized: true };
      const response = await sendRequest(new URL(`${protocol}://127.0.0.1:${port}/`), options, { signal });
      for await (const _ of response);
    });
  };

  for (const [name, peer] of Object.entries(PEERS))
    it(`with a server that sends ${name} ends in time, and so does its connection`, async () => {
      answer = peer;
      const begunMs = performance.now();
      await assert.rejects(ask('http'));
      assert.ok(performance.now() - begunMs < ENDED_MS_MAX);
      // A reset closes it as well.
      const closed = [...open].map((socket) => new Promise((resolve) => socket.once('close', resolve)));
      await Promise.all(closed);
    });

  it('ends while TLS stands still', async () => {
    answer = () => undefined;
    await assert.rejects(ask('https'), OutOfTime);
  });

  it('ends while a name is looked up for ever', async () => {
    const options = { rejectUnauthorized: true, lookup: () => undefined };
    const never = withinExchange({ timeoutMs: TIMEOUT_MS }, (signal) =>
      sendRequest(new URL('http://never.example/'), options, { signal }),
    );
    await assert.rejects(never, OutOfTime);
  });

  it('ends at once when it is given up, whatever its work does', async () => {
    const giving = new AbortController();
    const never = withinExchange({ timeoutMs: 60_000, signal: giving.signal }, () => new Promise(() => {}));
    const reason = new Error('the service ends');
    giving.abort(reason);
    await assert.rejects(never, reason);
    await assert.rejects(
      withinExchange({ timeoutMs: 60_000, signal: giving.signal }, async () => 1),
      reason,
    );
  });
});
