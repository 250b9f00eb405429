/**
 * The numbered `.sql` files of an adapter: `001-first.sql`, `002-second.sql`, without a gap. A file that was ever
 * released is never changed; what comes later is a new file.
 *
 * Releases up to 1488e62 accept exactly schema version 5. So migrations 1 to 5 are counted in `schema_version`, and
 * later ones, which only add, in `schema_additions`: those releases don't see them and go on.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { SchemaMismatch } from './errors.ts';

const MIGRATION_FILE = /^(\d{3})-[a-z0-9-]+\.sql$/;

/** The highest number that `schema_version` ever holds. */
export const BASE_SCHEMA_VERSION = 5;

/** Where the migrations that were applied are counted; both have the columns version, name, applied_at_ms. */
export const SCHEMA_TABLES = ['schema_version', 'schema_additions'] as const;

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

export function tableOfMigration({ version }: Pick<Migration, 'version'>): (typeof SCHEMA_TABLES)[number] {
  return version <= BASE_SCHEMA_VERSION ? 'schema_version' : 'schema_additions';
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
