/**
 * The address of the operator's booking site for one stay: the property's own template, or BOOKING_URL_TEMPLATE, with its
 * places filled in.
 */
import { bookingOriginOf, fillPlaces, findSiteProblem } from '../domain/booking-template.ts';
import { countAdults } from '../domain/child-ages.ts';
import { formatLocalDate } from '../domain/local-date.ts';
import type { Handoff } from './handoff-value.ts';

export interface BookedStay extends Omit<Handoff, 'total' | 'currency' | 'expiresAtMs' | 'isTest'> {
  /** Empty while the database is away: the booking site chooses one. */
  readonly inventoryTypeId: string;
}

export { BOOKING_URL_PLACES, findTemplateProblem, findUnknownPlace } from '../domain/booking-template.ts';

const DOTS = /^\.{1,2}$/;
/**
 * Percent-encodes each value (RFC 3986, unreserved characters stay), so that none leaves its place. In the path, a
 * value of one or two dots becomes empty: browsers climb with it, even written `%2E`.
 */
export function fillBookingUrl(template: string, stay: BookedStay): string {
  const { childAges = [], ...others } = stay;
  const values: Readonly<Record<string, string | number>> = {
    ...others,
    adults: countAdults(stay),
    children: childAges.length,
    childAges: childAges.join(),
    checkIn: formatLocalDate(stay.checkIn),
    checkOut: formatLocalDate(stay.checkOut),
  };
  const pathEnd = template.search(/[?#]/);
  return fillPlaces(template, (name, index) => {
    const text = String(values[name] ?? '');
    const isInPath = pathEnd === -1 || index < pathEnd;
    return isInPath && DOTS.test(text) ? '' : encodeStrictly(text);
  });
}

export interface BookingSites {
  /** BOOKING_URL_TEMPLATE */
  readonly bookingUrlTemplate: string | undefined;
  /** BOOKING_ORIGINS */
  readonly bookingOrigins: readonly string[];
}

/**
 * `own`: `bookingUrl` of the property. It counts while its origin is listed: one that was taken off the list is not used,
 * although it is stored.
 */
export function bookingTemplateFor(
  own: string | undefined,
  { bookingUrlTemplate, bookingOrigins }: BookingSites,
): string | undefined {
  const isUsable =
    own !== undefined &&
    findSiteProblem(own) === undefined &&
    bookingOrigins.includes(bookingOriginOf(own) ?? '');
  return isUsable ? own : bookingUrlTemplate;
}

/** `encodeURIComponent` keeps `!'()*`, which some sites read as markup. */
function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
