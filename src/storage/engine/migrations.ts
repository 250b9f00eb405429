/**
 * The numbered `.sql` files that make the schema, `025-what-it-adds.sql`. The first is the schema of the first release;
 * later ones only add. A file that was ever released is never changed; what comes later is a new file. The rule is
 * docs/decisions/050-additive-migrations.md, how to write one is in CONTRIBUTING.md.
 *
 * Two tables count them: `schema_version` has a row for each that was applied, contractions included; `schema_releases`
 * says which programs work beside it.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { RELEASE } from '../../runtime/release.ts';
import { type Engine, fillEngineWords } from './engine-words.ts';
import { SchemaMismatch } from './errors.ts';
import { BASELINE, BASELINE_RELEASE, BETA_TABLE, isOfBeta, refuseOlderBeta } from './last-beta.ts';
import type { SchemaState } from './state.ts';

const MIGRATION_FILE = /^(\d{3})-[a-z0-9-]+\.sql$/;
/** First line of a file that some older releases cannot work beside. */
const NEEDS_LINE = /^-- Needs: (\d+)\n/;

/** Has the columns version, name, applied_at_ms. */
const VERSION_TABLE = 'schema_version';
/**
 * For each migration: the release that applied it, and the oldest migration that programs must know to work beside it.
 */
const RELEASES_TABLE = 'schema_releases';

/** All tables that may say which migrations were applied. */
export const SCHEMA_TABLES: readonly string[] = [VERSION_TABLE, BETA_TABLE, RELEASES_TABLE];

export interface Migration {
  readonly version: number;
  /** Its file name. */
  readonly name: string;
  readonly sql: string;
  /** Programs that know this migration, and all newer ones, work beside it; 0: every program does. */
  readonly needs: number;
}

/** A schema as a program knows it. */
export interface KnownSchema {
  /** Its database or file, as messages say it. */
  readonly subject: string;
  /** `migrate` and `serve` apply them. */
  readonly migrations: readonly Migration[];
  /** Contractions remove what only older releases need; only `migrate --contract` applies them. */
  readonly contractions: readonly Migration[];
  /** The numbers of `LAST_BETA_MIGRATIONS`. */
  readonly ofLastBeta: readonly number[];
}

/** One row of the tables above; `release` and `needs` are null where `schema_releases` says nothing. */
export interface AppliedMigration {
  readonly version: number;
  readonly release: string | null;
  readonly needs: number | null;
}

/** Activity is apart, because SQLite has it in a file of its own. */
const FOLDERS = {
  truth: { migrations: 'migrations/', contractions: 'contractions/' },
  activity: { migrations: 'activity-migrations/', contractions: 'activity-contractions/' },
} as const;

/** The migrations and contractions of these parts, in the words of an engine; throws when a name or number is wrong. */
export function readSchema(
  engine: Engine,
  parts: readonly (keyof typeof FOLDERS)[],
): Pick<KnownSchema, 'migrations' | 'contractions'> {
  const foldersOf = (kind: 'migrations' | 'contractions') =>
    parts.map((part) => new URL(FOLDERS[part][kind], import.meta.url));
  return {
    migrations: readMigrations(engine, foldersOf('migrations')),
    contractions: readContractions(engine, foldersOf('contractions')),
  };
}

export function readContractions(engine: Engine, folders: readonly URL[]): readonly Migration[] {
  const contractions = readMigrations(engine, folders);
  for (const { name, needs } of contractions)
    if (needs === 0) throw new Error(`a contraction begins with a line "-- Needs: NUMBER": ${name}`);
  return contractions;
}

/** In ascending order. A name that stands in several folders is one migration; a folder that does not exist has none. */
function readMigrations(engine: Engine, folders: readonly URL[]): readonly Migration[] {
  const files = folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder).map((name) => ({ name, text: readFileSync(new URL(name, folder), 'utf8') })),
    );
  let last = 0;
  return [...Map.groupBy(files, ({ name }) => name)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, parts]) => {
      const version = Number(MIGRATION_FILE.exec(name)?.[1]);
      if (!(version > last)) throw new Error(`not a migration that follows ${last}: ${name}`);
      last = version;
      const texts = parts.map(({ text }) => text);
      const needs = Math.max(...texts.map((text) => Number(NEEDS_LINE.exec(text)?.[1] ?? 0)));
      return { version, name, sql: fillEngineWords(texts.join('\n'), engine), needs };
    });
}

