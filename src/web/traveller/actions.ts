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
  /** Of the form, for a button elsewhere. */
  readonly id?: string;
}

const FORM_ID = 'continue';

/** The one button of a stay that can be had. */
export function nextStep(view: View, value: string): Content {
  const { messages, operator } = view;
  if (view.isTest) return html`<p>${messages.testEndsHere}</p>`;
  if (operator.canContinue) return continueForm(view, value, { text: messages.continue, id: FORM_ID });
  if (operator.contact !== undefined) return contactButton(operator.contact, messages.contactToBook);
  return html`<p>${messages.goBack}</p>`;
}

/** A form and not a link: nothing that looks ahead follows it, and the value stays out of the address. */
export function continueForm({ root }: View, value: string, { text, said, checkIn, id }: Continue): Html {
  const named = id === undefined ? '' : html` id="${id}"`;
  const attributes = html`method="post" action="${root}handoff/continue"${named}`;
  return html`<form ${attributes}>
    <input type="hidden" name="handoff" value="${value}" />
    ${checkIn === undefined ? '' : html`<input type="hidden" name="checkIn" value="${machineDate(checkIn)}" />`}
    <button class="button">
      ${text}${said === undefined ? '' : html` <span class="said">${said}</span>`}
    </button>
  </form>`;
}

/** The same button once more; nothing where there is none. */
export function nextStepAgain({ messages, operator, isTest }: View): Content {
  if (isTest) return '';
  if (operator.canContinue)
    return html`<button class="button" form="${FORM_ID}">${messages.continue}</button>`;
  return operator.contact === undefined ? '' : contactButton(operator.contact, messages.contactToBook);
}

export function contactButton(contact: string, text: string): Html {
  return html`<a class="button" href="${contact}">${text}</a>`;
}
