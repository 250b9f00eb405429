/** The stay as it was asked for: dates with weekday, nights, guests, and the room. */
import type { EpochDay } from '../../domain/local-date.ts';
import type { PropertyDetails } from '../../domain/property-details.ts';
import { type InventoryType, textFor } from '../../domain/property.ts';
import type { StayRequest } from '../../domain/eligibility.ts';
import { type Content, type Html, html } from '../kit/html.ts';
import { langOf } from './lang.ts';
import { machineDate } from './formats.ts';
import type { View } from './frame.ts';

/** What the stay is; `times` only where the property said them. */
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
      ${fact(messages.travellers, messages.guests(stay.guests))}
      ${
        type === undefined
          ? ''
          : fact(
              messages.room,
              html`<bdi${langOf(type.name, messages.locale)}>${textFor(type.name, messages.locale)}</bdi>`,
            )
      }
    </dl>
  </section>`;
}

/** Written out, the weekday on a line of its own: it is what travellers check first. */
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
