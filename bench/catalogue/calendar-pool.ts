/**
 * A few thousand different calendars, encoded once. Generated properties draw from them: how bits stand against each
 * other in an index is the same as with a calendar of its own for each, and generating takes seconds, not minutes.
 */
import { encodeNights, encodeRates } from '../../src/domain/calendar-codec.ts';
import { buildCalendar, type Calendar, type CalendarEntry } from '../../src/domain/calendar.ts';
import type { EpochDay } from '../../src/domain/local-date.ts';
import { weekdayRanges } from '../../src/domain/weekdays.ts';
import { buildLowestRates } from '../../src/domain/lowest-rates.ts';
import { drawIndex, runningSums, type SeededRandom } from '../measure/random.ts';

export interface PooledCalendar {
  readonly calendar: Calendar;
  readonly nights: Uint8Array;
  readonly rates: Uint8Array;
  /** Of a property that has this calendar alone. */
  readonly lowestRates: Uint8Array;
}

export interface CalendarOptions {
  readonly firstNight: EpochDay;
  readonly nightCount: number;
  /** For `lowestRates`. */
  readonly horizonNights: number;
}

type MakeEntries = (random: SeededRandom, options: CalendarOptions) => CalendarEntry[];

export function buildCalendarPool(
  random: SeededRandom,
  size: number,
  options: CalendarOptions,
  makeEntries: MakeEntries,
): PooledCalendar[] {
  return Array.from({ length: size }, () =>
    poolCalendar(makeEntries(random, options), options.horizonNights),
  );
}

export function poolCalendar(entries: readonly CalendarEntry[], horizonNights: number): PooledCalendar {
  const calendar = buildCalendar(entries);
  return {
    calendar,
    nights: encodeNights(calendar),
    rates: encodeRates(calendar),
    lowestRates: buildLowestRates([calendar], horizonNights),
  };
}

// Shares as found in the published calendars of Antwerp, June 2024 (Inside Airbnb): 53 % of the nights are open, in
// 6 stretches a listing; every tenth listing is never open.
const OPEN_SHARE_QUANTILES = [0, 0, 0.09, 0.26, 0.41, 0.57, 0.69, 0.82, 0.9, 0.956, 1];
const OPEN_STRETCHES_MEAN = 6;
const MIN_STAYS = [1, 2, 3, 5, 7, 4, 28, 90, 6, 30, 14, 10];
const MIN_STAY_SHARES = runningSums([38, 35, 8, 3, 3, 2.3, 1.9, 1.6, 1.5, 1.4, 1.3, 0.8]);
const MAX_STAYS = [1125, 365, 5, 30, 90, 14, 7];
const MAX_STAY_SHARES = runningSums([45, 32, 10, 3, 3, 2, 2]);
const MIN_STAY_CHANGES_MEAN = 8;
const SEASON_NIGHTS = 91;
const WEEKEND = ['fri', 'sat'] as const;

/** An apartment as a booking platform publishes it: one price, minimum and maximum stays everywhere. */
export function apartmentEntries(random: SeededRandom, options: CalendarOptions): CalendarEntry[] {
  const { firstNight, nightCount } = options;
  const last = firstNight + nightCount - 1;
  const minStay = MIN_STAYS[drawIndex(random, MIN_STAY_SHARES)]!;
  const maxStay = Math.max(minStay, MAX_STAYS[drawIndex(random, MAX_STAY_SHARES)]!);
  const rate = random.between(35, 320) * 100;
  const base = { availability: 0, rate, minStayArrival: minStay, maxStay };
  const entries: CalendarEntry[] = [{ from: firstNight, to: last, set: base }];
  entries.push(...entriesOfOpenNights(random, options, 1));
  if (random.chance(0.5)) {
    for (let change = random.below(2 * MIN_STAY_CHANGES_MEAN); change > 0; change--) {
      const from = random.between(firstNight, last);
      const to = Math.min(last, from + random.between(1, 14));
      entries.push({ from, to, set: { minStayArrival: minStay + random.between(1, 3) } });
    }
  }
  return entries;
}

