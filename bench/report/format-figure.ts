/** Figures as a reader sees them. */
import type { Figure, Unit } from '../section.ts';

const SUFFIX: Readonly<Record<Unit, string>> = {
  ratio: ' x',
  'requests/s': '/s',
  us: ' us',
  ms: ' ms',
  s: ' s',
  GiB: ' GiB',
  MB: ' MB',
  '%': ' %',
  count: '',
};

/** Three digits that mean something, and the unit. */
export function formatValue(value: number, unit: Unit): string {
  if (Number.isNaN(value)) return 'unknown';
  return `${formatNumber(value, unit)}${SUFFIX[unit]}`;
}

export function formatBar({ bar, unit }: Figure): string {
  return bar === undefined ? '' : `${bar.is} ${formatValue(bar.value, unit)}`;
}

function formatNumber(value: number, unit: Unit): string {
  if (unit === 'count' || Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-GB');
  if (Math.abs(value) >= 10) return value.toFixed(1);
  return value.toFixed(2);
}

/** Of a line of Markdown. */
export const COLUMNS_MAX = 120;

/** The text in lines of so many characters at most, as Markdown is written here. */
export function wrap(text: string, columns = COLUMNS_MAX): string[] {
  return [...text.matchAll(new RegExp(`.{1,${columns}}(?:\\s|$)`, 'g'))].map(([line]) => line.trimEnd());
}
