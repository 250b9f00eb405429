/** Other dates for a stay that can't be had, each with its total and a way to go on. */
import { formatMoney } from '../../domain/money.ts';
import type { Property } from '../../domain/property.ts';
import type { StayRequest } from '../../domain/eligibility.ts';
import type { PossibleStay } from '../../quotes/nearest-stays.ts';
import { type Content, type Html, html } from '../kit/html.ts';
import { contactButton, continueForm } from './actions.ts';
import { machineDate } from './formats.ts';
import type { View } from './frame.ts';

export interface OtherDates {
  readonly property: Property;
  readonly wanted: StayRequest;
  readonly stays: readonly PossibleStay[];
  /** The handoff value, as it came. */
  readonly value: string;
}

export function otherDatesSection(view: View, { property, wanted, stays, value }: OtherDates): Html {
  const { messages } = view;
  const nights = messages.nights(wanted.checkOut - wanted.checkIn);
  const intro = messages.otherDatesIntro(nights, messages.guests(wanted.guests));
  return html`<section class="card others" aria-labelledby="others-heading">
    <h2 id="others-heading">${messages.otherDates}</h2>
    ${
      stays.length === 0
        ? html`<p>${messages.noOtherDates}</p>`
        : html`<p>${intro}</p>
            <ul class="choices">
              ${stays.map((possible) => choice(view, property, possible, value))}
            </ul>`
    }
    ${otherWays(view, stays.length > 0)}
  </section>`;
}

/** Whom to ask: in small print below dates that can be chosen, else as the one thing to do. */
function otherWays({ messages, isTest, operator: { contact } }: View, hasChoices: boolean): Content {
  if (isTest) return html`<p>${messages.testEndsHere}</p>`;
  if (contact === undefined) return '';
  if (!hasChoices)
    return html`<div class="next">${contactButton(contact, messages.contactForOtherDates)}</div>`;
  return html`<p class="fine ask"><a href="${contact}">${messages.contactForOtherDates}</a></p>`;
}

function choice(view: View, property: Property, { stay, offer }: PossibleStay, value: string): Html {
  const { formats } = view;
  const dates = formats.dateRange(stay.checkIn, stay.checkOut);
  const total = formats.money(formatMoney(offer.price.total), property.currency);
  return html`<li>
    <p class="dates">
      <time datetime="${machineDate(stay.checkIn)}">${formats.shortDate(stay.checkIn)}</time
      ><span aria-hidden="true"> – </span
      ><time datetime="${machineDate(stay.checkOut)}">${formats.shortDate(stay.checkOut)}</time>
    </p>
    <p class="amount">${total}</p>
    ${
      view.operator.canContinue && !view.isTest
        ? continueForm(view, value, {
            text: view.messages.chooseDates,
            said: view.messages.chosenDates(dates),
            checkIn: stay.checkIn,
          })
        : ''
    }
  </li>`;
}
