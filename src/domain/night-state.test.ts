import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { NAIVE_FIELDS, naiveValue } from '../../test/kit/naive-model.ts';
import { calendarEntriesArbitrary, DAY_COUNT, FIRST_DAY } from '../../test/kit/property-arbitraries.ts';
import { RUN_SEED } from '../../test/kit/seeds.ts';
import { buildCalendar, type CalendarEntry } from './calendar.ts';
import type { CalendarField } from './calendar-fields.ts';
import { NIGHT_STATES, type NightState, nightStateAt } from './night-state.ts';

/** Every length of stay that a request may have. */
const EVERY_LENGTH = Array.from({ length: 60 }, (_, index) => index + 1);

/** Straight from the entries, in the terms of OPERATOR 14. */
function naiveState(entries: readonly CalendarEntry[], night: number, today: number): NightState {
  if (night < today) return 'past';
  if (naiveValue(entries, 'stopSell', night) === 1) return 'closed';
  const units = naiveValue(entries, 'availability', night);
  if (units === undefined) return 'not_set_up';
  if (units === 0) return 'sold';
  const byGuests = naiveValue(entries, 'ratesByGuests', night);
  if (byGuests === undefined && naiveValue(entries, 'rate', night) === undefined) return 'unpriced';
  const isRestricted = Object.entries(NAIVE_FIELDS).some(([field, limit]) => {
    if (limit.combined === 'price') return false;
    const value = naiveValue(entries, field as CalendarField, night);
    return EVERY_LENGTH.some((nightCount) => limit.refuses(value, nightCount));
  });
  return isRestricted ? 'restricted' : 'open';
}

describe('The state of a night', () => {
  it('the state of every night equals a naive reading of the entries, and each state occurs', () => {
    const seen = new Set<NightState>();
    fc.assert(
      fc.property(
        calendarEntriesArbitrary,
        fc.integer({ min: FIRST_DAY - 3, max: FIRST_DAY + DAY_COUNT }),
        (entries, today) => {
          const calendar = buildCalendar(entries);
          for (let night = FIRST_DAY - 3; night < FIRST_DAY + 2 * DAY_COUNT; night += 1) {
            const state = nightStateAt(calendar, night, today);
            assert.equal(state, naiveState(entries, night, today), `night ${night - FIRST_DAY}`);
            seen.add(state);
          }
        },
      ),
      RUN_SEED,
    );
    assert.deepEqual([...seen].sort(), NIGHT_STATES.toSorted());
  });

  const stateWith = (set: CalendarEntry['set']): NightState => {
    const open = { from: 100, to: 100, set: { availability: 1, rate: 9_000 } };
    return nightStateAt(buildCalendar([open, { from: 100, to: 100, set }]), 100, 100);
  };

  it('stands at the limits of stay lengths: a minimum of 1 and a maximum of 60 restrict nothing', () => {
    assert.equal(stateWith({ minStayArrival: 1, minStayThrough: 1, maxStay: 60 }), 'open');
    assert.equal(stateWith({ minStayThrough: 2 }), 'restricted');
    assert.equal(stateWith({ maxStay: 59 }), 'restricted');
  });

  it('takes amounts by number of guests for a price, and none of them for none', () => {
    assert.equal(stateWith({ rate: null }), 'unpriced');
    assert.equal(stateWith({ rate: null, ratesByGuests: [{ guests: 2, rate: 9_000 }] }), 'open');
    assert.equal(stateWith({ ratesByGuests: [] }), 'unpriced');
  });
});
