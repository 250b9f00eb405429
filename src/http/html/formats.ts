/** Formats of a language: dates, money and counts by `Intl`, and the operator's own texts and codes. */
import { DAY_MS, formatLocalDate, type EpochDay } from '../../domain/local-date.ts';
import { type Locale, type LocalizedText, otherLanguageOf } from '../../domain/property.ts';
import { type Content, type Html, html } from './html.ts';

/** Cached money formats: more than ISO 4217 has currencies in use. */
const CURRENCIES_KEPT_MAX = 400;

export interface Formats {
  /** `4 December 2026`; the weekday is above it. */
  readonly longDate: (day: EpochDay) => string;
  /** `27 November` */
  readonly dayAndMonth: (day: EpochDay) => string;
  /** `Fri 4 Dec 2026 – Mon 7 Dec 2026`, as short as the locale has it. */
  readonly dateRange: (from: EpochDay, to: EpochDay) => string;
  /** `Fri 4 December` */
  readonly shortDate: (day: EpochDay) => string;
  /** `4` */
  readonly dayOfMonth: (day: EpochDay) => string;
  /** `Dec` */
  readonly shortMonth: (day: EpochDay) => string;
  /** `M`, `Mon`, and `Monday` for screen readers. */
  readonly weekday: (day: EpochDay, width: 'narrow' | 'short' | 'long') => string;
  /** An instant in the property's timezone, with the name of the zone. */
  readonly instant: (ms: number, timezone: string) => string;
  /** `CET`: the zone's name at an instant. */
  readonly zoneName: (ms: number, timezone: string) => string;
  /** A DecimalMoney of the contract, or its negative; avoids floating-point numbers. */
  readonly money: (amount: string, currency: string) => string;
  readonly percent: (decimal: string) => string;
  readonly score: (score: number) => string;
  readonly list: (items: readonly string[]) => string;
}

export function makeFormats(locale: Locale): Formats {
  const date = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options });
  const long = date({ day: 'numeric', month: 'long', year: 'numeric' });
  const dayAndMonth = date({ day: 'numeric', month: 'long' });
  const range = date({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
  const short = date({ weekday: 'short', day: 'numeric', month: 'long' });
  const day = date({ day: 'numeric' });
  const month = date({ month: 'short' });
  const weekdays = {
    narrow: date({ weekday: 'narrow' }),
    short: date({ weekday: 'short' }),
    long: date({ weekday: 'long' }),
  };
  const score = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 });
  const list = new Intl.ListFormat(locale, { type: 'conjunction' });
  return {
    longDate: (at) => long.format(msOf(at)),
    dayAndMonth: (at) => dayAndMonth.format(msOf(at)),
    dateRange: (from, to) => range.formatRange(msOf(from), msOf(to)),
    shortDate: (at) => short.format(msOf(at)),
    dayOfMonth: (at) => day.format(msOf(at)),
    shortMonth: (at) => month.format(msOf(at)),
    weekday: (at, width) => weekdays[width].format(msOf(at)),
    instant: makeInstantFormat(locale),
    zoneName: (ms, timezone) => zoneNameOf(locale, ms, timezone),
    money: makeMoneyFormat(locale),
    percent: (decimal) => percent.format(`${decimal}e-2` as Intl.StringNumericLiteral),
    score: (value) => score.format(value),
    list: (items) => list.format(items),
  };
}

/** `datetime` of a `<time>`. */
export const machineDate = formatLocalDate;

function msOf(day: EpochDay): number {
  return day * DAY_MS;
}

/**
 * With its weekday: Italian puts `a` before it, and `al 20` or `all’8` before the number. Not cached by zone: only
 * pages of expired quotes use it.
 */
function makeInstantFormat(locale: Locale): Formats['instant'] {
  return (ms, timezone) =>
    new Intl.DateTimeFormat(locale, {
      timeZone: timezone,
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      timeZoneName: 'short',
    }).format(ms);
}

function zoneNameOf(locale: Locale, ms: number, timezone: string): string {
  const format = new Intl.DateTimeFormat(locale, { timeZone: timezone, timeZoneName: 'short' });
  return format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? timezone;
}

interface CurrencyFormats {
  readonly whole: Intl.NumberFormat;
  readonly withMinorUnits: Intl.NumberFormat;
  readonly hasMinorUnits: boolean;
}

/**
 * Amounts have two fractional digits; a currency without minor units shows them only when they are not zero. Cached,
 * because making a format costs as much as the rest of a page.
 */
function makeMoneyFormat(locale: Locale): Formats['money'] {
  const kept = new Map<string, CurrencyFormats>();
  const formatsOf = (currency: string): CurrencyFormats => {
    let formats = kept.get(currency);
    if (formats === undefined) {
      if (kept.size >= CURRENCIES_KEPT_MAX) kept.clear();
      kept.set(currency, (formats = makeCurrencyFormats(locale, currency)));
    }
    return formats;
  };
  return (amount, currency) => {
    const { whole, withMinorUnits, hasMinorUnits } = formatsOf(currency);
    const format = hasMinorUnits || !amount.endsWith('.00') ? withMinorUnits : whole;
    return format.format(amount as Intl.StringNumericLiteral);
  };
}

function makeCurrencyFormats(locale: Locale, currency: string): CurrencyFormats {
  const withDigits = (digits: number): Intl.NumberFormat =>
    new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  const usual = new Intl.NumberFormat(locale, { style: 'currency', currency }).resolvedOptions();
  return {
    whole: withDigits(0),
    withMinorUnits: withDigits(2),
    hasMinorUnits: (usual.maximumFractionDigits ?? 2) > 0,
  };
}

/** `1 night`, `2 nights`; the number and its noun stay on one line. */
type Counted = (count: number, one: string, other: string) => string;

/** `locale` is BCP 47. It has two plural forms, one and other: enough for the pages' languages. */
export function makeCounted(locale: string): Counted {
  const plural = new Intl.PluralRules(locale);
  const number = new Intl.NumberFormat(locale);
  return (count, one, other) =>
    `${number.format(count)}\u00A0${plural.select(count) === 'one' ? one : other}`;
}

/** A decimal in the language's form, with all its digits: `1,250.00` of `1250.00`. */
export function makeDecimal(locale: string): (text: string) => string {
  const byDigits = new Map<number, Intl.NumberFormat>();
  return (text) => {
    const digits = /\.(\d+)$/.exec(text)?.[1]?.length ?? 0;
    let format = byDigits.get(digits);
    if (format === undefined) {
      format = new Intl.NumberFormat(locale, {
        useGrouping: 'always',
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      });
      byDigits.set(digits, format);
    }
    return format.format(text as Intl.StringNumericLiteral);
  };
}

// Texts and codes of the operator on a page of another language.

/** ` lang="en-GB"` for a text in another language than the page: a screen reader changes its voice. */
export function langOf(text: LocalizedText, locale: Locale): Content {
  const language = otherLanguageOf(text, locale);
  return language === undefined ? '' : html` lang="${language}"`;
}

/** The page's name of a code; else the operator's code, made readable: codes are in English. */
export function nameOfCode(translated: string | undefined, code: string, locale: Locale): Html {
  if (translated !== undefined) return html`<bdi>${translated}</bdi>`;
  return html`<bdi${locale === 'en-GB' ? '' : html` lang="en"`}>${readable(code)}</bdi>`;
}

/** `resort_fee` becomes `Resort fee`: a code without a translation. */
export function readable(code: string): string {
  const text = code.replaceAll(/[-_]+/g, ' ').trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
