import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRandom, type MutationRandom } from '../../test/kit/mutations.ts';
import { naiveDiscount, naiveReduced } from '../../test/kit/naive-model.ts';
import { dayOf, makeDiscount } from '../../test/kit/property-fixtures.ts';
import { readDiscount, readDiscounts } from './price-terms.ts';
import { chooseDiscounts, makeReduction } from './pricing.ts';
import { formatLocalDate } from './local-date.ts';
import type { Discount } from './property.ts';

const TODAY = dayOf('2026-11-20');
/** Seven nights from 10 December, 20 days ahead. */
const CHECK_IN = dayOf('2026-12-10');
const STAY = { checkIn: CHECK_IN, checkOut: CHECK_IN + 7, guests: 2 };

const chosen = (discounts: readonly Discount[], inventoryTypeId = 'double', today = TODAY) =>
  chooseDiscounts({ discounts: readDiscounts(discounts) }, STAY, today)(inventoryTypeId)?.written.code;
const applies = (bounds: Partial<Discount>) => chosen([makeDiscount(bounds)]) !== undefined;

describe('a discount applies', () => {
  const held: readonly Partial<Discount>[] = [
    {},
    { minNights: 7 },
    { maxNights: 7 },
    { minNights: 7, maxNights: 7 },
    { minAdvanceDays: 20 },
    { maxAdvanceDays: 20 },
    { minAdvanceDays: 20, maxAdvanceDays: 20 },
    { stayFrom: '2026-12-10' },
    { stayTo: '2026-12-10' },
    { stayFrom: '2026-12-10', stayTo: '2026-12-10' },
    { bookFrom: '2026-11-20' },
    { bookTo: '2026-11-20' },
    { bookFrom: '2026-11-20', bookTo: '2026-11-20' },
    { stayFrom: '0001-01-01', stayTo: '9999-12-31', bookFrom: '0001-01-01', bookTo: '9999-12-31' },
    { inventoryTypeIds: ['double'] },
    { inventoryTypeIds: ['suite', 'double'] },
  ];
  for (const bounds of held) it(`at its bounds: ${JSON.stringify(bounds)}`, () => assert.ok(applies(bounds)));

  const broken: readonly Partial<Discount>[] = [
    { minNights: 8 },
    { maxNights: 6 },
    { minAdvanceDays: 21 },
    { maxAdvanceDays: 19 },
    { stayFrom: '2026-12-11' },
    { stayTo: '2026-12-09' },
    { bookFrom: '2026-11-21' },
    { bookTo: '2026-11-19' },
    { inventoryTypeIds: ['suite'] },
    // The check-in night decides, whatever the nights behind it.
    { stayFrom: '2026-12-16' },
    // One bound that does not hold is enough.
    { minNights: 1, maxNights: 60, minAdvanceDays: 0, maxAdvanceDays: 730, stayTo: '2026-12-09' },
  ];
  for (const bounds of broken)
    it(`not one beyond its bounds: ${JSON.stringify(bounds)}`, () => assert.ok(!applies(bounds)));

  it('on the day of arrival with 0 days in advance', () => {
    const lastMinute = [makeDiscount({ minAdvanceDays: 0, maxAdvanceDays: 0 })];
    assert.equal(chosen(lastMinute, 'double', CHECK_IN), 'weekly');
    assert.equal(chosen(lastMinute, 'double', CHECK_IN - 1), undefined);
  });
});

describe('of several discounts that apply', () => {
  it('the highest percentage counts, as a number and not as a text', () => {
    const discounts = ['9', '10', '9.99', '100', '99.99'].map((percent) =>
      makeDiscount({ code: percent, percent }),
    );
    assert.equal(chosen(discounts), '100');
    assert.equal(chosen(discounts.slice(0, 3)), '10');
  });

  it('the first listed counts of equal ones, however they are written', () => {
    const [weekly, early, late] = [
      makeDiscount({ code: 'weekly', percent: '10.00' }),
      makeDiscount({ code: 'early', percent: '10' }),
      makeDiscount({ code: 'late', percent: '10.0' }),
    ];
    assert.equal(chosen([weekly, early, late]), 'weekly');
    assert.equal(chosen([late, early, weekly]), 'late');
  });

  it('each type has its own', () => {
    const discounts = [
      makeDiscount({ code: 'all', percent: '10' }),
      makeDiscount({ code: 'suites', percent: '15', inventoryTypeIds: ['suite', 'loft'] }),
      makeDiscount({ code: 'lofts', percent: '20', inventoryTypeIds: ['loft'] }),
      makeDiscount({ code: 'too low', percent: '5', inventoryTypeIds: ['double'] }),
    ];
    const types = ['double', 'suite', 'loft'];
    assert.deepEqual(
      types.map((type) => chosen(discounts, type)),
      ['all', 'suites', 'lofts'],
    );
  });

  it('a type is told by its listing from all types where both have the same percentage', () => {
    const all = makeDiscount({ code: 'all' });
    const suites = makeDiscount({ code: 'suites', inventoryTypeIds: ['suite'] });
    assert.deepEqual([chosen([all, suites], 'suite'), chosen([suites, all], 'suite')], ['all', 'suites']);
  });

  it('none counts where none applies or none is listed', () => {
    assert.equal(chosen([makeDiscount({ minNights: 8 }), makeDiscount({ maxNights: 6 })]), undefined);
    assert.equal(chosen([]), undefined);
    assert.equal(chooseDiscounts({ discounts: [] }, STAY, TODAY)('double'), undefined);
  });
});

