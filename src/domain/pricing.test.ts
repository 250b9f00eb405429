import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { naivePrice } from '../../test/kit/naive-model.ts';
import { familyArbitrary, taxRulesArbitrary, worldArbitrary } from '../../test/kit/property-arbitraries.ts';
import { RUN_SEED } from '../../test/kit/seeds.ts';
import {
  dayOf,
  makeDiscount,
  makeInventoryType,
  makeProperty,
  makeTaxRule,
} from '../../test/kit/property-fixtures.ts';
import { buildCalendar, type Calendar } from './calendar.ts';
import { payableUnitOf } from './currency-codes.ts';
import { roundToUnit } from './money.ts';
import { readDiscount, readPriceTerms, readType } from './price-terms.ts';
import { type StayPrice, chooseDiscounts, priceStay as priceTerms } from './pricing.ts';
import type { StayRequest } from './eligibility.ts';
import {
  type Discount,
  type InventoryType,
  type Property,
  TAX_LOGICS,
  type TaxRule,
  typesOf,
} from './property.ts';

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

const priceWith = (
  property: Property,
  type: InventoryType,
  calendar: Calendar,
  stay: StayRequest,
  discount?: Discount,
) => priceTerms(readPriceTerms(property), readType(type), calendar, stay, discount && readDiscount(discount));
const priceStay = (property: Property, type: InventoryType, calendar: Calendar, stay: StayRequest) =>
  priceWith(property, type, calendar, stay);

describe('priceStay', () => {
  it('adds up the rate of every occupied night, the check-out night excluded', () => {
    const price = priceStay(makeProperty(), makeInventoryType(), CALENDAR, stayOf(2, 2));
    assert.equal(price?.accommodation, 270_50);
    assert.equal(price?.total, 270_50n);
    assert.deepEqual(price?.nights, [
      { night: CHECK_IN, rate: 120_00, extraGuests: 0, children: 0, discount: 0, price: 120_00 },
      { night: CHECK_IN + 1, rate: 150_50, extraGuests: 0, children: 0, discount: 0, price: 150_50 },
    ]);
  });

  it('adds the extra guest rate per night for each guest beyond those included', () => {
    const type = makeInventoryType({ guestsMax: 4, includedGuests: 2, extraGuestRate: '15.00' });
    const accommodationFor = (guests: number) =>
      priceStay(makeProperty(), type, CALENDAR, stayOf(2, guests))?.accommodation;
    assert.deepEqual([1, 2, 3, 4].map(accommodationFor), [270_50, 270_50, 300_50, 330_50]);
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
    assert.deepEqual(nightsFor(1), [120_00, 80_00]);
    assert.deepEqual(nightsFor(2), [135_00, 140_00]);
    assert.deepEqual(nightsFor(3), [150_00, 140_00]);
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
    assert.equal(price?.cleaningFee, 40_00);
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
      naivePrice(property, makeInventoryType({ extraGuestRate: '9999999999.99' }), entries, stay, CHECK_IN),
    );
    assert.ok(price!.total > BigInt(Number.MAX_SAFE_INTEGER));
  });

  it('equals the naive model, and its parts sum up, for all logics and options', () => {
    const seen = { priced: 0, discounted: 0, logics: new Set<string>() };
    fc.assert(
      fc.property(worldArbitrary, familyArbitrary, taxRulesArbitrary, (world, stay, more) => {
        const property = { ...world.property, taxes: [...world.property.taxes, ...more] };
        const type = typesOf(property)[0]!;
        const entries = world.entries[0]!;
        const discountOf = chooseDiscounts(readPriceTerms(property), stay, world.today);
        const rule = discountOf(type.inventoryTypeId)?.written;
        const price = priceWith(property, type, buildCalendar(entries), stay, rule);
        assertEqualsNaive(price, naivePrice(property, type, entries, stay, world.today));
        if (price === undefined) return;
        assertPartsSumUp(price, payableUnitOf(property.currency));
        seen.priced++;
        if (price.discount !== null) seen.discounted++;
        for (const line of price.taxLines) if (line.amount > 0n) seen.logics.add(line.logic);
      }),
      { ...RUN_SEED, numRuns: 3000 },
    );
    assert.ok(seen.priced > 1000 && seen.discounted > 200, JSON.stringify(seen));
    assert.deepEqual([...seen.logics].sort(), [...TAX_LOGICS].sort());
  });
});

