/** The requested stay: dates with weekdays, nights, guests, the room; the nights around it; and its terms. */
import type { EpochDay } from '../../domain/local-date.ts';
import { endOfLocalDay } from '../../domain/local-instant.ts';
import { formatMoney } from '../../domain/money.ts';
import {
  type CancellationStep,
  type Payment,
  type PropertyDetails,
  refundsFrom,
  splitPayment,
} from '../../domain/property-details.ts';
import { type InventoryType, textFor } from '../../domain/property.ts';
import type { StayRequest } from '../../domain/eligibility.ts';
import { DAYS_PER_WEEK, type NightAround } from '../../partner/quotes/check-handoff.ts';
import { type Content, type Html, html } from '../../http/html/html.ts';
import { type Formats, langOf, machineDate } from '../../http/html/formats.ts';
import type { View } from './frame.ts';
import { sayParty } from './party-words.ts';

/** Parts of the stay; `times` only if the property has them. */
export interface StayParts {
  readonly stay: StayRequest;
  readonly type: InventoryType | undefined;
  readonly times: Pick<PropertyDetails, 'checkIn' | 'checkOut'>;
}

export function staySection(view: View, { stay, type, times }: StayParts): Html {
  const { messages } = view;
  return html`<section class="card stay" aria-labelledby="stay-heading">
    <h2 id="stay-heading">${messages.yourStay}</h2>
    <dl class="facts">
      ${fact(messages.checkIn, html`${longDate(view, stay.checkIn)}${arrivalTimes(view, times.checkIn)}`)}
      ${fact(messages.checkOut, html`${longDate(view, stay.checkOut)}${departureTime(view, times.checkOut)}`)}
      ${fact(messages.lengthOfStay, messages.nights(stay.checkOut - stay.checkIn))}
      ${fact(messages.travellers, sayParty(view, stay))}
      ${
        type === undefined
          ? ''
          : fact(
              messages.room,
              html`<bdi${langOf(type.name, messages.locale)}>${textFor(type.name, messages.locale)}</bdi>
                <span class="time">${messages.roomFor(type.guestsMax)}</span>`,
            )
      }
    </dl>
  </section>`;
}

/** Written out, with the weekday on its own line: travellers check it first. */
function longDate({ formats }: View, day: EpochDay): Html {
  return html`<time datetime="${machineDate(day)}"
    ><span class="weekday">${formats.weekday(day, 'long')}</span>
    <span class="date">${formats.longDate(day)}</span></time
  >`;
}

function arrivalTimes({ messages }: View, checkIn: PropertyDetails['checkIn']): Content {
  if (checkIn === null) return '';
  const { from, until } = checkIn;
  const end = until === null ? '' : html` ${messages.untilTime} ${clockTime(until)}`;
  return html`<span class="time">${messages.fromTime} ${clockTime(from)}${end}</span>`;
}

function departureTime({ messages }: View, checkOut: PropertyDetails['checkOut']): Content {
  if (checkOut === null) return '';
  return html`<span class="time">${messages.byTime} ${clockTime(checkOut.until)}</span>`;
}

/** Both languages write times as documents do. */
function clockTime(time: string): Html {
  return html`<time datetime="${time}">${time}</time>`;
}

function fact(name: string, value: Content): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}

// The nights around the stay as a calendar: a table of weeks, each night said in words for those who listen.

export function calendarSection(view: View, nights: readonly NightAround[]): Content {
  if (nights.length === 0) return '';
  const { messages, formats } = view;
  const week = nights.slice(0, DAYS_PER_WEEK);
  return html`<section class="card calendar" aria-labelledby="calendar-heading">
    <h2 id="calendar-heading">${messages.calendar}</h2>
    <table class="nights">
      <caption>
        ${messages.calendarCaption}
      </caption>
      <thead>
        <tr>
          ${week.map(({ night }) => weekdayCell(formats, night))}
        </tr>
      </thead>
      <tbody>
        ${weeksOf(nights).map(
          (days) =>
            html`<tr>
              ${days.map((day) => nightCell(view, day, day === nights[0]))}
            </tr>`,
        )}
      </tbody>
    </table>
    ${legend(view, nights)}
  </section>`;
}

/** Explains only the states in the calendar. */
function legend({ messages }: View, nights: readonly NightAround[]): Html {
  const [isAnyOpen, isAnyClosed] = [true, false].map((isOpen) =>
    nights.some((night) => night.isOfStay && night.isOpen === isOpen),
  );
  return html`<ul class="legend">
    ${isAnyOpen && html`<li><span class="key is-yours"></span>${messages.yours}</li>`}
    ${isAnyClosed && html`<li><span class="key is-yours is-closed"></span>${messages.yoursClosed}</li>`}
    <li><span class="key is-open"></span>${messages.open}</li>
    <li><span class="key is-closed"></span>${messages.closed}</li>
  </ul>`;
}

