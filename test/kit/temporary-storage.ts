/**
 * A real, empty, migrated database in a temporary folder, for tests of what stands on storage.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../src/runtime/clock.ts';
import { openStorage } from '../../src/storage/open.ts';
import type { Storage } from '../../src/storage/storage.ts';

export interface TemporaryStorage {
  readonly storage: Storage;
  /** `sqlite:...`, for a second opening of the same database. */
  readonly databaseUrl: string;
  /** Closes the storage and removes the folder. */
  close(): Promise<void>;
}

export async function openTemporaryStorage(clock: Clock = systemClock): Promise<TemporaryStorage> {
  const folder = await mkdtemp(join(tmpdir(), 'stayport-'));
  const databaseUrl = `sqlite:${join(folder, 'test.db')}`;
  const storage = await openStorage(databaseUrl, { clock, writesHere: true });
  await storage.migrate();
  return {
    storage,
    databaseUrl,
    async close() {
      await storage.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
