/** A file of mappings: CSV with a header line, its fields separated by commas or semicolons. */
import { pipeline, Readable } from 'node:stream';
import { parse } from 'csv-parse';
import type { SupplyMapping } from '../../storage/supply/store.ts';
import { ByteSource } from '../text/byte-source.ts';
import { readMapping, type WrittenMapping } from './read-mapping.ts';

export interface MappingRow {
  /** Line in the file, counted from 1. */
  readonly line: number;
  readonly mapping: SupplyMapping | undefined;
  /** Why the row is rejected. */
  readonly reason: string | undefined;
}

/** Rows of one file; split longer files. */
export const MAPPING_ROWS_MAX = 1_000_000;
const ROW_BYTES_MAX = 64 * 1024;

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

/** Rows in order; throws a one-line message for the operator if the file is not a mapping file. */
export async function* readMappingFile(
  file: string,
  standardSource: string | undefined,
): AsyncGenerator<MappingRow, void> {
  const parser = parse({
    bom: true,
    delimiter: [',', ';'],
    trim: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: ROW_BYTES_MAX,
    columns: (header: string[]) => header.map((name) => COLUMNS[name.toLowerCase()] ?? null),
  });
  // An unreadable file ends the parser; the loop over its rows then throws.
  pipeline(Readable.from(new ByteSource(file).read()), parser, () => undefined);
  let rowCount = 0;
  for await (const { record, info } of parser as AsyncIterable<ParsedRow>) {
    rowCount += 1;
    if (rowCount > MAPPING_ROWS_MAX) throw new Error(`has more than ${MAPPING_ROWS_MAX} rows`);
    const { source = standardSource ?? '', external = '', property = '', type = '' } = record;
    const read = readMapping({ source: source || (standardSource ?? ''), external, property, type });
    yield read.ok
      ? { line: info.lines, mapping: read.mapping, reason: undefined }
      : { line: info.lines, mapping: undefined, reason: `${read.field}: ${read.reason}` };
  }
}

interface ParsedRow {
  readonly record: Partial<WrittenMapping>;
  readonly info: { readonly lines: number };
}
