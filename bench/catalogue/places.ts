/** Cities of the generated catalogues: a few large ones and a long tail, as in any real catalogue. */
import { runningSums, type SeededRandom } from '../measure/random.ts';
import type { Texts } from './texts.ts';

export interface Place {
  readonly city: string;
  readonly country: string;
  readonly timezone: string;
  readonly currency: string;
}

const COUNTRIES: readonly Omit<Place, 'city'>[] = [
  { country: 'IT', timezone: 'Europe/Rome', currency: 'EUR' },
  { country: 'FR', timezone: 'Europe/Paris', currency: 'EUR' },
  { country: 'ES', timezone: 'Europe/Madrid', currency: 'EUR' },
  { country: 'DE', timezone: 'Europe/Berlin', currency: 'EUR' },
  { country: 'GB', timezone: 'Europe/London', currency: 'GBP' },
  { country: 'PT', timezone: 'Europe/Lisbon', currency: 'EUR' },
  { country: 'GR', timezone: 'Europe/Athens', currency: 'EUR' },
  { country: 'TR', timezone: 'Europe/Istanbul', currency: 'TRY' },
  { country: 'US', timezone: 'America/New_York', currency: 'USD' },
  { country: 'MX', timezone: 'America/Mexico_City', currency: 'MXN' },
  { country: 'BR', timezone: 'America/Sao_Paulo', currency: 'BRL' },
  { country: 'ZA', timezone: 'Africa/Johannesburg', currency: 'ZAR' },
  { country: 'MA', timezone: 'Africa/Casablanca', currency: 'MAD' },
  { country: 'IN', timezone: 'Asia/Kolkata', currency: 'INR' },
  { country: 'TH', timezone: 'Asia/Bangkok', currency: 'THB' },
  { country: 'JP', timezone: 'Asia/Tokyo', currency: 'JPY' },
  { country: 'ID', timezone: 'Asia/Jakarta', currency: 'IDR' },
  { country: 'AU', timezone: 'Australia/Sydney', currency: 'AUD' },
  { country: 'NZ', timezone: 'Pacific/Auckland', currency: 'NZD' },
  { country: 'CA', timezone: 'America/Toronto', currency: 'CAD' },
];

/** `count` cities with different names. */
export function makePlaces(random: SeededRandom, texts: Texts, count: number): Place[] {
  const names = new Set<string>();
  while (names.size < count) names.add(`${texts.word()} ${texts.word()}`);
  return [...names].map((city) => ({ city, ...random.pick(COUNTRIES) }));
}

/** Running sums of the shares of cities: the n-th is 1/n^0.7 of the first, so no city is most of the catalogue. */
export function placeShares(count: number): Float64Array {
  return runningSums(Array.from({ length: count }, (_, index) => 1 / (index + 1) ** 0.7));
}
