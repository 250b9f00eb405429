/** Numbers of a workbook as text: dates and times by their format, ids as a person sees them. */

/** `plain`: a number; dates and times are numbers of days. */
export type NumberFormat =
  | { readonly kind: 'plain'; readonly zeros: number }
  | { readonly kind: 'scientific'; readonly digits: number; readonly exponentDigits: number }
  | { readonly kind: 'date' | 'time' };

export const GENERAL: NumberFormat = { kind: 'plain', zeros: 0 };
const DATE: NumberFormat = { kind: 'date' };
const TIME: NumberFormat = { kind: 'time' };

/** Ids of formats that a workbook does not spell (ECMA-376, 18.8.30), those of East Asia included. */
const isBuiltInDate = (id: number): boolean =>
  (id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58);
const isBuiltInTime = (id: number): boolean => (id >= 18 && id <= 21) || (id >= 45 && id <= 47);
const BUILT_IN_SCIENTIFIC: Readonly<Record<number, string>> = { 11: '0.00E+00', 48: '##0.0E+0' };

/** `code`: the format's text, where the workbook spells it. */
export function readFormat(id: number, code: string | undefined): NumberFormat {
  if (code === undefined && id === 0) return GENERAL;
  if (code === undefined && isBuiltInDate(id)) return DATE;
  if (code === undefined && isBuiltInTime(id)) return TIME;
  return formatOfCode(code ?? BUILT_IN_SCIENTIFIC[id] ?? '');
}

function formatOfCode(code: string): NumberFormat {
  const [positive = ''] = code.replaceAll(/"[^"]*"|\\.|\[[^[\]]*\]|[_*]./g, '').split(';');
  const exponential = /(?:\.([0#?]+))?E[+-](0+)/i.exec(positive);
  if (exponential !== null) {
    const [, digits = '', exponent = ''] = exponential;
    return { kind: 'scientific', digits: digits.length, exponentDigits: exponent.length };
  }
  if (/^general$/i.test(positive.trim())) return GENERAL;
  if (/[yd]|^m+$/i.test(positive)) return DATE;
  if (/[hs]/i.test(positive)) return TIME;
  return { kind: 'plain', zeros: /^0+$/.test(positive.trim()) ? positive.trim().length : 0 };
}

const DAY_MS = 86_400_000;
/** Day 0 of both date systems. Excel's day 60 is 29 February 1900, which never was; days before it are off by one. */
const EPOCHS_MS = { 1900: Date.UTC(1899, 11, 30), 1904: Date.UTC(1904, 0, 1) };
const DAYS_MAX = 2_958_465;
const MINUTES_PER_DAY = 1_440;

export type DateSystem = keyof typeof EPOCHS_MS;

/** The value as other readers take it: `1234.5`, `2026-12-31`, `15:00`. */
export function formatValue(value: number, { kind }: NumberFormat, dates: DateSystem): string {
  if (kind === 'date' && value >= 1 && value <= DAYS_MAX)
    return new Date(EPOCHS_MS[dates] + Math.floor(value) * DAY_MS).toISOString().slice(0, 10);
  if (kind === 'time' && value >= 0 && value < 1) return formatTime(Math.round(value * MINUTES_PER_DAY));
  return plain(value);
}

function formatTime(minutes: number): string {
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${two(Math.floor(minutes / 60) % 24)}:${two(minutes % 60)}`;
}

/** With the 15 digits that a spreadsheet has: 0.1 + 0.2 is 0.3. */
function plain(value: number): string {
  const rounded = Number(value.toPrecision(15));
  return Number.isInteger(rounded) && Math.abs(rounded) < 1e21 ? BigInt(rounded).toString() : String(rounded);
}

/** Whole numbers from here on have no room in a cell: the general format shows 1.23457E+11. */
const GENERAL_MAX = 1e11;

/** The number as a spreadsheet shows it, for ids: `007`, `1.00E+05`. */
export function displayNumber(value: number, format: NumberFormat, dates: DateSystem): string {
  if (format.kind === 'scientific') return scientific(value, format.digits, format.exponentDigits);
  if (format.kind !== 'plain') return formatValue(value, format, dates);
  if (format.zeros > 0 && value >= 0) return plain(Math.round(value)).padStart(format.zeros, '0');
  if (format === GENERAL && Math.abs(value) >= GENERAL_MAX) {
    const [mantissa = '', exponent = ''] = value.toExponential(5).split('e+');
    return `${Number(mantissa)}E+${exponent.padStart(2, '0')}`;
  }
  return plain(value);
}

function scientific(value: number, digits: number, exponentDigits: number): string {
  const [mantissa = '', exponent = '0'] = value.toExponential(digits).split('e');
  const size = exponent.replace(/^[+-]/, '').padStart(exponentDigits, '0');
  return `${mantissa}E${exponent.startsWith('-') ? '-' : '+'}${size}`;
}
