/** The address of a stay at the operator's booking site: BOOKING_URL_TEMPLATE with its placeholders filled in. */
import { formatLocalDate, type EpochDay } from '../domain/local-date.ts';
import type { Locale } from '../domain/property.ts';

export interface BookedStay {
  readonly propertyId: string;
  /** Empty while the database is away: the booking site chooses one. */
  readonly inventoryTypeId: string;
  readonly checkIn: EpochDay;
  readonly checkOut: EpochDay;
  readonly guests: number;
  readonly locale: Locale;
  readonly partnerId: string;
  readonly quoteId: string;
}

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

const DOTS = /^\.{1,2}$/;
const PLACE = /\{(\w*)\}/g;

/** The first unknown placeholder; undefined when all are known. */
export function findUnknownPlace(template: string): string | undefined {
  const names: readonly string[] = BOOKING_URL_PLACES;
  for (const [place, name = ''] of template.matchAll(PLACE)) if (!names.includes(name)) return place;
  return undefined;
}

/**
 * Percent-encodes each value (RFC 3986, unreserved characters stay), so that none leaves its place. In the path, a
 * value of one or two dots becomes empty: browsers climb with it, even written `%2E`.
 */
export function fillBookingUrl(template: string, stay: BookedStay): string {
  const values: Readonly<Record<string, string | number>> = {
    ...stay,
    checkIn: formatLocalDate(stay.checkIn),
    checkOut: formatLocalDate(stay.checkOut),
  };
  const pathEnd = template.search(/[?#]/);
  return template.replaceAll(PLACE, (_place, name: string, index: number) => {
    const text = String(values[name] ?? '');
    const isInPath = pathEnd === -1 || index < pathEnd;
    return isInPath && DOTS.test(text) ? '' : encodeStrictly(text);
  });
}

/** `encodeURIComponent` keeps `!'()*`, which some sites read as markup. */
function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
