/** Lines for a spreadsheet or a program (RFC 4180). */
import { escapeControls } from './printable.ts';

/** Null is an empty cell. */
type Cell = string | number | null;

const LINE_END = '\r\n';
/** Beginnings that spreadsheets run as a formula; some skip blanks before it, and take full-width forms too. */
export const FORMULA_START = /^\s*[=+\-@＝＋－＠]|^[\t\r]/;
/** Where the decimal sign is a comma, spreadsheets separate cells by semicolons. */
const NEEDS_QUOTES = /[",;\t\r\n]/;
/** The usual cell, written unchanged after one test. */
const PLAIN = /^\w[\w .-]*$/;

/** Columns in the order of `columns`, a line of names first; each line ends with CR LF, the last one too. */
export function formatCsv<Row extends Readonly<Record<Column, Cell>>, Column extends string>(
  columns: readonly Column[],
  rows: readonly Row[],
): string {
  return formatCsvLine(columns) + formatCsvRows(columns, rows);
}

/** The lines of rows only, for a file written in parts. */
export function formatCsvRows<Row extends Readonly<Record<Column, Cell>>, Column extends string>(
  columns: readonly Column[],
  rows: readonly Row[],
): string {
  return rows.map((row) => formatCsvLine(columns.map((column) => row[column]))).join('');
}

function formatCsvLine(cells: readonly Cell[]): string {
  return cells.map(formatCell).join(',') + LINE_END;
}

/**
 * A text that a spreadsheet would run gets a leading apostrophe. Control characters are written as `\u001b`, because
 * the file may be printed with `cat`. Numbers stay unchanged, negative ones too.
 */
function formatCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  if (PLAIN.test(cell)) return cell;
  const text = escapeControls(FORMULA_START.test(cell) ? `'${cell}` : cell);
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
