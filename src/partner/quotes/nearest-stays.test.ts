import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { naiveQuote } from '../../../test/kit/naive-model.ts';
import { stayArbitrary, worldArbitrary } from '../../../test/kit/property-arbitraries.ts';
import { RUN_SEED } from '../../../test/kit/seeds.ts';
import { makeInventoryType, makeProperty, pricedProperty } from '../../../test/kit/property-fixtures.ts';
import { buildCalendar } from '../../domain/calendar.ts';
import { isNightAvailable, makeOfferedNights } from '../../domain/eligibility.ts';
import { NEAREST_STAYS_MAX } from '../../domain/nearest-shifts.ts';
import { findNearestStays, NEAREST_DAYS_MAX } from './nearest-stays.ts';
import { nightsAround, startOfWeek } from './check-handoff.ts';

describe('the nearest stays', () => {
  it('the nearest stays equal those of a naive search that moves away day by day', () => {
    let foundCount = 0;
    fc.assert(
      fc.property(worldArbitrary, stayArbitrary, (world, wanted) => {
        const calendars = world.entries.map((entries) => buildCalendar(entries));
        const offered = makeOfferedNights(world.today, world.horizonNights);
        const found = findNearestStays(pricedProperty(world.property), calendars, wanted, offered);
        const expected: { checkIn: number; total: bigint }[] = [];
        for (let days = 1; days <= NEAREST_DAYS_MAX; days += 1) {
          for (const shift of [days, -days]) {
            const stay = { ...wanted, checkIn: wanted.checkIn + shift, checkOut: wanted.checkOut + shift };
            const quote = naiveQuote(world, stay);
            if (quote.outcome !== 'priced') continue;
            expected.push({ checkIn: stay.checkIn, total: quote.price.total });
          }
        }
        const summary = found.map(({ stay, offer }) => ({ checkIn: stay.checkIn, total: offer.price.total }));
        assert.deepEqual(summary, expected.slice(0, NEAREST_STAYS_MAX));
        for (const { stay } of found) {
          assert.equal(stay.checkOut - stay.checkIn, wanted.checkOut - wanted.checkIn);
        }
        foundCount += found.length;
      }),
      { ...RUN_SEED, numRuns: 150 },
    );
    assert.ok(foundCount > 100, String(foundCount));
  });

  it('cost a bounded number of decisions, however many inventory types there are', () => {
    const types = Array.from({ length: 1_000 }, (_, index) =>
      makeInventoryType({ inventoryTypeId: `t${index}` }),
    );
    let asked = 0;
    // Every look at a type reads how many it hosts; nothing is ever open.
    const counted = types.map((type) => ({
      ...type,
      get guestsMax() {
        asked += 1;
        return 2;
      },
    }));
    const property = pricedProperty(makeProperty({ inventoryTypes: counted }));
    const calendars = types.map(() => buildCalendar([]));
    const wanted = { checkIn: 20_800, checkOut: 20_803, guests: 2 };
    assert.deepEqual(findNearestStays(property, calendars, wanted, makeOfferedNights(20_700, 730)), []);
    assert.ok(asked > 1_000 && asked <= 5_000, String(asked));
  });
});

describe('the nights around a stay', () => {
  it('are whole weeks that hold it, each night as the evaluator says', () => {
    fc.assert(
      fc.property(worldArbitrary, stayArbitrary, ({ property, entries, today, horizonNights }, stay) => {
        const calendars = entries.map((each) => buildCalendar(each));
        const offered = makeOfferedNights(today, horizonNights);
        const nights = nightsAround(property, calendars, stay, offered);
        assert.equal(nights.length % 7, 0);
        assert.ok(nights.length <= 12 * 7);
        assert.equal(nights[0]?.night, startOfWeek(nights[0]?.night ?? 0));
        // 1970-01-05 was a Monday.
        assert.equal((((nights[0]?.night ?? 0) - 4) % 7) + 0, 0);
        for (const [index, { night, isOpen, isOfStay }] of nights.entries()) {
          assert.equal(night, nights[0]!.night + index);
          assert.equal(isOfStay, night >= stay.checkIn && night < stay.checkOut);
          const { inventoryTypes } = property;
          assert.equal(
            isOpen,
            isNightAvailable(inventoryTypes, calendars, { night, guests: stay.guests }, offered),
          );
        }
        assert.equal(nights.filter(({ isOfStay }) => isOfStay).length, stay.checkOut - stay.checkIn);
      }),
      { ...RUN_SEED, numRuns: 300 },
    );
  });
});
