/**
 * How much of a price is tax already: percentages that are in the price are taken out of it together.
 *
 * A price of 113.00 with 10 % and 3 % in it is 100.00 and both taxes, 10.00 and 3.00. Rules may cover different parts
 * of the price (some nights only, the cleaning fee): each part is divided among the rules that cover it.
 */
import { type Decimal, DECIMAL_FRACTION_DIGITS_MAX, roundHalfUp } from './money.ts';

/** A part of the price, such as a night; rules that cover the same part name it by the same key. */
export interface PricePart {
  readonly key: string;
  /** Minor units. */
  readonly amount: bigint;
}

export interface IncludedPercentage {
  readonly percent: Decimal;
  readonly parts: readonly PricePart[];
}

/** Percentages as integers: no written one has more fractional digits. */
const SCALE = 10n ** BigInt(DECIMAL_FRACTION_DIGITS_MAX);
const WHOLE = 100n * SCALE;

/** What each rule takes of the price, in minor units, each rounded half up. */
export function includedAmounts(rules: readonly IncludedPercentage[]): bigint[] {
  const percentOfPart = new Map<string, bigint>();
  for (const { percent, parts } of rules)
    for (const { key } of parts) percentOfPart.set(key, (percentOfPart.get(key) ?? 0n) + scaled(percent));
  return rules.map((rule) => includedAmount(rule, percentOfPart));
}

function includedAmount(
  { percent, parts }: IncludedPercentage,
  percentOfPart: ReadonlyMap<string, bigint>,
): bigint {
  const amountByDivisor = new Map<bigint, bigint>();
  for (const { key, amount } of parts) {
    const divisor = WHOLE + percentOfPart.get(key)!;
    amountByDivisor.set(divisor, (amountByDivisor.get(divisor) ?? 0n) + amount);
  }
  let numerator = 0n;
  let denominator = 1n;
  for (const [divisor, amount] of amountByDivisor) {
    numerator = numerator * divisor + amount * scaled(percent) * denominator;
    denominator *= divisor;
  }
  return roundHalfUp(numerator, denominator);
}

function scaled({ numerator, denominator }: Decimal): bigint {
  return (numerator * SCALE) / denominator;
}