/** The migrations that this program has and the database lacks. */
export function findMissing(applied: readonly AppliedMigration[], known: KnownSchema): readonly Migration[] {
  const found = new Set(applied.map(({ version }) => version));
  return known.migrations.filter(({ version }) => !found.has(version));
}

/** The state of the schema for this program. */
export function judgeSchema(applied: readonly AppliedMigration[], known: KnownSchema): SchemaState {
  const latest = latestOf(known);
  const version = Math.max(0, ...applied.map((row) => row.version));
  const isBehind = findMissing(applied, known).length > 0;
  const refusal = isOfBeta(applied) ? refuseOlderBeta(applied, known) : refuseNewer(applied, known);
  return { version, latest, isBehind, ...(refusal !== undefined && { refusal }) };
}

function refuseNewer(applied: readonly AppliedMigration[], known: KnownSchema): string | undefined {
  const ours = new Set([...known.migrations, ...known.contractions].map((migration) => migration.version));
  const strange = applied.find((row) => !ours.has(row.version) && !servesUs(row, ours));
  if (strange === undefined) return undefined;
  const version = Math.max(...applied.map((row) => row.version));
  const wanted = strange.release === null ? 'a newer program' : `Stayport ${strange.release} or newer`;
  return `${known.subject} has schema version ${version}, this program (${RELEASE}) knows ${latestOf(known)}: use ${wanted}`;
}

/** The highest migration that a program knows. */
export function latestOf({ migrations }: Pick<KnownSchema, 'migrations'>): number {
  return migrations.at(-1)?.version ?? 0;
}

function servesUs({ needs }: AppliedMigration, ours: ReadonlySet<number>): boolean {
  return needs === 0 || (needs !== null && ours.has(needs));
}

/** Throws `SchemaMismatch` unless this program works on the schema. */
export function assertSchemaServes(applied: readonly AppliedMigration[], known: KnownSchema): void {
  const { version, latest, isBehind, refusal } = judgeSchema(applied, known);
  if (refusal !== undefined) throw new SchemaMismatch(refusal);
  if (!isBehind) return;
  throw new SchemaMismatch(
    version === 0
      ? `${known.subject} is empty: run "stayport migrate" first`
      : `${known.subject} has schema version ${version}, this program needs ${latest}: run "stayport migrate"`,
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

// Statements of both engines.

/** Creates the tables above if they are missing. */
export function createSchemaTables(engine: Engine): string {
  return fillEngineWords(
    `CREATE TABLE IF NOT EXISTS ${VERSION_TABLE} (
        version integer NOT NULL PRIMARY KEY,
        name text NOT NULL,
        applied_at_ms {bigint} NOT NULL
      ) {strict};
      CREATE TABLE IF NOT EXISTS ${RELEASES_TABLE} (
        version integer NOT NULL PRIMARY KEY,
        release text NOT NULL,
        needs integer NOT NULL
      ) {strict};`,
    engine,
  );
}

/** Reads all `AppliedMigration`; `existing` names the tables that exist. */
export function selectAppliedSql(existing: readonly string[]): string | undefined {
  const counted = [VERSION_TABLE, BETA_TABLE].filter((table) => existing.includes(table));
  if (counted.length === 0) return undefined;
  const versions = counted.map((table) => `SELECT version FROM ${table}`).join(' UNION ');
  return existing.includes(RELEASES_TABLE)
    ? `SELECT a.version, r.release, r.needs FROM (${versions}) AS a LEFT JOIN ${RELEASES_TABLE} AS r ON r.version = a.version`
    : `SELECT a.version, NULL AS release, NULL AS needs FROM (${versions}) AS a`;
}

/** Counts a migration as applied. What stands in the text is ours. */
export function countMigrationSql({ version, name, needs }: Migration, nowMs: number): string {
  const release = version === BASELINE ? BASELINE_RELEASE : RELEASE;
  return `
    INSERT INTO ${VERSION_TABLE} (version, name, applied_at_ms) VALUES (${version}, '${name}', ${nowMs});
    INSERT INTO ${RELEASES_TABLE} (version, release, needs) VALUES (${version}, '${release}', ${needs});`;
}
