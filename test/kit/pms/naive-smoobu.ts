/** The reading of Smoobu, said once more: night by night from the account, with nothing shared with the reader. */
import type { SmoobuApartment } from './fake-smoobu.ts';

export interface NaiveNight {
  readonly date: string;
  readonly set: Record<string, unknown>;
}

export interface NaiveReading {
  readonly nights: NaiveNight[];
  /** `reason`, or `reason, used`. */
  readonly unpriced: Record<string, number>;
}

/** `until` is excluded. */
export function naiveSmoobu(
  { dates }: SmoobuApartment,
  { from, until, minStay }: { readonly from: string; readonly until: string; readonly minStay: string },
): NaiveReading {
  const nights: NaiveNight[] = [];
  const unpriced: Record<string, number> = {};
  for (const date of Object.keys(dates).sort()) {
    if (date < from || date >= until) continue;
    const said = dates[date];
    const set: Record<string, unknown> = { availability: 0 };
    nights.push({ date, set });
    if (said === null || said === undefined) continue;
    if (said.available === 1 || said.available === true) set['availability'] = 1;
    if (typeof said.price === 'number' && said.price > 0) {
      const cents = naiveCents(said.price);
      if (cents > 0) set['rate'] = cents;
    }
    const least = said.min_length_of_stay;
    if (least === null || least === undefined || least === 0) {
      // No minimum.
    } else if (typeof least === 'number' && Number.isInteger(least) && least > 0) {
      set['minStayArrival'] = least;
      if (minStay === 'both') set['minStayThrough'] = least;
    } else set['availability'] = 0;
    if (set['availability'] === 1 && set['rate'] === undefined)
      unpriced['no_price'] = (unpriced['no_price'] ?? 0) + 1;
  }
  return { nights, unpriced };
}

/** Half up, by the digits of the shortest text of the number: 1.005 is 101. */
export function naiveCents(price: number): number {
  const [whole = '0', fraction = ''] = String(price).split('.');
  const digits = `${fraction}000`;
  const cents = Number(whole) * 100 + Number(digits.slice(0, 2));
  return digits.charAt(2) >= '5' ? cents + 1 : cents;
}