/** One letter in a narrow column; the whole word for screen readers. */
function weekdayCell({ weekday }: Formats, night: EpochDay): Html {
  return html`<th scope="col">
    <span class="short" aria-hidden="true">${weekday(night, 'short')}</span
    ><span class="letter" aria-hidden="true">${weekday(night, 'narrow')}</span
    ><span class="said">${weekday(night, 'long')}</span>
  </th>`;
}

/** Names the month in its first cell, and in the first cell of all. */
function nightCell(
  { messages, formats }: View,
  { night, isOpen, isOfStay }: NightAround,
  isFirst: boolean,
): Html {
  const day = formats.dayOfMonth(night);
  const month =
    isFirst || machineDate(night).endsWith('-01') ? html`<small>${formats.shortMonth(night)}</small>` : '';
  const kind = `${isOfStay ? 'is-yours ' : ''}${isOpen ? 'is-open' : 'is-closed'}`;
  const yours = isOpen ? messages.yours : messages.yoursClosed;
  const said = isOfStay ? yours : isOpen ? messages.open : messages.closed;
  return html`<td class="${kind}">
    <time datetime="${machineDate(night)}">${day}${month}</time><span class="said">${said}</span>
  </td>`;
}

function weeksOf(nights: readonly NightAround[]): readonly (readonly NightAround[])[] {
  const weeks: (readonly NightAround[])[] = [];
  for (let start = 0; start < nights.length; start += DAYS_PER_WEEK) {
    weeks.push(nights.slice(start, start + DAYS_PER_WEEK));
  }
  return weeks;
}

// Terms of the stay: cancellation and payment.

/** The stay of the terms. */
export interface SoldStay {
  readonly checkIn: EpochDay;
  /** Today at the property. */
  readonly today: EpochDay;
  /** IANA, of the property. */
  readonly timezone: string;
  /** Undefined without a price: the terms then leave out payment. */
  readonly price:
    | { readonly total: bigint; readonly atArrival: bigint; readonly currency: string }
    | undefined;
}

/** Says what is missing, and draws no card around it. */
export function termsSection(
  view: View,
  { cancellation, payment }: PropertyDetails,
  sold: SoldStay,
): Content {
  const { messages } = view;
  const { checkIn, today, price } = sold;
  const payments =
    payment === null || price === undefined ? [] : splitPayment(payment, price, { checkIn, today });
  if (cancellation === null && payments.length === 0)
    return html`<p class="fine no-terms">${messages.noTerms}</p>`;
  return html`<section class="card terms" aria-labelledby="terms-heading">
    <h2 id="terms-heading">${messages.terms}</h2>
    ${
      cancellation !== null &&
      html`<h3>${messages.cancellation}</h3>
        ${cancellationPart(view, cancellation, sold)}`
    }
    ${
      payments.length > 0 &&
      html`<h3>${messages.payment}</h3>
        <dl class="price">${payments.map((part) => paymentRow(view, part, price?.currency ?? ''))}</dl>`
    }
    ${cancellation === null && html`<p class="fine">${messages.noCancellation}</p>`}
    ${payments.length === 0 && html`<p class="fine">${messages.noPayment}</p>`}
  </section>`;
}

function cancellationPart(
  view: View,
  steps: readonly CancellationStep[],
  { checkIn, today, timezone }: SoldStay,
): Html {
  const { messages, formats } = view;
  if (steps.length === 0) return html`<p>${messages.nonRefundable}</p>`;
  const refunds = refundsFrom(steps, checkIn, today);
  if (refunds.length === 0) return html`<p>${messages.refundsPassed}</p>`;
  const deadline = (until: EpochDay): Html => {
    const zone = formats.zoneName(endOfLocalDay(timezone, until), timezone);
    return dayTime(until, messages.endOfDay(fullDate(view, until), zone));
  };
  return html`<ul class="steps">
    ${refunds.map(
      ({ refundPercent, until }, index) =>
        html`<li class="${index === 0 ? 'first' : ''}">
          ${Number(refundPercent) === 100 ? messages.freeUntil : messages.refundUntil(formats.percent(refundPercent))}
          ${deadline(until)}
        </li>`,
    )}
    <li>${messages.nothingBack}</li>
  </ul>`;
}

function paymentRow(view: View, { due, amount, isCharges }: Payment, currency: string): Html {
  const { messages, formats } = view;
  const when =
    due === 'booking'
      ? messages.payNow
      : due === 'arrival'
        ? isCharges === true
          ? messages.payChargesOnArrival
          : messages.payOnArrival
        : html`${messages.payOn} ${dayTime(due, fullDate(view, due))}`;
  return html`<div>
    <dt>${when}</dt>
    <dd>${formats.money(formatMoney(amount), currency)}</dd>
  </div>`;
}

/** `Friday, 27 November 2026` */
function fullDate({ messages, formats }: View, day: EpochDay): string {
  return messages.fullDate(formats.weekday(day, 'long'), formats.longDate(day));
}

function dayTime(day: EpochDay, text: string): Html {
  return html`<time datetime="${machineDate(day)}">${text}</time>`;
}
