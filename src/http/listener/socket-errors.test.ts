/** A connection may break at any moment: the process continues. */
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type RunningServer,
  startOperatorServer,
  startPartnerServer,
  TOKENS,
} from '../../../test/kit/http-fixtures.ts';

const HEAD = `Host: x\r\nAuthorization: Bearer ${TOKENS.full}\r\n`;
const GET = `GET /v1/properties/hotel-ponte HTTP/1.1\r\n${HEAD}`;

/** Input that makes node hand a socket over, or remove its own listeners. */
const STREAMS: Readonly<Record<string, string>> = {
  'nothing at all': '',
  'a whole request': `${GET}\r\n`,
  'half a request': GET,
  'half a body': `POST /v1/quotes HTTP/1.1\r\n${HEAD}Content-Length: 100\r\n\r\n{`,
  CONNECT: 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n',
  'CONNECT and more': `CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n${'x'.repeat(5000)}`,
  'CONNECT behind a request': `${GET}\r\nCONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n`,
  'an upgrade': `${GET}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  'an upgrade and more': `${GET}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\nPRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`,
  'no HTTP': 'hello\r\n\r\n',
  'garbage behind a request': `${GET}\r\nhello\r\n\r\n`,
  'an expectation': `${GET}Expect: 100-continue\r\n\r\n`,
};

for (const [name, start] of [
  ['partner', startPartnerServer],
  ['operator', startOperatorServer],
] as const) {
  describe(`a connection to the ${name} listener that breaks`, () => {
    let server: RunningServer;
    const sockets = new Set<Socket>();
    const collect = (message: unknown): void => {
      const { socket } = message as { socket: Socket };
      if (socket.localPort === server.port) sockets.add(socket);
    };
    before(async () => {
      server = await start();
      subscribe('net.server.socket', collect);
    });
    after(async () => {
      unsubscribe('net.server.socket', collect);
      await server.close();
    });

    for (const [what, bytes] of Object.entries(STREAMS)) {
      it(`has somebody who hears of it, after ${what}`, async () => {
        sockets.clear();
        const client = connect(server.port, '127.0.0.1');
        client.on('error', () => {});
        await once(client, 'connect');
        client.write(bytes);
        for (let look = 0; look < 6; look += 1) {
          await sleep(5);
          for (const socket of sockets) {
            assert.ok(socket.destroyed || socket.listenerCount('error') > 0, `look ${look}`);
          }
        }
        assert.equal(sockets.size, 1);
        client.resetAndDestroy();
        await sleep(10);
        for (const socket of sockets) assert.ok(socket.destroyed);
      });
    }
  });
}
