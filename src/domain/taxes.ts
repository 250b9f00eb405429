/**
 * Taxes and mandatory fees of a stay, rule by rule.
 *
 * A rule counts the occupied nights within its validity, then without its first `skipNights`, then at most
 * `maxNights` of them. Each rule is rounded once, half up, to minor units.
 */
import { type EpochDay, getLocalDate } from './local-date.ts';
import { type Decimal, DECIMAL_FRACTION_DIGITS_MAX, getDecimal, roundHalfUp } from './money.ts';
import { TAX_BASES, type TaxKind, type TaxLogic, type TaxRule } from './property.ts';

/** The stay, for the rules. Money in minor units. */
export interface TaxedStay {
  readonly guests: number;
  /** The occupied nights, ascending, with their prices. */
  readonly nights: readonly { readonly night: EpochDay; readonly price: bigint }[];
  readonly cleaningFee: bigint;
}

export interface TaxLine {
  readonly code: string;
  readonly kind: TaxKind;
  readonly logic: TaxLogic;
  readonly inclusive: boolean;
  /** Nights counted by the rule; null for the per-stay logics. */
  readonly nightCount: number | null;
  /** Number of times that the amount is due; null for the percent logics. */
  readonly quantity: number | null;
  /** The base of the percentage, in minor units; null for the other logics. */
  readonly taxable: bigint | null;
  /** Added to the total, in minor units: zero when the rule is inclusive. */
  readonly amount: bigint;
  /** The tax within the price, in minor units; null when the rule is not inclusive. */
  readonly included: bigint | null;
}

const PERCENT = 100n;
const MINOR_PER_UNIT = 100n;

/** One line per rule in the order in which they run: by `order`, ties by position. */
export function applyTaxes(rules: readonly TaxRule[], stay: TaxedStay): TaxLine[] {
  const lines: TaxLine[] = [];
  const included: (IncludedPercentage & { readonly line: number })[] = [];
  for (const parsed of parsedRules(rules)) {
    const { rule, percent } = parsed;
    const percentage = percent === undefined ? undefined : readPercentage(parsed, percent, stay, lines);
    if (percentage !== undefined && rule.inclusive)
      included.push({ percent: percentage.percent, parts: partsOf(parsed, stay, lines), line: lines.length });
    lines.push(percentage === undefined ? amountLine(parsed, stay) : percentLine(rule, percentage));
  }
  for (const [index, amount] of includedAmounts(included).entries()) {
    const { line } = included[index]!;
    lines[line] = { ...lines[line]!, included: amount };
  }
  return lines;
}

export function isPercentLogic(logic: TaxLogic): boolean {
  return logic === 'percent' || logic === 'cumulative_percent';
}

/** Rules of properties in memory, ordered and parsed at their first price; freed with them. */
const ordered = new WeakMap<readonly TaxRule[], readonly ParsedRule[]>();

/** A rule with its texts as numbers. */
interface ParsedRule {
  readonly rule: TaxRule;
  /** Set for percent logics. */
  readonly percent: Decimal | undefined;
  /** Set for the other logics. */
  readonly each: Decimal | undefined;
  /** Whether its base names other rules. */
  readonly isOnRules: boolean;
  /** First and last night of its validity. */
  readonly first: EpochDay;
  readonly last: EpochDay;
}

function parsedRules(rules: readonly TaxRule[]): readonly ParsedRule[] {
  let parsed = ordered.get(rules);
  if (parsed === undefined) {
    parsed = inRunningOrder(rules).map(parseRule);
    ordered.set(rules, parsed);
  }
  return parsed;
}

function parseRule(rule: TaxRule): ParsedRule {
  const { logic, percent, amount, validFrom, validTo } = rule;
  const isPercent = isPercentLogic(logic);
  return {
    rule,
    percent: isPercent ? getDecimal(requireText(percent)) : undefined,
    each: isPercent ? undefined : getDecimal(requireText(amount)),
    isOnRules: rule.logic === 'cumulative_percent' || rule.base.some((name) => !isBasePart(name)),
    first: validFrom === null ? Number.NEGATIVE_INFINITY : getLocalDate(validFrom),
    last: validTo === null ? Number.POSITIVE_INFINITY : getLocalDate(validTo),
  };
}

/** By `order`, ties by position. */
export function inRunningOrder<Rule extends Pick<TaxRule, 'order'>>(rules: readonly Rule[]): Rule[] {
  return rules.toSorted((a, b) => a.order - b.order);
}

function countedNights({ rule, first, last }: ParsedRule, { nights }: TaxedStay): TaxedStay['nights'] {
  const { skipNights, maxNights } = rule;
  const isAlways = first <= nights[0]!.night && nights.at(-1)!.night <= last;
  const inForce = isAlways ? nights : nights.filter(({ night }) => first <= night && night <= last);
  if (skipNights === 0 && (maxNights === null || inForce.length <= maxNights)) return inForce;
  return inForce.slice(skipNights, maxNights === null ? undefined : skipNights + maxNights);
}

interface Percentage {
  readonly percent: Decimal;
  readonly taxable: bigint;
  readonly nightCount: number;
}

