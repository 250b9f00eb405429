/** What each tax of a stay is called, and what it is made of. */
import { parseMoney } from '../../domain/money.ts';
import type { Property, TaxRule } from '../../domain/property.ts';
import { inRunningOrder, type TaxLine } from '../../domain/taxes.ts';
import { type Content, type Html, html } from '../kit/html.ts';
import type { Messages } from './messages/en-gb.ts';
import { nameOfCode, readable } from './readable-code.ts';
import type { View } from './frame.ts';

export interface RuledLine {
  readonly line: TaxLine;
  /** Undefined where it can't be told. */
  readonly rule: TaxRule | undefined;
}

type Money = (minorUnits: bigint) => string;

/** Lines stand in the order in which the rules run. */
export function withRules({ taxes }: Pick<Property, 'taxes'>, lines: readonly TaxLine[]): RuledLine[] {
  const rules = inRunningOrder(taxes);
  return lines.map((line, index) => {
    const rule = rules[index];
    return { line, rule: rule?.code === line.code ? rule : undefined };
  });
}

type NamedTax = Pick<TaxLine, 'code' | 'kind'>;

/** A tax rule has a code and no name: a known code is translated, any other is made readable. */
export function taxName({ messages }: View, tax: NamedTax): Html {
  return nameOfCode(knownName(messages, tax), tax.code, messages.locale);
}

function knownName(messages: Messages, { code, kind }: NamedTax): string | undefined {
  const known = messages.taxName(code.toLowerCase().replaceAll('_', '-'));
  return known ?? (kind === 'city_tax' ? messages.cityTax : undefined);
}

export interface ExplainedTax extends RuledLine {
  readonly guests: number;
  readonly money: Money;
}

/** `€4.00 per guest and night: 2 guests, 3 nights`, and for how many nights at most. */
export function taxExplained(view: View, { line, rule, guests, money }: ExplainedTax): Content {
  if (rule === undefined) return '';
  const { messages } = view;
  const made = taxParts(view, rule, { line, guests, money });
  const isCapped = line.nightCount !== null && rule.maxNights !== null;
  const cap = isCapped ? `; ${messages.taxCap(messages.nights(rule.maxNights))}` : '';
  return html` <small>${made}${cap}</small>`;
}

function taxParts(
  { messages, formats }: View,
  { logic, percent, amount }: TaxRule,
  { line, guests, money }: Omit<ExplainedTax, 'rule'>,
): string {
  // An amount may have more digits than money is written with.
  const minorUnits = parseMoney(amount ?? '');
  const rate = minorUnits === undefined ? (amount ?? '') : money(minorUnits);
  const nights = messages.nights(line.nightCount ?? 0);
  switch (logic) {
    case 'percent':
    case 'cumulative_percent':
      return messages.taxPercent(formats.percent(percent ?? '0'), money(line.taxable ?? 0n));
    case 'per_booking':
    case 'per_room':
      return messages.taxPerStay;
    case 'per_night':
    case 'per_room_per_night':
      return messages.taxPerNight(rate, nights);
    case 'per_person':
      return messages.taxPerGuest(rate, messages.guests(guests));
    case 'per_person_per_night':
      return messages.taxPerGuestAndNight(rate, messages.guests(guests), nights);
  }
}

/** Taxes that the price holds already, each with its percentage and its amount. */
export function includedLine(view: View, lines: readonly RuledLine[], money: Money): Content {
  const { messages, formats } = view;
  const parts = lines.flatMap(({ line, rule }) => {
    if (line.included === null || line.included === 0n) return [];
    const percent = rule?.percent ?? null;
    const rate = percent === null ? '' : ` (${formats.percent(percent)})`;
    return [
      messages.includedTax(
        `${knownName(messages, line) ?? readable(line.code)}${rate}`,
        money(line.included),
      ),
    ];
  });
  if (parts.length === 0) return '';
  return html`<p class="fine">${messages.included(formats.list(parts))}</p>`;
}
