/**
 * The public face of a property: PartnerPropertySummary (SPEC 2), written field by field, so that only contracted
 * fields get out.
 */
import { guestsMax, type Locale, LOCALES, type Property, textFor } from '../../../domain/property.ts';
import type { TextRange } from './piece-chunks.ts';

/** The JSON of the summary in every locale, in the order of LOCALES. */
export function presentSummaries(property: Property, startingPrice: string | null): string[] {
  if (isLocalized(property)) return LOCALES.map((locale) => presentSummary(property, locale, startingPrice));
  // Most properties have one text for all locales: made once, known to be equal without a comparison.
  const summary = presentSummary(property, LOCALES[0], startingPrice);
  return LOCALES.map(() => summary);
}

function isLocalized({ name, description, location: { city, area } }: Property): boolean {
  return [name, description, city, area].some((text) => text !== null && typeof text !== 'string');
}

/** The JSON of a summary. `startingPrice` is a DecimalMoney or null. */
function presentSummary(property: Property, locale: Locale, startingPrice: string | null): string {
  const { location, rating } = property;
  return JSON.stringify({
    propertyId: property.propertyId,
    name: textFor(property.name, locale),
    description: property.description === null ? null : textFor(property.description, locale),
    propertyType: property.propertyType,
    location: {
      city: textFor(location.city, locale),
      country: location.country,
      area: location.area === null ? null : textFor(location.area, locale),
    },
    capacity: { guests: guestsMax(property), bathrooms: property.bathrooms },
    amenities: property.amenities,
    rating: rating === null ? null : { score: rating.score, count: rating.count },
    startingPrice,
    currency: property.currency,
    timezone: property.timezone,
  });
}

/** The part of a summary that filters look at. */
export interface Traits {
  readonly propertyType: string;
  readonly location: { readonly area: string | null };
  readonly capacity: { readonly bathrooms: number };
  readonly amenities: readonly string[];
  readonly rating: { readonly score: number } | null;
}

const BEFORE_TRAITS = '"propertyType":';
const BEFORE_NAME = ',"name":';
const BEHIND_NAME = ',"description":';
const BEFORE_PRICE = ',"startingPrice":';
const BEHIND_PRICE = ',"currency":';

/**
 * Reads the name from the bytes of a summary without parsing the rest. Texts can't contain the markers: their quotes
 * are escaped.
 */
export function nameInSummary({ bytes, start, end }: TextRange): string {
  const summary = bytes.subarray(start, end);
  const from = summary.indexOf(BEFORE_NAME) + BEFORE_NAME.length;
  return JSON.parse(summary.toString('utf8', from, summary.indexOf(BEHIND_NAME, from))) as string;
}

/** Reads them in the same way: the description, which is most of a summary, is not parsed. */
export function traitsInSummary({ bytes, start, end }: TextRange): Traits {
  const summary = bytes.subarray(start, end);
  const from = summary.indexOf(`,${BEFORE_TRAITS}`) + 1;
  return JSON.parse(`{${summary.toString('utf8', from, summary.lastIndexOf(BEFORE_PRICE))}}`) as Traits;
}

/** Replaces the starting price, for a new day. */
export function withStartingPrice({ bytes, start, end }: TextRange, startingPrice: string | null): TextRange {
  const summary = bytes.subarray(start, end);
  const from = summary.lastIndexOf(BEFORE_PRICE) + BEFORE_PRICE.length;
  const price = Buffer.from(JSON.stringify(startingPrice));
  const changed = Buffer.concat([
    summary.subarray(0, from),
    price,
    summary.subarray(summary.indexOf(BEHIND_PRICE, from)),
  ]);
  return { bytes: changed, start: 0, end: changed.length };
}
