/** The price in its parts, each tax by its name, and the next step: booking site, mail or call. */
import type { Handoff } from '../../handoff/handoff-value.ts';
import { findTaxName } from '../../domain/charges.ts';
import type { EpochDay } from '../../domain/local-date.ts';
import { formatMoney, parseMoney } from '../../domain/money.ts';
import type { AppliedDiscount } from '../../domain/pricing.ts';
import { type Property, type TaxRule, textFor } from '../../domain/property.ts';
import type { PricedQuote } from '../../domain/quote-decision.ts';
import { inRunningOrder } from '../../domain/price-terms.ts';
import type { TaxLine } from '../../domain/taxes.ts';
import { type Content, type Html, html } from '../../http/html/html.ts';
import { langOf, machineDate, nameOfCode, readable } from '../../http/html/formats.ts';
import type { View } from './frame.ts';
import { sayPayers } from './party-words.ts';

/** The present price; `quoted` is the traveller's total if it differs. */
export function priceSection(view: View, { offer, property, guests, quoted, action }: PricedParts): Html {
  const { messages, formats } = view;
  const { price } = offer;
  const money: Money = (minorUnits) => formats.money(signedMoney(minorUnits), property.currency);
  const nights = messages.nights(price.nights.length);
  const ruled = withRules(property, price.taxLines);
  const taxes = ruled.filter(({ line }) => !line.inclusive && line.amount > 0n);
  return html`<section class="card offer" aria-labelledby="price-heading">
    <h2 id="price-heading">${messages.price}</h2>
    <dl class="price">
      ${row(messages.accommodation(nights), money(price.accommodation + (price.discount?.amount ?? 0)))}
      ${discountRow(view, price.discount, money)}
      ${price.cleaningFee > 0 ? row(messages.cleaningFee, money(price.cleaningFee)) : ''}
      ${taxes.map(({ line, rule }) => row(html`${taxName(view, line)}${taxExplained(view, { line, rule, guests, money })}`, money(line.amount)))}
      ${quoted === undefined ? '' : row(messages.quotedTotal, html`<s>${quoted}</s>`, 'was sum')}
      ${
        quoted === undefined
          ? row(messages.total, money(price.total), 'total sum')
          : row(messages.totalNow, money(price.total), 'total')
      }
    </dl>
    ${includedLine(view, ruled, money)} ${nightlyPrices(view, offer, money)}
    <div class="next">${action}</div>
    ${whatNext(view)}
  </section>`;
}

/** Explains the button, if there is one. */
function whatNext({ messages, operator, isTest }: View): Html {
  return html`${operator.canContinue && !isTest ? html`<p class="fine what-next">${messages.whatNext(operator.name)}</p>` : ''}
    <p class="fine">${messages.indicative}</p>`;
}

export interface PricedParts {
  readonly offer: PricedQuote;
  readonly property: Property;
  readonly guests: number;
  readonly quoted: string | undefined;
  readonly action: Content;
}

/** The quote's own total, while the present price is unknown. */
export function quotedPriceSection(view: View, handoff: Handoff, action: Content): Html {
  const { messages, formats } = view;
  return html`<section class="card offer" aria-labelledby="price-heading">
    <h2 id="price-heading">${messages.quotedPrice}</h2>
    <dl class="price">${row(messages.total, formats.money(handoff.total, handoff.currency), 'total')}</dl>
    <div class="next">${action}</div>
    <p class="fine">${messages.indicative}</p>
  </section>`;
}

function signedMoney(minorUnits: bigint | number): string {
  return minorUnits < 0 ? `-${formatMoney(-minorUnits)}` : formatMoney(minorUnits);
}

export function row(name: Content, amount: Content, kind = ''): Html {
  return html`<div class="${kind}">
    <dt>${name}</dt>
    <dd>${amount}</dd>
  </div>`;
}

