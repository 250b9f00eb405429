/** The property in the operator's own words. */
import { type LocalizedText, type Locale, type Property, textFor } from '../../domain/property.ts';
import { type Content, type Html, html } from '../kit/html.ts';
import { langOf } from './lang.ts';
import { nameOfCode } from './readable-code.ts';
import type { View } from './frame.ts';

/** What kind of property it is, and where. */
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

/** The page stays light whatever the catalogue holds. */
const AMENITIES_SHOWN_MAX = 24;
const DESCRIPTION_SHOWN_MAX = 1_200;

/** Cut at a blank, with an ellipsis. */
function shortened(text: string): string {
  if (text.length <= DESCRIPTION_SHOWN_MAX) return text;
  return `${text.slice(0, DESCRIPTION_SHOWN_MAX).replace(/\s+\S*$/, '')} …`;
}

/** Operators write `air_conditioning`, `air conditioning` or `Air-Conditioning`. */
function codeOf(text: string): string {
  return text.toLowerCase().replaceAll(/[\s_]+/g, '-');
}
