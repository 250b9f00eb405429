/**
 * Calls that answer 2xx right now, ready to be pasted into a shell.
 */
import type { StayRequest } from '../../../domain/eligibility.ts';
import { formatLocalDate, localToday } from '../../../domain/local-date.ts';
import { allTexts, isVisibleTo, type Property } from '../../../domain/property.ts';
import { decideStored } from '../../../domain/quote-decision.ts';
import type { Storage } from '../../../storage/storage.ts';

/** A stay that can be quoted now. */
export interface QuotableStay extends StayRequest {
  readonly propertyId: string;
  readonly city: string;
}

export interface Moment {
  readonly nowMs: number;
  readonly horizonNights: number;
}

const GUESTS = 2;
const NIGHT_COUNTS = [3, 7, 2, 1];
/** A week ahead leaves room for the reader to go on tomorrow; then every day, then today. */
const DAYS_AHEAD = [...Array.from({ length: 60 }, (_, index) => index + 7), 1, 0];
export const PROPERTIES_TRIED_MAX = 1000;

/**
 * One of `preferred` that can be quoted, in their order; else the property that shows most and can be quoted. Undefined
 * when none of those tried can.
 */
export async function findQuotableStay(
  storage: Storage,
  partnerId: string,
  moment: Moment,
  preferred: readonly string[] = [],
): Promise<QuotableStay | undefined> {
  let triedCount = 0;
  for (const propertyId of [...preferred, ...(await listSomePropertyIds(storage))]) {
    if (triedCount++ === PROPERTIES_TRIED_MAX) return undefined;
    const stored = await storage.findProperty(propertyId);
    if (stored === undefined || !isVisibleTo(stored.property, partnerId)) continue;
    const today = localToday(stored.property.timezone, moment.nowMs);
    for (const nightCount of NIGHT_COUNTS) {
      for (const daysAhead of DAYS_AHEAD) {
        const checkIn = today + daysAhead;
        const stay = { checkIn, checkOut: checkIn + nightCount, guests: GUESTS };
        if (decideStored(stored, stay, moment).decision.outcome !== 'priced') continue;
        return { propertyId, city: allTexts(stored.property.location.city)[0] ?? '', ...stay };
      }
    }
  }
  return undefined;
}

async function listSomePropertyIds(storage: Storage): Promise<readonly string[]> {
  const snapshot = await storage.openSnapshot();
  try {
    for await (const batch of snapshot.readProperties()) {
      const properties = batch.map(({ property }) => property);
      return properties
        .toSorted((a, b) => partCount(b) - partCount(a))
        .map((property) => property.propertyId);
    }
    return [];
  } finally {
    await snapshot.close();
  }
}

/** A quote with taxes and a choice of types says more than one without. */
function partCount({ taxes, inventoryTypes }: Property): number {
  return taxes.length + inventoryTypes.length;
}

/** The body of a quote request. */
export function formatQuoteRequest({ propertyId, checkIn, checkOut, guests }: QuotableStay): string {
  const dates = { checkIn: formatLocalDate(checkIn), checkOut: formatLocalDate(checkOut) };
  return JSON.stringify({ propertyId, stay: { ...dates, guests }, locale: 'en-GB' });
}

/**
 * The calls of README as `curl` lines: one for each operation of SPEC 4, one for cards with totals, and one for any
 * dates. The quoting holds in the shells of Linux, macOS and the command prompt of Windows alike: double quotes only, and
 * no character that any of them expands.
 */
export function formatCalls(partnerUrl: string, token: string, stay: QuotableStay): readonly string[] {
  const authorization = `-H "Authorization: Bearer ${token}"`;
  const dates = { checkIn: formatLocalDate(stay.checkIn), checkOut: formatLocalDate(stay.checkOut) };
  const query = `checkIn=${dates.checkIn}&checkOut=${dates.checkOut}&guests=${stay.guests}`;
  const property = `${partnerUrl}/v1/properties/${stay.propertyId}`;
  const body = formatQuoteRequest(stay);
  return [
    `curl -sS --fail-with-body ${authorization} "${partnerUrl}/v1/properties?city=${encodeURIComponent(stay.city)}&${query}"`,
    `curl -sS --fail-with-body ${authorization} "${property}?locale=en-GB"`,
    `curl -sS --fail-with-body ${authorization} "${property}/availability?${query}"`,
    `curl -sS --fail-with-body ${authorization} -H "Content-Type: application/json" -d "${body.replaceAll('"', '\\"')}" "${partnerUrl}/v1/quotes"`,
    `curl -sS --fail-with-body ${authorization} "${partnerUrl}/prices/v1/stays?city=${encodeURIComponent(stay.city)}&${query}&sort=total"`,
    `curl -sS --fail-with-body ${authorization} "${partnerUrl}/prices/v1/flexible-stays?city=${encodeURIComponent(stay.city)}&checkInFrom=${dates.checkIn}&nights=${stay.checkOut - stay.checkIn}&guests=${stay.guests}"`,
  ];
}
