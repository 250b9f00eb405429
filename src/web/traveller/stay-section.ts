/** The stay as it was asked for: dates with weekday, nights, guests, and the room. */
import type { EpochDay } from '../../domain/local-date.ts';
import { type InventoryType, textFor } from '../../domain/property.ts';
import type { StayRequest } from '../../domain/eligibility.ts';
import { type Content, type Html, html } from '../kit/html.ts';
import { machineDate } from './formats.ts';
import type { View } from './view.ts';

export function staySection(view: View, stay: StayRequest, type: InventoryType | undefined): Html {
  const { messages } = view;
  return html`<section class="card stay" aria-labelledby="stay-heading">
    <h2 id="stay-heading">${messages.yourStay}</h2>
    <dl class="facts">
      ${fact(messages.checkIn, time(stay.checkIn, view.formats.longDate))}
      ${fact(messages.checkOut, time(stay.checkOut, view.formats.longDate))}
      ${fact(messages.lengthOfStay, messages.nights(stay.checkOut - stay.checkIn))}
      ${fact(messages.travellers, messages.guests(stay.guests))}
      ${
        type === undefined ? '' : fact(messages.room, html`<bdi>${textFor(type.name, messages.locale)}</bdi>`)
      }
    </dl>
  </section>`;
}

export function time(day: EpochDay, format: (day: EpochDay) => string): Html {
  return html`<time datetime="${machineDate(day)}">${format(day)}</time>`;
}

function fact(name: string, value: Content): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}
