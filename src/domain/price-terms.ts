/**
 * The terms of prices as numbers: minor units, exact fractions, epoch days. They are read from the texts
 * of a property document once, where the document itself is read; a price then reads no text.
 */
import { type EpochDay, getLocalDate } from './local-date.ts';
import { payableUnitOf } from './currency-codes.ts';
import { type Decimal, type Factor, getDecimal, getMoney, makeFactor, roundToUnit } from './money.ts';
import { type AgeRules, bandTerms, type BandTerms } from './child-ages.ts';
import {
  type Discount,
  type InventoryType,
  type Property,
  TAX_BASES,
  type TaxDue,
  type TaxLogic,
  type TaxRule,
} from './property.ts';

/** All that is kept of a property document where prices are computed: no name, and nothing of an address. */
const PRICED_FIELDS = ['currency', 'quoting', 'cleaningFee', 'taxes', 'discounts', 'ageBands'] as const;
const PRICED_TYPE_FIELDS = ['inventoryTypeId', 'includedGuests', 'extraGuestRate', 'ageBands'] as const;

/** The part of a property document that prices depend on. */
export interface PricedDocument extends Pick<Property, (typeof PRICED_FIELDS)[number]> {
  readonly inventoryTypes: readonly PricedType[];
}

type PricedType = Pick<InventoryType, (typeof PRICED_TYPE_FIELDS)[number]>;

export function pricedPartOf(property: Property): PricedDocument {
  const inventoryTypes = property.inventoryTypes.map((type) => pick(type, PRICED_TYPE_FIELDS));
  return { ...pick(property, PRICED_FIELDS), inventoryTypes };
}

function pick<T, Name extends keyof T>(from: T, names: readonly Name[]): Pick<T, Name> {
  const picked: Partial<Pick<T, Name>> = {};
  for (const name of names) if (from[name] !== undefined) picked[name] = from[name];
  return picked as Pick<T, Name>;
}

export interface PriceTerms {
  readonly currency: string;
  /** The smallest amount that can be paid, in minor units: each part of a price is rounded to it. */
  readonly unit: number;
  readonly quoting: boolean;
  /** Minor units; 0 where there is none. */
  readonly cleaningFee: number;
  /** In the order in which they run. */
  readonly taxes: readonly TaxTerms[];
  /** The highest percentage first, equal ones as they are listed. */
  readonly discounts: readonly DiscountTerms[];
  /** In the order of the document. */
  readonly types: readonly TypeTerms[];
}

export interface TypeTerms {
  readonly inventoryTypeId: string;
  readonly includedGuests: number;
  /** Minor units, per extra guest and night. */
  readonly extraGuestRate: number;
  /** Those of the type, or of the property; none where children count as adults. */
  readonly ageBands: readonly BandTerms[];
}

/** Both included; open ends are infinite. */
export interface Bounds {
  readonly least: number;
  readonly most: number;
}

export function isWithin({ least, most }: Bounds, value: number): boolean {
  return least <= value && value <= most;
}

/** Whether every value is within. */
export function isUnbounded({ least, most }: Bounds): boolean {
  return least === Number.NEGATIVE_INFINITY && most === Number.POSITIVE_INFINITY;
}

export interface TaxTerms
  extends Pick<TaxRule, 'code' | 'kind' | 'logic' | 'inclusive' | 'skipNights'>, AgeRules {
  readonly due: TaxDue;
  /** The percentage, or the amount in minor units, by its logic; each divided by `unit`. */
  readonly value: Factor;
  /** The rule's amount is rounded to it, in minor units. */
  readonly unit: number;
  /** The lowest first; empty for a rule with one amount. */
  readonly tiers: readonly TierTerms[];
  readonly capPerGuestNight: Decimal | undefined;
  /** Infinite where there is no limit. */
  readonly maxNights: number;
  /** Nights of the whole stay with which the rule applies at all. */
  readonly stayNights: Bounds;
  readonly validity: Bounds;
  /** The parts of the price that a percentage is taken of. */
  readonly isOnNights: boolean;
  readonly isOnCleaningFee: boolean;
  /** Codes of the rules before it whose amounts it is taken of too. */
  readonly onRules: 'all' | readonly string[];
}

/** Minor units. */
export interface TierTerms {
  readonly from: number;
  readonly amount: Decimal;
}

export interface DiscountTerms {
  /** As the operator wrote it, for those who show it. */
  readonly written: Discount;
  /** Hundredths of a percent: 12.5 % is 1250. */
  readonly hundredths: number;
  readonly nights: Bounds;
  readonly advanceDays: Bounds;
  readonly checkIn: Bounds;
  readonly bookedOn: Bounds;
}

const PERCENT = 100n;
const MINOR_PER_UNIT = 100n;

