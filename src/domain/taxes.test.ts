import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dayOf, makeTaxRule } from '../../test/kit/property-fixtures.ts';
import type { TaxRule } from './property.ts';
import { readTaxes } from './price-terms.ts';
import { applyTaxes, chargesAtArrival, type TaxedStay, type TaxLine } from './taxes.ts';

/** Two guests, four nights from 2026-12-10 at 100.00, 110.00, 120.00 and 130.00, cleaning fee 40.00. */
const STAY: TaxedStay = {
  guests: 2,
  nights: [100_00, 110_00, 120_00, 130_00].map((price, index) => ({
    night: dayOf('2026-12-10') + index,
    price,
  })),
  cleaningFee: 40_00,
};

/** Amounts of the rules, in minor units, in the order in which they run. */
function amountsOf(...rules: Partial<TaxRule>[]): bigint[] {
  return linesOf(...rules).map((line) => line.amount);
}

function linesOf(...rules: Partial<TaxRule>[]): TaxLine[] {
  return applyTaxes(readTaxes(rules.map(makeTaxRule), 1), STAY);
}

function codesOf(rules: readonly TaxRule[]): string[] {
  return applyTaxes(readTaxes(rules, 1), STAY).map((line) => line.code);
}

describe('the eight logics', () => {
  const flat: readonly [TaxRule['logic'], bigint, string][] = [
    ['per_booking', 5_00n, 'once'],
    ['per_room', 5_00n, 'once: a stay is one room'],
    ['per_person', 10_00n, 'per guest'],
    ['per_night', 20_00n, 'per night'],
    ['per_room_per_night', 20_00n, 'per night of the one room'],
    ['per_person_per_night', 40_00n, 'per guest and night'],
  ];
  for (const [logic, amount, what] of flat) {
    it(`${logic} is due ${what}`, () => {
      assert.deepEqual(amountsOf({ logic, amount: '5.00' }), [amount]);
    });
  }

  it('percent takes the accommodation unless told otherwise', () => {
    const percent = { logic: 'percent', percent: '10' } as const;
    assert.deepEqual(amountsOf(percent), [46_00n]);
    assert.deepEqual(amountsOf({ ...percent, base: ['cleaningFee'] }), [4_00n]);
    assert.deepEqual(amountsOf({ ...percent, base: ['accommodation', 'cleaningFee'] }), [50_00n]);
  });

  it('cumulative_percent also takes the amounts of the rules before it', () => {
    const cumulative = { logic: 'cumulative_percent', percent: '10' } as const;
    assert.deepEqual(amountsOf({ logic: 'per_booking', amount: '5.00' }, cumulative), [5_00n, 46_50n]);
    assert.deepEqual(amountsOf(cumulative, { logic: 'per_booking', amount: '5.00' }), [46_00n, 5_00n]);
    assert.deepEqual(amountsOf(cumulative, cumulative), [46_00n, 50_60n]);
  });
});

describe('a percentage of what other rules add', () => {
  const resort = { code: 'resort', logic: 'per_booking', amount: '50.00' } as const;
  const percent = { logic: 'percent', percent: '10' } as const;

  it('takes the amounts of the rules that it names, and of no others', () => {
    // 10 % city tax and 3 % district tax, each on 460.00 and the fee of 50.00, not on each other.
    const base = ['accommodation', 'resort'];
    const city = { ...percent, code: 'city', base };
    const district = { ...percent, code: 'district', percent: '3', base };
    assert.deepEqual(amountsOf(resort, city, district), [50_00n, 51_00n, 15_30n]);
    assert.deepEqual(amountsOf(resort, { ...percent, base: ['resort'] }), [50_00n, 5_00n]);
  });

  it('takes nothing of rules that run later or are inclusive', () => {
    const city = { ...percent, code: 'city', base: ['resort'] };
    assert.deepEqual(amountsOf(city, resort), [0n, 50_00n]);
    assert.deepEqual(amountsOf({ ...resort, order: 1 }, city), [0n, 50_00n]);
    assert.deepEqual(amountsOf({ ...resort, inclusive: true }, city), [0n, 0n]);
  });

  it('takes what is named once, though it is cumulative', () => {
    const cumulative = { ...percent, logic: 'cumulative_percent', base: ['resort'] } as const;
    assert.deepEqual(amountsOf(resort, cumulative), [50_00n, 5_00n]);
  });

  it('takes a part of the price where a rule has the same name', () => {
    const fee = { ...resort, code: 'cleaningFee' };
    assert.deepEqual(amountsOf(fee, { ...percent, base: ['cleaningFee'] }), [50_00n, 4_00n]);
  });
});