/** The base of a percentage: nights, the whole cleaning fee (it belongs to no night), earlier rules. */
function readPercentage(
  parsed: ParsedRule,
  percent: Decimal,
  stay: TaxedStay,
  before: readonly TaxLine[],
): Percentage {
  const { rule } = parsed;
  const counted = countedNights(parsed, stay);
  let taxable = rule.base.includes('cleaningFee') ? stay.cleaningFee : 0n;
  if (rule.base.includes('accommodation')) for (const { price } of counted) taxable += price;
  if (parsed.isOnRules) for (const line of before) if (isTaxedBy(rule, line)) taxable += line.amount;
  return { percent, taxable, nightCount: counted.length };
}

/** The same base, part by part. */
function partsOf(parsed: ParsedRule, stay: TaxedStay, before: readonly TaxLine[]): readonly PricePart[] {
  const { rule } = parsed;
  const parts: PricePart[] = [];
  if (rule.base.includes('accommodation'))
    for (const { night, price } of countedNights(parsed, stay)) parts.push({ key: night, amount: price });
  if (rule.base.includes('cleaningFee')) parts.push({ key: 'cleaningFee', amount: stay.cleaningFee });
  for (const [index, line] of before.entries())
    if (isTaxedBy(rule, line)) parts.push({ key: `rule ${index}`, amount: line.amount });
  return parts;
}

function isTaxedBy(rule: TaxRule, { code }: TaxLine): boolean {
  return rule.logic === 'cumulative_percent' || namesRule(rule, code);
}

function namesRule({ base }: TaxRule, code: string): boolean {
  return base.includes(code) && !isBasePart(code);
}

function isBasePart(name: string): boolean {
  return TAX_BASES.some((part) => part === name);
}

function percentLine(rule: TaxRule, { percent, taxable, nightCount }: Percentage): TaxLine {
  const due = roundHalfUp(taxable * percent.numerator, percent.denominator * PERCENT);
  return makeLine(rule, { nightCount, quantity: null, taxable }, due);
}

function amountLine(parsed: ParsedRule, stay: TaxedStay): TaxLine {
  const { rule } = parsed;
  const { nightCount, quantity } = countQuantity(parsed, stay);
  const each = parsed.each!;
  const due = roundHalfUp(BigInt(quantity) * each.numerator * MINOR_PER_UNIT, each.denominator);
  return makeLine(rule, { nightCount, quantity, taxable: null }, due);
}

function countQuantity(
  parsed: ParsedRule,
  stay: TaxedStay,
): { readonly nightCount: number | null; readonly quantity: number } {
  const { rule, first, last } = parsed;
  const arrival = stay.nights[0]!.night;
  const arrivals = first <= arrival && arrival <= last ? 1 : 0;
  const nightCount = countedNights(parsed, stay).length;
  switch (rule.logic) {
    // A stay is one booking of one room, whatever the number of guests.
    case 'per_booking':
    case 'per_room':
      return { nightCount: null, quantity: arrivals };
    case 'per_person':
      return { nightCount: null, quantity: arrivals * stay.guests };
    case 'per_night':
    case 'per_room_per_night':
      return { nightCount, quantity: nightCount };
    case 'per_person_per_night':
      return { nightCount, quantity: nightCount * stay.guests };
    case 'percent':
    case 'cumulative_percent':
      throw new TypeError(`a rule with the logic ${rule.logic} and an amount`);
  }
}

function makeLine(
  { code, kind, logic, inclusive }: TaxRule,
  { nightCount, quantity, taxable }: Pick<TaxLine, 'nightCount' | 'quantity' | 'taxable'>,
  due: bigint,
): TaxLine {
  const amount = inclusive ? 0n : due;
  const included = inclusive ? due : null;
  return { code, kind, logic, inclusive, nightCount, quantity, taxable, amount, included };
}

function requireText(text: string | null): string {
  if (text === null) throw new TypeError('a tax rule without its amount or percent');
  return text;
}

// How much of a price is tax already: percentages that are in the price are taken out of it together.
//
// A price of 113.00 with 10 % and 3 % in it is 100.00 and both taxes, 10.00 and 3.00. Rules may cover different parts
// of the price (some nights only, the cleaning fee): each part is divided among the rules that cover it.

/** A part of the price, such as a night; rules on the same part share its key. */
interface PricePart {
  readonly key: string | EpochDay;
  /** Minor units. */
  readonly amount: bigint;
}

interface IncludedPercentage {
  readonly percent: Decimal;
  readonly parts: readonly PricePart[];
}

/** Percentages become integers at this scale: no written one has more fractional digits. */
const SCALE = 10n ** BigInt(DECIMAL_FRACTION_DIGITS_MAX);
const WHOLE = 100n * SCALE;

/** The share of each rule in the price, in minor units, each rounded half up. */
function includedAmounts(rules: readonly IncludedPercentage[]): bigint[] {
  const percentOfPart = new Map<PricePart['key'], bigint>();
  for (const { percent, parts } of rules)
    for (const { key } of parts) percentOfPart.set(key, (percentOfPart.get(key) ?? 0n) + scaled(percent));
  return rules.map((rule) => includedAmount(rule, percentOfPart));
}

function includedAmount(
  { percent, parts }: IncludedPercentage,
  percentOfPart: ReadonlyMap<PricePart['key'], bigint>,
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
