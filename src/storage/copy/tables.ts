/**
 * The tables as rows of plain values, the same in every adapter, for `copy-database.ts`.
 *
 * They derive from SQLite's migrations, so new tables and columns are copied without a change here. A test compares
 * them with the schema of PostgreSQL.
 */
import { DatabaseSync } from 'node:sqlite';
import { ACTIVITY_SCHEMA } from '../activity/sqlite.ts';
import type { KnownSchema } from '../engine/migrations.ts';
import { SQLITE_SCHEMA } from '../engine/sqlite/migrate.ts';

export interface Column {
  readonly name: string;
  readonly kind: 'text' | 'integer' | 'bytes';
}

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  /** Number of leading columns that form the primary key. */
  readonly keyLength: number;
}

export type Value = string | number | Uint8Array | null;

/** The values of `columns`, in their order. */
export type Row = readonly Value[];

/** One consistent view of all tables. */
export interface TableReader {
  countRows(table: Table): Promise<number>;
  /** Ascending by primary key, text byte by byte; in batches that are never empty. */
  readRows(table: Table): AsyncIterable<readonly Row[]>;
  close(): Promise<void>;
}

/** One transaction, which sees its own writes. */
export interface TableWriter extends TableReader {
  insertRows(table: Table, rows: readonly Row[]): Promise<void>;
  /** Other writers have waited since the transaction began and continue from this revision. Its stamps were deleted. */
  setRevision(revision: number): Promise<void>;
  commit(): Promise<void>;
  /** Undoes everything unless it was committed. */
  close(): Promise<void>;
}

/** Both reject with `SchemaMismatch` on a schema that this program does not know, and with `StorageUnavailable`. */
export interface TableAccess {
  openReader(): Promise<TableReader>;
  /** Gives an empty database its schema first. */
  openWriter(): Promise<TableWriter>;
}

const KINDS: Readonly<Record<string, Column['kind']>> = { TEXT: 'text', INTEGER: 'integer', BLOB: 'bytes' };

/** Columns of the primary key first. */
const COLUMNS_SQL = `
  SELECT made.name AS made_table, held.name AS name, held.type AS type, held.pk AS pk
  FROM sqlite_schema AS made JOIN pragma_table_info(made.name) AS held
  WHERE made.type = 'table' ORDER BY made.rowid, held.pk = 0, held.pk, held.cid`;

const SCHEMA = tablesOf(SQLITE_SCHEMA);

/** The one-row table in every database that has a schema. */
export const REVISION_TABLE = tableNamed('revision');

/** The stamps that identify a history. A new database has its own stamp, which a copy replaces. */
export const STAMP_TABLE = tableNamed('revision_stamps');

/** The processes that serve a database; not data. */
const PROCESS_TABLE = tableNamed('running_processes');

/** Derived sums, computed again when missing. */
const TRAFFIC_SUMS = 'traffic_sums';

/** Tables of activity. On SQLite they are in their own file. */
export const ACTIVITY_TABLES = tablesOf(ACTIVITY_SCHEMA).filter(({ name }) => name !== TRAFFIC_SUMS);

/** All other tables except those about the schema; empty in a new database, apart from its stamp. */
export const TABLES: readonly Table[] = [
  ...SCHEMA.filter((table) => table !== REVISION_TABLE && table !== PROCESS_TABLE),
  ...ACTIVITY_TABLES,
];

function tableNamed(name: string): Table {
  const table = SCHEMA.find((one) => one.name === name);
  if (table === undefined) throw new Error(`no migration makes the table ${name}`);
  return table;
}

/** The tables after all migrations, in the order of creation. A table that a contraction removes is not data. */
function tablesOf({ migrations, contractions }: KnownSchema): readonly Table[] {
  const database = new DatabaseSync(':memory:');
  for (const { sql } of [...migrations, ...contractions]) database.exec(sql);
  const rows = database.prepare(COLUMNS_SQL).all();
  database.close();
  return [...Map.groupBy(rows, (row) => String(row['made_table']))].map(([name, columns]) => ({
    name,
    columns: columns.map((row) => ({ name: String(row['name']), kind: kindOf(String(row['type'])) })),
    keyLength: columns.filter((row) => row['pk'] !== 0).length,
  }));
}

function kindOf(type: string): Column['kind'] {
  const kind = KINDS[type];
  if (kind === undefined) throw new Error(`rows with ${type} are not copied`);
  return kind;
}

/** `SELECT` of all columns in key order; the same text for every engine. */
export function selectRowsSql({ name, columns, keyLength }: Table): string {
  const names = columns.map((column) => column.name);
  return `SELECT ${names.join(', ')} FROM ${name} ORDER BY ${names.slice(0, keyLength).join(', ')}`;
}
