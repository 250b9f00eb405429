/** The listings file: one record per listing, its columns found by their names. */
import { inEnglish, Wrong } from '../../domain/wrong.ts';
import { ByteSource, UnreadableFile } from '../text/byte-source.ts';
import { CsvColumns } from './csv-record.ts';
import { readCsvRecords, type BrokenRecord, type CsvRecord } from './csv-records.ts';

const LISTING_COLUMNS_REQUIRED = ['id', 'accommodates'] as const;

/** The file has no header that can be used. */
export class UnusableHeader extends Error {
  override readonly name = 'UnusableHeader';
  readonly reason: Wrong;

  constructor(reason: Wrong) {
    super(inEnglish(reason));
    this.reason = reason;
  }
}

/** A listing's fields by column; undefined for a column that the file does not have. */
export interface Listing {
  readonly line: number;
  field(column: string): string | undefined;
}

/** Throws UnusableHeader and UnreadableFile. */
export async function* readListings(
  source: ByteSource,
): AsyncGenerator<Listing | BrokenRecord, void, undefined> {
  let columns: CsvColumns | undefined;
  for await (const records of readCsvRecords(source)) {
    for (const record of records) {
      if (columns === undefined) columns = readHeader(record);
      else if ('reason' in record) yield record;
      else yield makeListing(record, columns);
    }
  }
  if (columns === undefined) throw new UnusableHeader(new Wrong('noHeader'));
}

function makeListing({ line, fields }: CsvRecord, columns: CsvColumns): Listing {
  return { line, field: (column) => columns.field(fields, column) };
}

function readHeader(record: CsvRecord | BrokenRecord): CsvColumns {
  if ('reason' in record)
    throw new UnusableHeader(new Wrong('headerOfLine', { line: 1, wrong: record.reason }));
  return checkColumns(record.fields, LISTING_COLUMNS_REQUIRED);
}

/** Throws UnusableHeader when a required column is missing. */
export function checkColumns(header: readonly string[], required: readonly string[]): CsvColumns {
  const columns = new CsvColumns(header);
  const missing = columns.firstMissing(required);
  if (missing !== undefined) {
    throw new UnusableHeader(
      new Wrong('noColumn', { name: missing, names: header.slice(0, 12).join(', ').slice(0, 300) }),
    );
  }
  return columns;
}

const SCORE = /^\d{1,3}(?:\.\d*)?$/;

/** The best score that the scale of a file allows: 100 until early 2021, 5 since then. */
export type ScoreScale = 5 | 100;

/** A score above 5 anywhere means that the whole file counts up to 100. Throws UnusableHeader. */
export async function findScoreScale(file: string): Promise<ScoreScale> {
  try {
    for await (const listing of readListings(new ByteSource(file))) {
      if ('reason' in listing) continue;
      const score = listing.field('review_scores_rating') ?? '';
      if (SCORE.test(score) && Number(score) > 5) return 100;
    }
  } catch (error) {
    // Reading the listings themselves will say so; what there is of the file decides.
    if (!(error instanceof UnreadableFile)) throw error;
  }
  return 5;
}

/** Null for none and for 0, which means none; undefined for what is not a score. */
export function parseScore(text: string, scale: ScoreScale): number | null | undefined {
  if (text === '') return null;
  if (!SCORE.test(text)) return undefined;
  const score = Number(text);
  // 93 of 100 is 4.65 of 5: dividing hundredths avoids the 4.6499999 of binary fractions.
  return score === 0 ? null : Math.round((score * 500) / scale) / 100;
}
