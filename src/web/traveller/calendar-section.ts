/** The nights around the stay as a calendar: a table of weeks, each night said in words for those who listen. */
import { DAYS_PER_WEEK, type NightAround } from '../../quotes/check-handoff.ts';
import { type Content, type Html, html } from '../kit/html.ts';
import type { EpochDay } from '../../domain/local-date.ts';
import { type Formats, machineDate } from './formats.ts';
import type { View } from './frame.ts';

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
    <ul class="legend">
      <li><span class="key is-yours"></span>${messages.yours}</li>
      <li><span class="key is-open"></span>${messages.open}</li>
      <li><span class="key is-closed"></span>${messages.closed}</li>
    </ul>
  </section>`;
}

/** One letter where there is room for no more; the whole word for those who listen. */
function weekdayCell({ weekday }: Formats, night: EpochDay): Html {
  return html`<th scope="col">
    <span class="short" aria-hidden="true">${weekday(night, 'short')}</span
    ><span class="letter" aria-hidden="true">${weekday(night, 'narrow')}</span
    ><span class="said">${weekday(night, 'long')}</span>
  </th>`;
}

/** The month is written where it begins, and in the first cell. */
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
