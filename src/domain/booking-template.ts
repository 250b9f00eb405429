/** The template of a booking site's address: `https://`, with places that are filled in for each stay. */

import { Wrong } from './wrong.ts';

export const BOOKING_URL_PLACES = [
  'propertyId',
  'inventoryTypeId',
  'checkIn',
  'checkOut',
  'guests',
  'adults',
  'children',
  'childAges',
  'locale',
  'partnerId',
  'quoteId',
] as const;

/** Longer URLs are cut by some browsers and proxies; the values need some of it. */
export const BOOKING_TEMPLATE_LENGTH_MAX = 1_500;

const PLACE = /\{(\w*)\}/g;

/** The first `{...}` that is not a place; undefined when all are. */
export function findUnknownPlace(template: string): string | undefined {
  const names: readonly string[] = BOOKING_URL_PLACES;
  for (const [place, name = ''] of template.matchAll(PLACE)) if (!names.includes(name)) return place;
  return undefined;
}

/** The problem of a template; undefined: none. */
export function findTemplateProblem(template: string): Wrong | undefined {
  if (template.length > BOOKING_TEMPLATE_LENGTH_MAX)
    return new Wrong('tooLong', { max: BOOKING_TEMPLATE_LENGTH_MAX });
  const unknown = findUnknownPlace(template);
  if (unknown !== undefined) return new Wrong('notPlaceholder', { name: unknown });
  // The host is the operator's own: it may not contain a placeholder.
  const hasOwnHost = /^https:\/\/[^/?#{}\s\\]+(?:[/?#]|$)/i.test(template);
  const filled = fillPlaces(template, () => 'x');
  const url = URL.canParse(filled) ? new URL(filled) : undefined;
  return url?.protocol === 'https:' && hasOwnHost && url.username === ''
    ? undefined
    : new Wrong('notTemplate');
}

/** The same of one that comes with a document: it stands in a header as it is. */
export function findSiteProblem(template: string): Wrong | undefined {
  if (/[^\x21-\x7e]/.test(template)) return new Wrong('notInHeader');
  return findTemplateProblem(template);
}

export function fillPlaces(template: string, valueOf: (name: string, index: number) => string): string {
  return template.replaceAll(PLACE, (_place, name: string, index: number) => valueOf(name, index));
}

/** The origin of a valid template, filled in or not; undefined for any other text. */
export function bookingOriginOf(url: string): string | undefined {
  const filled = fillPlaces(url, () => 'x');
  return URL.canParse(filled) ? new URL(filled).origin : undefined;
}