/** Two nights, 120.00 and 150.50, with a discount. */
describe('priceStay with a discount', () => {
  const priceOf = (
    percent: string,
    { taxes = [], guests = 2, ...of }: { taxes?: TaxRule[]; guests?: number; cleaningFee?: string } = {},
  ): StayPrice => {
    const type = makeInventoryType({ guestsMax: 4, includedGuests: 2, extraGuestRate: '15.05' });
    const property = makeProperty({ cleaningFee: of.cleaningFee ?? null, taxes });
    const price = priceWith(property, type, CALENDAR, stayOf(2, guests), makeDiscount({ percent }));
    assert.ok(price);
    assertPartsSumUp(price);
    return price;
  };

  it('takes it off each night by itself, rounded half up, and says how much in all', () => {
    const { accommodation, discount, nights } = priceOf('33.33');
    assert.deepEqual(
      nights.map((night) => [night.rate, night.discount, night.price]),
      [
        [120_00, 40_00, 80_00],
        [150_50, 50_16, 100_34],
      ],
    );
    assert.equal(accommodation, 180_34);
    assert.equal(discount?.amount, 90_16);
    assert.equal(discount.terms.code, 'weekly');
  });

  it('takes it off what extra guests pay, and not off the cleaning fee', () => {
    const { nights, cleaningFee, total } = priceOf('10', { guests: 4, cleaningFee: '40.00' });
    // 120.00 + 2 x 15.05 is 150.10; 150.50 + 30.10 is 180.60.
    assert.deepEqual(
      nights.map(({ discount, price }) => [discount, price]),
      [
        [15_01, 135_09],
        [18_06, 162_54],
      ],
    );
    assert.deepEqual([cleaningFee, total], [40_00, 337_63n]);
  });

  it('makes the nights free with 100 %, and leaves the cleaning fee', () => {
    const { accommodation, discount, total } = priceOf('100', { cleaningFee: '40.00' });
    assert.deepEqual([accommodation, discount?.amount, total], [0, 270_50, 40_00n]);
  });

  /** Taxes of 243.45, the 270.50 less 10 %: 108.00 and 135.45. */
  const taxed: readonly [string, Partial<TaxRule>, bigint, bigint | null][] = [
    ['percent', { logic: 'percent', percent: '10' }, 24_35n, null],
    ['percent of one night', { logic: 'percent', percent: '10', maxNights: 1 }, 10_80n, null],
    [
      'percent with the fee',
      { logic: 'percent', percent: '10', base: ['accommodation', 'cleaningFee'] },
      28_35n,
      null,
    ],
    ['cumulative percent', { logic: 'cumulative_percent', percent: '10' }, 24_35n, null],
    ['inclusive percent', { logic: 'percent', percent: '10', inclusive: true }, 0n, 22_13n],
    ['per booking', { logic: 'per_booking' }, 4_00n, null],
    ['per night', { logic: 'per_night' }, 8_00n, null],
    ['per room', { logic: 'per_room' }, 4_00n, null],
    ['per room and night', { logic: 'per_room_per_night' }, 8_00n, null],
    ['per person', { logic: 'per_person' }, 8_00n, null],
    ['per person and night', { logic: 'per_person_per_night' }, 16_00n, null],
  ];
  for (const [name, rule, amount, included] of taxed) {
    it(`is taken off before a tax ${name}`, () => {
      const isPercent = rule.percent !== undefined;
      const tax = makeTaxRule({ ...rule, amount: isPercent ? null : '4.00' });
      const { taxLines } = priceOf('10', { taxes: [tax], cleaningFee: '40.00' });
      assert.deepEqual([taxLines[0]?.amount, taxLines[0]?.included], [amount, included]);
    });
  }

  it('counts what earlier rules added for a cumulative percentage', () => {
    const taxes = [
      makeTaxRule({ code: 'vat', logic: 'percent', amount: null, percent: '10' }),
      makeTaxRule({ code: 'levy', logic: 'cumulative_percent', amount: null, percent: '2' }),
    ];
    // 10 % of 243.45 is 24.35; 2 % of 267.80 is 5.36.
    assert.equal(priceOf('10', { taxes }).taxes, 29_71n);
  });

  it('keeps what is off at nothing where it rounds to nothing, and says so', () => {
    const calendar = buildCalendar([{ from: CHECK_IN, to: CHECK_IN, set: { rate: 4 } }]);
    const terms = makeDiscount({ percent: '10' });
    const price = priceWith(makeProperty(), makeInventoryType(), calendar, stayOf(1, 2), terms);
    assert.deepEqual([price?.discount, price?.total], [{ terms, amount: 0 }, 4n]);
  });
});

function assertEqualsNaive(price: StayPrice | undefined, naive: ReturnType<typeof naivePrice>): void {
  const applied = price?.discount;
  const discount = applied && {
    code: applied.terms.code,
    percent: applied.terms.percent,
    amount: BigInt(applied.amount),
  };
  const ruleAmounts = price?.taxLines.map((line) => line.amount);
  const ruleIncluded = price?.taxLines.map((line) => line.included);
  assert.deepEqual(
    price && {
      discount,
      accommodation: BigInt(price.accommodation),
      cleaningFee: BigInt(price.cleaningFee),
      ruleAmounts,
      ruleIncluded,
      taxes: price.taxes,
      total: price.total,
    },
    naive,
  );
}

function assertPartsSumUp(price: StayPrice, unit = 1): void {
  const { accommodation, cleaningFee, taxes, total, discount, nights, taxLines } = price;
  for (const { rate, extraGuests, children, discount: reduction, price: left } of nights)
    assert.equal(left, roundToUnit(rate + extraGuests + children, unit) - reduction);
  assert.equal(discount?.amount ?? 0, sum(nights.map((night) => night.discount)));
  assert.equal(accommodation, sum(nights.map((night) => night.price)));
  assert.equal(
    taxes,
    taxLines.reduce((all, { amount }) => all + amount, 0n),
  );
  assert.equal(total, BigInt(accommodation + cleaningFee) + taxes);
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((all, amount) => all + amount, 0);
}
