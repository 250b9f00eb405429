/**
 * A server that stops answering, and limits of seconds: a large supply message waits half a minute, closing three
 * seconds.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openTcpProxy } from '../../../../test/kit/tcp-proxy.ts';
import { NOW_MS } from '../../../../test/suites/storage/fixture.ts';
import {
  describePostgres,
  openPostgres,
  untilItWorks,
} from '../../../../test/suites/storage/postgres-fixture.ts';
import { sampleQuote, sampleWrite } from '../../../../test/suites/storage/sample-rows.ts';
import {
  calendarWork,
  nightEntry,
  send as sendSupply,
  suppliedWrite,
} from '../../../../test/suites/storage/supply-samples.ts';
import { StorageUnavailable } from '../../storage.ts';
import { type Connections, DECISION_WAIT_MS, FOLLOWING_SUSPECT_MS, openPools } from './connections.ts';
import { CLOSE_MS_MAX } from './pool-sockets.ts';
import { parsePostgresUrl } from './postgres-url.ts';
import { SMALL_PROPERTIES_MAX } from '../../supply/supply-link.ts';

/** Time that a busy machine may add to a bound. */
const SLACK_MS = 2_000;
/** Life of a connection that the test expects to be replaced. */
const LIFE_SECONDS = 1;
const RENEWED_MS_MAX = 20_000;

/** Identifies the lent connection: the server has a process for each. */
function readProcessId(connections: Connections): Promise<number> {
  return connections.use(async (client) => {
    const { rows } = await client.query<{ id: number }>('SELECT pg_backend_pid() AS id');
    return rows[0]!.id;
  });
}

describePostgres('PostgreSQL that falls silent', (server) => {
  it('closes in time when the server has stopped answering, and fails what was under way', async () => {
    const url = await server().createDatabase();
    const proxy = await openTcpProxy(server().port);
    try {
      const storage = await openPostgres(
        url.replace(/:\d+\//, `:${proxy.port}/`),
        () => NOW_MS,
        DECISION_WAIT_MS,
      );
      await storage.migrate();
      await storage.writeProperties([sampleWrite('a')]);
      await storage.insertQuote(sampleQuote('q'));
      const snapshot = await storage.openSnapshot();
      proxy.cut();
      const underway = [
        storage.writeProperties([sampleWrite('b')]),
        storage.readRevision(),
        Array.fromAsync(snapshot.readProperties()),
      ].map((call) => assert.rejects(call, StorageUnavailable));
      await sleep(50);
      const startedAtMs = performance.now();
      await storage.close();
      const elapsedMs = performance.now() - startedAtMs;
      assert.ok(elapsedMs < CLOSE_MS_MAX + SLACK_MS, `closed after ${elapsedMs} ms`);
      await Promise.all(underway);
      await assert.rejects(storage.findProperty('a'), StorageUnavailable);
    } finally {
      await proxy.close();
    }
  });

  it('gives a connection up that took a second to open: the server may have been replaced meanwhile', async () => {
    const url = await server().createDatabase();
    const proxy = await openTcpProxy(server().port);
    const parsed = parsePostgresUrl(url.replace(/:\d+\//, `:${proxy.port}/`));
    assert.ok(parsed.ok);
    const pools = openPools(parsed.target, () => undefined);
    const read = () => readProcessId(pools.following);
    try {
      proxy.cut();
      const slow = read();
      await sleep(FOLLOWING_SUSPECT_MS + 100);
      proxy.restore();
      const next = [await slow, await read(), await read()];
      assert.notEqual(next[0], next[1]);
      assert.equal(next[1], next[2]);
    } finally {
      await pools.following.end();
      await proxy.close();
    }
  });

  it('ends a connection after its life time, though it is in use again and again', async () => {
    const parsed = parsePostgresUrl(await server().createDatabase());
    assert.ok(parsed.ok);
    const pools = openPools(parsed.target, () => undefined, { lifeSeconds: LIFE_SECONDS });
    try {
      const openedAtMs = performance.now();
      const first = await readProcessId(pools.background);
      // An idle connection ends after half a minute anyway.
      const giveUpAtMs = openedAtMs + LIFE_SECONDS * 1_000 + RENEWED_MS_MAX;
      while ((await readProcessId(pools.background)) === first) {
        assert.ok(performance.now() < giveUpAtMs, 'the connection outlives its time');
        await sleep(20);
      }
      const lifeMs = performance.now() - openedAtMs;
      assert.ok(lifeMs > LIFE_SECONDS * 1_000, `a new connection after ${lifeMs} ms`);
    } finally {
      await pools.background.end();
    }
  });

  it('fails a large message in time when the server stops answering, and takes it when it is back', async () => {
    const url = await server().createDatabase();
    const proxy = await openTcpProxy(server().port);
    try {
      const storage = await openPostgres(
        url.replace(/:\d+\//, `:${proxy.port}/`),
        () => NOW_MS,
        DECISION_WAIT_MS,
      );
      await storage.migrate();
      const ids = Array.from({ length: SMALL_PROPERTIES_MAX + 1 }, (_, index) => `p${index}`);
      await storage.writeProperties(ids.map((propertyId) => suppliedWrite(propertyId, [[]])));
      const entries = [nightEntry(0, 1, { availability: 1 })];
      const work = () => calendarWork(ids.map((propertyId) => ({ propertyId, entries })));
      // The thread for large messages, with its own connection, runs before the server goes away.
      assert.equal((await sendSupply(storage, 'pms', work())).verdict, 'applied');
      proxy.cut();
      await assert.rejects(sendSupply(storage, 'other', work()), StorageUnavailable);
      proxy.restore();
      await untilItWorks(() => sendSupply(storage, 'other', work()));
      proxy.cut();
      const underWay = assert.rejects(sendSupply(storage, 'third', work()), StorageUnavailable);
      await sleep(50);
      const startedAtMs = performance.now();
      await storage.close();
      const elapsedMs = performance.now() - startedAtMs;
      assert.ok(elapsedMs < CLOSE_MS_MAX + SLACK_MS, `closed after ${elapsedMs} ms`);
      await underWay;
    } finally {
      await proxy.close();
    }
  });
});
