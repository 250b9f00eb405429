/** Other dates for an unavailable stay, each with its total and a button. */
import { formatMoney, getMoney } from '../../domain/money.ts';
import { type Property, textFor } from '../../domain/property.ts';
import type { StayRequest } from '../../domain/eligibility.ts';
import type { PricedStay } from '../../partner/quotes/other-stays.ts';
import { type Content, type Html, html } from '../../http/html/html.ts';
import { contactButton, continueForm } from './price-section.ts';
import { langOf, machineDate } from '../../http/html/formats.ts';
import type { View } from './frame.ts';
import { sayParty } from './party-words.ts';
import type { Handoff } from '../../handoff/handoff-value.ts';

export interface OtherDates {
  readonly property: Property;
  readonly wanted: StayRequest;
  readonly stays: readonly PricedStay[];
  /** The quoted price of the unavailable dates. */
  readonly quoted: Pick<Handoff, 'total' | 'currency'>;
  /** The handoff value as received. */
  readonly value: string;
}

export function otherDatesSection(view: View, parts: OtherDates): Html {
  const { wanted, stays } = parts;
  const { messages } = view;
  const nights = messages.nights(wanted.checkOut - wanted.checkIn);
  const intro = messages.otherDatesIntro(nights, sayParty(view, wanted));
  return html`<section class="card others" aria-labelledby="others-heading">
    <h2 id="others-heading">${messages.otherDates}</h2>
    ${
      stays.length === 0
        ? html`<p>${messages.noOtherDates}</p>`
        : html`<p>${intro}</p>
            <ul class="choices">
              ${stays.map((possible) => choice(view, parts, possible))}
            </ul>`
    }
    ${otherWays(view, stays.length > 0)}
  </section>`;
}

/** The contact: in small print below dates to choose, else as the main step. */
function otherWays({ messages, isTest, operator: { contact } }: View, hasChoices: boolean): Content {
  if (isTest) return html`<p>${messages.testEndsHere}</p>`;
  if (contact === undefined) return '';
  if (!hasChoices)
    return html`<div class="next">${contactButton(contact, messages.contactForOtherDates)}</div>`;
  return html`<p class="fine ask"><a href="${contact}">${messages.contactForOtherDates}</a></p>`;
}

function choice(
  view: View,
  { property, wanted, quoted, value }: OtherDates,
  { stay, offer }: PricedStay,
): Html {
  const { formats, messages } = view;
  const dates = formats.dateRange(stay.checkIn, stay.checkOut);
  const total = formats.money(formatMoney(offer.price.total), property.currency);
  const nights = stay.checkOut - stay.checkIn;
  const isOtherLength = nights !== wanted.checkOut - wanted.checkIn;
  return html`<li>
    <p class="dates">
      <time datetime="${machineDate(stay.checkIn)}">${formats.shortDate(stay.checkIn)}</time
      ><span aria-hidden="true"> – </span
      ><time datetime="${machineDate(stay.checkOut)}">${formats.shortDate(stay.checkOut)}</time>
    </p>
    <p class="amount">${total}</p>
    <p class="fine">
      <bdi${langOf(offer.type.name, messages.locale)}>${textFor(offer.type.name, messages.locale)}</bdi>${isOtherLength ? ` · ${messages.nights(nights)}` : ''}${difference(view, offer, property, quoted)}
    </p>
    ${
      view.operator.canContinue && !view.isTest
        ? continueForm(view, value, {
            text: view.messages.chooseDates,
            said: view.messages.chosenDates(dates),
            stay,
          })
        : ''
    }
  </li>`;
}

/** Compared with the quoted total; empty after a change of currency. */
function difference(
  { formats, messages }: View,
  { price }: PricedStay['offer'],
  { currency }: Property,
  quoted: OtherDates['quoted'],
): Content {
  if (quoted.currency !== currency) return '';
  const change = price.total - getMoney(quoted.total);
  if (change === 0n) return html` · ${messages.samePrice}`;
  const amount = formats.money(formatMoney(change < 0n ? -change : change), currency);
  return html` · ${change > 0n ? messages.costsMore(amount) : messages.costsLess(amount)}`;
}
