/** The price in its parts, each tax by its name, and what to do next. */
import type { Handoff } from '../../handoff/handoff-value.ts';
import { formatMoney } from '../../domain/money.ts';
import type { AppliedDiscount } from '../../domain/pricing.ts';
import { type Property, textFor } from '../../domain/property.ts';
import type { PricedQuote } from '../../domain/quote-decision.ts';
import type { TaxLine } from '../../domain/taxes.ts';
import { type Content, type Html, html } from '../kit/html.ts';
import { langOf } from './about-section.ts';
import { machineDate } from './formats.ts';
import type { View } from './frame.ts';
import { readable } from './readable-code.ts';

/** The price now; `quoted` is the total that the traveller was shown, where it was another one. */
export function priceSection(view: View, { offer, property, quoted, action }: PricedParts): Html {
  const { messages, formats } = view;
  const { price } = offer;
  const money = (minorUnits: bigint): string => formats.money(signedMoney(minorUnits), property.currency);
  const nights = messages.nights(price.nights.length);
  const taxes = price.taxLines.filter((line) => !line.inclusive && line.amount > 0n);
  return html`<section class="card offer" aria-labelledby="price-heading">
    <h2 id="price-heading">${messages.price}</h2>
    <dl class="price">
      ${row(messages.accommodation(nights), money(price.accommodation + (price.discount?.amount ?? 0n)))}
      ${discountRow(view, price.discount, money)}
      ${price.cleaningFee > 0n ? row(messages.cleaningFee, money(price.cleaningFee)) : ''}
      ${taxes.map((line) => row(html`<bdi>${taxName(view, line)}</bdi>`, money(line.amount)))}
      ${quoted === undefined ? '' : row(messages.quotedTotal, html`<s>${quoted}</s>`, 'was sum')}
      ${
        quoted === undefined
          ? row(messages.total, money(price.total), 'total sum')
          : row(messages.totalNow, money(price.total), 'total')
      }
    </dl>
    ${includedLine(view, price.taxLines, money)} ${nightlyPrices(view, offer, money)}
    <div class="next">${action}</div>
    <p class="fine">${messages.indicative}</p>
  </section>`;
}

export interface PricedParts {
  readonly offer: PricedQuote;
  readonly property: Property;
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

/** A tax rule has a code and no name: a known code is translated, any other is made readable. */
function taxName({ messages }: View, { code, kind }: Pick<TaxLine, 'code' | 'kind'>): string {
  const known = messages.taxName(code.toLowerCase().replaceAll('_', '-'));
  return known ?? (kind === 'city_tax' ? messages.cityTax : readable(code));
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
      ? html`<bdi>${known ?? readable(code)}</bdi>`
      : html`<bdi${langOf(name, messages.locale)}>${textFor(name, messages.locale)}</bdi>`;
  return row(html`${shown} (${formats.percent(percent)})`, money(-applied.amount));
}

/** Taxes that the price holds already, each with its amount. */
function includedLine(view: View, lines: readonly TaxLine[], money: (units: bigint) => string): Content {
  const parts = lines.flatMap((line) =>
    line.included === null || line.included === 0n
      ? []
      : [view.messages.includedTax(taxName(view, line), money(line.included))],
  );
  if (parts.length === 0) return '';
  return html`<p class="fine">${view.messages.included(view.formats.list(parts))}</p>`;
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
