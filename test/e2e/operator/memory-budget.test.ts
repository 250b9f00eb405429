/** Senders that announce long bodies, send little and never end do not block other senders. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { issueOperatorToken } from '../../../src/access/operator-tokens.ts';
import {
  BODY_BYTES_OF_TOKEN_MAX,
  BODY_BYTES_UNDERWAY_MAX,
} from '../../../src/operator/listener/memory-budget.ts';
import { type Running, startInstallation, valueOf } from '../../kit/installation.ts';

const MIB = 1024 * 1024;
const BODY_BYTES = 10 * MIB;

let running: Running;
let tokens: readonly string[];
const sockets: Socket[] = [];
before(async () => {
  running = await startInstallation([]);
  const { access } = running.installation;
  const names = ['one', 'two', 'three'];
  tokens = await Promise.all(
    names.map(async (name) => valueOf(await issueOperatorToken(access, { name, source: name })).token),
  );
  for (const token of tokens) while (!(await isKnown(token)));
});
after(async () => {
  for (const socket of sockets) socket.destroy();
  await running.installation.close();
});

async function isKnown(token: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${running.service.operatorUrl}/supply/v1/revision`, { headers })).status === 200;
}

/** A message of 5 MiB. */
async function patch(token: string): Promise<number> {
  const response = await fetch(`${running.service.operatorUrl}/supply/v1/calendars`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: `{"entries":[]}${' '.repeat(5 * MIB)}`,
  });
  await response.arrayBuffer();
  return response.status;
}

/** The head of an answer, once there is one. */
type Sender = { readonly socket: Socket; readonly answer: Promise<string> };

/** A message that announces BODY_BYTES, and has sent so many of them. */
async function begin(token: string, path: string, type: string, sentBytes: number): Promise<Sender> {
  const { hostname, port } = new URL(running.service.operatorUrl);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.on('error', () => undefined);
  const answer = once(socket, 'data').then(([data]) => String(data).split('\r\n')[0]!);
  socket.write(
    `${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: ${type}\r\n` +
      `Content-Length: ${BODY_BYTES}\r\n\r\n`,
  );
  if (sentBytes > 0) await new Promise((resolve) => socket.write(Buffer.alloc(sentBytes, 0x20), resolve));
  return { socket, answer };
}

const IMPORT = ['POST /supply/v1/import', 'application/x-ndjson'] as const;
const CALENDARS = ['PATCH /supply/v1/calendars', 'application/json'] as const;

describe('The memory budget for supply messages', () => {
  it('does not count bytes that were announced and not sent', async () => {
    for (const [path, type] of [IMPORT, CALENDARS])
      for (let count = 0; count < 8; count++) await begin(tokens[0]!, path, type, 1);
    for (const token of tokens) assert.equal(await patch(token), 200);
  });

  it('gives one token at most half', async () => {
    const senders: Sender[] = [];
    const fitting = Math.floor(BODY_BYTES_OF_TOKEN_MAX / (BODY_BYTES - MIB));
    for (let count = 0; count <= fitting; count++) {
      senders.push(await begin(tokens[0]!, ...CALENDARS, BODY_BYTES - MIB));
    }
    const refused = await Promise.any(senders.map(({ answer }) => answer));
    assert.match(refused, /^HTTP\/1\.1 503 /);
    for (const token of tokens.slice(1)) assert.equal(await patch(token), 200);
    for (const { socket } of senders) socket.destroy();
    for (let tries = 0; tries < 100; tries++) {
      const { socket, answer } = await begin(tokens[0]!, ...IMPORT, BODY_BYTES);
      if (/ 200 /.test(await answer)) return;
      socket.destroy();
    }
    assert.fail('memory of closed connections was not released');
  });

  it('is 64 MiB, and half of it for one token', () => {
    assert.deepEqual([BODY_BYTES_OF_TOKEN_MAX, BODY_BYTES_UNDERWAY_MAX], [32 * MIB, 64 * MIB]);
  });
});
