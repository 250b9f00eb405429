/** A file of mappings: a sheet with a header. */
import { inEnglish, type Wrong } from '../../domain/wrong.ts';
import type { SupplyMapping } from '../../storage/supply/store.ts';
import { withoutInvisible } from '../sheet/written-values.ts';
import { openSheet } from '../sheet/open-sheet.ts';
import { asShown, type BrokenRow, type SheetRow } from '../sheet/sheet.ts';
import { ByteSource } from '../text/byte-source.ts';
import { readMapping, type WrittenMapping } from './read-mapping.ts';

export interface MappingRow {
  /** Row of the sheet, counted from 1. */
  readonly line: number;
  readonly mapping: SupplyMapping | undefined;
  /** Why the row is rejected. */
  readonly reason: string | undefined;
}

/** Rows of one file; split longer files. */
export const MAPPING_ROWS_MAX = 1_000_000;
const ROW_LENGTH_MAX = 64 * 1024;

/** Accepted names of each column. */
const COLUMNS: Readonly<Record<string, keyof WrittenMapping>> = {
  source: 'source',
  external: 'external',
  externalkey: 'external',
  room_type_id: 'external',
  rate_plan_id: 'external',
  property: 'property',
  propertyid: 'property',
  type: 'type',
  inventorytypeid: 'type',
};

const REQUIRED = ['external', 'property', 'type'] as const;

/** Rows in order; throws a one-line message for the operator if the file is not a mapping file. */
export async function* readMappingFile(
  file: string,
  standardSource: string | undefined,
): AsyncGenerator<MappingRow, void> {
  let columns: readonly (keyof WrittenMapping | undefined)[] | undefined;
  let rowCount = 0;
  const sheet = await openSheet(new ByteSource(file), { rows: 'line', rowLengthMax: ROW_LENGTH_MAX });
  for await (const row of sheet.rows()) {
    if (columns === undefined) {
      columns = readColumns(row);
      continue;
    }
    rowCount += 1;
    if (rowCount > MAPPING_ROWS_MAX) throw new Error(`has more than ${MAPPING_ROWS_MAX} rows`);
    yield readRow(columns, row, standardSource);
  }
}

/** Other columns are ignored. */
function readColumns(row: SheetRow | BrokenRow): readonly (keyof WrittenMapping | undefined)[] {
  if ('problem' in row) throw new Error(`cannot be read: the first line ${inEnglish(row.problem)}`);
  const columns = row.cells.map((name) => COLUMNS[withoutInvisible(name).trim().toLowerCase()]);
  const missing = REQUIRED.filter((name) => !columns.includes(name));
  if (missing.length > 0)
    throw new Error(`must name the columns in its first line; missing: ${missing.join(', ')}`);
  return columns;
}

function readRow(
  columns: readonly (keyof WrittenMapping | undefined)[],
  row: SheetRow | BrokenRow,
  standardSource = '',
): MappingRow {
  const line = row.row;
  if ('problem' in row) return { line, mapping: undefined, reason: inEnglish(row.problem) };
  const { cells, wrong = new Map<number, Wrong>() } = asShown(row, (index) => columns[index] !== undefined);
  const bad = columns.findIndex((name, index) => name !== undefined && wrong.has(index));
  if (bad !== -1)
    return { line, mapping: undefined, reason: `${columns[bad]}: ${inEnglish(wrong.get(bad)!)}` };
  const cellOf = (name: keyof WrittenMapping): string =>
    withoutInvisible(cells[columns.lastIndexOf(name)] ?? '').trim();
  const [external, property, type] = REQUIRED.map(cellOf) as [string, string, string];
  const read = readMapping({ source: cellOf('source') || standardSource, external, property, type });
  return read.ok
    ? { line, mapping: read.mapping, reason: undefined }
    : { line, mapping: undefined, reason: `${read.field}: ${inEnglish(read.reason)}` };
}
