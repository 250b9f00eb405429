import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { naivePrice } from '../../test/kit/naive-model.ts';
import {
  FIXED_SEED,
  stayArbitrary,
  taxRuleArbitrary,
  worldArbitrary,
} from '../../test/kit/property-arbitraries.ts';
import { dayOf, makeInventoryType, makeProperty, makeTaxRule } from '../../test/kit/property-fixtures.ts';
import { buildCalendar } from './calendar.ts';
import { priceStay, type StayPrice } from './pricing.ts';
import { TAX_LOGICS } from './property.ts';

const CHECK_IN = dayOf('2026-12-10');
const CALENDAR = buildCalendar([
  { from: CHECK_IN, to: CHECK_IN + 20, set: { rate: 120_00 } },
  { from: CHECK_IN + 1, to: CHECK_IN + 1, set: { rate: 150_50 } },
]);
const stayOf = (nightCount: number, guests: number) => ({
  checkIn: CHECK_IN,
  checkOut: CHECK_IN + nightCount,
  guests,
});

describe('priceStay', () => {
  it('adds up the rate of every occupied night, the check-out night excluded', () => {
    const price = priceStay(makeProperty(), makeInventoryType(), CALENDAR, stayOf(2, 2));
    assert.equal(price?.accommodation, 270_50n);
    assert.equal(price?.total, 270_50n);
    assert.deepEqual(price?.nights, [
      { night: CHECK_IN, rate: 120_00n, extraGuests: 0n, price: 120_00n },
      { night: CHECK_IN + 1, rate: 150_50n, extraGuests: 0n, price: 150_50n },
    ]);
  });

  it('adds the extra guest rate per night for each guest beyond those included', () => {
    const type = makeInventoryType({ guestsMax: 4, includedGuests: 2, extraGuestRate: '15.00' });
    const accommodationFor = (guests: number) =>
      priceStay(makeProperty(), type, CALENDAR, stayOf(2, guests))?.accommodation;
    assert.deepEqual([1, 2, 3, 4].map(accommodationFor), [270_50n, 270_50n, 300_50n, 330_50n]);
  });

  it('takes the amount of the smallest number of guests that is enough, without extra guests, where it is set', () => {
    const ratesByGuests = [
      { guests: 1, rate: 80_00 },
      { guests: 3, rate: 140_00 },
    ];
    const entries = [
      { from: CHECK_IN, to: CHECK_IN + 1, set: { rate: 120_00 } },
      { from: CHECK_IN + 1, to: CHECK_IN + 1, set: { ratesByGuests } },
    ];
    const type = makeInventoryType({ guestsMax: 4, includedGuests: 1, extraGuestRate: '15.00' });
    const nightsFor = (guests: number) =>
      priceStay(makeProperty(), type, buildCalendar(entries), stayOf(2, guests))?.nights.map(
        ({ price }) => price,
      );
    assert.deepEqual(nightsFor(1), [120_00n, 80_00n]);
    assert.deepEqual(nightsFor(2), [135_00n, 140_00n]);
    assert.deepEqual(nightsFor(3), [150_00n, 140_00n]);
    assert.equal(nightsFor(4), undefined, 'no amount for so many');
  });

  it('is total = accommodation + cleaning fee + taxes', () => {
    const taxes = [
      makeTaxRule({ maxNights: 5 }),
      makeTaxRule({ code: 'vat', logic: 'percent', percent: '10' }),
    ];
    const price = priceStay(
      makeProperty({ cleaningFee: '40.00', taxes }),
      makeInventoryType(),
      CALENDAR,
      stayOf(2, 2),
    );
    assert.equal(price?.cleaningFee, 40_00n);
    assert.equal(price?.taxes, 16_00n + 27_05n);
    assert.equal(price?.total, 270_50n + 40_00n + 43_05n);
  });

  it('is undefined when an occupied night has no rate, and free when the rate is 0.00', () => {
    const type = makeInventoryType();
    const without = buildCalendar([{ from: CHECK_IN, to: CHECK_IN + 1, set: { rate: 0 } }]);
    assert.equal(priceStay(makeProperty(), type, without, stayOf(3, 2)), undefined);
    assert.equal(priceStay(makeProperty(), type, without, stayOf(2, 2))?.total, 0n);
  });

  it('loses no cent where a double would', () => {
    const highest = 10 ** 12 - 1;
    const calendar = buildCalendar([{ from: CHECK_IN, to: CHECK_IN + 60, set: { rate: highest } }]);
    const property = makeProperty({
      taxes: TAX_LOGICS.map((logic) =>
        makeTaxRule({ logic, amount: '9999999999.99', percent: '9999999999' }),
      ),
    });
    const stay = stayOf(60, 30);
    const price = priceStay(property, makeInventoryType({ extraGuestRate: '9999999999.99' }), calendar, stay);
    const entries = [{ from: CHECK_IN, to: CHECK_IN + 60, set: { rate: highest } }];
    assertEqualsNaive(
      price,
      naivePrice(property, makeInventoryType({ extraGuestRate: '9999999999.99' }), entries, stay),
    );
    assert.ok(price!.total > BigInt(Number.MAX_SAFE_INTEGER));
  });

  it('equals the naive model, and its parts sum up, for all logics and options', () => {
    const seen = { priced: 0, logics: new Set<string>(), counted: 0 };
    const rules = fc.array(taxRuleArbitrary, { maxLength: 8 });
    fc.assert(
      fc.property(worldArbitrary, stayArbitrary, rules, (world, stay, taxes) => {
        const property = { ...world.property, taxes };
        const type = property.inventoryTypes[0]!;
        const entries = world.entries[0]!;
        const price = priceStay(property, type, buildCalendar(entries), stay);
        assertEqualsNaive(price, naivePrice(property, type, entries, stay));
        if (price === undefined) return;
        assertPartsSumUp(price);
        seen.priced++;
        for (const line of price.taxLines) if (line.amount > 0n) seen.logics.add(line.logic);
      }),
      { ...FIXED_SEED, numRuns: 3000 },
    );
    assert.ok(seen.priced > 1000);
    assert.deepEqual([...seen.logics].sort(), [...TAX_LOGICS].sort());
  });
});

function assertEqualsNaive(price: StayPrice | undefined, naive: ReturnType<typeof naivePrice>): void {
  const { accommodation, cleaningFee, taxes, total } = price ?? {};
  const ruleAmounts = price?.taxLines.map((line) => line.amount);
  const ruleIncluded = price?.taxLines.map((line) => line.included);
  assert.deepEqual(price && { accommodation, cleaningFee, ruleAmounts, ruleIncluded, taxes, total }, naive);
}

function assertPartsSumUp({ accommodation, cleaningFee, taxes, total, nights, taxLines }: StayPrice): void {
  for (const night of nights) assert.equal(night.price, night.rate + night.extraGuests);
  assert.equal(accommodation, sum(nights.map((night) => night.price)));
  assert.equal(taxes, sum(taxLines.map((line) => line.amount)));
  assert.equal(total, accommodation + cleaningFee + taxes);
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((all, amount) => all + amount, 0n);
}
