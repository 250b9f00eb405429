/** Rows of a report: as a table, as lines for a spreadsheet, or as JSON. */
import { formatCsv } from '../terminal/csv.ts';
import { formatTable } from '../terminal/readable.ts';
import type { Session } from '../terminal/session.ts';

export type Line = Readonly<Record<string, string | number | null>>;

interface Shown {
  readonly session: Session;
  readonly isCsv: boolean;
  /** The message without rows. */
  readonly empty: string;
  /** Rows of the table; absent: all. */
  readonly limit?: number;
  /** The answer under `--json`; absent: the rows. */
  readonly document?: unknown;
}

/** Prints all rows, but only `limit` of a table, with a note of how many more there are. */
export function show<Row extends Readonly<Record<Column, string | number | null>>, Column extends string>(
  { session, isCsv, empty, limit, document }: Shown,
  columns: readonly Column[],
  rows: readonly Row[],
): void {
  if (isCsv) return session.answerFile(document ?? rows, () => formatCsv(columns, rows));
  session.answer(document ?? rows, () => formatTable(columns, rows.slice(0, limit), empty));
  const more = rows.length - (limit ?? rows.length);
  if (more > 0 && !session.isJson())
    session.note(`${more} more rows: see them with --limit or --csv, or narrow with other options.`);
}