/** `Early bird (10%)  -€36.00`: the nights above it, and in their list, are before the discount. */
function discountRow({ messages, formats }: View, applied: AppliedDiscount | null, money: Money): Content {
  if (applied === null || applied.amount === 0) return '';
  const { code, name, percent } = applied.terms;
  const known = messages.discountName(code.toLowerCase().replaceAll('_', '-'));
  const shown =
    name === undefined
      ? nameOfCode(known, code, messages.locale)
      : html`<bdi${langOf(name, messages.locale)}>${textFor(name, messages.locale)}</bdi>`;
  return row(html`${shown} (${formats.percent(percent)})`, money(-applied.amount));
}

function nightlyPrices({ messages, formats }: View, { price }: PricedQuote, money: Money): Content {
  if (price.nights.length < 2) return '';
  return html`<details>
    <summary>${messages.pricePerNight}</summary>
    <dl class="price nightly">
      ${price.nights.map((night) =>
        row(
          html`<time datetime="${machineDate(night.night)}">${formats.shortDate(night.night)}</time>`,
          money(night.price + night.discount),
        ),
      )}
    </dl>
  </details>`;
}

/** Stays visible on a phone: the total and the button. Empty without a button; `total` is formatted. */
export function stayBar(view: View, total: string, nights: string): Content {
  const { messages } = view;
  const button = nextStepAgain(view);
  if (button === '') return '';
  return html`<div class="stay-bar" role="group" aria-label="${messages.price}">
    <p><strong>${total}</strong> <span>${messages.totalFor(nights)}</span></p>
    ${button}
  </div>`;
}

// Names and explanations of the taxes of a stay.

interface RuledLine {
  readonly line: TaxLine;
  /** Undefined when unknown. */
  readonly rule: TaxRule | undefined;
}

type Money = (minorUnits: bigint | number) => string;

/** Lines are in the order of the rules. */
export function withRules({ taxes }: Pick<Property, 'taxes'>, lines: readonly TaxLine[]): RuledLine[] {
  const rules = inRunningOrder(taxes);
  return lines.map((line, index) => {
    const rule = rules[index];
    return { line, rule: rule?.code === line.code ? rule : undefined };
  });
}

type NamedTax = Pick<TaxLine, 'code' | 'kind'>;

/** A tax rule has a code instead of a name: known codes are translated, others made readable. */
export function taxName({ messages }: View, tax: NamedTax): Html {
  return nameOfCode(findTaxName(tax, messages.locale), tax.code, messages.locale);
}

interface ExplainedTax extends RuledLine {
  readonly guests: number;
  readonly money: Money;
}

/**
 * `€4.00 per guest and night: 2 guests, 3 nights`, with the largest number of nights; with ages who pays:
 * `3 nights: 2 adults × €4.00, 1 free`.
 */
export function taxExplained(view: View, { line, rule, guests, money }: ExplainedTax): Content {
  if (rule === undefined) return '';
  const { messages } = view;
  const made = taxParts(view, rule, { line, guests, money });
  const isCapped = line.nightCount !== null && rule.maxNights !== null;
  const cap = isCapped ? `; ${messages.taxCap(messages.nights(rule.maxNights))}` : '';
  const { capPerGuestNight: most } = rule;
  const limit = most === undefined ? '' : `; ${messages.taxLimit(writtenMoney(most, money))}`;
  const desk = line.due === 'arrival' ? `; ${messages.taxAtArrival}` : '';
  return html` <small>${made}${limit}${cap}${desk}</small>`;
}

function taxParts(
  view: View,
  { logic, percent, amount, tiers }: TaxRule,
  { line, guests, money }: Omit<ExplainedTax, 'rule'>,
): string {
  const { messages, formats } = view;
  const rate = writtenMoney(amount ?? '', money);
  const who = line.payers && sayPayers(view, line.payers, (written) => writtenMoney(written, money));
  const nights = messages.nights(line.nightCount ?? 0);
  switch (logic) {
    case 'percent':
    case 'cumulative_percent':
      return [
        messages.taxPercent(formats.percent(percent ?? '0'), money(line.taxable ?? 0n)),
        ...(who === undefined ? [] : [messages.taxPaidBy(who)]),
      ].join('; ');
    case 'per_booking':
    case 'per_room':
      return messages.taxPerStay;
    case 'per_night':
    case 'per_room_per_night':
      return messages.taxPerNight(rate, nights);
    case 'per_person':
      return who ?? messages.taxPerGuest(rate, messages.guests(guests));
    case 'per_person_per_night':
      if (tiers !== undefined) return messages.taxByPrice(who ?? messages.guests(guests), nights);
      if (who !== undefined) return messages.taxOfNights(nights, who);
      return messages.taxPerGuestAndNight(rate, messages.guests(guests), nights);
  }
}

