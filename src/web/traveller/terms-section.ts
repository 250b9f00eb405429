/** What the stay is sold on: when it can be cancelled, when it is paid, the rules of the house, and who sells it. */
import type { EpochDay } from '../../domain/local-date.ts';
import { formatMoney } from '../../domain/money.ts';
import { type LocalizedText, textFor } from '../../domain/property.ts';
import type { PropertyDetails } from '../../domain/property-details.ts';
import { type Payment, type Refund, refundsFrom, splitPayment } from '../../domain/stay-terms.ts';
import { type Content, type Html, html } from '../kit/html.ts';
import { machineDate } from './formats.ts';
import { langOf } from './lang.ts';
import type { View } from './frame.ts';

/** The stay that the terms are said of. */
export interface SoldStay {
  readonly checkIn: EpochDay;
  /** Where the property stands. */
  readonly today: EpochDay;
  /** Undefined where there is no price: nothing is said of payment then. */
  readonly price: { readonly total: bigint; readonly currency: string } | undefined;
}

export function termsSection(
  view: View,
  { cancellation, payment }: PropertyDetails,
  { checkIn, today, price }: SoldStay,
): Content {
  const { messages } = view;
  const payments =
    payment === null || price === undefined ? [] : splitPayment(payment, price.total, { checkIn, today });
  if (cancellation === null && payments.length === 0) return '';
  return html`<section class="card terms" aria-labelledby="terms-heading">
    <h2 id="terms-heading">${messages.terms}</h2>
    ${
      cancellation === null
        ? ''
        : html`<h3>${messages.cancellation}</h3>
            ${cancellationPart(view, cancellation.length > 0, refundsFrom(cancellation, checkIn, today), checkIn)}`
    }
    ${
      payments.length === 0
        ? ''
        : html`<h3>${messages.payment}</h3>
            <dl class="price">
              ${payments.map((part) => paymentRow(view, part, checkIn, price?.currency ?? ''))}
            </dl>`
    }
  </section>`;
}

function cancellationPart(
  view: View,
  isRefundable: boolean,
  refunds: readonly Refund[],
  checkIn: EpochDay,
): Html {
  const { messages, formats } = view;
  if (!isRefundable) return html`<p>${messages.nonRefundable}</p>`;
  if (refunds.length === 0) return html`<p>${messages.refundsPassed}</p>`;
  return html`<ul class="steps">
    ${refunds.map(
      ({ refundPercent, until }, index) =>
        html`<li class="${index === 0 ? 'first' : ''}">
          ${Number(refundPercent) === 100 ? messages.freeUntil : messages.refundUntil(formats.percent(refundPercent))}
          ${fullDate(view, until, checkIn)}
        </li>`,
    )}
    <li>${messages.nothingBack}</li>
  </ul>`;
}

function paymentRow(view: View, { due, amount }: Payment, checkIn: EpochDay, currency: string): Html {
  const { messages, formats } = view;
  const when =
    due === 'booking'
      ? messages.payNow
      : due === 'arrival'
        ? messages.payOnArrival
        : html`${messages.payOn} ${fullDate(view, due, checkIn)}`;
  return html`<div>
    <dt>${when}</dt>
    <dd>${formats.money(formatMoney(amount), currency)}</dd>
  </div>`;
}

/** `Friday, 27 November`; with its year where that is not the one of the arrival. */
function fullDate({ messages, formats }: View, day: EpochDay, checkIn: EpochDay): Html {
  const isSameYear = machineDate(day).slice(0, 4) === machineDate(checkIn).slice(0, 4);
  const date = isSameYear ? formats.dayAndMonth(day) : formats.longDate(day);
  const text = messages.fullDate(formats.weekday(day, 'long'), date);
  return html`<time datetime="${machineDate(day)}">${text}</time>`;
}

export function rulesSection({ messages }: View, houseRules: LocalizedText | null): Content {
  if (houseRules === null) return '';
  const text = textFor(houseRules, messages.locale);
  if (text.trim() === '') return '';
  return html`<section class="card rules" aria-labelledby="rules-heading">
    <h2 id="rules-heading">${messages.houseRules}</h2>
    <p class="description" dir="auto" ${langOf(houseRules, messages.locale)}>${text}</p>
  </section>`;
}

/** A long number may end a line after each four of its characters. */
function inGroups(number: string): Content {
  return (number.match(/.{1,4}/gsu) ?? []).map((group, index) =>
    index === 0 ? group : html`<wbr />${group}`,
  );
}

export interface Sale {
  readonly seller: string | null;
  readonly registrationNumber: string | null;
  /** Who sent the traveller; undefined where it isn't known any more. */
  readonly partnerName: string | undefined;
}

export function saleSection(
  { messages, operator }: View,
  { seller, registrationNumber, partnerName }: Sale,
): Html {
  const row = (name: string, value: Content | null | undefined): Content =>
    value === null || value === undefined
      ? ''
      : html`<div>
          <dt>${name}</dt>
          <dd><bdi>${value}</bdi></dd>
        </div>`;
  return html`<section class="card sale" aria-labelledby="sale-heading">
    <h2 id="sale-heading">${messages.sale}</h2>
    <dl class="facts">
      ${row(messages.seller, seller ?? operator.name)} ${row(messages.sentBy, partnerName)}
      ${row(messages.registrationNumber, registrationNumber === null ? null : inGroups(registrationNumber))}
    </dl>
  </section>`;
}
