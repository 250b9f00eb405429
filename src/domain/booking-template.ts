/** The template of a booking site's address: `https://`, with places that are filled in for each stay. */

export const BOOKING_URL_PLACES = [
  'propertyId',
  'inventoryTypeId',
  'checkIn',
  'checkOut',
  'guests',
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

/** The problem of a template, as the end of a sentence that begins with it; undefined: none. */
export function findTemplateProblem(template: string): string | undefined {
  if (template.length > BOOKING_TEMPLATE_LENGTH_MAX)
    return `is longer than ${BOOKING_TEMPLATE_LENGTH_MAX} characters`;
  const unknown = findUnknownPlace(template);
  if (unknown !== undefined) return `holds ${unknown}, which is not a placeholder`;
  // The host is the operator's own: it may not contain a placeholder.
  const hasOwnHost = /^https:\/\/[^/?#{}\s\\]+(?:[/?#]|$)/i.test(template);
  const filled = fillPlaces(template, () => 'x');
  const url = URL.canParse(filled) ? new URL(filled) : undefined;
  return url?.protocol === 'https:' && hasOwnHost && url.username === ''
    ? undefined
    : 'is not an https:// URL with placeholders after its host';
}

/** The same of one that comes with a document: it stands in a header as it is. */
export function findSiteProblem(template: string): string | undefined {
  if (/[^\x21-\x7e]/.test(template)) return 'holds a blank, a line break or a letter that must be escaped';
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