describe('what is included', () => {
  const includedOf = (...rules: Partial<TaxRule>[]): (bigint | null)[] =>
    applyTaxes(readTaxes(rules.map(makeTaxRule), 1), STAY).map((line) => line.included);
  const percent = { logic: 'percent', inclusive: true } as const;

  it('is null for a rule that adds to the total, and the amount of one that does not', () => {
    assert.deepEqual(includedOf({}, { inclusive: true }), [null, 32_00n]);
  });

  it('is the part of the price that is this percentage, all of them taken out together', () => {
    assert.deepEqual(includedOf({ ...percent, percent: '15' }), [60_00n]);
    assert.deepEqual(includedOf({ ...percent, percent: '10' }, { ...percent, percent: '5' }), [
      40_00n,
      20_00n,
    ]);
  });

  it('divides each part of the price among the rules that cover it', () => {
    const rules = [
      { ...percent, percent: '10', maxNights: 2 },
      { ...percent, percent: '10', base: ['accommodation', 'cleaningFee'] },
    ];
    // 210.00 with 20 %, 250.00 and the fee of 40.00 with 10 %.
    assert.deepEqual(includedOf(...rules), [17_50n, 43_86n]);
  });

  it('is nothing at 0 % and of a price of nothing', () => {
    assert.deepEqual(includedOf({ ...percent, percent: '0' }, { ...percent, percent: '10', maxNights: 0 }), [
      0n,
      0n,
    ]);
  });
});

describe('the nights that a rule counts', () => {
  it('are at most maxNights', () => {
    assert.deepEqual(amountsOf({ maxNights: 3 }, { maxNights: 9 }, { maxNights: 0 }), [24_00n, 32_00n, 0n]);
  });

  it('are without the first skipNights', () => {
    assert.deepEqual(amountsOf({ skipNights: 1 }, { skipNights: 4 }, { skipNights: 9 }), [24_00n, 0n, 0n]);
  });

  it('are within validFrom and validTo, both included', () => {
    assert.deepEqual(amountsOf({ validFrom: '2026-12-11' }, { validTo: '2026-12-11' }), [24_00n, 16_00n]);
    assert.deepEqual(amountsOf({ validFrom: '2026-12-12', validTo: '2026-12-12' }), [8_00n]);
    assert.deepEqual(amountsOf({ validFrom: '2026-12-14' }, { validTo: '2026-12-09' }), [0n, 0n]);
  });

  it('are chosen by validity first, then skipped, then capped', () => {
    const rule = {
      logic: 'percent',
      percent: '100',
      validFrom: '2026-12-11',
      skipNights: 1,
      maxNights: 1,
    } as const;
    assert.deepEqual(amountsOf(rule), [120_00n]);
  });

  it('limit the accommodation of a percentage, but not the cleaning fee', () => {
    const rule = { logic: 'percent', percent: '10', base: ['accommodation', 'cleaningFee'] } as const;
    assert.deepEqual(amountsOf({ ...rule, maxNights: 1 }), [14_00n]);
    assert.deepEqual(amountsOf({ ...rule, maxNights: 0 }), [4_00n]);
    assert.deepEqual(amountsOf({ ...rule, validTo: '2026-12-11' }), [25_00n]);
  });

  it('do not matter to per-stay logics, which ask only whether the check-in night is within the validity', () => {
    for (const logic of ['per_booking', 'per_room', 'per_person'] as const) {
      const due = logic === 'per_person' ? 8_00n : 4_00n;
      assert.deepEqual(amountsOf({ logic, skipNights: 9, maxNights: 0 }), [due]);
      assert.deepEqual(amountsOf({ logic, validTo: '2026-12-10' }), [due]);
      assert.deepEqual(amountsOf({ logic, validFrom: '2026-12-11' }), [0n]);
    }
  });
});

