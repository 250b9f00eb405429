/**
 * Taxes and mandatory fees of a stay, rule by rule.
 *
 * A rule applies to stays of `minStay` to `maxStay` nights, and is nothing for others. It counts the occupied nights
 * within its validity, then without its first `skipNights`, then at most `maxNights` of them. Each rule is rounded once, half up, to what can be paid.
 */
import {
  countByAge,
  countFullPayers,
  dependsOnAges,
  type Party,
  type TaxPayers,
  taxPayersOf,
} from './child-ages.ts';
import type { EpochDay } from './local-date.ts';
import { DECIMAL_FRACTION_DIGITS_MAX, type Decimal, multiply, roundHalfUp } from './money.ts';
import { isPercentLogic, isWithin, type TaxTerms } from './price-terms.ts';
import type { TaxLogic } from './property.ts';

/** The stay, for the rules. Money in minor units. */
export interface TaxedStay extends Party {
  /** The occupied nights, ascending, with their prices. */
  readonly nights: readonly { readonly night: EpochDay; readonly price: number }[];
  readonly cleaningFee: number;
}

export interface TaxLine extends Pick<TaxTerms, 'code' | 'kind' | 'logic' | 'inclusive' | 'due'> {
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
  /** Who pays what; absent where ages are not known, or do not matter to the rule. */
  readonly payers?: readonly TaxPayers[] | undefined;
}

/** One line per rule, in the order of the rules. */
export function applyTaxes(rules: readonly TaxTerms[], stay: TaxedStay): TaxLine[] {
  const lines: TaxLine[] = [];
  const included: (IncludedPercentage & { readonly line: number })[] = [];
  for (const rule of rules) {
    const isPercent = isPercentLogic(rule.logic);
    if (!isWithin(rule.stayNights, stay.nights.length)) {
      lines.push(noLine(rule, isPercent));
      continue;
    }
    if (isPercent && rule.inclusive)
      included.push({ percent: percentOf(rule), parts: partsOf(rule, stay, lines), line: lines.length });
    lines.push(isPercent ? percentLine(rule, stay, lines) : amountLine(rule, stay));
  }
  for (const [index, share] of includedShares(included).entries()) {
    const { line } = included[index]!;
    lines[line] = { ...lines[line]!, included: roundTo(rules[line]!, share) };
  }
  return lines;
}

/** The part of the total that is paid at the property, in minor units. */
export function chargesAtArrival(lines: readonly Pick<TaxLine, 'due' | 'amount'>[]): bigint {
  let sum = 0n;
  for (const { due, amount } of lines) if (due === 'arrival') sum += amount;
  return sum;
}

/** The line of a rule for a stay that is too short or too long for it. */
function noLine(rule: TaxTerms, isPercent: boolean): TaxLine {
  const nightCount = PER_STAY.has(rule.logic) ? null : 0;
  const [quantity, taxable] = isPercent ? [null, 0n] : [0, null];
  return makeLine(rule, { nightCount, quantity, taxable }, 0n);
}

/** The occupied nights that a rule counts. */
function countedNights(
  { validity, skipNights, maxNights }: TaxTerms,
  { nights }: TaxedStay,
): TaxedStay['nights'] {
  const isAlways = isWithin(validity, nights[0]!.night) && isWithin(validity, nights.at(-1)!.night);
  const inForce = isAlways ? nights : nights.filter(({ night }) => isWithin(validity, night));
  if (skipNights === 0 && inForce.length <= maxNights) return inForce;
  return inForce.slice(skipNights, skipNights + maxNights);
}

/** A percentage is taken of nights, the cleaning fee whole (it belongs to no night), and rules before. */
function percentLine(rule: TaxTerms, stay: TaxedStay, before: readonly TaxLine[]): TaxLine {
  const counted = countedNights(rule, stay);
  let ofStay = rule.isOnCleaningFee ? stay.cleaningFee : 0;
  if (rule.isOnNights) for (const { price } of counted) ofStay += price;
  let taxable = BigInt(ofStay);
  if (rule.onRules.length > 0) for (const line of before) if (isTaxedBy(rule, line)) taxable += line.amount;
  const due = inMinorUnits(rule, multiply(taxable, rule.value));
  const capped =
    rule.capPerGuestNight && lessAboveCap(rule, rule.capPerGuestNight, { counted, taxable, stay });
  const payers = taxPayersOf(rule, stay);
  return makeLine(rule, { nightCount: counted.length, quantity: null, taxable, payers }, capped ?? due);
}