/** Reads a validated document; throws on anything else, which is a bug. */
export function readPriceTerms(document: PricedDocument): PriceTerms {
  const { currency, quoting, cleaningFee, taxes, discounts = [], ageBands, inventoryTypes } = document;
  const unit = payableUnitOf(currency);
  return {
    currency,
    unit,
    quoting,
    cleaningFee: readFee(cleaningFee, unit),
    taxes: readTaxes(taxes, unit),
    discounts: readDiscounts(discounts),
    types: inventoryTypes.map((type) => readType({ ...(ageBands && { ageBands }), ...type })),
  };
}

/** Minor units. */
export function readFee(cleaningFee: string | null, unit: number): number {
  return cleaningFee === null ? 0 : roundToUnit(Number(getMoney(cleaningFee)), unit);
}

/** `ageBands` are those that count for the type. */
export function readType({
  inventoryTypeId,
  includedGuests,
  extraGuestRate,
  ageBands = [],
}: PricedType): TypeTerms {
  return {
    inventoryTypeId,
    includedGuests,
    extraGuestRate: Number(getMoney(extraGuestRate)),
    ageBands: ageBands.map(bandTerms),
  };
}

/** Whether rules of this logic have a percentage; the others have an amount. */
export function isPercentLogic(logic: TaxLogic): boolean {
  return logic === 'percent' || logic === 'cumulative_percent';
}

/** Whether rules of this logic have an amount for each person. */
export function isPersonLogic(logic: TaxLogic): boolean {
  return logic === 'per_person' || logic === 'per_person_per_night';
}

/** By `order`, ties by position. */
export function inRunningOrder<Rule extends Pick<TaxRule, 'order'>>(rules: readonly Rule[]): Rule[] {
  return rules.toSorted((a, b) => a.order - b.order);
}

export function readTaxes(rules: readonly TaxRule[], unit: number): readonly TaxTerms[] {
  return inRunningOrder(rules).map((rule) => readTax(rule, unit));
}

function readTax(rule: TaxRule, unit: number): TaxTerms {
  const { code, kind, logic, inclusive, base, skipNights, maxNights, validFrom, validTo } = rule;
  const { due = 'booking', tiers = [], capPerGuestNight, exemptUntilAge = -1, ages = [] } = rule;
  const { minStay, maxStay } = rule;
  const value = isPercentLogic(logic) ? rule.percent : tiers.length > 0 ? '0' : rule.amount;
  if (value === null) throw new TypeError('a tax rule without its amount or percent');
  return {
    code,
    kind,
    logic,
    inclusive,
    due,
    value: readValue(value, logic, unit),
    unit,
    tiers: tiers.map(({ from, amount }) => ({ from: Number(getMoney(from)), amount: minorUnitsOf(amount) })),
    capPerGuestNight: capPerGuestNight === undefined ? undefined : minorUnitsOf(capPerGuestNight),
    exemptUntilAge,
    ages: ages.map(({ untilAge, amount }) => ({ untilAge, amount: minorUnitsOf(amount), written: amount })),
    written: tiers.length > 0 || isPercentLogic(logic) ? null : rule.amount,
    skipNights,
    maxNights: maxNights ?? Number.POSITIVE_INFINITY,
    stayNights: bounds(minStay, maxStay),
    validity: dayBounds(validFrom, validTo),
    isOnNights: base.includes('accommodation'),
    isOnCleaningFee: base.includes('cleaningFee'),
    onRules: logic === 'cumulative_percent' ? 'all' : base.filter((name) => !isPartOfPrice(name)),
  };
}

function readValue(text: string, logic: TaxLogic, unit: number): Factor {
  const { numerator, denominator } = isPercentLogic(logic) ? getDecimal(text) : minorUnitsOf(text);
  return makeFactor(numerator, denominator * (isPercentLogic(logic) ? PERCENT : 1n) * BigInt(unit));
}

function minorUnitsOf(text: string): Decimal {
  const { numerator, denominator } = getDecimal(text);
  return { numerator: numerator * MINOR_PER_UNIT, denominator };
}

/** A base that is a part of the price; other names are codes of rules. */
export function isPartOfPrice(name: string): boolean {
  return TAX_BASES.some((part) => part === name);
}

export function readDiscounts(discounts: readonly Discount[]): readonly DiscountTerms[] {
  return discounts.map(readDiscount).sort((one, other) => other.hundredths - one.hundredths);
}

export function readDiscount(written: Discount): DiscountTerms {
  const { minNights, maxNights, minAdvanceDays, maxAdvanceDays } = written;
  return {
    written,
    // At most two decimals, as money has.
    hundredths: Number(getMoney(written.percent)),
    nights: bounds(minNights, maxNights),
    advanceDays: bounds(minAdvanceDays, maxAdvanceDays),
    checkIn: dayBounds(written.stayFrom, written.stayTo),
    bookedOn: dayBounds(written.bookFrom, written.bookTo),
  };
}

function bounds(least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY): Bounds {
  return { least, most };
}

function dayBounds(from: string | null | undefined, to: string | null | undefined): Bounds {
  return bounds(dayOf(from), dayOf(to));
}

function dayOf(date: string | null | undefined): EpochDay | undefined {
  return date === null || date === undefined ? undefined : getLocalDate(date);
}
