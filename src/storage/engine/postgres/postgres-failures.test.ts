/**
 * A server that is stopped, killed, cut off, slow, full or read-only: the store refuses in time, stays alive and
 * recovers.
 */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostgresServer } from '../../../../test/kit/postgres-server.ts';
import { openTcpProxy } from '../../../../test/kit/tcp-proxy.ts';
import { type Storage, StorageUnavailable } from '../../storage.ts';
import { NOW_MS } from '../../../../test/suites/storage/fixture.ts';
import { sampleQuote, sampleWrite } from '../../../../test/suites/storage/sample-rows.ts';
import { DECISION_WAIT_MS } from './connections.ts';
import { CLOSE_MS_MAX } from './pool-sockets.ts';
import {
  describeOwnPostgres,
  openPostgres,
  untilItWorks,
} from '../../../../test/suites/storage/postgres-fixture.ts';

/** The longest that a partner waits for a 503. */
const REFUSED_MS_MAX = 1000;
/** A load ends by itself if a failed test does not end it. */
const LOAD_MS_MAX = 60_000;

async function withDatabase(
  server: PostgresServer,
  body: (storage: Storage, url: string) => Promise<void>,
  urlFor: (url: string) => string = (url) => url,
): Promise<void> {
  const url = await server.createDatabase();
  const storage = await openPostgres(urlFor(url), () => NOW_MS, DECISION_WAIT_MS);
  try {
    await storage.migrate();
    await storage.writeProperties([sampleWrite('a')]);
    await body(storage, url);
  } finally {
    await storage.close();
  }
}

/** Every call rejects with `StorageUnavailable` within the time that a partner may wait. */
async function assertRefused(calls: readonly (() => Promise<unknown>)[]): Promise<void> {
  await Promise.all(
    calls.map(async (call) => {
      const startedAtMs = performance.now();
      await assert.rejects(call(), StorageUnavailable);
      const elapsedMs = performance.now() - startedAtMs;
      assert.ok(elapsedMs < REFUSED_MS_MAX, `refused after ${elapsedMs} ms`);
    }),
  );
}

/** Stores quotes, several at a time, until stopped. */
function startQuotes(storage: Storage) {
  const stored: string[] = [];
  const errors: unknown[] = [];
  const load = { count: 0, isStopped: false };
  const endsAtMs = performance.now() + LOAD_MS_MAX;
  async function storeOneAfterAnother(): Promise<void> {
    while (!load.isStopped && performance.now() < endsAtMs) {
      const quoteId = `load-${load.count++}`;
      try {
        await storage.findProperty('a');
        await storage.insertQuote(sampleQuote(quoteId));
        stored.push(quoteId);
      } catch (error) {
        errors.push(error);
        await sleep(5);
      }
    }
  }
  const underway = Promise.all(Array.from({ length: 20 }, storeOneAfterAnother));
  return {
    stored,
    errors,
    async stop() {
      load.isStopped = true;
      await underway;
    },
  };
}

