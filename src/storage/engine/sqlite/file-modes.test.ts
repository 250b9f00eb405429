import assert from 'node:assert/strict';
import { chmodSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, it } from 'node:test';
import { NOW_MS } from '../../../../test/suites/storage/fixture.ts';
import { sampleHandoffKey } from '../../../../test/suites/storage/sample-rows.ts';
import { makeDatabasePath } from '../../../../test/suites/storage/sqlite-fixture.ts';
import { copyDatabase } from '../../copy/copy-database.ts';
import { openSqliteStorage } from '../../open-sqlite.ts';
import { openSqliteTables } from '../../copy/sqlite-tables.ts';

const clock = () => NOW_MS;
const SUFFIXES = ['', '-wal', '-shm'];
const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8);

/** Opens it, with one write so that log and shared memory exist; what was warned of. */
async function openAndLook(path: string) {
  const warnings: string[] = [];
  const storage = await openSqliteStorage({ path, clock, onWarning: (line) => warnings.push(line) });
  await storage.migrate();
  await storage.putHandoffKey(sampleHandoffKey(`k${NOW_MS}`), { unlessAnyExists: true });
  const modes = SUFFIXES.map((suffix) => modeOf(path + suffix));
  return { warnings, modes, close: () => storage.close() };
}

describe('The files of SQLite', { skip: process.platform === 'win32' }, () => {
  it('are created for their owner alone, whatever the mask', async () => {
    const { path, remove } = makeDatabasePath();
    const maskBefore = process.umask(0);
    try {
      const opened = await openAndLook(path);
      assert.deepEqual(opened.modes, ['600', '600', '600']);
      assert.equal(modeOf(dirname(path)), '700');
      assert.deepEqual(opened.warnings, []);
      await opened.close();
    } finally {
      process.umask(maskBefore);
      remove();
    }
  });

  it('lose the access of other users when they are opened; the access of the group is named', async () => {
    const { path, remove } = makeDatabasePath();
    const first = await openAndLook(path);
    for (const suffix of SUFFIXES) chmodSync(path + suffix, 0o644);
    const second = await openAndLook(path);
    assert.deepEqual(second.modes, ['640', '640', '640']);
    assert.equal(second.warnings.length, 3);
    assert.match(second.warnings[0] ?? '', /^its group may open .+ run "chmod 600 .+stayport\.db"$/);
    for (const suffix of SUFFIXES) chmodSync(path + suffix, 0o606);
    const third = await openAndLook(path);
    assert.deepEqual([third.modes, third.warnings], [['600', '600', '600'], []]);
    for (const { close } of [third, second, first]) await close();
    remove();
  });

  it('are named when every user may replace them', async () => {
    const { path, remove } = makeDatabasePath();
    const first = await openAndLook(path);
    chmodSync(dirname(path), 0o777);
    const second = await openAndLook(path);
    assert.match(second.warnings.join(), /^every user may replace files in .+ run "chmod o-w .+"$/);
    chmodSync(dirname(path), 0o1777);
    const sticky = await openAndLook(path);
    assert.deepEqual(sticky.warnings, []);
    for (const { close } of [sticky, second, first]) await close();
    remove();
  });

  it("are the owner's alone also when a database is copied into them", async () => {
    const from = makeDatabasePath();
    const to = makeDatabasePath();
    const { close } = await openAndLook(from.path);
    const maskBefore = process.umask(0);
    try {
      const tables = { from: openSqliteTables(from.path, clock), to: openSqliteTables(to.path, clock) };
      assert.ok((await copyDatabase(tables)).ok);
      assert.deepEqual([modeOf(to.path), modeOf(dirname(to.path))], ['600', '700']);
    } finally {
      process.umask(maskBefore);
      await close();
      for (const { remove } of [from, to]) remove();
    }
  });
});
