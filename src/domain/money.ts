/**
 * Money as integers of minor units: hundredths for every currency, because DecimalMoney always has two fractional
 * digits (SPEC 2).
 *
 * No sum or product loses a cent. The nights of a stay and its cleaning fee are numbers: sixty nights with 30 extra
 * guests, each amount below 10^12, are below 2 x 10^15, and a double holds integers up to 9 x 10^15. Taxes and totals
 * are BigInt, because a percentage has no such bound.
 */

/** A written amount is below ten thousand million: its minor units stay far inside the integers of a double. */
export const MONEY_INTEGER_DIGITS_MAX = 10;
/** Fractional digits of a tax amount or percentage. */
export const DECIMAL_FRACTION_DIGITS_MAX = 20;

const MINOR_PER_UNIT = 100n;
const HUNDREDTHS_MAX = 10n ** BigInt(MONEY_INTEGER_DIGITS_MAX) * MINOR_PER_UNIT - 1n;
const MONEY = new RegExp(`^(0|[1-9]\\d{0,${MONEY_INTEGER_DIGITS_MAX - 1}})(?:\\.(\\d{1,2}))?$`);
const DECIMAL = new RegExp(
  `^(0|[1-9]\\d{0,${MONEY_INTEGER_DIGITS_MAX - 1}})(?:\\.(\\d{1,${DECIMAL_FRACTION_DIGITS_MAX}}))?$`,
);

/** An exact non-negative fraction: `10.5` is 105 / 10. */
export interface Decimal {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** Minor units of `120`, `120.5` or `120.50`; undefined when negative, too large, or not hundredths. */
export function parseMoney(text: string): bigint | undefined {
  const match = MONEY.exec(text);
  if (match === null) return undefined;
  return BigInt(`${match[1]}${(match[2] ?? '').padEnd(2, '0')}`);
}

/**
 * Converts a whole number of a currency's own minor units (`10 ** digits` make one) into hundredths; undefined when it
 * is too large, or between two hundredths (12345 of a currency with three digits).
 */
export function fromMinorUnits(units: number, digits: number): bigint | undefined {
  const scaled = BigInt(units) * MINOR_PER_UNIT;
  const unitsPerWhole = 10n ** BigInt(digits);
  const hundredths = scaled / unitsPerWhole;
  const isExact = scaled % unitsPerWhole === 0n;
  return isExact && hundredths <= HUNDREDTHS_MAX ? hundredths : undefined;
}

/** Minor units of a validated text; throws on anything else, which is a bug. */
export function getMoney(text: string): bigint {
  const minorUnits = parseMoney(text);
  if (minorUnits === undefined) throw new TypeError(`not an amount of money: ${JSON.stringify(text)}`);
  return minorUnits;
}

/** DecimalMoney of SPEC 2: 12050 is `120.50`. Throws on a negative amount and on a number that is not an integer. */
export function formatMoney(minorUnits: bigint | number): string {
  const units = Number(minorUnits);
  if (Number.isSafeInteger(units) && units >= 0) {
    const cents = units % 100;
    return `${(units - cents) / 100}.${cents < 10 ? '0' : ''}${cents}`;
  }
  const exact = BigInt(minorUnits);
  if (exact < 0n) throw new RangeError(`negative amount of money: ${exact}`);
  return `${exact / MINOR_PER_UNIT}.${String(exact % MINOR_PER_UNIT).padStart(2, '0')}`;
}

/** A non-negative decimal with up to DECIMAL_FRACTION_DIGITS_MAX fractional digits, exactly; undefined otherwise. */
export function parseDecimal(text: string): Decimal | undefined {
  const match = DECIMAL.exec(text);
  if (match === null) return undefined;
  const fraction = match[2] ?? '';
  return { numerator: BigInt(`${match[1]}${fraction}`), denominator: 10n ** BigInt(fraction.length) };
}

/** Like `parseDecimal`, for a validated text; throws on anything else, which is a bug. */
export function getDecimal(text: string): Decimal {
  const decimal = parseDecimal(text);
  if (decimal === undefined) throw new TypeError(`not a non-negative decimal: ${JSON.stringify(text)}`);
  return decimal;
}

/** A non-negative fraction to multiply by. */
export interface Factor {
  readonly exact: Decimal;
  /** The same as doubles, exact below 2^53. */
  readonly numerator: number;
  readonly denominator: number;
}

export function makeFactor(numerator: bigint, denominator: bigint): Factor {
  const exact = { numerator, denominator };
  return { exact, numerator: Number(numerator), denominator: Number(denominator) };
}

/** A non-negative amount times the factor, rounded half up. */
export function multiply(amount: bigint, { exact, numerator, denominator }: Factor): bigint {
  const doubled = 2 * Number(amount) * numerator + denominator;
  // An inexact double makes this too large, or is multiplied by zero. BigInt takes five times as long.
  if (doubled <= Number.MAX_SAFE_INTEGER) return BigInt(Math.floor(doubled / (2 * denominator)));
  return roundHalfUp(amount * exact.numerator, exact.denominator);
}

/** A non-negative amount of minor units in whole payable units, rounded half up: 12345 in units of 100 is 12300. */
export function roundToUnit(amount: number, unit: number): number {
  return unit === 1 ? amount : Math.floor(amount / unit + 0.5) * unit;
}

/** numerator / denominator (both non-negative) to the nearest integer, halves upwards: 5 / 2 is 3, 7 / 3 is 2. */
export function roundHalfUp(numerator: bigint, denominator: bigint): bigint {
  if (numerator < 0n || denominator <= 0n) throw new RangeError('roundHalfUp takes non-negative fractions');
  return (2n * numerator + denominator) / (2n * denominator);
}

/** Caps a change at a thousand times the old price, so that the changes of many quotes can be added up. */
export const CHANGE_PER_MILLE_MAX = 1_000_000;

/** The difference of `now` and `before` in thousandths of `before`, to the nearest; null when `before` is 0. */
export function changePerMille(before: bigint, now: bigint): number | null {
  if (before === 0n) return null;
  return Math.min(Math.round((1000 * Number(now - before)) / Number(before)), CHANGE_PER_MILLE_MAX);
}
