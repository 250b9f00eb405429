/**
 * The numbered `.sql` files of an adapter, `012-what-it-adds.sql`. A file that was ever released is never changed; what
 * comes later is a new file. The rule is docs/decisions/050-additive-migrations.md, how to write one is in
 * CONTRIBUTING.md.
 *
 * Three tables count them, and every program makes them:
 * - `schema_version`: migrations 1 to 5, and contractions. Releases up to 1488e62 read this table only, and accept
 *   exactly 5.
 * - `schema_additions`: migrations from 6 on. They only add, so programs that don't know them work on.
 * - `schema_releases`: which programs work beside each of them.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { RELEASE } from '../../runtime/release.ts';
import { SchemaMismatch } from './errors.ts';
import type { SchemaState } from './state.ts';

const MIGRATION_FILE = /^(\d{3})-[a-z0-9-]+\.sql$/;
/** First line of a file that some older releases cannot work beside. */
const NEEDS_LINE = /^-- Needs: (\d+)\n/;

/** The highest migration in `schema_version`, apart from contractions. */
export const BASE_SCHEMA_VERSION = 5;

/** Where applied migrations are counted; both have the columns version, name, applied_at_ms. */
export const SCHEMA_TABLES = ['schema_version', 'schema_additions'] as const;

/**
 * For each migration: the release that applied it, and the oldest migration that programs must know to work beside it.
 */
export const RELEASES_TABLE = 'schema_releases';

export interface Migration {
  readonly version: number;
  /** Its file name. */
  readonly name: string;
  readonly sql: string;
  /** Programs that know this migration, and all newer ones, work beside it; 0: every program does. */
  readonly needs: number;
}

/** The schema of its engine as a program knows it. */
export interface KnownSchema {
  /** `migrate` and `serve` apply them. */
  readonly migrations: readonly Migration[];
  /** Contractions remove what only older releases need; only `migrate --contract` applies them. */
  readonly contractions: readonly Migration[];
}

/** One row of the tables above; `release` and `needs` are null where `schema_releases` says nothing. */
export interface AppliedMigration {
  readonly version: number;
  readonly release: string | null;
  readonly needs: number | null;
}

/** The migrations whose text both engines take. */
export const OF_BOTH_ENGINES = new URL('./migrations/', import.meta.url);

/** The migrations of these folders in ascending order; throws when a name or number is wrong. */
export function readMigrations(...folders: readonly URL[]): readonly Migration[] {
  let last = 0;
  return folders
    .flatMap((folder) => readdirSync(folder).map((name) => ({ name, folder })))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, folder }) => {
      const version = Number(MIGRATION_FILE.exec(name)?.[1]);
      // The first ones are counted by their highest number alone, so none of them may be missing.
      const isInOrder = version <= BASE_SCHEMA_VERSION ? version === last + 1 : version > last;
      if (!isInOrder) throw new Error(`not a migration that follows ${last}: ${name}`);
      last = version;
      const sql = readFileSync(new URL(name, folder), 'utf8');
      return { version, name, sql, needs: Number(NEEDS_LINE.exec(sql)?.[1] ?? 0) };
    });
}

/** The contractions of a folder; none if the folder does not exist. */
export function readContractions(folder: URL): readonly Migration[] {
  const contractions = existsSync(folder) ? readMigrations(folder) : [];
  for (const { name, needs } of contractions)
    if (needs === 0) throw new Error(`a contraction begins with a line "-- Needs: NUMBER": ${name}`);
  return contractions;
}

/** The migrations that this program has and the database lacks. */
export function findMissing(applied: readonly AppliedMigration[], known: KnownSchema): readonly Migration[] {
  const found = new Set(applied.map(({ version }) => version));
  return known.migrations.filter(({ version }) => !found.has(version));
}

/** The state of the database's schema for this program. */
export function judgeSchema(applied: readonly AppliedMigration[], known: KnownSchema): SchemaState {
  const latest = latestOf(known);
  const version = Math.max(0, ...applied.map((row) => row.version));
  const isBehind = findMissing(applied, known).length > 0;
  const ours = new Set([...known.migrations, ...known.contractions].map((migration) => migration.version));
  const strange = applied.find((row) => !ours.has(row.version) && !servesUs(row, ours));
  if (strange === undefined) return { version, latest, isBehind };
  const wanted = strange.release === null ? 'a newer program' : `Stayport ${strange.release} or newer`;
  const tooNew = `the database has schema version ${version}, this program (${RELEASE}) knows ${latest}: use ${wanted}`;
  return { version, latest, isBehind, tooNew };
}

