/** The file of what happened may be locked, missing, damaged or newer: quotes never notice, and it is tried again. */
import assert from 'node:assert/strict';
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { DatabaseSync } from 'node:sqlite';
import { NOW_MS } from '../../../test/suites/storage/fixture.ts';
import { sampleQuote } from '../../../test/suites/storage/sample-rows.ts';
import { makeDatabasePath } from '../../../test/suites/storage/sqlite-fixture.ts';
import { openSqliteStorage } from '../open-sqlite.ts';
import { type Storage, StorageUnavailable } from '../storage.ts';
import { activityPathOf } from './activity-path.ts';
import type { ActivitySlice } from './store.ts';

/** Far more than a write takes, far less than any lock is waited for. */
const SOON_MS = 2_000;
const RANGE = { from: 0, to: 40_000, rowsMax: 9 };

let number = 0;
function nextSlice(): ActivitySlice {
  number += 1;
  const unknownPlaces = [{ day: 1, place: `P${number}`, searches: 3 }];
  const rows = { traffic: [], requests: [], demand: [], unknownPlaces, unmet: [] };
  return { writer: 'one', number, writtenAtMs: NOW_MS, ...rows };
}

async function withFile(body: (storage: Storage, activityPath: string) => Promise<void>): Promise<void> {
  const { path, remove } = makeDatabasePath();
  const storage = await openSqliteStorage({ path, clock: () => NOW_MS });
  try {
    await storage.migrate();
    await body(storage, activityPathOf(path));
  } finally {
    await storage.close();
    remove();
  }
}

function removeFile(path: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
}

/** Slices are refused, and quotes are stored as ever meanwhile. */
async function assertRefused(storage: Storage, quoteId: string, message: RegExp): Promise<void> {
  const startedAtMs = performance.now();
  const refused = assert.rejects(storage.recordActivity(nextSlice()), message);
  await storage.insertQuote(sampleQuote(quoteId));
  await refused;
  assert.ok(performance.now() - startedAtMs < SOON_MS);
  assert.equal((await storage.findQuote(quoteId))?.quoteId, quoteId);
}

async function assertWritten(storage: Storage): Promise<void> {
  const slice = nextSlice();
  assert.equal(await storage.recordActivity(slice), true);
  const found = await storage.readUnknownPlaces({ ...RANGE, rowsMax: 99, searchesMin: 1 });
  assert.ok(found.some(({ place }) => place === slice.unknownPlaces[0]!.place));
}

describe('The file of what happened', () => {
  it('is beside the database, for its owner alone', async () => {
    assert.equal(activityPathOf('/srv/stay.port.db'), '/srv/stay.port-activity.db');
    assert.equal(activityPathOf('/srv/stayport'), '/srv/stayport-activity');
    await withFile(async (storage, path) => {
      await assertWritten(storage);
      assert.equal(statSync(path).mode & 0o777, 0o600);
    });
  });

  it('loses the stays of before the ages of children once they have passed', () =>
    withFile(async (storage, path) => {
      const file = new DatabaseSync(path);
      const add = file.prepare(
        `INSERT INTO unmet_stays (city, country, check_in, nights, guests, searches, last_day)
         VALUES ('Venezia', 'IT', ?, 2, 2, 1, 20700)`,
      );
      for (const checkIn of [20_700, 20_701, 20_702]) add.run(checkIn);
      const left = () => file.prepare('SELECT check_in FROM unmet_stays').all().length;
      await storage.deletePassedUnmet(20_702, 1);
      assert.equal(left(), 2);
      await storage.deletePassedUnmet(20_702, 9);
      assert.equal(left(), 1);
      file.close();
    }));

  it('may be locked by another process: slices are refused at once, quotes are stored', () =>
    withFile(async (storage, path) => {
      await assertWritten(storage);
      const other = new DatabaseSync(path);
      other.exec('BEGIN IMMEDIATE');
      await assertRefused(storage, 'a', /locked/);
      other.exec('ROLLBACK');
      other.close();
      await assertWritten(storage);
    }));

  it('may be locked before it has tables: no quote waits for it', () =>
    withFile(async (storage, path) => {
      removeFile(path);
      const other = new DatabaseSync(path);
      other.exec('BEGIN EXCLUSIVE; CREATE TABLE other (a)');
      await assertRefused(storage, 'a', /locked/);
      other.exec('ROLLBACK');
      other.close();
      await assertWritten(storage);
    }));

  it('is created again when it is gone', () =>
    withFile(async (storage, path) => {
      await assertWritten(storage);
      removeFile(path);
      await assertWritten(storage);
      removeFile(path);
      assert.deepEqual(await storage.readTraffic(RANGE), []);
      assert.ok(existsSync(path));
    }));

  it('may be damaged: it is refused until somebody removes it', () =>
    withFile(async (storage, path) => {
      await assertWritten(storage);
      removeFile(path);
      writeFileSync(path, 'not a database, but long enough to be taken for one'.repeat(100));
      await assertRefused(storage, 'b', /not a database/);
      await assert.rejects(storage.readTraffic(RANGE), StorageUnavailable);
      removeFile(path);
      await assertWritten(storage);
    }));

  it('may be of a newer release: it is left alone', () =>
    withFile(async (storage, path) => {
      await assertWritten(storage);
      const other = new DatabaseSync(path);
      other.exec(
        `INSERT INTO schema_version (version, name, applied_at_ms) VALUES (901, '901-later.sql', 0)`,
      );
      other.close();
      await assertRefused(storage, 'c', /use a newer program/);
    }));
});
