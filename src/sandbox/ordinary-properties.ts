/** The ordinary properties of Testville: enough for three pages, different enough to filter. */
import type { CalendarEntry } from '../domain/calendar.ts';
import {
  makeTestProperty,
  makeTestType,
  openNights,
  type TestNights,
  type TestProperty,
} from './test-property.ts';

export const ORDINARY_COUNT = 45;

const TYPES = ['hotel', 'apartment', 'bed_and_breakfast', 'villa'] as const;
const AMENITIES = ['wifi', 'kitchen', 'parking', 'pool', 'air_conditioning', 'breakfast'] as const;
const SOLD_OUT_NIGHTS = 30;

/** `testville-01` to `testville-45`; each is the same on every day, but for its dates. */
export function ordinaryProperty(index: number, nights: TestNights): TestProperty {
  const label = labelOf(index);
  const rate = 4_500 + ((index * 37) % 40) * 500;
  const property = makeTestProperty(ordinaryId(index), {
    name: { 'it-IT': `Casa di prova ${label}`, 'en-GB': `Test house ${label}` },
    propertyType: TYPES[index % TYPES.length]!,
    bathrooms: 1 + (index % 4) / 2,
    amenities: AMENITIES.filter((_, position) => (index + position) % 3 !== 0),
    rating: index % 7 === 0 ? null : { score: 3 + (index % 20) / 10, count: 3 * index },
    cleaningFee: index % 2 === 0 ? null : '30.00',
    inventoryTypes: [makeTestType({ guestsMax: 1 + (index % 8), includedGuests: 1 + (index % 3) })],
  });
  return { property, entries: [[openNights(nights, rate), ...soldOut(index, nights)]] };
}

export function ordinaryId(index: number): string {
  return `testville-${labelOf(index)}`;
}

/** Each ninth property has nothing for the next weeks, so that a search with dates finds fewer. */
export function isSoldOutFromToday(index: number): boolean {
  return index % 9 === 8;
}

function labelOf(index: number): string {
  return String(index + 1).padStart(2, '0');
}

function soldOut(index: number, { first, last }: TestNights): CalendarEntry[] {
  if (!isSoldOutFromToday(index)) return [];
  return [{ from: first, to: Math.min(last, first + SOLD_OUT_NIGHTS - 1), set: { availability: 0 } }];
}
