/** The stay as it was asked for: dates with weekday, nights, guests, and the room. */
import type { EpochDay } from '../../domain/local-date.ts';
import { type InventoryType, textFor } from '../../domain/property.ts';
import type { StayRequest } from '../../domain/eligibility.ts';
import { type Content, type Html, html } from '../kit/html.ts';
import { langOf } from './about-section.ts';
import { machineDate } from './formats.ts';
import type { View } from './frame.ts';

export function staySection(view: View, stay: StayRequest, type: InventoryType | undefined): Html {
  const { messages } = view;
  return html`<section class="card stay" aria-labelledby="stay-heading">
    <h2 id="stay-heading">${messages.yourStay}</h2>
    <dl class="facts">
      ${fact(messages.checkIn, longDate(view, stay.checkIn))}
      ${fact(messages.checkOut, longDate(view, stay.checkOut))}
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

function fact(name: string, value: Content): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}