/** The highest migration that a program knows. */
export function latestOf({ migrations }: KnownSchema): number {
  return migrations.at(-1)?.version ?? 0;
}

function servesUs({ needs }: AppliedMigration, ours: ReadonlySet<number>): boolean {
  return needs === 0 || (needs !== null && ours.has(needs));
}

/** Throws `SchemaMismatch` unless this program works on the database. */
export function assertSchemaServes(applied: readonly AppliedMigration[], known: KnownSchema): void {
  const { version, latest, isBehind, tooNew } = judgeSchema(applied, known);
  if (tooNew !== undefined) throw new SchemaMismatch(tooNew);
  if (!isBehind) return;
  throw new SchemaMismatch(
    version === 0
      ? 'the database is empty: run "stayport migrate" first'
      : `the database has schema version ${version}, this program needs ${latest}: run "stayport migrate"`,
  );
}

/**
 * The contractions to apply, and the migration that every process must know. That is the one that the contractions name
 * or, with none left to apply, the newest of all.
 */
export function planContraction(
  applied: readonly AppliedMigration[],
  known: KnownSchema,
): { readonly contractions: readonly Migration[]; readonly needs: number } {
  const found = new Set(applied.map(({ version }) => version));
  const contractions = known.contractions.filter(({ version }) => !found.has(version));
  const needs =
    contractions.length === 0 ? latestOf(known) : Math.max(...contractions.map((one) => one.needs));
  return { contractions, needs };
}

/** Contractions are counted in the table that also releases without additions read. */
export function tableOf(migration: Migration, { contractions }: KnownSchema): (typeof SCHEMA_TABLES)[number] {
  const isSeenByAll = migration.version <= BASE_SCHEMA_VERSION || contractions.includes(migration);
  return isSeenByAll ? 'schema_version' : 'schema_additions';
}

// Statements of both engines.

/** Creates the tables above if they are missing. */
export function createSchemaTables(bigint: 'bigint' | 'integer', suffix: string): string {
  const counts = SCHEMA_TABLES.map(
    (table) => `
      CREATE TABLE IF NOT EXISTS ${table} (
        version integer NOT NULL PRIMARY KEY,
        name text NOT NULL,
        applied_at_ms ${bigint} NOT NULL
      ) ${suffix};`,
  );
  return `${counts.join('')}
      CREATE TABLE IF NOT EXISTS ${RELEASES_TABLE} (
        version integer NOT NULL PRIMARY KEY,
        release text NOT NULL,
        needs integer NOT NULL
      ) ${suffix};`;
}

/** Reads all `AppliedMigration`; `existing` names the tables that exist. */
export function selectAppliedSql(existing: readonly string[]): string | undefined {
  const counted = SCHEMA_TABLES.filter((table) => existing.includes(table));
  if (counted.length === 0) return undefined;
  const versions = counted.map((table) => `SELECT version FROM ${table}`).join(' UNION ');
  return existing.includes(RELEASES_TABLE)
    ? `SELECT a.version, r.release, r.needs FROM (${versions}) AS a LEFT JOIN ${RELEASES_TABLE} AS r ON r.version = a.version`
    : `SELECT a.version, NULL AS release, NULL AS needs FROM (${versions}) AS a`;
}

/**
 * Stores which programs work beside each known and applied migration, unless it is stored already. Numbers and the
 * release's name are ours, so the text may contain them.
 */
export function insertReleasesSql(
  applied: readonly Pick<AppliedMigration, 'version'>[],
  known: KnownSchema,
): string {
  const found = new Set(applied.map(({ version }) => version));
  const rows = [...known.migrations, ...known.contractions]
    .filter(({ version }) => found.has(version))
    .map(({ version, needs }) => `(${version}, '${RELEASE.replaceAll("'", '')}', ${needs})`);
  return `INSERT INTO ${RELEASES_TABLE} (version, release, needs) VALUES ${rows.join(', ')} ON CONFLICT DO NOTHING`;
}
