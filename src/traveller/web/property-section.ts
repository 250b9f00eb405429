/** The property in the operator's words and pictures: description, rules and seller. */
import type { PropertyImage } from '../../domain/property-details.ts';
import { type LocalizedText, type Locale, type Property, textFor } from '../../domain/property.ts';
import { type Content, type Html, html } from '../../http/html/html.ts';
import { langOf, nameOfCode } from '../../http/html/formats.ts';
import type { View } from './frame.ts';

/** The kind and place of the property. */
export function propertyHead({ messages, formats }: View, property: Property): Html {
  const { locale } = messages;
  const { area, city } = property.location;
  const cityName = textFor(city, locale);
  const place = area === null ? cityName : messages.place(textFor(area, locale), cityName);
  const type = messages.propertyType(codeOf(property.propertyType));
  const { rating } = property;
  return html`<div class="head">
    <p class="kind">${nameOfCode(type, property.propertyType, locale)}<span aria-hidden="true"> · </span><bdi${langOf(area === null ? city : area, locale)}>${place}</bdi></p>
    <h1 dir="auto"${langOf(property.name, locale)}>${textFor(property.name, locale)}</h1>
    ${rating === null ? '' : html`<p class="rating">${messages.rating(formats.score(rating.score), rating.count)}</p>`}
  </div>`;
}

export function aboutSection({ messages }: View, property: Property): Content {
  const { description, amenities } = property;
  if (description === null && amenities.length === 0) return '';
  return html`<section class="card about" aria-labelledby="about-heading">
    <h2 id="about-heading">${messages.about}</h2>
    ${description === null ? '' : descriptionPart(description, messages.locale)}
    ${
      amenities.length === 0
        ? ''
        : html`<h3>${messages.amenities}</h3>
            <ul class="amenities">
              ${amenities
                .slice(0, AMENITIES_SHOWN_MAX)
                .map(
                  (code) =>
                    html`<li>${nameOfCode(messages.amenityName(codeOf(code)), code, messages.locale)}</li>`,
                )}
            </ul>`
    }
  </section>`;
}

function descriptionPart(description: LocalizedText, locale: Locale): Html {
  const text = shortened(textFor(description, locale));
  const attributes = html`class="description" dir="auto"${langOf(description, locale)}`;
  return html`<p ${attributes}>${text}</p>`;
}

/** Keeps the page light, whatever the catalogue holds. */
const AMENITIES_SHOWN_MAX = 24;
const DESCRIPTION_SHOWN_MAX = 1_200;

/** Cut at a blank, with an ellipsis. */
function shortened(text: string): string {
  if (text.length <= DESCRIPTION_SHOWN_MAX) return text;
  return `${text.slice(0, DESCRIPTION_SHOWN_MAX).replace(/(?<!\s)\s+\S*$/, '')} …`;
}

/** Operators write `air_conditioning`, `air conditioning` or `Air-Conditioning`. */
function codeOf(text: string): string {
  return text.toLowerCase().replaceAll(/[\s_]+/g, '-');
}

// The pictures: one row that is scrolled by hand, the cover first.

/** An existing picture that the page may load. */
export interface ShownImage extends PropertyImage {
  /** A path below the root without a leading slash, an https URL, or in a preview a data URL. */
  readonly src: string;
  /** For link previews. */
  readonly absoluteUrl: string;
  /** Smaller sizes of it, ascending; `src` as its own. */
  readonly smaller?: readonly { readonly src: string; readonly width: number }[];
}

/** Pictures except the cover load when they come near. Their sizes are written, so that nothing moves. */
export function gallery({ messages, root }: View, images: readonly ShownImage[]): Content {
  if (images.length === 0) return html`<p class="fine no-pictures">${messages.noPictures}</p>`;
  const isAlone = images.length === 1;
  const figures = images.map((image, index) =>
    picture(image, { isCover: index === 0, isAlone }, { messages, root }),
  );
  if (isAlone) return html`<div class="gallery alone">${figures}</div>`;
  return html`<div class="gallery" role="group" aria-label="${messages.pictures(images.length)}" tabindex="0">
    ${figures}
  </div>`;
}

function picture(
  { src, alt, width, height, smaller = [] }: ShownImage,
  { isCover, isAlone }: { readonly isCover: boolean; readonly isAlone: boolean },
  { messages, root }: Pick<View, 'messages' | 'root'>,
): Html {
  const { locale } = messages;
  const urlOf = (path: string): string => (/^(?:https|data):/.test(path) ? path : `${root}${path}`);
  const set = [...smaller, { src, width }].map((size) => `${urlOf(size.src)} ${size.width}w`).join(', ');
  const choice =
    smaller.length > 0 && html` srcset="${set}" sizes="${isAlone ? ALONE_SIZES : sizesOf(width / height)}"`;
  const loading = isCover ? html` fetchpriority="high"` : html` loading="lazy" decoding="async"`;
  return html`<img
    src="${urlOf(src)}"
    ${choice}
    alt="${textFor(alt, locale)}"
    ${langOf(alt, locale)}
    width="${width}"
    height="${height}"
    ${loading}
  />`;
}

/** As wide as the column of the page (`traveller.css`). */
const ALONE_SIZES = 'min(100vw, 64rem)';

/** The width at the height of the row, as `.gallery` in `traveller.css` has it. */
function sizesOf(ratio: number): string {
  return `min(92vw, ${ratio.toFixed(3)} * clamp(min(11rem, 45vw), 34vw, 23rem))`;
}

// The rules of the house, and who sells the stay.

export function rulesSection({ messages }: View, houseRules: LocalizedText | null): Content {
  if (houseRules === null) return '';
  const text = textFor(houseRules, messages.locale);
  if (text.trim() === '') return '';
  return html`<section class="card rules" aria-labelledby="rules-heading">
    <h2 id="rules-heading">${messages.houseRules}</h2>
    <p class="description" dir="auto" ${langOf(houseRules, messages.locale)}>${text}</p>
  </section>`;
}

/** A long number may break after each four characters. */
function inGroups(number: string): Content {
  return (number.match(/.{1,4}/gsu) ?? []).map((group, index) =>
    index === 0 ? group : html`<wbr />${group}`,
  );
}

export interface Sale {
  readonly seller: string | null;
  readonly registrationNumber: string | null;
  /** The partner's name; undefined when no longer known. */
  readonly partnerName: string | undefined;
}

export function saleSection(
  { messages, operator }: View,
  { seller, registrationNumber, partnerName }: Sale,
): Html {
  const row = (name: string, value: Content | null | undefined): Content =>
    value === null || value === undefined
      ? ''
      : html`<div>
          <dt>${name}</dt>
          <dd><bdi>${value}</bdi></dd>
        </div>`;
  return html`<section class="card sale" aria-labelledby="sale-heading">
    <h2 id="sale-heading">${messages.sale}</h2>
    <dl class="facts">
      ${row(messages.seller, seller ?? operator.name)} ${row(messages.sentBy, partnerName)}
      ${row(messages.registrationNumber, registrationNumber === null ? null : inGroups(registrationNumber))}
    </dl>
  </section>`;
}