describe('a rule for stays of some lengths', () => {
  const rules: readonly Partial<TaxRule>[] = [
    {},
    { logic: 'per_booking' },
    { logic: 'per_person' },
    { logic: 'percent', amount: null, percent: '10', base: ['accommodation', 'cleaningFee'] },
    { logic: 'cumulative_percent', amount: null, percent: '10' },
    { tiers: [{ from: '0.00', amount: '2.00' }], amount: null },
    { logic: 'percent', amount: null, percent: '5', capPerGuestNight: '0.10' },
  ];
  // The stay has four nights.
  for (const rule of rules) {
    it(`is whole within its bounds, and nothing outside: ${JSON.stringify(rule)}`, () => {
      const [whole] = amountsOf(rule);
      assert.ok(whole! > 0n);
      for (const bounds of [
        { minStay: 4 },
        { maxStay: 4 },
        { minStay: 4, maxStay: 4 },
        { minStay: 1, maxStay: 999 },
      ])
        assert.deepEqual(amountsOf({ ...rule, ...bounds }), [whole]);
      for (const bounds of [{ minStay: 5 }, { maxStay: 3 }, { minStay: 5, maxStay: 999 }])
        assert.deepEqual(amountsOf({ ...rule, ...bounds }), [0n]);
    });
  }

  it('takes no part in later bases, nor in what is included', () => {
    const later = { logic: 'cumulative_percent', amount: null, percent: '10' } as const;
    assert.deepEqual(amountsOf({ minStay: 5 }, later)[1], amountsOf(later)[0]);
    const included = { logic: 'percent', amount: null, percent: '10', inclusive: true } as const;
    const lines = linesOf({ ...included, maxStay: 3 }, included);
    assert.deepEqual(lines[0]!.included, 0n);
    assert.deepEqual(lines[1]!.included, linesOf(included)[0]!.included);
  });
});

describe('an inclusive rule', () => {
  it('adds nothing to the total and nothing to a later base', () => {
    const included = { logic: 'per_booking', amount: '5.00', inclusive: true } as const;
    assert.deepEqual(amountsOf(included, { logic: 'cumulative_percent', percent: '10' }), [0n, 46_00n]);
  });
});

describe('the order of rules', () => {
  it('is by order, then by position', () => {
    const rules = [
      makeTaxRule({ code: 'c', order: 1 }),
      makeTaxRule({ code: 'a' }),
      makeTaxRule({ code: 'b' }),
    ];
    assert.deepEqual(codesOf(rules), ['a', 'b', 'c']);
    assert.deepEqual(codesOf([...rules, makeTaxRule({ code: 'first', order: -1 })]), [
      'first',
      'a',
      'b',
      'c',
    ]);
  });
});

describe('rounding', () => {
  it('is half up, once per rule, not per night or guest', () => {
    assert.deepEqual(amountsOf({ logic: 'per_booking', amount: '0.005' }), [1n]);
    assert.deepEqual(amountsOf({ logic: 'per_booking', amount: '0.0049' }), [0n]);
    assert.deepEqual(amountsOf({ logic: 'per_person_per_night', amount: '0.005' }), [4n]);
    assert.deepEqual(amountsOf({ logic: 'percent', percent: '0.0125' }), [6n]); // 460.00 x 0.0125 % = 0.0575
  });

  it('comes before a later cumulative rule takes the amount', () => {
    const half = { logic: 'per_booking', amount: '0.005' } as const;
    assert.deepEqual(amountsOf(half, { logic: 'cumulative_percent', percent: '100' }), [1n, 460_01n]);
  });
});

describe('a tax line', () => {
  it('says what it is made of', () => {
    const rules = [
      makeTaxRule({ maxNights: 3 }),
      makeTaxRule({
        code: 'vat',
        kind: 'tax',
        logic: 'percent',
        percent: '10',
        amount: null,
        inclusive: true,
      }),
      makeTaxRule({ code: 'service', kind: 'fee', logic: 'per_booking', amount: '15', due: 'arrival' }),
    ];
    const perStay = { nightCount: null, taxable: null };
    const lines = applyTaxes(readTaxes(rules, 1), STAY);
    assert.equal(chargesAtArrival(lines), 15_00n);
    assert.deepEqual(lines, [
      { ...pick(rules[0]!), nightCount: 3, quantity: 6, taxable: null, amount: 24_00n, included: null },
      { ...pick(rules[1]!), nightCount: 4, quantity: null, taxable: 460_00n, amount: 0n, included: 41_82n },
      { ...pick(rules[2]!), ...perStay, quantity: 1, amount: 15_00n, included: null },
    ]);
  });

  it('cannot come from a rule that lacks its amount, percent or date: such a rule was never valid', () => {
    for (const broken of [
      { amount: null },
      { logic: 'percent', percent: null },
      { validFrom: 'soon' },
    ] as const) {
      assert.throws(() => amountsOf(broken), TypeError);
    }
  });
});

