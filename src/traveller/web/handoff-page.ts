/** The page of a handoff link in each of its states, as text with the shared headers. */
import type { Handoff } from '../../handoff/handoff-value.ts';
import type { HandoffReview } from '../../partner/quotes/check-handoff.ts';
import { formatMoney, getMoney } from '../../domain/money.ts';
import { storedPropertyName } from '../../partner/quotes/present-quote.ts';
import { type Content, html, type Html } from '../../http/html/html.ts';
import { type InventoryType, type Locale, textFor } from '../../domain/property.ts';
import { sayReason } from '../../domain/stay-reasons.ts';
import { chargesAtArrival } from '../../domain/taxes.ts';
import { NO_DETAILS } from '../../domain/property-details.ts';
import {
  aboutSection,
  gallery,
  propertyHead,
  rulesSection,
  saleSection,
  type ShownImage,
} from './property-section.ts';
import { calendarSection, type SoldStay, staySection, termsSection } from './stay-section.ts';
import { contentSecurityPolicy, SECURITY_HEADERS } from '../../http/html/security-headers.ts';
import { familySection } from './family-section.ts';
import type { Asset, TravellerAssets } from './assets.ts';
import { testPicture } from './test-picture.ts';
import { formatPage, type FrameParts, makeView, type Operator, type Preview, type View } from './frame.ts';
import type { Notice, PageTitle } from './messages/en-gb.ts';
import { otherDatesSection } from './other-dates-section.ts';
import { contactButton, nextStep, priceSection, quotedPriceSection, stayBar } from './price-section.ts';

/** Content of the page beside the review. */
export interface PageExtras {
  readonly images: readonly ShownImage[];
  /** The partner's name; undefined when unknown. */
  readonly partnerName: string | undefined;
  /** Whether the property has a booking site to go on to. */
  readonly canContinue: boolean;
}

/** `value` is the handoff value as received. */
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
      <div class="columns${offer === undefined ? ' without-offer' : ''}">
        ${stored === undefined ? '' : gallery(view, images)} ${reviewNotice(view, review)}
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
  const { total, taxLines } = offer.price;
  return { total, atArrival: chargesAtArrival(taxLines), currency: stored.property.currency };
}

/** Empty for an unavailable stay: other dates have other terms. */
function soldSections(view: View, review: HandoffReview): Content {
  const { details, today, handoff, stored } = review;
  const price = totalOf(review);
  if (price === undefined || today === undefined) return '';
  return termsSection(view, details, {
    checkIn: handoff.checkIn,
    today,
    timezone: stored?.property.timezone ?? 'UTC',
    price,
  });
}

function barOf(view: View, review: HandoffReview): Content {
  const price = totalOf(review);
  if (price === undefined) return '';
  const { messages, formats } = view;
  const nights = messages.nights(review.handoff.checkOut - review.handoff.checkIn);
  return stayBar(view, formats.money(formatMoney(price.total), price.currency), nights);
}

/** The link's preview, without price, which changes, and without travellers. */
function previewOf(
  view: View,
  { stored, handoff }: HandoffReview,
  image: ShownImage | undefined,
): Preview | undefined {
  if (stored === undefined) return undefined;
  const { messages } = view;
  const { area, city } = stored.property.location;
  const cityName = textFor(city, messages.locale);
  const place = area === null ? cityName : messages.place(textFor(area, messages.locale), cityName);
  const nights = messages.nights(handoff.checkOut - handoff.checkIn);
  const description = messages.preview(place, nights, messages.guests(handoff.guests));
  if (image === undefined) return { description, cover: undefined };
  const { absoluteUrl: url, width, height } = image;
  return { description, cover: { url, width, height, alt: textFor(image.alt, messages.locale) } };
}

/** Price and button, or other dates, or a contact; then the question about children. */
function nextSection(view: View, review: HandoffReview, value: string): Content {
  return html`${stepSection(view, review, value)}${familySection(view, review, value)}`;
}

function stepSection(
  view: View,
  { handoff, stored, offer, otherStays }: HandoffReview,
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
  return otherDatesSection(view, { property, wanted: handoff, stays: otherStays, quoted: handoff, value });
}

function askSection({ messages, operator, isTest }: View): Content {
  if (operator.contact === undefined || isTest) return '';
  return html`<div class="card ask">${contactButton(operator.contact, messages.contactForHelp)}</div>`;
}

/** Page while the database is away: the quote's own figures, and the property's name if it is in memory. */
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
    main: html`${bareHead(name)}
      <div class="columns">
        ${noticeBox('warn', messages.notice.unchecked)}
        ${staySection(view, { stay: handoff, type: undefined, times: NO_DETAILS })}
        ${quotedPriceSection(view, handoff, nextStep(view, value))}
      </div>`,
  };
}

/** Page without a stay: a foreign link, an unknown path, a limit, an outage. */
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

// The sentence that says what became of the stay.

function noticeBox(tone: 'good' | 'warn' | 'bad', { heading, text }: Notice, more: Content = ''): Html {
  return html`<div class="notice ${tone}" role="status">
    <p class="heading">${heading}</p>
    ${more}
    <p>${text}</p>
  </div>`;
}

function reviewNotice(view: View, review: HandoffReview): Html {
  const { messages } = view;
  if (review.stored === undefined) {
    return noticeBox('bad', messages.notice.withdrawn(storedPropertyName(review.quote.breakdown)));
  }
  const otherRoom = roomNotice(view, review);
  if (otherRoom !== undefined) return noticeBox('warn', otherRoom);
  switch (review.outcome) {
    case 'unchanged':
      return noticeBox('good', messages.notice.unchanged);
    case 'price_changed':
      return priceNotice(view, review);
    case 'unavailable':
      return noticeBox('bad', messages.notice.unavailable, reasonLine(view, review));
    case 'expired':
      return noticeBox(
        review.offer === undefined ? 'bad' : 'warn',
        expiryNotice(view, review),
        reasonLine(view, review),
      );
  }
}