/** A room of a hotel: rates by week, several units. */
function plainRoomEntries(random: SeededRandom, options: CalendarOptions): CalendarEntry[] {
  const { firstNight, nightCount } = options;
  const end = firstNight + nightCount;
  const units = random.between(1, 8);
  const entries: CalendarEntry[] = [{ from: firstNight, to: end - 1, set: { availability: 0 } }];
  entries.push(...entriesOfOpenNights(random, options, units));
  const rate = random.between(60, 400);
  for (let week = firstNight; week < end; week += 7) {
    const set = { rate: Math.round(rate * (0.8 + random.fraction() * 0.4)) * 100 };
    entries.push({ from: week, to: Math.min(week + 6, end - 1), set });
  }
  return entries;
}

/** The same with restrictions on one of three. */
export function roomEntries(random: SeededRandom, options: CalendarOptions): CalendarEntry[] {
  const entries = plainRoomEntries(random, options);
  if (random.below(5) === 0) entries.push(...guestRates(random, options));
  if (random.below(3) === 0) entries.push(...restrictions(random, options));
  return entries;
}

/** By season; a price for one, for two, and for more. */
function guestRates(random: SeededRandom, { firstNight, nightCount }: CalendarOptions): CalendarEntry[] {
  const end = firstNight + nightCount;
  const single = random.between(50, 300) * 100;
  return Array.from({ length: Math.ceil(nightCount / SEASON_NIGHTS) }, (_, season) => {
    const from = firstNight + season * SEASON_NIGHTS;
    const to = Math.min(from + SEASON_NIGHTS, end) - 1;
    const rate = Math.round(single * (0.8 + random.fraction() * 0.4));
    const ratesByGuests = [1, 2, 4].map((guests) => ({ guests, rate: rate + (guests - 1) * 2_000 }));
    return { from, to, set: { ratesByGuests } };
  });
}

function entriesOfOpenNights(random: SeededRandom, options: CalendarOptions, units: number): CalendarEntry[] {
  const { firstNight, nightCount } = options;
  const openNights = Math.round(drawOpenShare(random) * nightCount);
  if (openNights === 0) return [];
  const stretches = random.between(1, 2 * OPEN_STRETCHES_MEAN - 1);
  const open = splitAtRandom(random, openNights, stretches);
  const closed = splitAtRandom(random, nightCount - openNights, stretches + 1);
  const entries: CalendarEntry[] = [];
  let night = firstNight;
  for (const [index, length] of open.entries()) {
    night += closed[index]!;
    if (length > 0) entries.push({ from: night, to: night + length - 1, set: { availability: units } });
    night += length;
  }
  return entries;
}

function restrictions(random: SeededRandom, { firstNight, nightCount }: CalendarOptions): CalendarEntry[] {
  const entries: CalendarEntry[] = [];
  const end = firstNight + nightCount;
  for (let season = firstNight; season < end; season += SEASON_NIGHTS) {
    const to = Math.min(season + SEASON_NIGHTS, end) - 1;
    if (random.chance(0.2)) {
      const set = { minStayArrival: random.pick([2, 3]), closedToDeparture: random.below(2) };
      entries.push(...weekdayRanges(season, to, WEEKEND).map((range) => ({ ...range, set })));
    }
    entries.push({ from: season, to, set: { minStayArrival: random.pick([1, 2, 2, 3, 4, 5, 7]) } });
    if (random.chance(0.2)) entries.push({ from: season, to, set: { maxStay: random.pick([7, 14, 28]) } });
    if (random.chance(0.1)) entries.push({ from: season, to, set: { minStayThrough: random.pick([2, 3]) } });
  }
  if (random.chance(0.3)) {
    const weekday = random.below(7);
    const field = random.chance(0.5) ? 'closedToArrival' : 'closedToDeparture';
    for (let night = firstNight + weekday; night < end; night += 7)
      entries.push({ from: night, to: night, set: { [field]: 1 } });
  }
  return entries;
}

function drawOpenShare(random: SeededRandom): number {
  const place = random.fraction() * (OPEN_SHARE_QUANTILES.length - 1);
  const step = Math.floor(place);
  const low = OPEN_SHARE_QUANTILES[step]!;
  return low + (OPEN_SHARE_QUANTILES[step + 1]! - low) * (place - step);
}

/** `parts` lengths that sum to `total`. */
function splitAtRandom(random: SeededRandom, total: number, parts: number): number[] {
  const cuts = Array.from({ length: parts - 1 }, () => random.between(0, total)).sort((a, b) => a - b);
  return Array.from({ length: parts }, (_, index) => (cuts[index] ?? total) - (cuts[index - 1] ?? 0));
}