/** An amount may have more digits than money is written with. */
function writtenMoney(amount: string, money: Money): string {
  const minorUnits = parseMoney(amount);
  return minorUnits === undefined ? amount : money(minorUnits);
}

/** Taxes within the price, each with percentage and amount. */
export function includedLine(view: View, lines: readonly RuledLine[], money: Money): Content {
  const { messages, formats } = view;
  const parts = lines.flatMap(({ line, rule }) => {
    if (line.included === null || line.included === 0n) return [];
    const percent = rule?.percent ?? null;
    const rate = percent === null ? '' : ` (${formats.percent(percent)})`;
    return [
      messages.includedTax(
        `${findTaxName(line, messages.locale) ?? readable(line.code)}${rate}`,
        money(line.included),
      ),
    ];
  });
  if (parts.length === 0) return '';
  return html`<p class="fine">${messages.included(formats.list(parts))}</p>`;
}

// The traveller's next step.

interface Continue {
  readonly text: string;
  /** Follows the text for screen readers, where several buttons have the same text. */
  readonly said?: string;
  /** Ages of children that the quote does not have. */
  readonly childAges?: readonly number[] | undefined;
  /** Dates other than those of the quote. */
  readonly stay?: { readonly checkIn: EpochDay; readonly checkOut: EpochDay };
  /** Id of the form, for a button elsewhere. */
  readonly id?: string;
}

const FORM_ID = 'continue';
/** Field of the page's forms, as of the partner API. */
export const CHILD_AGES = 'childAges';

/** The button of an available stay. */
export function nextStep(view: View, value: string): Content {
  const { messages, operator } = view;
  if (view.isTest) return html`<p>${messages.testEndsHere}</p>`;
  if (operator.canContinue) return continueForm(view, value, { text: messages.continue, id: FORM_ID });
  if (operator.contact !== undefined) return contactButton(operator.contact, messages.contactToBook);
  return html`<p>${messages.goBack}</p>`;
}

/** A form instead of a link: prefetchers do not follow it, and the value stays out of the address. */
export function continueForm(
  { root }: View,
  value: string,
  { text, said, stay, id, childAges }: Continue,
): Html {
  const named = id === undefined ? '' : html` id="${id}"`;
  const attributes = html`method="post" action="${root}handoff/continue"${named}`;
  return html`<form ${attributes}>
    <input type="hidden" name="handoff" value="${value}" />
    ${stay === undefined ? '' : html`${dateField('checkIn', stay.checkIn)}${dateField('checkOut', stay.checkOut)}`}
    ${childAges === undefined ? '' : html`<input type="hidden" name="${CHILD_AGES}" value="${childAges.join()}" />`}
    <button class="button">
      ${text}${said === undefined ? '' : html` <span class="said">${said}</span>`}
    </button>
  </form>`;
}

function dateField(name: string, day: EpochDay): Html {
  return html`<input type="hidden" name="${name}" value="${machineDate(day)}" />`;
}

/** Repeats the button; empty without one. */
function nextStepAgain({ messages, operator, isTest }: View): Content {
  if (isTest) return '';
  if (operator.canContinue)
    return html`<button class="button" form="${FORM_ID}">${messages.continue}</button>`;
  return operator.contact === undefined ? '' : contactButton(operator.contact, messages.contactToBook);
}

export function contactButton(contact: string, text: string): Html {
  return html`<a class="button" href="${contact}">${text}</a>`;
}
