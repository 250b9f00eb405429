/** What the traveller can do next: go on to the booking site, or write or call. */
import type { EpochDay } from '../../domain/local-date.ts';
import { type Content, type Html, html } from '../kit/html.ts';
import { machineDate } from './formats.ts';
import type { View } from './frame.ts';

export interface Continue {
  readonly text: string;
  /** Said behind the text, where several buttons have the same. */
  readonly said?: string;
  /** Other dates than those of the quote. */
  readonly checkIn?: EpochDay;
}

/** The one button of a stay that can be had. */
export function nextStep(view: View, value: string): Content {
  const { messages, operator } = view;
  if (view.isTest) return html`<p>${messages.testEndsHere}</p>`;
  if (operator.canContinue) return continueForm(view, value, { text: messages.continue });
  if (operator.contact !== undefined) return contactButton(operator.contact, messages.contactToBook);
  return html`<p>${messages.goBack}</p>`;
}

/** A form and not a link: nothing that looks ahead follows it, and the value stays out of the address. */
export function continueForm({ root }: View, value: string, { text, said, checkIn }: Continue): Html {
  return html`<form method="post" action="${root}handoff/continue">
    <input type="hidden" name="handoff" value="${value}" />
    ${checkIn === undefined ? '' : html`<input type="hidden" name="checkIn" value="${machineDate(checkIn)}" />`}
    <button class="button">
      ${text}${said === undefined ? '' : html` <span class="said">${said}</span>`}
    </button>
  </form>`;
}

export function contactButton(contact: string, text: string): Html {
  return html`<a class="button" href="${contact}">${text}</a>`;
}
