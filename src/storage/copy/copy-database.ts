/**
 * Moves everything from one database to another, on any engine. Revisions, tombstones, hashes and quotes stay the same,
 * so followers and partners notice nothing.
 *
 * The target is written in one transaction, which is committed only after every row has been read back and compared.
 */
import { createHash, type Hash } from 'node:crypto';
import {
  REVISION_TABLE,
  STAMP_TABLE,
  type Row,
  type Table,
  type TableAccess,
  type TableReader,
  TABLES,
  type TableWriter,
  type Value,
} from './tables.ts';

export interface CopyProgress {
  readonly step: 'copying' | 'comparing';
  readonly table: string;
  readonly rowsDone: number;
  readonly rowsTotal: number;
}

export interface CopiedTable {
  readonly name: string;
  readonly rowCount: number;
  /** SHA-256 over all values in key order, hex: the same for the same rows in any engine. */
  readonly sha256: string;
}

export type CopyResult =
  | {
      readonly ok: true;
      readonly tables: readonly CopiedTable[];
      /** The source was written to after the copy began; the copy lacks these writes. */
      readonly hasSourceMoved: boolean;
    }
  /** Nothing was written. */
  | { readonly ok: false; readonly problem: string };

export interface CopyOptions {
  readonly from: TableAccess;
  readonly to: TableAccess;
  /** After each batch. */
  readonly onProgress?: (progress: CopyProgress) => void;
}

export async function copyDatabase({ from, to, onProgress }: CopyOptions): Promise<CopyResult> {
  const source = await from.openReader();
  try {
    const target = await to.openWriter();
    try {
      const result = await copyTables(source, target, onProgress ?? (() => undefined));
      if (typeof result === 'string') return { ok: false, problem: result };
      await target.commit();
      return { ok: true, tables: result, hasSourceMoved: await hasMoved(source, from) };
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** The copied tables, or the reason not to copy. */
async function copyTables(
  source: TableReader,
  target: TableWriter,
  onProgress: (progress: CopyProgress) => void,
): Promise<CopiedTable[] | string> {
  const filled = await findFilled(target);
  if (filled !== undefined) return `the target is not empty: it has rows in ${filled}`;
  await target.setRevision(await readRevision(source));
  const counts = new Map<Table, number>();
  for (const table of TABLES) counts.set(table, await source.countRows(table));
  for (const [table, rowsTotal] of counts) {
    let rowsDone = 0;
    for await (const rows of source.readRows(table)) {
      await target.insertRows(table, rows);
      rowsDone += rows.length;
      onProgress({ step: 'copying', table: table.name, rowsDone, rowsTotal });
    }
  }
  const copied: CopiedTable[] = [];
  for (const [table, rowsTotal] of [[REVISION_TABLE, 1] as const, ...counts]) {
    const compared = await compareTable(table, source, target, (rowsDone) =>
      onProgress({ step: 'comparing', table: table.name, rowsDone, rowsTotal }),
    );
    if (typeof compared === 'string') return compared;
    copied.push(compared);
  }
  return copied;
}

/** The name of a table that holds anything; the revision of a new database is 0. */
async function findFilled(target: TableReader): Promise<string | undefined> {
  for (const table of TABLES) {
    if (table !== STAMP_TABLE && (await target.countRows(table)) > 0) return table.name;
  }
  return (await readRevision(target)) > 0 ? REVISION_TABLE.name : undefined;
}

/** Row by row, value by value. */
async function compareTable(
  table: Table,
  source: TableReader,
  target: TableReader,
  onRows: (rowsDone: number) => void,
): Promise<CopiedTable | string> {
  const hash = createHash('sha256');
  let rowCount = 0;
  const copies = eachRow(target.readRows(table));
  try {
    for await (const rows of source.readRows(table)) {
      for (const row of rows) {
        const { value: copy } = await copies.next();
        if (copy === undefined || !isSameRow(row, copy)) return formatDifference(table, row);
        addToHash(hash, copy);
        rowCount++;
      }
      onRows(rowCount);
    }
    if ((await copies.next()).value !== undefined) return `${table.name}: the target has more rows`;
    return { name: table.name, rowCount, sha256: hash.digest('hex') };
  } finally {
    await copies.return();
  }
}

async function* eachRow(batches: AsyncIterable<readonly Row[]>): AsyncGenerator<Row, void> {
  for await (const rows of batches) yield* rows;
}

function isSameRow(row: Row, copy: Row): boolean {
  return row.length === copy.length && row.every((value, index) => isSameValue(value, copy[index]));
}

function isSameValue(value: Value, copy: Value | undefined): boolean {
  if (value instanceof Uint8Array) return copy instanceof Uint8Array && Buffer.compare(value, copy) === 0;
  return value === copy;
}

/** Names the row by its key: ids, no secrets. */
function formatDifference(table: Table, row: Row): string {
  return `${table.name}: the row ${JSON.stringify(row.slice(0, table.keyLength))} is not the same in the target`;
}

/** Each value is preceded by its kind and length, so that no two different rows make the same input. */
function addToHash(hash: Hash, row: Row): void {
  for (const value of row) {
    if (value === null) hash.update('null:');
    else if (typeof value === 'number') hash.update(`number:${value}:`);
    else if (typeof value === 'string') hash.update(`text:${Buffer.byteLength(value)}:`).update(value);
    else hash.update(`bytes:${value.byteLength}:`).update(value);
  }
}

/** Compares what every write leaves behind: a revision, another quote, or another message. */
async function hasMoved(before: TableReader, access: TableAccess): Promise<boolean> {
  const now = await access.openReader();
  try {
    if ((await readRevision(before)) !== (await readRevision(now))) return true;
    const unstamped = TABLES.filter(({ name }) => name === 'quotes' || name === 'supply_messages');
    for (const table of unstamped) {
      if ((await before.countRows(table)) !== (await now.countRows(table))) return true;
    }
    return false;
  } finally {
    await now.close();
  }
}

async function readRevision(reader: TableReader): Promise<number> {
  for await (const rows of reader.readRows(REVISION_TABLE)) return Number(rows[0]?.[1]);
  throw new Error('the table revision is empty');
}
