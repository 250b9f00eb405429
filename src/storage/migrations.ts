/**
 * The numbered `.sql` files of an adapter: `001-first.sql`, `002-second.sql`, without a gap. A file that was ever
 * released is never changed; what comes later is a new file.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { SchemaMismatch } from './storage.ts';

const MIGRATION_FILE = /^(\d{3})-[a-z0-9-]+\.sql$/;

export interface Migration {
  /** The schema's version when it has been applied. */
  readonly version: number;
  /** Its file name. */
  readonly name: string;
  readonly sql: string;
}

/** The migrations of a folder in order; throws when a name or number is wrong. */
export function readMigrations(folder: URL): readonly Migration[] {
  const names = readdirSync(folder).toSorted();
  return names.map((name, index) => {
    if (Number(MIGRATION_FILE.exec(name)?.[1]) !== index + 1)
      throw new Error(`not migration ${index + 1}: ${name}`);
    return { version: index + 1, name, sql: readFileSync(new URL(name, folder), 'utf8') };
  });
}

/** Data is read and written at exactly the version that this program knows. */
export function assertSchemaCurrent(version: number, latest: number): void {
  if (version === latest) return;
  if (version > latest) throw newerSchema(version, latest);
  throw new SchemaMismatch(
    version === 0
      ? 'the database is empty: run "stayport migrate" first'
      : `the database has schema version ${version}, this program needs ${latest}: run "stayport migrate"`,
  );
}

/** Nothing older may touch a schema that it does not know. */
export function newerSchema(version: number, latest: number): SchemaMismatch {
  return new SchemaMismatch(
    `the database has schema version ${version}, this program knows ${latest}: use a newer program`,
  );
}
