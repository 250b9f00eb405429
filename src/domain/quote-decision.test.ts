import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { naiveIsAvailable, naiveQuote } from '../../test/kit/naive-model.ts';
import { familyArbitrary, worldArbitrary } from '../../test/kit/property-arbitraries.ts';
import { RUN_SEED } from '../../test/kit/seeds.ts';
import { dayOf, makeInventoryType, makeProperty, pricedProperty } from '../../test/kit/property-fixtures.ts';
import { buildCalendar } from './calendar.ts';
import { isEligible, makeOfferedNights } from './eligibility.ts';
import { type Property, typesOf } from './property.ts';
import { decideQuote } from './quote-decision.ts';

const CHECK_IN = dayOf('2026-12-10');
const STAY = { checkIn: CHECK_IN, checkOut: CHECK_IN + 2, guests: 2 };
const OFFERED = makeOfferedNights(CHECK_IN, 730);

/** One inventory type for two guests with one unit on both nights, and its differences. */
interface TypeCase {
  readonly guestsMax?: number;
  readonly availability?: number;
  readonly rate?: number;
}

/** `inventoryTypeId total`, or the refusal. */
function decide(types: Readonly<Record<string, TypeCase>>, overrides: Partial<Property> = {}): string {
  const inventoryTypes = Object.entries(types).map(([inventoryTypeId, { guestsMax = 2 }]) =>
    makeInventoryType({ inventoryTypeId, guestsMax }),
  );
  const calendars = Object.values(types).map(({ availability = 1, rate = null }) =>
    buildCalendar([{ from: CHECK_IN, to: CHECK_IN + 1, set: { availability, rate } }]),
  );
  const decision = decideQuote(
    pricedProperty(makeProperty({ inventoryTypes, ...overrides })),
    calendars,
    STAY,
    OFFERED,
  );
  if (decision.outcome !== 'priced') return decision.outcome;
  return `${decision.type.inventoryTypeId} ${decision.price.total}`;
}

describe('decideQuote', () => {
  it('takes the eligible type with the lowest total', () => {
    assert.equal(decide({ a: { rate: 120_00 }, b: { rate: 110_00 } }), 'b 22000');
    assert.equal(decide({ a: { rate: 120_00 }, b: { rate: 110_00, availability: 0 } }), 'a 24000');
    assert.equal(decide({ a: { rate: 120_00 }, b: { rate: 110_00, guestsMax: 1 } }), 'a 24000');
  });

  it('breaks ties by inventoryTypeId, wherever it stands', () => {
    assert.equal(decide({ b: { rate: 100_00 }, a: { rate: 100_00 }, c: { rate: 100_00 } }), 'a 20000');
    assert.equal(decide({ '9': { rate: 100_00 }, '10': { rate: 100_00 } }), '10 20000');
    assert.equal(decide({ a: { rate: 100_00 }, B: { rate: 100_00 } }), 'B 20000');
  });

  it('decides which type is the cheapest after discounts', () => {
    const onlyB = { code: 'b', percent: '10', inventoryTypeIds: ['b'] };
    const types = { a: { rate: 100_00 }, b: { rate: 111_11 } };
    assert.equal(decide(types), 'a 20000');
    // 111.11 less 11.11 is 100.00: equal totals go by id.
    assert.equal(decide(types, { discounts: [onlyB] }), 'a 20000');
    assert.equal(decide(types, { discounts: [{ ...onlyB, percent: '10.01' }] }), 'b 19998');
    assert.equal(decide(types, { discounts: [{ ...onlyB, percent: '10.01', minNights: 3 }] }), 'a 20000');
  });

  it('counts days in advance from today where the property stands', () => {
    // Today is the day of arrival.
    const lastMinute = { code: 'last-minute', percent: '50', maxAdvanceDays: 0, bookTo: '2026-12-10' };
    assert.equal(decide({ a: { rate: 100_00 } }, { discounts: [lastMinute] }), 'a 10000');
    assert.equal(
      decide({ a: { rate: 100_00 } }, { discounts: [{ ...lastMinute, minAdvanceDays: 1 }] }),
      'a 20000',
    );
    assert.equal(
      decide({ a: { rate: 100_00 } }, { discounts: [{ ...lastMinute, bookTo: '2026-12-09' }] }),
      'a 20000',
    );
  });

  it('passes over a type without a rate on every night', () => {
    assert.equal(decide({ a: {}, b: { rate: 110_00 } }), 'b 22000');
  });

  it('is STAY_UNAVAILABLE without an eligible type, before anything else is asked', () => {
    assert.equal(decide({ a: { availability: 0, rate: 100_00 } }), 'STAY_UNAVAILABLE');
    assert.equal(decide({ a: { availability: 0 } }, { quoting: false }), 'STAY_UNAVAILABLE');
  });

  it('is QUOTE_UNAVAILABLE when no eligible type has its rates, or the property does not quote', () => {
    assert.equal(decide({ a: {} }), 'QUOTE_UNAVAILABLE');
    assert.equal(decide({ a: { rate: 100_00 } }, { quoting: false }), 'QUOTE_UNAVAILABLE');
    assert.equal(decide({ a: {}, b: { rate: 100_00, availability: 0 } }), 'QUOTE_UNAVAILABLE');
  });

  it('equals the naive model, and refuses a stay exactly when it is not available', () => {
    const seen: Record<string, number> = {};
    fc.assert(
      fc.property(worldArbitrary, familyArbitrary, (world, stay) => {
        const { property } = world;
        const calendars = world.entries.map(buildCalendar);
        const offered = makeOfferedNights(world.today, world.horizonNights);
        const decision = decideQuote(pricedProperty(property), calendars, stay, offered);
        const naive = naiveQuote(world, stay);
        assert.equal(decision.outcome, naive.outcome);
        if (decision.outcome === 'priced' && naive.outcome === 'priced') {
          assert.equal(decision.type.inventoryTypeId, naive.inventoryTypeId);
          assert.equal(decision.price.total, naive.price.total);
          assert.equal(decision.price.discount?.terms.code, naive.price.discount?.code);
          if (decision.price.discount !== null) seen['discounted'] = (seen['discounted'] ?? 0) + 1;
        }
        const isAvailable = typesOf(property).some((type, index) =>
          isEligible(type, calendars[index]!, stay, offered),
        );
        assert.equal(decision.outcome !== 'STAY_UNAVAILABLE', isAvailable);
        assert.equal(isAvailable, naiveIsAvailable(world, stay));
        seen[decision.outcome] = (seen[decision.outcome] ?? 0) + 1;
      }),
      { ...RUN_SEED, numRuns: 3000 },
    );
    for (const outcome of ['priced', 'discounted', 'STAY_UNAVAILABLE', 'QUOTE_UNAVAILABLE']) {
      assert.ok((seen[outcome] ?? 0) > 100, JSON.stringify(seen));
    }
  });
});
