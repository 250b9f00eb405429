/**
 * Merged cells of a sheet. The first row of a merged range has its value; the rows below are given it too, because a
 * person who merges the cells of an id means it for all of them.
 */
import { Wrong } from '../../domain/wrong.ts';
import { BadXml, tooMany, type ReadingTime } from './workbook-xml.ts';

export interface Merge {
  readonly column: number;
  readonly firstRow: number;
  readonly lastRow: number;
}

/** By the first row. */
export type Merges = ReadonlyMap<number, readonly Merge[]>;

export const MERGES_MAX = 10_000;
/** Rows of all ranges together: each costs a step where rows are read. Two columns of a sheet have as many. */
export const MERGED_ROWS_MAX = 2_000_000;
/** From one `<` to the next at most: otherwise tags that never end would each be read to the end. */
const MERGE = /<(?:\w+:)?mergeCell\s[^<>]*?ref="([A-Z]{1,3})(\d{1,7}):[A-Z]{1,3}(\d{1,7})"/g;
/** Longer than a tag of a merged range. */
const OVERLAP_LENGTH = 256;

/** The tags follow the rows that they are about. Reads the whole part, without its XML being read. */
export async function findMerges(chunks: AsyncIterable<Buffer>, time: ReadingTime): Promise<Merges> {
  const merges = new Map<number, Merge[]>();
  let count = 0;
  let rows = 0;
  let held = '';
  for await (const chunk of chunks) {
    const text = held + chunk.toString('latin1');
    let end = 0;
    for (const match of time.count(() => [...text.matchAll(MERGE)])) {
      const [, letters = '', first, last] = match;
      end = match.index + match[0].length;
      const merge = { column: columnNumber(letters) - 1, firstRow: Number(first), lastRow: Number(last) };
      if (merge.lastRow <= merge.firstRow) continue;
      count += 1;
      rows += merge.lastRow - merge.firstRow + 1;
      if (count > MERGES_MAX) throw new BadXml(tooMany(MERGES_MAX, 'mergedRanges'));
      if (rows > MERGED_ROWS_MAX) throw new BadXml(new Wrong('mergedRows', { max: MERGED_ROWS_MAX }));
      const ofRow = merges.get(merge.firstRow);
      if (ofRow === undefined) merges.set(merge.firstRow, [merge]);
      else ofRow.push(merge);
    }
    held = text.slice(Math.max(end, text.length - OVERLAP_LENGTH));
  }
  return merges;
}

/** `A` is 1, `AA` is 27. */
export function columnNumber(letters: string): number {
  let number = 0;
  for (const letter of letters) number = number * 26 + letter.charCodeAt(0) - 64;
  return number;
}