describeOwnPostgres('PostgreSQL in trouble', (server) => {
  for (const [how, end] of [
    ['stopped', () => server().stop()],
    ['killed', () => server().kill()],
  ] as const) {
    it(`${how} under load: refuses meanwhile, has every quote that it acknowledged, goes on by itself`, () =>
      withDatabase(server(), async (storage) => {
        const load = startQuotes(storage);
        const snapshot = await storage.openSnapshot();
        await sleep(100);
        await end();
        await sleep(50);
        await assertRefused([
          () => storage.insertQuote(sampleQuote('meanwhile')),
          () => storage.findProperty('a'),
          () => storage.readRevision(),
          () => storage.readAccess(),
          () => storage.writeProperties([sampleWrite('b')]),
          () => storage.openSnapshot(),
          () => snapshot.readProperties()[Symbol.asyncIterator]().next(),
        ]);
        await snapshot.close();
        const storedBefore = load.stored.length;
        assert.ok(storedBefore > 0);
        await server().start();
        await untilItWorks(() => storage.insertQuote(sampleQuote('after')));
        await untilItWorks(() => storage.readRevision());
        await sleep(100);
        await load.stop();
        assert.ok(load.stored.length > storedBefore, 'the load went on');
        for (const error of load.errors) assert.ok(error instanceof StorageUnavailable, String(error));
        const missing: string[] = [];
        for (const quoteId of load.stored) if (!(await storage.findQuote(quoteId))) missing.push(quoteId);
        assert.deepEqual(missing, []);
      }));
  }

  it('cut off by the network: refuses in time, without having been told anything', async () => {
    const proxy = await openTcpProxy(server().port);
    await withDatabase(
      server(),
      async (storage) => {
        await storage.insertQuote(sampleQuote('before'));
        proxy.cut();
        for (let round = 0; round < 3; round++) {
          await assertRefused([
            () => storage.insertQuote(sampleQuote(`cut-${round}`)),
            () => storage.findProperty('a'),
          ]);
        }
        proxy.restore();
        await untilItWorks(() => storage.insertQuote(sampleQuote('after')));
        await untilItWorks(() => storage.findProperty('a'));
      },
      (url) => url.replace(/:\d+\//, `:${proxy.port}/`),
    );
    await proxy.close();
  });

  it('has let go of its connections when it is closed', async () => {
    const url = await server().createDatabase();
    const storage = await openPostgres(url, () => NOW_MS, DECISION_WAIT_MS);
    await storage.migrate();
    await storage.writeProperties([sampleWrite('a')]);
    await Promise.all([storage.insertQuote(sampleQuote('q')), storage.readRevision()]);
    await storage.openSnapshot();
    const startedAtMs = performance.now();
    await storage.close();
    assert.ok(performance.now() - startedAtMs < CLOSE_MS_MAX, 'nothing had to be cut off');
  });

  it('slow: refuses in time when all connections wait, and reads what is not slow', () =>
    withDatabase(server(), async (storage, url) => {
      await server().query(
        `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(30); RETURN NEW; END';
         CREATE TRIGGER slow BEFORE INSERT ON quotes FOR EACH ROW EXECUTE FUNCTION slow()`,
        url,
      );
      const quotes = Array.from(
        { length: 50 },
        (_, index) => () => storage.insertQuote(sampleQuote(`slow-${index}`)),
      );
      const refused = assertRefused(quotes);
      await sleep(50);
      const used = storage.poolUse?.().find(({ pool }) => pool === 'decisions');
      assert.ok(used && used.open - used.idle >= 2 && used.open <= used.max, JSON.stringify(used));
      for (let read = 0; read < 10; read++) {
        assert.ok(await storage.findProperty('a'));
        await storage.readRevision();
      }
      await refused;
      await server().query('DROP TRIGGER slow ON quotes', url);
      await untilItWorks(() => storage.insertQuote(sampleQuote('after')));
    }));

  it('locked by somebody else: refuses in time', () =>
    withDatabase(server(), async (storage, url) => {
      const holder = server().query('BEGIN; LOCK TABLE quotes, properties; SELECT pg_sleep(1)', url);
      await sleep(100);
      await assertRefused([() => storage.insertQuote(sampleQuote('q')), () => storage.findProperty('a')]);
      await holder;
      await untilItWorks(() => storage.insertQuote(sampleQuote('after')));
    }));

  it('with its connections ended one by one: goes on with new ones', () =>
    withDatabase(server(), async (storage) => {
      const endAll = () =>
        server().query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'stayport/%'`,
        );
      await storage.insertQuote(sampleQuote('q'));
      await endAll();
      await untilItWorks(() => storage.insertQuote(sampleQuote('q2')));
      const snapshot = await storage.openSnapshot();
      await endAll();
      await assert.rejects(Array.fromAsync(snapshot.readProperties()), StorageUnavailable);
      await snapshot.close();
      await untilItWorks(() => storage.readAccess());
    }));

  it('read-only: reads, refuses to write, writes once it may', () =>
    withDatabase(server(), async (storage, url) => {
      const database = new URL(url).pathname.slice(1);
      const setReadOnly = (value: 'on' | 'off') =>
        server().query(
          `ALTER DATABASE ${database} SET default_transaction_read_only = ${value};
           SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`,
        );
      await setReadOnly('on');
      await untilItWorks(() => storage.findProperty('a'));
      await assert.rejects(
        storage.insertQuote(sampleQuote('q')),
        new StorageUnavailable('the database is read-only'),
      );
      await assert.rejects(storage.writeProperties([sampleWrite('b')]), StorageUnavailable);
      assert.equal(await storage.readRevision(), 1);
      await setReadOnly('off');
      await untilItWorks(() => storage.insertQuote(sampleQuote('q')));
    }));

  it('a standby: decides nothing, until it is the primary', () =>
    withDatabase(server(), async (storage) => {
      const signal = join(server().data, 'standby.signal');
      await server().stop();
      writeFileSync(signal, '');
      await server().start();
      await assert.rejects(
        storage.findProperty('a'),
        (error) => error instanceof StorageUnavailable && error.message.includes('standby'),
      );
      await assertRefused([() => storage.insertQuote(sampleQuote('q')), () => storage.readAccess()]);
      await server().stop();
      rmSync(signal);
      await server().start();
      await untilItWorks(() => storage.insertQuote(sampleQuote('q')));
    }));

  it('with an error of its own: says so where waiting may help', () =>
    withDatabase(server(), async (storage, url) => {
      await server().query(
        `CREATE TABLE failing (code text);
         CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
           'BEGIN RAISE EXCEPTION USING ERRCODE = (SELECT code FROM failing); END';
         CREATE TRIGGER fail BEFORE INSERT ON quotes FOR EACH ROW EXECUTE FUNCTION fail()`,
        url,
      );
      const failWith = (code: string) =>
        server().query(`DELETE FROM failing; INSERT INTO failing VALUES ('${code}')`, url);
      for (const [code, message] of [
        ['53100', 'the disk is full'],
        ['53200', 'the server is out of memory'],
        ['53400', 'the server is out of resources'],
        ['58030', 'the disk reports an error'],
        ['57014', 'the statement took too long'],
        ['40P01', 'conflict with another transaction'],
        ['42501', 'access to the database is not permitted'],
        ['08006', 'the connection is broken'],
      ] as const) {
        await failWith(code);
        await assert.rejects(storage.insertQuote(sampleQuote('q')), new StorageUnavailable(message));
      }
      await failWith('23514');
      await assert.rejects(
        storage.insertQuote(sampleQuote('q')),
        (error) => !(error instanceof StorageUnavailable),
        'a broken rule is a bug',
      );
    }));

  it('not to be had at all: refuses to open, with the reason and without the password', async () => {
    const url = await server().createDatabase();
    const database = new URL(url).pathname.slice(1);
    const open = (changed: string) => openPostgres(changed, () => NOW_MS, DECISION_WAIT_MS);
    await assert.rejects(
      open(url.replace(database, 'no_such_database')),
      new StorageUnavailable('the server has no database of this name'),
    );
    await assert.rejects(
      open(url.replace('stayport@', 'nobody:secret@')),
      new StorageUnavailable('the server refuses the user or the password'),
    );
    await assert.rejects(
      open(url.replace(`:${server().port}/`, ':1/')),
      new StorageUnavailable('no connection to the database: ECONNREFUSED'),
    );
    await server().query(`ALTER DATABASE ${database} CONNECTION LIMIT 0`);
    await assert.rejects(open(url), new StorageUnavailable('the server has too many connections'));
  });
});
