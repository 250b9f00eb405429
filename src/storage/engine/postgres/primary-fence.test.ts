import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StorageUnavailable } from '../../storage.ts';
import { NEWER_FORGOTTEN_MS, PrimaryFence, RECHECK_MS } from './primary-fence.ts';

interface Server {
  standby: boolean;
  system: string;
  timeline: number;
  /** As a distributed engine that has no log of PostgreSQL's form. */
  readonly refuses?: string;
}

function connectionTo(server: Server) {
  let asked = 0;
  return {
    get asked() {
      return asked;
    },
    query: async (config: { text: string }) => {
      asked++;
      if (server.refuses !== undefined && config.text.includes('pg_control_system'))
        throw Object.assign(new Error('no such function'), { code: server.refuses });
      const isTold = config.text.includes('pg_control_system') && !server.standby;
      const timeline = isTold ? server.timeline.toString(16).toUpperCase().padStart(8, '0') : '';
      return { rows: [{ standby: server.standby, system: isTold ? server.system : '', timeline }] };
    },
  };
}

type Connection = Parameters<PrimaryFence['check']>[0];
const asClient = (connection: object) => connection as Connection;

function setUp() {
  const time = { ms: 0 };
  const others = { count: 0 };
  const fence = new PrimaryFence({ onOtherServer: () => void others.count++, uptimeMs: () => time.ms });
  const connect = async (server: Server) => {
    const connection = connectionTo(server);
    await fence.admit(asClient(connection));
    return { connection, check: () => fence.check(asClient(connection)) };
  };
  return { time, others, connect };
}

const primary = (timeline = 1, system = '7'): Server => ({ standby: false, system, timeline });

describe('the fence around the primary', () => {
  it('asks each connection again at once when another server was met', async () => {
    const { time, connect } = setUp();
    const old = await connect(primary());
    await old.check();
    assert.equal(old.connection.asked, 1);
    time.ms = 1;
    await connect(primary(2));
    await assert.rejects(old.check(), StorageUnavailable);
    assert.equal(old.connection.asked, 2);
  });

  it('asks a connection again after a second, and not before', async () => {
    const { time, connect } = setUp();
    const { connection, check } = await connect(primary());
    for (const [ms, asked] of [
      [0, 1],
      [RECHECK_MS - 1, 1],
      [RECHECK_MS, 2],
      [RECHECK_MS + 1, 2],
    ] as const) {
      time.ms = ms;
      await check();
      assert.equal(connection.asked, asked, `after ${ms} ms`);
    }
  });

  it('refuses a standby, also one that became a standby while connected', async () => {
    const { time, connect } = setUp();
    await assert.rejects(connect({ ...primary(), standby: true }), StorageUnavailable);
    const server = primary();
    const { check } = await connect(server);
    server.standby = true;
    time.ms = RECHECK_MS;
    await assert.rejects(check(), /standby/);
  });

  it('gives up connections to a former primary once another one was met', async () => {
    const { time, others, connect } = setUp();
    const old = await connect(primary(10));
    assert.equal(others.count, 1);
    time.ms = RECHECK_MS;
    await old.check();
    const promoted = await connect(primary(11));
    assert.equal(others.count, 2);
    time.ms += RECHECK_MS;
    await assert.rejects(old.check(), /former primary: its timeline is 10, that of the primary 11/);
    await assert.rejects(connect(primary(10)), StorageUnavailable);
    await promoted.check();
    assert.equal(others.count, 2);
  });

  it('takes an older timeline when nothing was seen of the newer one for a minute', async () => {
    const { time, connect } = setUp();
    await connect(primary(2));
    time.ms = NEWER_FORGOTTEN_MS - 1;
    await assert.rejects(connect(primary(1)), /former primary/);
    time.ms = NEWER_FORGOTTEN_MS;
    const { check } = await connect(primary(1));
    time.ms += RECHECK_MS;
    await check();
  });

  it('follows the name to another cluster, whatever its timeline', async () => {
    const { time, connect } = setUp();
    const old = await connect(primary(9, 'before'));
    await connect(primary(1, 'restored'));
    time.ms = RECHECK_MS;
    await assert.rejects(old.check(), /another server/);
  });

  it('does without timelines where the server does not tell', async () => {
    for (const refuses of ['42883', '42501', '0A000']) {
      const { time, connect } = setUp();
      const server = { ...primary(), refuses };
      const { connection, check } = await connect(server);
      time.ms = RECHECK_MS;
      await check();
      assert.equal(connection.asked, 3, 'it is asked in vain once');
      server.standby = true;
      time.ms += RECHECK_MS;
      await assert.rejects(check(), StorageUnavailable);
    }
    const { connect } = setUp();
    await assert.rejects(connect({ ...primary(), refuses: '57P01' }), /no such function/);
  });
});