/**
 * The percentage of what is taxed, without what is above the cap of a night. The cost of a guest is that of all who sleep
 * there, paying or not, and is counted for those who pay.
 */
function lessAboveCap(
  rule: TaxTerms,
  cap: Decimal,
  { counted, taxable, stay }: { counted: TaxedStay['nights']; taxable: bigint; stay: TaxedStay },
): bigint {
  const percent = percentOf(rule);
  const most = scaled(cap) * BigInt(stay.guests);
  let due = taxable * percent;
  if (rule.isOnNights)
    for (const { price } of counted) {
      const above = BigInt(price) * percent - most;
      if (above > 0n) due -= above;
    }
  const payers = countFullPayers(rule, stay);
  if (payers === stay.guests) return roundTo(rule, { numerator: due, denominator: WHOLE });
  const [numerator, denominator] = [due * BigInt(payers), WHOLE * BigInt(stay.guests)];
  return roundTo(rule, { numerator, denominator });
}

/** The same, part by part. */
function partsOf(rule: TaxTerms, stay: TaxedStay, before: readonly TaxLine[]): readonly PricePart[] {
  const parts: PricePart[] = [];
  if (rule.isOnNights)
    for (const { night, price } of countedNights(rule, stay))
      parts.push({ key: night, amount: BigInt(price) });
  if (rule.isOnCleaningFee) parts.push({ key: 'cleaningFee', amount: BigInt(stay.cleaningFee) });
  for (const [index, line] of before.entries())
    if (isTaxedBy(rule, line)) parts.push({ key: `rule ${index}`, amount: line.amount });
  return parts;
}

function isTaxedBy({ onRules }: TaxTerms, { code }: TaxLine): boolean {
  return onRules === 'all' || onRules.includes(code);
}

function amountLine(rule: TaxTerms, stay: TaxedStay): TaxLine {
  if (rule.tiers.length > 0) return tieredLine(rule, stay);
  if (stay.childAges !== undefined && dependsOnAges(rule)) return agesLine(rule, stay);
  const { nightCount, quantity } = countQuantity(rule, stay);
  const due = inMinorUnits(rule, multiply(BigInt(quantity), rule.value));
  return makeLine(rule, { nightCount, quantity, taxable: null }, due);
}

/** Adults pay the amount of the rule, children that of their age; the sum is rounded once. */
function agesLine(rule: TaxTerms, stay: TaxedStay): TaxLine {
  const full = countQuantity(rule, { ...stay, guests: countFullPayers(rule, stay) });
  const { exact } = rule.value;
  let quantity = full.quantity;
  let due = BigInt(quantity) * scaled({ ...exact, numerator: exact.numerator * BigInt(rule.unit) });
  for (const [index, count] of countByAge(rule, stay).entries()) {
    const ofAge = countQuantity(rule, { ...stay, guests: count }).quantity;
    quantity += ofAge;
    due += BigInt(ofAge) * scaled(rule.ages[index]!.amount);
  }
  const parts = { nightCount: full.nightCount, quantity, taxable: null, payers: taxPayersOf(rule, stay) };
  return makeLine(rule, parts, roundTo(rule, { numerator: due, denominator: WHOLE }));
}

/**
 * For each guest who pays the amount of the last tier that the night's price for each guest, paying or not, reaches; below
 * the first nothing.
 */
function tieredLine(rule: TaxTerms, stay: TaxedStay): TaxLine {
  const counted = countedNights(rule, stay);
  let nightsDue = 0;
  let perGuest = 0n;
  for (const { price } of counted) {
    const tier = rule.tiers.findLast(({ from }) => price >= from * stay.guests);
    if (tier === undefined) continue;
    nightsDue += 1;
    perGuest += scaled(tier.amount);
  }
  const paying = countFullPayers(rule, stay);
  const due = roundTo(rule, { numerator: perGuest * BigInt(paying), denominator: WHOLE });
  const quantity = nightsDue * paying;
  const payers = taxPayersOf(rule, stay);
  return makeLine(rule, { nightCount: counted.length, quantity, taxable: null, payers }, due);
}

