/**
 * The tables as rows of plain values, the same in every adapter: what `copy-database.ts` moves from one to another.
 *
 * A migration that adds a table or a column adds it here too; a test compares this list with both schemas.
 */
import { ATTRIBUTION_TOTALS } from '../attribution/attribution-sql.ts';
import { ACTIVITY_TABLES } from './activity-tables.ts';
import { SUPPLY_TABLES } from './supply-tables.ts';
import { bytes, integer, type Table, text } from './table-columns.ts';

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

/** One transaction, which sees what it has written itself. */
export interface TableWriter extends TableReader {
  insertRows(table: Table, rows: readonly Row[]): Promise<void>;
  /**
   * Other writers have been waiting since the transaction began; they continue from this one. Its stamps were deleted.
   */
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

/** One row, in every database that has a schema. */
export const REVISION_TABLE: Table = {
  name: 'revision',
  columns: [integer('only_row'), integer('revision')],
  keyLength: 1,
};

/** Which history the revisions count. A new database has a row of its own, which a copy replaces. */
export const STAMP_TABLE: Table = {
  name: 'revision_stamps',
  columns: [integer('revision'), text('stamp')],
  keyLength: 1,
};

/** All others but those that say which schema it is; empty in a new database, apart from its stamp. */
export const TABLES: readonly Table[] = [
  {
    name: 'properties',
    columns: [
      text('property_id'),
      integer('revision'),
      text('source'),
      integer('withdrawn'),
      integer('changed_at_ms'),
      text('content_hash'),
      bytes('lowest_rates'),
      text('document'),
      integer('layered'),
    ],
    keyLength: 1,
  },
  {
    name: 'inventory_types',
    columns: [
      text('property_id'),
      integer('position'),
      text('inventory_type_id'),
      bytes('nights'),
      bytes('rates'),
    ],
    keyLength: 2,
  },
  {
    name: 'property_details',
    columns: [text('property_id'), text('details')],
    keyLength: 1,
  },
  {
    name: 'partners',
    columns: [
      text('partner_id'),
      integer('revision'),
      text('name'),
      text('origins'),
      integer('disabled'),
      integer('created_at_ms'),
    ],
    keyLength: 1,
  },
  {
    name: 'credentials',
    columns: [
      text('credential_id'),
      integer('revision'),
      text('partner_id'),
      text('token_hash'),
      text('scopes'),
      integer('quota'),
      integer('created_at_ms'),
      integer('expires_at_ms'),
      integer('revoked_at_ms'),
      integer('is_test'),
    ],
    keyLength: 1,
  },
  {
    name: 'handoff_keys',
    columns: [
      text('key_id'),
      integer('revision'),
      text('secret'),
      integer('created_at_ms'),
      integer('retired_at_ms'),
    ],
    keyLength: 1,
  },
  {
    name: 'operator_tokens',
    columns: [
      text('operator_token_id'),
      integer('revision'),
      text('name'),
      text('token_hash'),
      integer('created_at_ms'),
      text('scopes'),
      text('source'),
      integer('expires_at_ms'),
      integer('revoked_at_ms'),
    ],
    keyLength: 1,
  },
  {
    name: 'quotes',
    columns: [
      text('quote_id'),
      text('property_id'),
      text('partner_id'),
      text('credential_id'),
      text('inventory_type_id'),
      text('locale'),
      integer('created_at_ms'),
      integer('expires_at_ms'),
      text('answer'),
      text('breakdown'),
      integer('is_test'),
    ],
    keyLength: 1,
  },
  {
    name: 'handoff_visits',
    columns: [
      text('quote_id'),
      integer('opened_count'),
      integer('first_opened_at_ms'),
      text('outcome'),
      integer('continued_at_ms'),
      integer('price_change_per_mille'),
    ],
    keyLength: 1,
  },
  {
    name: 'attribution_days',
    columns: [
      integer('day'),
      text('partner_id'),
      ...Object.values(ATTRIBUTION_TOTALS).map(({ stored }) => integer(stored)),
    ],
    keyLength: 2,
  },
  {
    name: 'conversions',
    columns: [
      text('reference'),
      text('quote_id'),
      text('partner_id'),
      integer('day'),
      integer('is_test'),
      integer('booked_at_ms'),
      integer('cancelled_at_ms'),
      integer('total'),
      text('currency'),
    ],
    keyLength: 1,
  },
  {
    name: 'quote_counts',
    columns: [integer('day'), text('credential_id'), integer('quotes')],
    keyLength: 2,
  },
  {
    name: 'task_claims',
    columns: [text('task'), text('holder'), integer('until_ms')],
    keyLength: 1,
  },
  {
    name: 'console_links',
    columns: [text('link_hash'), text('name'), text('role'), integer('expires_at_ms')],
    keyLength: 1,
  },
  {
    name: 'console_sessions',
    columns: [
      text('session_id'),
      text('token_hash'),
      text('name'),
      text('role'),
      integer('created_at_ms'),
      integer('last_seen_at_ms'),
    ],
    keyLength: 1,
  },
  {
    name: 'audit_log',
    columns: [
      text('entry_id'),
      integer('position'),
      integer('at_ms'),
      text('person'),
      text('role'),
      text('act'),
      text('subject'),
      text('before'),
      text('after'),
    ],
    keyLength: 2,
  },
  STAMP_TABLE,
  ...SUPPLY_TABLES,
  ...ACTIVITY_TABLES,
];

/** `SELECT` of all columns in key order; the same text for every engine. */
export function selectRowsSql({ name, columns, keyLength }: Table): string {
  const names = columns.map((column) => column.name);
  return `SELECT ${names.join(', ')} FROM ${name} ORDER BY ${names.slice(0, keyLength).join(', ')}`;
}
