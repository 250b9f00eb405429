/** The price in its parts, each tax by its name, and what to do next. */
import type { Handoff } from '../../handoff/handoff-value.ts';
import { formatMoney } from '../../domain/money.ts';
import type { AppliedDiscount } from '../../domain/pricing.ts';
import { type Property, textFor } from '../../domain/property.ts';
import type { PricedQuote } from '../../domain/quote-decision.ts';
import { type Content, type Html, html } from '../kit/html.ts';
import { nextStepAgain } from './actions.ts';
import { langOf } from './lang.ts';
import { machineDate } from './formats.ts';
import { nameOfCode } from './readable-code.ts';
import { includedLine, taxExplained, taxName, withRules } from './tax-lines.ts';
import type { View } from './frame.ts';

/** The price now; `quoted` is the total that the traveller was shown, where it was another one. */
export function priceSection(view: View, { offer, property, guests, quoted, action }: PricedParts): Html {
  const { messages, formats } = view;
  const { price } = offer;
  const money = (minorUnits: bigint): string => formats.money(signedMoney(minorUnits), property.currency);
  const nights = messages.nights(price.nights.length);
  const ruled = withRules(property, price.taxLines);
  const taxes = ruled.filter(({ line }) => !line.inclusive && line.amount > 0n);
  return html`<section class="card offer" aria-labelledby="price-heading">
    <h2 id="price-heading">${messages.price}</h2>
    <dl class="price">
      ${row(messages.accommodation(nights), money(price.accommodation + (price.discount?.amount ?? 0n)))}
      ${discountRow(view, price.discount, money)}
      ${price.cleaningFee > 0n ? row(messages.cleaningFee, money(price.cleaningFee)) : ''}
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

/** What the button does, where there is one that leads on. */
function whatNext({ messages, operator, isTest }: View): Html {
  return html`${operator.canContinue && !isTest ? html`<p class="fine">${messages.whatNext(operator.name)}</p>` : ''}
    <p class="fine">${messages.indicative}</p>`;
}

export interface PricedParts {
  readonly offer: PricedQuote;
  readonly property: Property;
  readonly guests: number;
  readonly quoted: string | undefined;
  readonly action: Content;
}

/** The quote's own total, where the price can't be asked for now. */
export function quotedPriceSection(view: View, handoff: Handoff, action: Content): Html {
  const { messages, formats } = view;
  return html`<section class="card offer" aria-labelledby="price-heading">
    <h2 id="price-heading">${messages.quotedPrice}</h2>
    <dl class="price">${row(messages.total, formats.money(handoff.total, handoff.currency), 'total')}</dl>
    <div class="next">${action}</div>
    <p class="fine">${messages.indicative}</p>
  </section>`;
}

function signedMoney(minorUnits: bigint): string {
  return minorUnits < 0n ? `-${formatMoney(-minorUnits)}` : formatMoney(minorUnits);
}

function row(name: Content, amount: Content, kind = ''): Html {
  return html`<div class="${kind}">
    <dt>${name}</dt>
    <dd>${amount}</dd>
  </div>`;
}

/** `Early bird (10%)  -€36.00`: the nights above it, and in their list, are without it. */
function discountRow(
  { messages, formats }: View,
  applied: AppliedDiscount | null,
  money: (units: bigint) => string,
): Content {
  if (applied === null || applied.amount === 0n) return '';
  const { code, name, percent } = applied.terms;
  const known = messages.discountName(code.toLowerCase().replaceAll('_', '-'));
  const shown =
    name === undefined
      ? nameOfCode(known, code, messages.locale)
      : html`<bdi${langOf(name, messages.locale)}>${textFor(name, messages.locale)}</bdi>`;
  return row(html`${shown} (${formats.percent(percent)})`, money(-applied.amount));
}

function nightlyPrices(
  { messages, formats }: View,
  { price }: PricedQuote,
  money: (units: bigint) => string,
): Content {
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

/**
 * What stays in sight on a phone: the total, and the one thing to do. Nothing where there is no button; `total` is
 * formatted.
 */
export function stayBar(view: View, total: string, nights: string): Content {
  const { messages } = view;
  const button = nextStepAgain(view);
  if (button === '') return '';
  return html`<div class="stay-bar" role="group" aria-label="${messages.price}">
    <p><strong>${total}</strong> <span>${messages.totalFor(nights)}</span></p>
    ${button}
  </div>`;
}