function pick({
  code,
  kind,
  logic,
  inclusive,
  due = 'booking',
}: TaxRule): Required<Pick<TaxRule, 'code' | 'kind' | 'logic' | 'inclusive' | 'due'>> {
  return { code, kind, logic, inclusive, due };
}

describe('a tax by the price of the night', () => {
  const tiers = [
    { from: '0.00', amount: '1.50' },
    { from: '55.00', amount: '2.335' },
    { from: '60.01', amount: '5.00' },
  ];
  const tiered = { logic: 'per_person_per_night', amount: null, tiers } as const;

  it('takes of each guest the amount of the last tier that the night reaches for each guest', () => {
    // 50.00, 55.00, 60.00 and 65.00 for each of two guests: 1.50, 2.335 twice, 5.00; rounded once.
    assert.deepEqual(amountsOf(tiered), [22_34n]);
    const [line] = applyTaxes(readTaxes([makeTaxRule(tiered)], 1), STAY);
    assert.deepEqual([line?.nightCount, line?.quantity], [4, 8]);
  });

  it('takes nothing below the first tier, and counts nights as other rules do', () => {
    const from60 = { ...tiered, tiers: [{ from: '60.00', amount: '3.00' }] };
    assert.deepEqual(amountsOf(from60), [12_00n]);
    assert.deepEqual(amountsOf({ ...from60, maxNights: 3 }), [6_00n]);
    assert.deepEqual(amountsOf({ ...from60, skipNights: 3 }), [6_00n]);
  });

  it('looks at the exact price of each guest: a third of 100.00 is below 33.34', () => {
    const stay = { ...STAY, guests: 3 };
    for (const [from, amount] of [
      ['33.33', 12_00n],
      ['33.34', 9_00n],
    ] as const) {
      const rule = makeTaxRule({ ...tiered, tiers: [{ from, amount: '1.00' }] });
      assert.equal(applyTaxes(readTaxes([rule], 1), stay)[0]!.amount, amount);
    }
  });
});

describe('a percentage with a cap', () => {
  const capped = { logic: 'percent', amount: null, percent: '5', capPerGuestNight: '2.80' } as const;

  it('takes at most the cap for each guest and night', () => {
    // 5.00, 5.50, 6.00 and 6.50 of two guests, each at most 5.60.
    assert.deepEqual(amountsOf(capped), [21_70n]);
    assert.deepEqual(amountsOf({ ...capped, capPerGuestNight: '0' }), [0n]);
    assert.deepEqual(amountsOf({ ...capped, capPerGuestNight: '3.25' }), [23_00n]);
  });

  it('takes the cleaning fee and other rules whole', () => {
    assert.deepEqual(amountsOf({ ...capped, base: ['accommodation', 'cleaningFee'] }), [23_70n]);
    assert.deepEqual(amountsOf({ ...capped, base: ['cleaningFee'], capPerGuestNight: '0' }), [2_00n]);
  });

  it('is rounded once, half up', () => {
    // 4 x 2 x 0.335
    assert.deepEqual(amountsOf({ ...capped, capPerGuestNight: '0.335' }), [2_68n]);
    assert.deepEqual(amountsOf({ ...capped, capPerGuestNight: '0.3356' }), [2_68n]);
    assert.deepEqual(amountsOf({ ...capped, capPerGuestNight: '0.3357' }), [2_69n]);
  });
});

describe('rules of a currency without cents', () => {
  const inYen = (...rules: Partial<TaxRule>[]): bigint[] =>
    applyTaxes(readTaxes(rules.map(makeTaxRule), 100), STAY).map(
      ({ amount, included }) => included ?? amount,
    );

  it('are each rounded half up to what can be paid', () => {
    const percent = { logic: 'percent', amount: null, percent: '3.3' } as const;
    // 15.18 of 460.00
    assert.deepEqual(inYen(percent), [15_00n]);
    assert.deepEqual(inYen({ ...percent, percent: '3.37' }), [16_00n]);
    assert.deepEqual(inYen({ logic: 'per_booking', amount: '1.50' }), [2_00n]);
    assert.deepEqual(inYen({ logic: 'per_person_per_night', amount: '0.31' }), [2_00n]);
    assert.deepEqual(inYen({ ...percent, percent: '10', inclusive: true }), [42_00n]);
    assert.deepEqual(inYen({ ...percent, percent: '5', capPerGuestNight: '2.80' }), [22_00n]);
    const tiers = [{ from: '0.00', amount: '0.44' }];
    assert.deepEqual(inYen({ logic: 'per_person_per_night', amount: null, tiers }), [4_00n]);
  });
});