/** Half up, once for each rule. */
function roundTo(rule: TaxTerms, { numerator, denominator }: Decimal): bigint {
  return inMinorUnits(rule, roundHalfUp(numerator, denominator * BigInt(rule.unit)));
}

/** From amounts that can be paid: minor units, but for a currency without cents. */
function inMinorUnits({ unit }: TaxTerms, amount: bigint): bigint {
  return unit === 1 ? amount : amount * BigInt(unit);
}

function countQuantity(
  rule: TaxTerms,
  stay: TaxedStay,
): { readonly nightCount: number | null; readonly quantity: number } {
  const arrivals = isWithin(rule.validity, stay.nights[0]!.night) ? 1 : 0;
  const nightCount = countedNights(rule, stay).length;
  const quantity = quantityOf(rule.logic, { arrivals, nights: nightCount, guests: stay.guests });
  return { nightCount: PER_STAY.has(rule.logic) ? null : nightCount, quantity };
}

const PER_STAY: ReadonlySet<TaxLogic> = new Set(['per_booking', 'per_room', 'per_person']);

/** How often an amount is due, by the nights that its rule counts; `arrivals` is 1, or 0 where the rule is not in force. */
export function quantityOf(
  logic: TaxLogic,
  {
    arrivals,
    nights,
    guests,
  }: { readonly arrivals: number; readonly nights: number; readonly guests: number },
): number {
  switch (logic) {
    // A stay is one booking of one room, whatever the number of guests.
    case 'per_booking':
    case 'per_room':
      return arrivals;
    case 'per_person':
      return arrivals * guests;
    case 'per_night':
    case 'per_room_per_night':
      return nights;
    case 'per_person_per_night':
      return nights * guests;
    case 'percent':
    case 'cumulative_percent':
      throw new TypeError(`a rule with the logic ${logic} and an amount`);
  }
}

function makeLine(
  { code, kind, logic, inclusive, due: moment }: TaxTerms,
  { nightCount, quantity, taxable, payers }: Pick<TaxLine, 'nightCount' | 'quantity' | 'taxable' | 'payers'>,
  due: bigint,
): TaxLine {
  const amount = inclusive ? 0n : due;
  const included = inclusive ? due : null;
  const line = { code, kind, logic, inclusive, due: moment, nightCount, quantity, taxable, amount, included };
  return payers === undefined ? line : { ...line, payers };
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
  /** WHOLE is 100 %. */
  readonly percent: bigint;
  readonly parts: readonly PricePart[];
}

/** One scale for percentages that are added up: no written one has more fractional digits. */
const WHOLE = 100n * 10n ** BigInt(DECIMAL_FRACTION_DIGITS_MAX);

function percentOf({ value: { exact }, unit }: TaxTerms): bigint {
  return scaled({ numerator: exact.numerator * BigInt(unit), denominator: exact.denominator });
}

/** Exact: written numbers have at most as many fractional digits. */
function scaled({ numerator, denominator }: Decimal): bigint {
  return (numerator * WHOLE) / denominator;
}

/** The share of each rule in the price, in minor units. */
function includedShares(rules: readonly IncludedPercentage[]): Decimal[] {
  const percentOfPart = new Map<PricePart['key'], bigint>();
  for (const { percent, parts } of rules)
    for (const { key } of parts) percentOfPart.set(key, (percentOfPart.get(key) ?? 0n) + percent);
  return rules.map((rule) => includedShare(rule, percentOfPart));
}

function includedShare(
  { percent, parts }: IncludedPercentage,
  percentOfPart: ReadonlyMap<PricePart['key'], bigint>,
): Decimal {
  const amountByDivisor = new Map<bigint, bigint>();
  for (const { key, amount } of parts) {
    const divisor = WHOLE + percentOfPart.get(key)!;
    amountByDivisor.set(divisor, (amountByDivisor.get(divisor) ?? 0n) + amount);
  }
  let numerator = 0n;
  let denominator = 1n;
  for (const [divisor, amount] of amountByDivisor) {
    numerator = numerator * divisor + amount * percent * denominator;
    denominator *= divisor;
  }
  return { numerator, denominator };
}
