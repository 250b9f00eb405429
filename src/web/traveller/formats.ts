/** Dates and money as a locale writes them; everything by `Intl`. */
import { formatLocalDate, type EpochDay } from '../../domain/local-date.ts';
import type { Locale } from '../../domain/property.ts';

const MS_PER_DAY = 86_400_000;
const CURRENCIES_CACHED_MAX = 400;

export interface Formats {
  /** `4 December 2026`; the weekday stands above it. */
  readonly longDate: (day: EpochDay) => string;
  /** `Fri 4 Dec 2026 – Mon 7 Dec 2026`, as short as the locale has it. */
  readonly dateRange: (from: EpochDay, to: EpochDay) => string;
  /** `Fri 4 December` */
  readonly shortDate: (day: EpochDay) => string;
  /** `4` */
  readonly dayOfMonth: (day: EpochDay) => string;
  /** `Dec` */
  readonly shortMonth: (day: EpochDay) => string;
  /** `Mon`, and `Monday` for those who listen. */
  readonly weekday: (day: EpochDay, width: 'short' | 'long') => string;
  /** An instant in the timezone of the property, with the name of the zone. */
  readonly instant: (ms: number, timezone: string) => string;
  /** A DecimalMoney of the contract: never goes through a floating-point number. */
  readonly money: (amount: string, currency: string) => string;
  readonly score: (score: number) => string;
  readonly list: (items: readonly string[]) => string;
}

export function makeFormats(locale: Locale): Formats {
  const date = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options });
  const long = date({ day: 'numeric', month: 'long', year: 'numeric' });
  const range = date({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
  const short = date({ weekday: 'short', day: 'numeric', month: 'long' });
  const day = date({ day: 'numeric' });
  const month = date({ month: 'short' });
  const weekdays = { short: date({ weekday: 'short' }), long: date({ weekday: 'long' }) };
  const score = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const list = new Intl.ListFormat(locale, { type: 'conjunction' });
  return {
    longDate: (at) => long.format(msOf(at)),
    dateRange: (from, to) => range.formatRange(msOf(from), msOf(to)),
    shortDate: (at) => short.format(msOf(at)),
    dayOfMonth: (at) => day.format(msOf(at)),
    shortMonth: (at) => month.format(msOf(at)),
    weekday: (at, width) => weekdays[width].format(msOf(at)),
    instant: makeInstantFormat(locale),
    money: makeMoneyFormat(locale),
    score: (value) => score.format(value),
    list: (items) => list.format(items),
  };
}

/** `datetime` of a `<time>`. */
export const machineDate = formatLocalDate;

function msOf(day: EpochDay): number {
  return day * MS_PER_DAY;
}

/** Not cached by zone: only the pages of expired quotes ask. */
function makeInstantFormat(locale: Locale): Formats['instant'] {
  return (ms, timezone) =>
    new Intl.DateTimeFormat(locale, {
      timeZone: timezone,
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      timeZoneName: 'short',
    }).format(ms);
}

/** Amounts have two fractional digits; a currency without minor units shows them only where they are not zero. */
function makeMoneyFormat(locale: Locale): Formats['money'] {
  const formats = new Map<string, Intl.NumberFormat>();
  const formatOf = (currency: string, digits: number): Intl.NumberFormat => {
    const key = `${currency}${digits}`;
    let format = formats.get(key);
    if (format === undefined) {
      format = new Intl.NumberFormat(locale, {
        style: 'currency',
        currency,
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      });
      if (formats.size >= CURRENCIES_CACHED_MAX) formats.clear();
      formats.set(key, format);
    }
    return format;
  };
  return (amount, currency) => {
    const hasMinorUnits = minorDigitsOf(currency) > 0 || !amount.endsWith('.00');
    return formatOf(currency, hasMinorUnits ? 2 : 0).format(amount as Intl.StringNumericLiteral);
  };
}

function minorDigitsOf(currency: string): number {
  const { maximumFractionDigits } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions();
  return maximumFractionDigits ?? 2;
}