/** One sentence, where the operator tells reasons. */
function reasonLine({ messages, formats, operator }: View, { reason }: HandoffReview): Content {
  if (reason === undefined || !operator.tellsReasons) return '';
  const said = sayReason(reason, messages.locale, {
    guestsMax: messages.guests,
    date: formats.longDate,
    days: messages.days,
    dates: (dates) => {
      const shown = dates.slice(0, DATES_SAID_MAX).map((date) => formats.shortDate(date));
      const left = dates.length - shown.length;
      return formats.list(left === 0 ? shown : [...shown, messages.moreNights(left)]);
    },
    nights: messages.nights,
  });
  return html`<p data-reason="${reason.code}">${said}</p>`;
}

/** Undefined when the offer is the quoted room, or without an offer. */
function roomNotice({ messages, formats }: View, review: HandoffReview): Notice | undefined {
  const { quotedRoom, offer, stored, handoff, outcome } = review;
  if (quotedRoom === undefined || offer === undefined) return undefined;
  const nameOf = ({ name }: InventoryType): string => textFor(name, messages.locale);
  const rooms = {
    quoted: quotedRoom.type === undefined ? undefined : nameOf(quotedRoom.type),
    quotedTotal: formats.money(handoff.total, handoff.currency),
    now: nameOf(offer.type),
    totalNow: formats.money(formatMoney(offer.price.total), stored?.property.currency ?? handoff.currency),
  };
  const said = quotedRoom.isGone ? messages.notice.roomGone(rooms) : messages.notice.cheaperRoom(rooms);
  if (outcome !== 'expired') return said;
  const until = formats.instant(handoff.expiresAtMs, stored?.property.timezone ?? 'UTC');
  return { ...said, text: `${messages.notice.quoteEnded(until)} ${said.text}` };
}

/** Only for a known, different price. */
function priceNotice({ messages, formats }: View, { handoff, stored, offer }: HandoffReview): Html {
  const currency = stored?.property.currency ?? handoff.currency;
  const total = offer?.price.total ?? 0n;
  const quoted = formats.money(handoff.total, handoff.currency);
  const now = formats.money(formatMoney(total), currency);
  if (currency !== handoff.currency) return noticeBox('warn', messages.notice.otherCurrency(quoted, now));
  const difference = total - getMoney(handoff.total);
  const amount = formats.money(formatMoney(difference < 0n ? -difference : difference), currency);
  return difference < 0n
    ? noticeBox('good', messages.notice.less(quoted, now, amount))
    : noticeBox('warn', messages.notice.more(quoted, now, amount));
}

function expiryNotice({ messages, formats }: View, { handoff, stored, offer }: HandoffReview): Notice {
  const until = formats.instant(handoff.expiresAtMs, stored?.property.timezone ?? 'UTC');
  const quoted = formats.money(handoff.total, handoff.currency);
  return offer === undefined
    ? messages.notice.expiredAndUnavailable(until, quoted)
    : messages.notice.expired(until, quoted);
}

// The pages as the listener sends them.

/** HTML of each page. `root` is the path from the page to the root of the listener. */
export interface TravellerPages {
  readonly assets: readonly Asset[];
  readonly icon: Asset;
  /** Flat list of names and values. */
  readonly headers: readonly string[];
  review(review: HandoffReview, value: string, extras: PageExtras): string;
  /** `propertyName` is undefined when unknown. */
  unchecked(handoff: Handoff, value: string, propertyName: string | undefined): string;
  plain(kind: PageTitle, locale: Locale, root: string): string;
}

/** Dates of a sentence; the others are counted. */
const DATES_SAID_MAX = 7;

const ROOT = './';

/**
 * Pages hold the traveller's stay, so nobody may cache them. The form may lead to any https address: the booking site
 * may redirect, and browsers apply `form-action` to every step. `within`: `data:` where the page carries its style and
 * pictures.
 */
export const pageHeaders = (imageOrigins: readonly string[], within: readonly 'data:'[] = []): string[] => [
  ...SECURITY_HEADERS,
  'Content-Security-Policy',
  contentSecurityPolicy({
    'style-src': ["'self'", ...within].join(' '),
    'img-src': ["'self'", ...within, ...imageOrigins].join(' '),
    'form-action': "'self' https:",
  }),
  'Permissions-Policy',
  'camera=(), geolocation=(), microphone=(), payment=()',
  'X-Robots-Tag',
  'noindex, nofollow',
];

/** Pictures may also come from `imageOrigins`. */
export function makeTravellerPages(
  operator: Operator,
  assets: TravellerAssets,
  imageOrigins: readonly string[] = [],
): TravellerPages {
  const format = (view: View, parts: FrameParts): string => formatPage(view, assets, parts);
  return {
    assets: [assets.style, assets.icon, testPicture()],
    icon: assets.icon,
    headers: pageHeaders(imageOrigins),
    review(review, value, extras) {
      const own = { ...operator, canContinue: extras.canContinue };
      const view = makeView(own, review.handoff.locale, ROOT, review.quote.isTest);
      return format(view, reviewPage(view, review, value, extras));
    },
    unchecked(handoff, value, propertyName) {
      const view = makeView(operator, handoff.locale, ROOT, handoff.isTest);
      return format(view, uncheckedPage(view, handoff, value, propertyName));
    },
    plain(kind, locale, root) {
      const view = makeView(operator, locale, root, kind === 'testEnd');
      return format(view, plainPage(view, kind));
    },
  };
}