describe('the reduction of a night', () => {
  const rows: readonly [price: number, percent: string, reduction: number][] = [
    // 10.10 less 5 % is 9.59: 0.505 is rounded up.
    [10_10, '5', 51],
    [10_09, '5', 50],
    [1_00, '0.5', 1],
    [99, '0.5', 0],
    [1, '50', 1],
    [1, '49.99', 0],
    [120_00, '12.5', 15_00],
    [120_00, '12.50', 15_00],
    [99_99, '100', 99_99],
    [99_99, '100.00', 99_99],
    [99_99, '99.99', 99_98],
    [100_00, '0.01', 1],
    [0, '50', 0],
    [999_999_999_999, '33.33', 333_299_999_999 + 1],
    // The dearest night: with thirty extra guests, each at the highest amount.
    [31 * 999_999_999_999, '99.99', 30_996_899_999_969],
  ];
  for (const [price, percent, reduction] of rows)
    it(`of ${price} by ${percent} % is ${reduction}`, () =>
      assert.equal(makeReduction(readDiscount(makeDiscount({ percent })), 1)(price), reduction));
});

describe('a percentage', () => {
  it('is read exactly, however it is written: all 10,000 of them', () => {
    for (let hundredths = 1; hundredths <= 10_000; hundredths++) {
      const written = `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`;
      for (const percent of [written, String(hundredths / 100)])
        assert.equal(readDiscount(makeDiscount({ percent })).hundredths, hundredths, percent);
    }
  });
});

/** 2024 was a leap year, and February has an end in any year. */
const DAYS = ['2024-02-28', '2024-12-31', '2026-03-28', '2026-10-25', '2026-12-31'].map(dayOf);
const TYPES = ['a', 'b', 'c'];

/** Bounds near the compared values, so that each matters often. */
function drawCase(random: MutationRandom) {
  const today = DAYS[random(DAYS.length)]!;
  const daysAhead = random(2) === 0 ? random(6) : random(731);
  const checkIn = today + daysAhead;
  const nightCount = random(2) === 0 ? 1 + random(8) : 1 + random(60);
  const near = (value: number, least: number): number => Math.max(least, value + random(5) - 2);
  const bounds = <Value>(
    names: readonly [string, string],
    value: number,
    least: number,
    write: (value: number) => Value,
  ) => {
    const low = near(value, least);
    return {
      ...(random(4) === 0 ? { [names[0]]: write(low) } : {}),
      ...(random(4) === 0 ? { [names[1]]: write(low + random(3)) } : {}),
    };
  };
  const discounts = Array.from({ length: random(6) }, (_, index) =>
    makeDiscount({
      code: `d${index}`,
      percent: ['5', '10', '10.00', '10.5', '9.99', '33.33', '100', '0.01'][random(8)]!,
      ...bounds(['minNights', 'maxNights'], nightCount, 1, Number),
      ...bounds(['minAdvanceDays', 'maxAdvanceDays'], daysAhead, 0, Number),
      ...bounds(['stayFrom', 'stayTo'], checkIn, 0, formatLocalDate),
      ...bounds(['bookFrom', 'bookTo'], today, 0, formatLocalDate),
      ...(random(3) === 0 ? { inventoryTypeIds: TYPES.slice(random(3)) } : {}),
    }),
  );
  return { discounts, stay: { checkIn, checkOut: checkIn + nightCount, guests: 2 }, today };
}

describe('the rules of discounts', () => {
  it('discounts equal the naive model in 100,000 cases', () => {
    const random = createRandom(20_261_122);
    const counted = { none: 0, one: 0 };
    for (let index = 0; index < 100_000; index++) {
      const { discounts, stay, today } = drawCase(random);
      const discountOf = chooseDiscounts({ discounts: readDiscounts(discounts) }, stay, today);
      const type = TYPES[index % TYPES.length]!;
      const terms = discountOf(type);
      const discount = terms?.written;
      const expected = naiveDiscount(discounts, type, stay, today);
      if (discount !== expected)
        assert.deepEqual(discount, expected, JSON.stringify({ discounts, stay, today }));
      counted[discount === undefined ? 'none' : 'one']++;
      if (terms === undefined) continue;
      const price = random(100_000);
      const reduced = naiveReduced(BigInt(price), terms.written.percent);
      assert.equal(price - makeReduction(terms, 1)(price), Number(reduced));
    }
    assert.ok(counted.none > 20_000 && counted.one > 20_000, JSON.stringify(counted));
  });
});
