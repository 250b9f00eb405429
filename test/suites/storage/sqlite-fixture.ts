/**
 * SQLite databases for tests: real files in a folder of their own.
 */
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { activityPathOf } from '../../../src/storage/activity/activity-path.ts';
import { openSqliteStorage } from '../../../src/storage/open-sqlite.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import type { OpenFixture } from './fixture.ts';

/** A path in a new folder; the folder of the file itself does not exist yet. */
export function makeDatabasePath(): { readonly path: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'stayport-storage-'));
  return {
    path: join(folder, 'data', 'stayport.db'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export const openSqliteFixture: OpenFixture = async ({ clock }) => {
  const { path, remove } = makeDatabasePath();
  const opened: Storage[] = [];
  async function openOne(options: { readonly writesHere?: boolean } = {}): Promise<Storage> {
    const storage = await openSqliteStorage({ path, clock, ...options });
    opened.push(storage);
    return storage;
  }
  return {
    storage: await openOne(),
    // A command, beside the service.
    openAnother: () => openOne({ writesHere: true }),
    async pretendSchemaVersion(version) {
      const database = new DatabaseSync(path, { timeout: 5_000 });
      database.exec('DELETE FROM schema_version; DELETE FROM schema_releases');
      database
        .prepare(`INSERT INTO schema_version (version, name, applied_at_ms) VALUES (?, '', 0)`)
        .run(version);
      database.close();
    },
    async execute(sql) {
      const database = new DatabaseSync(path, { timeout: 5_000 });
      database.prepare('ATTACH DATABASE ? AS activity').run(activityPathOf(path));
      database.exec(sql);
      database.close();
    },
    // Another file in its place.
    async loseConnections() {
      const database = new DatabaseSync(path, { timeout: 5_000 });
      database.exec(`VACUUM INTO '${path}.copy'`);
      database.close();
      for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true });
      renameSync(`${path}.copy`, path);
    },
    async close() {
      for (const storage of opened) await storage.close();
      remove();
    },
  };
};
