/** The kinds of catalogue that are generated. */
import type { EpochDay } from '../../src/domain/local-date.ts';
import type { SeededRandom } from '../measure/random.ts';
import { apartmentEntries, buildCalendarPool, roomEntries } from './calendar-pool.ts';
import type { PropertyProfile } from './property-generator.ts';

export const HORIZON_NIGHTS = 730;

const APARTMENT_NIGHTS = 365;
const ROOM_CALENDARS = 4096;
/** 1.2 inventory types a property on average. */
const ROOM_TYPE_COUNTS = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3];

/** A city of apartments like Antwerp in June 2024: every calendar is one of its own. */
export function apartmentProfile(random: SeededRandom, today: EpochDay, count: number): PropertyProfile {
  const options = { firstNight: today, nightCount: APARTMENT_NIGHTS, horizonNights: HORIZON_NIGHTS };
  return {
    calendars: buildCalendarPool(random, count, options, apartmentEntries),
    horizonNights: HORIZON_NIGHTS,
    descriptionLength: [200, 530],
    amenityCount: [12, 50],
    typeCounts: [1],
    restrictedShare: 0,
    partnerIds: [],
    hasAdvanceWindows: false,
  };
}

/**
 * The catalogue of the world: 730 nights, restrictions on a third of the types, some of them at weekends only, prices
 * by guests on a fifth, advance windows on three quarters, visibility lists on a tenth.
 */
export function worldProfile(
  random: SeededRandom,
  today: EpochDay,
  partnerIds: readonly string[],
): PropertyProfile {
  const options = { firstNight: today, nightCount: HORIZON_NIGHTS, horizonNights: HORIZON_NIGHTS };
  return {
    calendars: buildCalendarPool(random, ROOM_CALENDARS, options, roomEntries),
    horizonNights: HORIZON_NIGHTS,
    descriptionLength: [60, 240],
    amenityCount: [4, 12],
    typeCounts: ROOM_TYPE_COUNTS,
    restrictedShare: 0.1,
    partnerIds,
    hasAdvanceWindows: true,
  };
}
