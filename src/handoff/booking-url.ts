/** The address of the operator's booking site for one stay: BOOKING_URL_TEMPLATE with its places filled in. */
import { formatLocalDate, type EpochDay } from '../domain/local-date.ts';
import type { Locale } from '../domain/property.ts';

export interface BookedStay {
  readonly propertyId: string;
  /** Empty when it isn't known, because the database is away: the booking site chooses one. */
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

/** The first `{...}` that is not a place; undefined when all are. */
export function findUnknownPlace(template: string): string | undefined {
  const names: readonly string[] = BOOKING_URL_PLACES;
  for (const [place, name = ''] of template.matchAll(PLACE)) if (!names.includes(name)) return place;
  return undefined;
}

/**
 * Each value percent-encoded (RFC 3986, unreserved characters stay), so that none can leave its place. In the path, a
 * value of one or two dots is left out: browsers climb with it, also when it is written `%2E`.
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

/** `encodeURIComponent` leaves `!'()*`, which some sites read as markup. */
function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
