/**
 * What the suite needs of an adapter's test: a fresh database each time, reachable more than once.
 */
import type { Clock } from '../../../src/runtime/clock.ts';
import type { Storage } from '../../../src/storage/storage.ts';

export interface StorageFixture {
  /** Connected to an empty database of its own. */
  readonly storage: Storage;
  /** The same database as another process would open it; closed with the fixture. */
  readonly openAnother: () => Promise<Storage>;
  /** Makes the database say that it has another schema version than it has. */
  readonly pretendSchemaVersion: (version: number) => Promise<void>;
  /** Runs statements on the database beside the storage. */
  readonly execute: (sql: string) => Promise<void>;
  /** Closes all and removes the database. */
  readonly close: () => Promise<void>;
}

interface FixtureOptions {
  readonly clock: Clock;
  /** Copied from one that was migrated before, where that is faster; otherwise it has no schema yet. */
  readonly mayBeMigrated?: boolean;
}

export type OpenFixture = (options: FixtureOptions) => Promise<StorageFixture>;

export const NOW_MS = Date.UTC(2026, 10, 20, 12);

/** Runs `body` on a fresh migrated database. */
export async function withStorage(
  open: OpenFixture,
  body: (storage: Storage, fixture: StorageFixture) => Promise<void>,
  clock: Clock = () => NOW_MS,
): Promise<void> {
  const fixture = await open({ clock, mayBeMigrated: true });
  try {
    await fixture.storage.migrate();
    await body(fixture.storage, fixture);
  } finally {
    await fixture.close();
  }
}
