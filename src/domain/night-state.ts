/** The state of one night of one inventory type in one word: the cells of the heat-map (OPERATOR 14). */
import type { Calendar } from './calendar.ts';
import { FIELD_ROWS, type LimitKind, limitKindOf, RESTRICTION_FIELDS } from './calendar-fields.ts';
import { isNightOpen, makeOfferedNights } from './eligibility.ts';
import type { EpochDay } from './local-date.ts';
import { valueAt } from './night-runs.ts';
import { STAY_NIGHTS_MAX } from './stay-limits.ts';

/** In the order of precedence: a night has the first state that applies. */
export const NIGHT_STATES = ['past', 'closed', 'sold', 'unpriced', 'restricted', 'open'] as const;
export type NightState = (typeof NIGHT_STATES)[number];

/**
 * `closed`: stop-sell. `sold`: no unit left, or none was ever set. `unpriced`: no rate, for any number of guests.
 * `restricted`: closed to arrival or departure, a minimum above one night, or a maximum below the longest stay. Release
 * period, booking window and horizon concern the whole stay and do not count.
 */
export function nightStateAt(calendar: Calendar, night: EpochDay, today: EpochDay): NightState {
  if (night < today) return 'past';
  if (valueAt(calendar.stopSell, night) === 1) return 'closed';
  if (!isNightOpen(calendar, night, makeOfferedNights(night, 1))) return 'sold';
  if (!isPriced(calendar, night)) return 'unpriced';
  return isRestricted(calendar, night) ? 'restricted' : 'open';
}

/** Rates by guests replace the plain rate. */
function isPriced(calendar: Calendar, night: EpochDay): boolean {
  const byGuests = valueAt(calendar.ratesByGuests, night);
  return byGuests === undefined ? valueAt(calendar.rate, night) !== undefined : byGuests.length > 0;
}

function isRestricted(calendar: Calendar, night: EpochDay): boolean {
  return STAY_LIMITS.some(({ field, kind }) => restricts(kind, valueAt(calendar[field], night)));
}

/** The other limits refuse all stays, so the night is closed or sold. */
const STAY_LIMITS = RESTRICTION_FIELDS.filter((field) => FIELD_ROWS[field].appliesTo !== 'night').map(
  (field) => ({ field, kind: limitKindOf(field) }),
);

/** Whether a value, set or not, refuses some stays with this night. */
function restricts(kind: LimitKind, value: number | undefined): boolean {
  switch (kind) {
    case 'units':
      return value === undefined || value < 1;
    case 'closed':
      return value === 1;
    case 'minimum':
      return value !== undefined && value > 1;
    case 'maximum':
      return value !== undefined && value < STAY_NIGHTS_MAX;
  }
}
