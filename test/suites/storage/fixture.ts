/**
 * What the suite needs of an adapter's test: a fresh database each time, reachable more than once.
 */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../src/runtime/clock.ts';
import { REVISION_TABLE, STAMP_TABLE, TABLES } from '../../../src/storage/copy/tables.ts';
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
  /** Those of all storages end, as when the server was restarted; the next use opens new ones. */
  readonly loseConnections: () => Promise<void>;
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

/** A database that one test after the other has for itself. */
interface Shared {
  readonly fixture: StorageFixture;
  /** Opened by earlier tests, for the next ones. */
  readonly others: Storage[];
  clock: Clock;
}

/** To open a database takes longer than most tests. */
const idle = new Map<OpenFixture, Shared[]>();

/**
 * Runs `body` on an empty migrated database, whose openers may have served other tests before. The suite ends with
 * `closeShared`.
 */
export async function withStorage(
  open: OpenFixture,
  body: (storage: Storage, fixture: Pick<StorageFixture, 'openAnother' | 'execute'>) => Promise<void>,
  clock: Clock = () => NOW_MS,
): Promise<void> {
  const shared = idle.get(open)?.pop() ?? (await openShared(open));
  shared.clock = clock;
  const { fixture, others } = shared;
  let otherCount = 0;
  async function openAnother(): Promise<Storage> {
    const place = otherCount++;
    return (others[place] ??= await fixture.openAnother());
  }
  try {
    await body(fixture.storage, { ...fixture, openAnother });
  } catch (error) {
    // Nobody knows what is still under way in it.
    await fixture.close();
    throw error;
  }
  await fixture.execute(emptyTables());
  idle.set(open, [...(idle.get(open) ?? []), shared]);
}

async function openShared(open: OpenFixture): Promise<Shared> {
  const shared: { fixture?: StorageFixture; others: Storage[]; clock: Clock } = {
    others: [],
    clock: () => NOW_MS,
  };
  const fixture = await open({ clock: () => shared.clock(), mayBeMigrated: true });
  await fixture.storage.migrate();
  return Object.assign(shared, { fixture });
}

/** What no copy has. */
const OF_ONE_DATABASE = [{ name: 'running_processes' }, { name: 'traffic_sums' }];

/** As after the migration: with a history of its own. */
function emptyTables(): string {
  return [
    'BEGIN',
    ...[...TABLES, STAMP_TABLE, ...OF_ONE_DATABASE].map(({ name }) => `DELETE FROM ${name}`),
    `UPDATE ${REVISION_TABLE.name} SET revision = 0`,
    `INSERT INTO ${STAMP_TABLE.name} (revision, stamp) VALUES (0, '${randomUUID()}')`,
    'COMMIT',
  ].join(';');
}

/** Closes what `withStorage` opened; for the end of a suite. */
export async function closeShared(open: OpenFixture): Promise<void> {
  for (const { fixture } of idle.get(open) ?? []) await fixture.close();
  idle.delete(open);
}

/** Runs `body` on a migrated database that nobody has used before. */
export async function withNewStorage(
  open: OpenFixture,
  body: (storage: Storage, fixture: StorageFixture) => Promise<void>,
): Promise<void> {
  const fixture = await open({ clock: () => NOW_MS, mayBeMigrated: true });
  try {
    await fixture.storage.migrate();
    await body(fixture.storage, fixture);
  } finally {
    await fixture.close();
  }
}
