/** The state of one night of one inventory type in one word: the cells of the heat-map (OPERATOR 14). */
import type { Calendar } from './calendar.ts';
import { FIELD_ROWS, limitKindOf, RESTRICTION_FIELDS } from './calendar-fields.ts';
import { isNightOpen, makeOfferedNights, refuses } from './eligibility.ts';
import type { EpochDay } from './local-date.ts';
import { valueAt } from './night-runs.ts';
import { STAY_NIGHTS_MAX } from './stay-limits.ts';

/** In the order of precedence: a night has the first state that applies. */
export const NIGHT_STATES = [
  'past',
  'closed',
  'not_set_up',
  'sold',
  'unpriced',
  'restricted',
  'open',
] as const;
export type NightState = (typeof NIGHT_STATES)[number];

/**
 * `closed`: stop-sell. `not_set_up`: no source has ever set units. `sold`: no unit left. `unpriced`: no rate, for any
 * number of guests.
 * `restricted`: closed to arrival or departure, a minimum above one night, or a maximum below the longest stay. Release
 * period, booking window and horizon concern the whole stay and do not count.
 */
export function nightStateAt(calendar: Calendar, night: EpochDay, today: EpochDay): NightState {
  if (night < today) return 'past';
  if (valueAt(calendar.stopSell, night) === 1) return 'closed';
  if (valueAt(calendar.availability, night) === undefined) return 'not_set_up';
  if (!isNightOpen(calendar, night, makeOfferedNights(night, 1))) return 'sold';
  if (!isPriced(calendar, night)) return 'unpriced';
  return isRestricted(calendar, night) ? 'restricted' : 'open';
}

/** Rates by guests replace the plain rate. */
function isPriced(calendar: Calendar, night: EpochDay): boolean {
  const byGuests = valueAt(calendar.ratesByGuests, night);
  return byGuests === undefined ? valueAt(calendar.rate, night) !== undefined : byGuests.length > 0;
}

/** Some stay with this night is refused: the shortest or the longest. */
function isRestricted(calendar: Calendar, night: EpochDay): boolean {
  return STAY_LIMITS.some(({ field, kind }) => {
    const value = valueAt(calendar[field], night);
    return refuses(kind, value, 1) || refuses(kind, value, STAY_NIGHTS_MAX);
  });
}

/** The other limits refuse all stays, so the night is closed or sold. */
const STAY_LIMITS = RESTRICTION_FIELDS.filter((field) => FIELD_ROWS[field].appliesTo !== 'night').map(
  (field) => ({ field, kind: limitKindOf(field) }),
);
