import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { naiveInstead, naiveReasons } from '../../../test/kit/naive-model.ts';
import { familyArbitrary, worldArbitrary } from '../../../test/kit/property-arbitraries.ts';
import { RUN_SEED } from '../../../test/kit/seeds.ts';
import { makeInventoryType, makeProperty, pricedProperty } from '../../../test/kit/property-fixtures.ts';
import { buildCalendar } from '../../domain/calendar.ts';
import { isNightAvailable, makeOfferedNights } from '../../domain/eligibility.ts';
import { formatLocalDate } from '../../domain/local-date.ts';
import { INSTEAD_NIGHTS_MAX } from '../../domain/instead-stays.ts';
import { OPENING_DAYS_MAX } from '../../domain/nearest-shifts.ts';
import { presentReason } from '../../domain/stay-reasons.ts';
import { nightsAround, startOfWeek } from './check-handoff.ts';
import { findOtherStays, findPricedStays, findReasons } from './other-stays.ts';
import { typesOf } from '../../domain/property.ts';

describe('the other stays', () => {
  it('are those of the naive model, and so are the reasons', async () => {
    let foundCount = 0;
    let reasonCount = 0;
    await fc.assert(
      fc.asyncProperty(worldArbitrary, familyArbitrary, async (world, wanted) => {
        const calendars = world.entries.map((entries) => buildCalendar(entries));
        const offered = makeOfferedNights(world.today, world.horizonNights);
        const decided = { priced: pricedProperty(world.property), calendars, offered };
        const reasons = await findReasons(decided, wanted);
        assert.deepEqual(reasons.map(presentReason), naiveReasons(world, wanted));
        reasonCount += reasons.length;
        if (reasons.length === 0) return;
        const found = await findOtherStays(decided, wanted);
        const summary = found.map(({ stay, offer }) => ({
          checkIn: formatLocalDate(stay.checkIn),
          checkOut: formatLocalDate(stay.checkOut),
          nights: stay.checkOut - stay.checkIn,
          total: offer?.price.total ?? null,
        }));
        assert.deepEqual(summary, naiveInstead(world, wanted));
        assert.deepEqual(
          await findPricedStays(decided, wanted),
          found.filter(({ offer }) => offer !== undefined),
        );
        foundCount += found.length;
      }),
      { ...RUN_SEED, numRuns: 150 },
    );
    assert.ok(foundCount > 50 && reasonCount > 50, `${foundCount} ${reasonCount}`);
  });

  it('cost a bounded number of decisions, however many inventory types there are', async () => {
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
    const decided = {
      priced: pricedProperty(makeProperty({ inventoryTypes: counted })),
      calendars: types.map(() => buildCalendar([])),
      offered: makeOfferedNights(20_700, 730),
    };
    const wanted = { checkIn: 20_800, checkOut: 20_803, guests: 2 };
    assert.deepEqual(await findOtherStays(decided, wanted), []);
    assert.ok(asked > 1_000 && asked <= 5_000, String(asked));
    // A partner is told all that there are: every stay is decided.
    asked = 0;
    assert.deepEqual(await findOtherStays(decided, wanted, Number.POSITIVE_INFINITY), []);
    const stayCount = 2 * OPENING_DAYS_MAX + INSTEAD_NIGHTS_MAX - 1;
    assert.ok(asked >= 1_000 * stayCount, String(asked));
  });
});

describe('the nights around a stay', () => {
  it('are whole weeks that hold it, each night as the evaluator says', () => {
    fc.assert(
      fc.property(worldArbitrary, familyArbitrary, ({ property, entries, today, horizonNights }, stay) => {
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
          const { guests, childAges } = stay;
          assert.equal(
            isOpen,
            isNightAvailable(typesOf(property), calendars, { night, guests, childAges }, offered),
          );
        }
        assert.equal(nights.filter(({ isOfStay }) => isOfStay).length, stay.checkOut - stay.checkIn);
      }),
      { ...RUN_SEED, numRuns: 300 },
    );
  });
});
