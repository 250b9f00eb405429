/** The page that a handoff link opens, in each of its states. */
import type { Handoff } from '../../handoff/handoff-value.ts';
import type { HandoffReview } from '../../quotes/review-handoff.ts';
import { formatMoney } from '../../domain/money.ts';
import { storedPropertyName } from '../../quotes/stored-breakdown.ts';
import { type Content, html } from '../kit/html.ts';
import { textFor } from '../../domain/property.ts';
import { NO_DETAILS } from '../../domain/property-details.ts';
import { aboutSection, propertyHead } from './about-section.ts';
import { contactButton, nextStep } from './actions.ts';
import { calendarSection } from './calendar-section.ts';
import type { FrameParts, Preview } from './frame.ts';
import { gallery, type ShownImage } from './gallery.ts';
import type { PageTitle } from './messages/en-gb.ts';
import { noticeBox, reviewNotice } from './notice.ts';
import { otherDatesSection } from './other-dates-section.ts';
import { priceSection, quotedPriceSection, stayBar } from './price-section.ts';
import { staySection } from './stay-section.ts';
import { rulesSection, saleSection, type SoldStay, termsSection } from './terms-section.ts';
import type { View } from './view.ts';

/** What the page shows besides the review itself. */
export interface PageExtras {
  readonly images: readonly ShownImage[];
  /** Who sent the traveller; undefined where it isn't known. */
  readonly partnerName: string | undefined;
}

/** `value` is the handoff value as it came. */
export function reviewPage(
  view: View,
  review: HandoffReview,
  value: string,
  { images, partnerName }: PageExtras,
): FrameParts {
  const { messages, formats } = view;
  const { handoff, stored, offer, nights, outcome, details } = review;
  const dates = formats.dateRange(handoff.checkIn, handoff.checkOut);
  const name =
    stored === undefined
      ? (storedPropertyName(review.quote.breakdown) ?? messages.yourStay)
      : textFor(stored.property.name, messages.locale);
  return {
    outcome,
    title: messages.stayTitle(name, dates),
    reference: messages.reference(handoff.quoteId),
    preview: previewOf(view, review, images[0]),
    main: html`${stored === undefined ? bareHead(name) : propertyHead(view, stored.property)}
      ${stored === undefined ? '' : gallery(view, images)} ${reviewNotice(view, review)}
      <div class="columns${offer === undefined ? ' without-offer' : ''}">
        ${staySection(view, { stay: handoff, type: offer?.type, times: details })}
        ${nextSection(view, review, value)} ${soldSections(view, review)} ${calendarSection(view, nights)}
        ${stored === undefined ? '' : aboutSection(view, stored.property)}
        ${stored === undefined ? '' : html`${rulesSection(view, details.houseRules)} ${saleSection(view, { ...details, partnerName })}`}
      </div>
      ${barOf(view, review)}`,
  };
}

function totalOf({ offer, stored }: HandoffReview): SoldStay['price'] {
  if (offer === undefined || stored === undefined) return undefined;
  return { total: offer.price.total, currency: stored.property.currency };
}

/** Of a stay that can't be had nothing is said: other dates have other terms. */
function soldSections(view: View, review: HandoffReview): Content {
  const { details, today, handoff } = review;
  const price = totalOf(review);
  if (price === undefined || today === undefined) return '';
  return termsSection(view, details, { checkIn: handoff.checkIn, today, price });
}

function barOf(view: View, review: HandoffReview): Content {
  const price = totalOf(review);
  if (price === undefined) return '';
  const { messages, formats } = view;
  const nights = messages.nights(review.handoff.checkOut - review.handoff.checkIn);
  return stayBar(view, formats.money(formatMoney(price.total), price.currency), nights);
}

/** What a messenger shows of the link: nothing of the price, which changes, and nothing of who travels. */
function previewOf(
  view: View,
  { stored, handoff }: HandoffReview,
  cover: ShownImage | undefined,
): Preview | undefined {
  if (stored === undefined) return undefined;
  const { messages } = view;
  const { area, city } = stored.property.location;
  const cityName = textFor(city, messages.locale);
  const place = area === null ? cityName : messages.place(textFor(area, messages.locale), cityName);
  const nights = messages.nights(handoff.checkOut - handoff.checkIn);
  return { description: messages.preview(place, nights, messages.guests(handoff.guests)), cover };
}

/** Price and button, or other dates, or whom to ask. */
function nextSection(
  view: View,
  { handoff, stored, offer, nearestStays }: HandoffReview,
  value: string,
): Content {
  if (stored === undefined) return askSection(view);
  const { property } = stored;
  if (offer !== undefined) {
    const isOther =
      handoff.total !== formatMoney(offer.price.total) || handoff.currency !== property.currency;
    const quoted = isOther ? view.formats.money(handoff.total, handoff.currency) : undefined;
    const { guests } = handoff;
    return priceSection(view, { offer, property, guests, quoted, action: nextStep(view, value) });
  }
  return otherDatesSection(view, { property, wanted: handoff, stays: nearestStays, value });
}

function askSection({ messages, operator, isTest }: View): Content {
  if (operator.contact === undefined || isTest) return '';
  return html`<div class="card ask">${contactButton(operator.contact, messages.contactForHelp)}</div>`;
}

/** The database is away: the quote's own figures, and the name of the property where it is in memory. */
export function uncheckedPage(
  view: View,
  handoff: Handoff,
  value: string,
  propertyName: string | undefined,
): FrameParts {
  const { messages, formats } = view;
  const name = propertyName ?? messages.yourStay;
  return {
    outcome: 'unchecked',
    title: messages.stayTitle(name, formats.dateRange(handoff.checkIn, handoff.checkOut)),
    reference: messages.reference(handoff.quoteId),
    main: html`${bareHead(name)} ${noticeBox('warn', messages.notice.unchecked)}
      <div class="columns">
        ${staySection(view, { stay: handoff, type: undefined, times: NO_DETAILS })}
        ${quotedPriceSection(view, handoff, nextStep(view, value))}
      </div>`,
  };
}

/** No stay to show: a link that is not ours, a path without a page, a limit, an outage. */
export function plainPage(view: View, kind: PageTitle): FrameParts {
  const { messages, operator } = view;
  const { heading, text } = messages.notice[kind];
  return {
    outcome: kind === 'invalid' ? 'invalid' : 'none',
    title: messages.title[kind],
    main: html`<div class="plain">
      <h1>${heading}</h1>
      <p>${text}</p>
      ${operator.contact === undefined || view.isTest ? '' : contactButton(operator.contact, messages.contactForHelp)}
    </div>`,
  };
}

function bareHead(title: string): Content {
  return html`<div class="head"><h1 dir="auto">${title}</h1></div>`;
}
