import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import {
  type PaymentStep,
  refundabilityOf,
  refundAmountOf,
  refundsFrom,
  splitPayment,
} from './property-details.ts';

const CHECK_IN = 1_000;

describe('refundsFrom', () => {
  const steps = [
    { daysBefore: 14, refundPercent: '100' },
    { daysBefore: 3, refundPercent: '50' },
    { daysBefore: 0, refundPercent: '0' },
  ];
  for (const [today, expected] of [
    [900, [986, 997]],
    [986, [986, 997]],
    [987, [997]],
    [997, [997]],
    [998, []],
  ] as const)
    it(`on day ${today} leaves out what has passed`, () => {
      assert.deepEqual(
        refundsFrom(steps, CHECK_IN, today).map(({ until }) => until),
        expected,
      );
    });

  it('of steps with one percentage keeps the last: it says until when', () => {
    const free = (daysBefore: number, refundPercent = '100') => ({ daysBefore, refundPercent });
    const refunds = refundsFrom([free(30), free(14, '100.00'), free(3, '50')], CHECK_IN, 900);
    assert.deepEqual(
      refunds.map(({ until }) => until),
      [986, 997],
    );
  });
});

describe('refundabilityOf', () => {
  const steps = [
    { daysBefore: 14, refundPercent: '100.00' },
    { daysBefore: 3, refundPercent: '99.99' },
  ];
  for (const [today, expected] of [
    [900, 'refundable'],
    [986, 'refundable'],
    [987, 'partially_refundable'],
    [997, 'partially_refundable'],
    [998, 'non_refundable'],
  ] as const)
    it(`on day ${today} is ${expected}: what cancelling then gives back`, () => {
      assert.equal(refundabilityOf(refundsFrom(steps, CHECK_IN, today)), expected);
    });

  it('is non_refundable without a step, and with steps that refund nothing', () => {
    assert.equal(refundabilityOf([]), 'non_refundable');
    const nothing = refundsFrom([{ daysBefore: 3, refundPercent: '0' }], CHECK_IN, 900);
    assert.equal(refundabilityOf(nothing), 'non_refundable');
  });
});

describe('refundAmountOf', () => {
  for (const [refundPercent, total, atArrival, currency, expected] of [
    ['100', 57_550n, 1_400n, 'EUR', 56_150n],
    ['50', 101n, 0n, 'EUR', 51n],
    ['33.33', 10_000n, 0n, 'EUR', 3_333n],
    ['99.99', 1n, 0n, 'EUR', 1n],
    ['50', 50_100n, 0n, 'JPY', 25_100n],
    ['12.5', 30_300n, 300n, 'JPY', 3_800n],
    ['50', 10_001n, 0n, 'KWD', 5_001n],
    ['100', 700n, 700n, 'EUR', 0n],
  ] as const)
    it(`${refundPercent} % of ${total} less ${atArrival} at arrival in ${currency} is ${expected}`, () => {
      assert.equal(refundAmountOf({ refundPercent }, { total, atArrival, currency }), expected);
    });
});

describe('splitPayment', () => {
  const step = (due: PaymentStep['due'], percent: string, daysBefore: number | null = null): PaymentStep => ({
    due,
    percent,
    daysBefore,
  });

  it('gives amounts and dates', () => {
    const steps = [step('booking', '30'), step('daysBefore', '70', 30)];
    assert.deepEqual(
      splitPayment(steps, { total: 57_500n, currency: 'EUR' }, { checkIn: CHECK_IN, today: 900 }),
      [
        { due: 'booking', amount: 17_250n },
        { due: 970, amount: 40_250n },
      ],
    );
  });

  it('takes a day that has come with the booking', () => {
    const steps = [
      step('booking', '30'),
      step('daysBefore', '20', 60),
      step('daysBefore', '20', 30),
      step('arrival', '30'),
    ];
    assert.deepEqual(
      splitPayment(steps, { total: 10_000n, currency: 'EUR' }, { checkIn: CHECK_IN, today: 940 }),
      [
        { due: 'booking', amount: 5_000n },
        { due: 970, amount: 2_000n },
        { due: 'arrival', amount: 3_000n },
      ],
    );
  });

  it('gives whole amounts where the currency has no cents', () => {
    const steps = [step('booking', '30'), step('daysBefore', '30', 30), step('arrival', '40')];
    const amounts = (total: bigint): bigint[] =>
      splitPayment(steps, { total, currency: 'JPY' }, { checkIn: CHECK_IN, today: 900 }).map(
        (part) => part.amount,
      );
    assert.deepEqual(amounts(57_500n), [17_300n, 17_200n, 23_000n]);
    assert.deepEqual(amounts(57_550n), [17_300n, 17_200n, 23_050n]);
    assert.deepEqual(amounts(50n), [50n]);
  });

  it('splits in three to what can be paid, the last step takes the rest', () => {
    const thirds = [step('booking', '33.33'), step('daysBefore', '33.33', 30), step('arrival', '33.34')];
    const amounts = (total: bigint, currency: string, today = 900): bigint[] =>
      splitPayment(thirds, { total, currency }, { checkIn: CHECK_IN, today }).map(({ amount }) => amount);
    assert.deepEqual(amounts(10_000n, 'EUR'), [3_333n, 3_333n, 3_334n]);
    assert.deepEqual(amounts(10_000n, 'JPY'), [3_300n, 3_400n, 3_300n]);
    assert.deepEqual(amounts(10_100n, 'KWD'), [3_366n, 3_367n, 3_367n]);
    assert.deepEqual(amounts(1n, 'EUR'), [1n]);
    // A step whose day has come is paid with the booking.
    assert.deepEqual(amounts(10_000n, 'JPY', 970), [6_700n, 3_300n]);
  });

  it('always comes to the total, and never to less than nothing', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 2_000 }), { minLength: 1, maxLength: 5 }),
        fc.bigInt({ min: 0n, max: 10n ** 10n }),
        fc.integer({ min: 900, max: CHECK_IN }),
        fc.constantFrom('EUR', 'JPY', 'KWD'),
        fc.integer({ min: 0, max: 100 }),
        (parts, total, today, currency, share) => {
          const atArrival = (total * BigInt(share)) / 100n;
          const last = 10_000 - parts.reduce((sum, part) => sum + part, 0);
          const percents = [...parts, ...(last > 0 ? [last] : [])];
          if (last < 0) return;
          const steps = percents.map((hundredths, index) =>
            step('daysBefore', (hundredths / 100).toFixed(2), 60 - index),
          );
          const payments = splitPayment(steps, { total, atArrival, currency }, { checkIn: CHECK_IN, today });
          assert.equal(
            payments.reduce((sum, { amount }) => sum + amount, 0n),
            total,
          );
          assert.ok(payments.every(({ amount }) => amount > 0n));
          const charges = payments.filter(({ isCharges }) => isCharges === true);
          const expected = atArrival === 0n ? [] : [{ due: 'arrival', amount: atArrival, isCharges: true }];
          assert.deepEqual(charges, expected);
        },
      ),
      { seed: 20261122, numRuns: 500 },
    );
  });
});
