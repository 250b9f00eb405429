/** Partners who hold every connection that they can get and read nothing: the operator is answered all the while. */
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer, until, Workplace } from '../kit/command-line.ts';
import { describePostgres } from '../suites/storage/postgres-fixture.ts';

/** Few enough that 200 connections would use them up. */
const DESCRIPTORS_MAX = 112;
const CONNECTIONS = 200;
const REQUESTS = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(100);
const IS_WINDOWS = process.platform === 'win32';

describe('Connections that are held', { skip: IS_WINDOWS }, () => {
  describe('on SQLite', () => {
    testHeld(async () => ({}));
  });
  describePostgres('on PostgreSQL', (postgres) => {
    testHeld(async () => ({ DATABASE_URL: await postgres().createDatabase() }));
  });
});

function testHeld(database: () => Promise<Readonly<Record<string, string>>>): void {
  let workplace: Workplace;
  before(async () => {
    workplace = new Workplace({ INGRESS_LIMIT: '0', WRITE_TIMEOUT_SECONDS: '2', ...(await database()) });
  });
  after(async () => workplace.remove());

  it('leave the operator listener its own, and end when nothing is read', async () => {
    const server = await startServer(workplace, {}, { descriptorsMax: DESCRIPTORS_MAX });
    const port = Number(new URL(server.partnerUrl).port);
    const sockets = Array.from({ length: CONNECTIONS }, () => holdConnection(port));
    await sleep(500);

    for (const path of ['/livez', '/readyz', '/metrics']) {
      assert.equal((await fetch(server.operatorUrl + path)).status, 200, path);
    }
    assert.ok((await metric('stayport_open_connections')) > 10);
    // Nobody knows who they are: each gives its place to the next one.
    await until(async () => {
      const silent = await metric('stayport_connections_closed_total{listener="partner",reason="silent"}');
      return silent + (await metric('stayport_connections_refused_total')) > 100;
    });

    await until(async () => (await metric('stayport_open_connections')) === 0);
    assert.ok((await metric('stayport_connections_cut_total{reason="unread"}')) > 10);
    assert.equal((await fetch(`${server.partnerUrl}/v1/properties?city=x`)).status, 401);
    for (const socket of sockets) socket.destroy();
    assert.doesNotMatch(server.printed.stderr, /crashed|EMFILE/);

    async function metric(name: string): Promise<number> {
      const text = await (await fetch(`${server.operatorUrl}/metrics`)).text();
      const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `));
      return Number(line?.slice(name.length));
    }
  });
}

/** Asks for much and reads nothing. */
function holdConnection(port: number): Socket {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => {});
  socket.pause();
  socket.write(REQUESTS);
  return socket;
}
