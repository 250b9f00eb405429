/**
 * Taxes and mandatory fees of a stay, rule by rule.
 *
 * A rule counts the occupied nights within its validity, then without its first `skipNights`, then at most
 * `maxNights` of them. Each rule is rounded once, half up, to minor units.
 */
import { parseLocalDate, type EpochDay } from './local-date.ts';
import { getDecimal, roundHalfUp } from './money.ts';
import type { TaxKind, TaxLogic, TaxRule } from './property.ts';

/** What rules look at. Money in minor units. */
export interface TaxedStay {
  readonly guests: number;
  /** The occupied nights, ascending, with what each costs. */
  readonly nights: readonly { readonly night: EpochDay; readonly price: bigint }[];
  readonly cleaningFee: bigint;
}

export interface TaxLine {
  readonly code: string;
  readonly kind: TaxKind;
  readonly logic: TaxLogic;
  readonly inclusive: boolean;
  /** Nights that the rule counts; null for the per-stay logics, which count none. */
  readonly nightCount: number | null;
  /** How often the rule's amount is due; null for the percent logics. */
  readonly quantity: number | null;
  /** What the percentage is taken of, in minor units; null for the other logics. */
  readonly taxable: bigint | null;
  /** What the rule adds to the total, in minor units: nothing when it is inclusive. */
  readonly amount: bigint;
}

const PERCENT = 100n;
const MINOR_PER_UNIT = 100n;

/** One line per rule in the order in which they run: by `order`, ties by position. */
export function applyTaxes(rules: readonly TaxRule[], stay: TaxedStay): TaxLine[] {
  const lines: TaxLine[] = [];
  let amountsBefore = 0n;
  for (const rule of rules.toSorted((a, b) => a.order - b.order)) {
    const line = applyRule(rule, stay, amountsBefore);
    lines.push(line);
    amountsBefore += line.amount;
  }
  return lines;
}

function applyRule(rule: TaxRule, stay: TaxedStay, amountsBefore: bigint): TaxLine {
  const isInForce = makeValidity(rule);
  const inForce = stay.nights.filter(({ night }) => isInForce(night));
  const counted = inForce.slice(rule.skipNights).slice(0, rule.maxNights ?? undefined);
  const arrivals = isInForce(stay.nights[0]!.night) ? 1 : 0;

  switch (rule.logic) {
    case 'percent':
      return percentLine(rule, counted.length, taxableOf(rule, counted, stay.cleaningFee));
    case 'cumulative_percent':
      return percentLine(rule, counted.length, taxableOf(rule, counted, stay.cleaningFee) + amountsBefore);
    // A stay is one booking of one room, whatever the number of guests.
    case 'per_booking':
    case 'per_room':
      return amountLine(rule, null, arrivals);
    case 'per_person':
      return amountLine(rule, null, arrivals * stay.guests);
    case 'per_night':
    case 'per_room_per_night':
      return amountLine(rule, counted.length, counted.length);
    case 'per_person_per_night':
      return amountLine(rule, counted.length, counted.length * stay.guests);
  }
}

/** The accommodation of the counted nights, and the cleaning fee whole: it belongs to no night. */
function taxableOf(rule: TaxRule, counted: TaxedStay['nights'], cleaningFee: bigint): bigint {
  let taxable = 0n;
  if (rule.base.includes('accommodation')) for (const { price } of counted) taxable += price;
  if (rule.base.includes('cleaningFee')) taxable += cleaningFee;
  return taxable;
}

function percentLine(rule: TaxRule, nightCount: number, taxable: bigint): TaxLine {
  const percent = getDecimal(requireText(rule.percent));
  const amount = roundHalfUp(taxable * percent.numerator, percent.denominator * PERCENT);
  return makeLine(rule, { nightCount, quantity: null, taxable, amount });
}

function amountLine(rule: TaxRule, nightCount: number | null, quantity: number): TaxLine {
  const each = getDecimal(requireText(rule.amount));
  const amount = roundHalfUp(BigInt(quantity) * each.numerator * MINOR_PER_UNIT, each.denominator);
  return makeLine(rule, { nightCount, quantity, taxable: null, amount });
}

function makeLine(
  { code, kind, logic, inclusive }: TaxRule,
  due: Pick<TaxLine, 'nightCount' | 'quantity' | 'taxable' | 'amount'>,
): TaxLine {
  return { code, kind, logic, inclusive, ...due, amount: inclusive ? 0n : due.amount };
}

function makeValidity({ validFrom, validTo }: TaxRule): (night: EpochDay) => boolean {
  const first = validFrom === null ? Number.NEGATIVE_INFINITY : requireDay(validFrom);
  const last = validTo === null ? Number.POSITIVE_INFINITY : requireDay(validTo);
  return (night) => first <= night && night <= last;
}

function requireDay(text: string): EpochDay {
  const day = parseLocalDate(text);
  if (day === undefined) throw new TypeError(`not a date: ${JSON.stringify(text)}`);
  return day;
}

function requireText(text: string | null): string {
  if (text === null) throw new TypeError('a tax rule without its amount or percent');
  return text;
}
