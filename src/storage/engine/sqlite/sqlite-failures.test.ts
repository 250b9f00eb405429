/**
 * SQLite while another process, the disk or the file is in the way: the store refuses in time, keeps reading and
 * recovers.
 */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Storage, StorageUnavailable } from '../../storage.ts';
import { NOW_MS } from '../../../../test/suites/storage/fixture.ts';
import { samplePartner, sampleQuote, sampleWrite } from '../../../../test/suites/storage/sample-rows.ts';
import { openSqliteStorage, type SqliteOptions } from '../../open-sqlite.ts';
import { makeDatabasePath } from '../../../../test/suites/storage/sqlite-fixture.ts';
import { startProcess } from '../../../../test/kit/processes/start.ts';

/** Far above what a busy machine adds, far below what one blocking wait would be. */
const PAUSE_MS_MAX = 300;

async function withDatabase(
  body: (storage: Storage, path: string) => Promise<void>,
  options: Partial<SqliteOptions> = {},
): Promise<void> {
  const { path, remove } = makeDatabasePath();
  const storage = await openSqliteStorage({ path, clock: () => NOW_MS, ...options });
  try {
    await storage.migrate();
    await storage.writeProperties([sampleWrite('a')]);
    await body(storage, path);
  } finally {
    await storage.close();
    remove();
  }
}

describe('SQLite locked by another process', () => {
  it('refuses a quote within 2 s while reads go on and the event loop stays free', () =>
    withDatabase(async (storage, path) => {
      await using holder = startProcess('hold-lock', [path]);
      await holder.output.next();
      const delay = monitorEventLoopDelay({ resolution: 5 });
      delay.enable();
      const startedAtMs = performance.now();
      const pending = { isPending: true };
      const refusals = Promise.all(
        ['q1', 'q2'].map((id) => assert.rejects(storage.insertQuote(sampleQuote(id)), StorageUnavailable)),
      ).finally(() => (pending.isPending = false));
      let readCount = 0;
      for (; pending.isPending; readCount++) {
        assert.equal((await storage.findProperty('a'))?.property.propertyId, 'a');
        assert.equal(await storage.readRevision(), 1);
        await sleep(2);
      }
      await refusals;
      const elapsedMs = performance.now() - startedAtMs;
      delay.disable();
      assert.ok(elapsedMs < 2_000, `refused after ${elapsedMs} ms`);
      assert.ok(readCount > 50, `${readCount} reads`);
      assert.ok(delay.max / 1e6 < PAUSE_MS_MAX, `paused for ${delay.max / 1e6} ms`);

      const waiting = storage.putPartner(samplePartner('p'));
      await sleep(50);
      await holder.end();
      await waiting;
      await storage.insertQuote(sampleQuote('after'));
      assert.ok(await storage.findQuote('after'));
    }));

  it('stores a quote that the lock lets through in time', () =>
    withDatabase(async (storage, path) => {
      await using holder = startProcess('hold-lock', [path]);
      await holder.output.next();
      const stored = storage.insertQuote(sampleQuote('q'));
      await sleep(300);
      await holder.end();
      await stored;
      assert.ok(await storage.findQuote('q'));
    }));
});

describe('SQLite on a full disk', () => {
  it('refuses what does not fit, keeps all that was acknowledged, and recovers', () =>
    withDatabase(
      async (storage, path) => {
        const stored: string[] = [];
        const insert = async (quoteId: string) => {
          await storage.insertQuote(sampleQuote(quoteId, { breakdown: 'x'.repeat(20_000) }));
          stored.push(quoteId);
        };
        await assert.rejects(
          async () => {
            for (let round = 0; round < 100; round++) {
              await Promise.all([1, 2, 3].map((index) => insert(`q${round}-${index}`)));
            }
          },
          (error) => error instanceof StorageUnavailable && error.message === 'the disk is full',
        );
        assert.ok(stored.length > 0);
        await assert.rejects(
          storage.writeProperties([sampleWrite('big', { description: 'x'.repeat(2_000_000) })]),
          StorageUnavailable,
        );
        assert.equal(await storage.readRevision(), 1, 'nothing of it is stored');
        for (const quoteId of stored) assert.ok(await storage.findQuote(quoteId), quoteId);

        const other = new DatabaseSync(path, { timeout: 1_000 });
        other.exec(`DELETE FROM quotes WHERE quote_id = '${stored[0]}'`);
        other.close();
        await insert('after');
        assert.ok(await storage.findQuote('after'));
        assert.deepEqual(await storage.writeProperties([sampleWrite('small')]), ['created']);
      },
      { pageCountMax: 160 },
    ));
});

describe('SQLite on a file that may not be written', { skip: process.getuid === undefined }, () => {
  it('reads, refuses to write, and writes once it may', () =>
    withDatabase(async (_storage, path) => {
      const folder = dirname(path);
      const files = ['', '-wal', '-shm'].map((suffix) => `${path}${suffix}`);
      chmodSync(dirname(folder), 0o755);
      chmodSync(folder, 0o555);
      for (const file of files) chmodSync(file, 0o444);
      // Permissions don't stop root: the process under test runs as nobody.
      const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
      await using child = startProcess('write-read-only', [path], user);
      const refused = { read: 'a', write: 'StorageUnavailable: the database is read-only' };
      assert.deepEqual(JSON.parse((await child.output.next()).value), refused);
      chmodSync(folder, 0o777);
      for (const file of files) chmodSync(file, 0o666);
      child.send('go on');
      assert.deepEqual(JSON.parse((await child.output.next()).value), { read: 'a', write: 'stored' });
      assert.equal(await child.end(), 0);
    }));
});

function openAt(path: string): Promise<Storage> {
  return openSqliteStorage({ path, clock: () => NOW_MS });
}

describe('a path that SQLite cannot open', () => {
  it('is refused with the reason', async () => {
    const { path, remove } = makeDatabasePath();
    const folder = dirname(path);
    mkdirSync(folder);
    writeFileSync(path, 'x'.repeat(5_000));
    try {
      await assert.rejects(openAt(path), new StorageUnavailable('the file is not a database'));
      await assert.rejects(openAt(folder), new StorageUnavailable('the database cannot be opened'));
      await assert.rejects(
        openAt(`${path}/below/a/file.db`),
        new StorageUnavailable('its folder cannot be created'),
      );
    } finally {
      remove();
    }
  });
});
