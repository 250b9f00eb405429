/**
 * Values as people write them in a cell or in a form. Where commas do not separate cells, they are decimal commas, and
 * dates are day/month/year. A value that can't be read stays as it is, for the reader to name.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Told } from '../../domain/wrong.ts';
import { INVISIBLE, shown } from '../../domain/document/document-fields.ts';
import { parseLocalDate } from '../../domain/local-date.ts';
import type { SheetFacts } from './sheet.ts';

/** `1.234,50`: points between thousands, none of them after the comma. */
const DECIMAL_COMMA = /^-?(?:\d{1,3}(?:\.\d{3})+|\d+),\d+$/;
/** `1 234,50`, `1’234.50`: spaces of every width, and apostrophes. */
const GROUPED = /^-?\d{1,3}(?:[ \u00a0\u2007\u2009\u202f'’]\d{3})+(?:[.,]\d+)?$/;
const GROUP_SIGNS = /[ \u00a0\u2007\u2009\u202f'’]/g;
/** No amount is longer; longer texts are looked at by no pattern. */
const AMOUNT_LENGTH_MAX = 40;
/** Never month first: 12/31/2026 is refused. */
const DAY_MONTH_YEAR = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;
/** Written so, the day is first in every language. */
const DAY_MONTH_YEAR_BY_POINTS = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/;
const DATE_LENGTH_MAX = 10;
/** As spreadsheets show them, by language. */
const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'vero', 'wahr', 'vrai', 'verdadero', 'verdadeiro', 'waar', 'prawda'].map(
    (text) => [text, true] as const,
  ),
  ...['false', 'falso', 'falsch', 'faux', 'onwaar', 'fałsz'].map((text) => [text, false] as const),
]);

/** Whether commas and dates are written as most of Europe does. A text in a workbook is not in doubt either. */
export function isEuropean({ separator }: SheetFacts): boolean {
  return separator !== ',';
}

/** Names of columns, ids and values without the invisible characters that texts copied from web pages have. */
export function withoutInvisible(text: string): string {
  return text.replaceAll(INVISIBLE, '');
}

/** `1 234,50` as `1234,50`. */
export function withoutGroups(text: string): string {
  return text.length <= AMOUNT_LENGTH_MAX && GROUPED.test(text) ? text.replaceAll(GROUP_SIGNS, '') : text;
}

export function hasDecimalComma(text: string): boolean {
  return text.length <= AMOUNT_LENGTH_MAX && DECIMAL_COMMA.test(withoutGroups(text));
}

/** `1.234,50` as `1234.50`; only where commas do not separate cells. */
export function withPoint(text: string): string {
  return hasDecimalComma(text)
    ? withoutGroups(text).replaceAll('.', '').replace(',', '.')
    : withoutGroups(text);
}

/** `31/12/2026` and `31.12.2026` as `2026-12-31`; without `european` the second alone. */
export function withYearFirst(text: string, european: boolean): string {
  if (text.length > DATE_LENGTH_MAX) return text;
  const found = DAY_MONTH_YEAR_BY_POINTS.exec(text) ?? (european ? DAY_MONTH_YEAR.exec(text) : null);
  const [, day = '', month = '', year = ''] = found ?? [];
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return parseLocalDate(date) === undefined ? text : date;
}

/** `TRUE`, `VERO`, `false`, `FALSCH`; undefined for another text. */
export function readFlag(text: string): boolean | undefined {
  return FLAGS.get(text.toLowerCase());
}

/** The reason with the cell as it is written, where it quotes the value that was read from the cell. */
export function quoteAsWritten(reason: Told, read: unknown, written: string): Told {
  const { code, values } = reason;
  if (code !== 'notGiven' || !isDeepStrictEqual(values['given'], shown(read))) return reason;
  return { code, values: { ...values, given: shown(written) } };
}
