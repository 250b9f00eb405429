/**
 * Values as people write them in a cell. Where commas do not separate cells, they are decimal commas, and dates are
 * day/month/year. A value that can't be read stays as it is, for the reader to name.
 */
import { parseLocalDate } from '../../domain/local-date.ts';
import type { SheetFacts } from './sheet.ts';

/** `1.234,50`: points between thousands, none of them after the comma. */
export const DECIMAL_COMMA = /^-?(?:\d{1,3}(?:\.\d{3})+|\d+),\d+$/;
/** Never month first: 12/31/2026 is refused. */
const DAY_MONTH_YEAR = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;
const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ...(['true', 'vero'] as const).map((text) => [text, true] as const),
  ...(['false', 'falso'] as const).map((text) => [text, false] as const),
]);

/** Whether commas and dates are written as most of Europe does. A text in a workbook is not in doubt either. */
export function isEuropean({ separator }: SheetFacts): boolean {
  return separator !== ',';
}

/** `1.234,50` as `1234.50`. */
export function withPoint(text: string): string {
  return DECIMAL_COMMA.test(text) ? text.replaceAll('.', '').replace(',', '.') : text;
}

/** `31/12/2026` as `2026-12-31`. */
export function withYearFirst(text: string): string {
  const [, day = '', month = '', year = ''] = DAY_MONTH_YEAR.exec(text) ?? [];
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return parseLocalDate(date) === undefined ? text : date;
}

/** `TRUE`, `VERO`, `false`, `FALSO`; undefined for another text. */
export function readFlag(text: string): boolean | undefined {
  return FLAGS.get(text.toLowerCase());
}
