import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { RUN_SEED } from '../../test/kit/seeds.ts';
import {
  CHANGE_PER_MILLE_MAX,
  changePerMille,
  DECIMAL_FRACTION_DIGITS_MAX,
  formatMoney,
  getDecimal,
  makeFactor,
  multiply,
  getMoney,
  MONEY_INTEGER_DIGITS_MAX,
  parseDecimal,
  parseMoney,
  roundHalfUp,
} from './money.ts';

describe('parseMoney', () => {
  it('reads amounts with two decimals, one or none as hundredths', () => {
    assert.equal(parseMoney('120.50'), 12_050n);
    assert.equal(parseMoney('120.5'), 12_050n);
    assert.equal(parseMoney('120'), 12_000n);
    assert.equal(parseMoney('0.00'), 0n);
    assert.equal(parseMoney('0.07'), 7n);
  });

  it('refuses negative amounts, more than two decimals and other spellings', () => {
    const wrong = [
      '-1.00',
      '-0',
      '1.234',
      '1.',
      '.5',
      '',
      ' 1',
      '1 ',
      '+1',
      '1e3',
      '1,50',
      '01.00',
      '0x10',
      'NaN',
      '１',
    ];
    for (const text of wrong) assert.equal(parseMoney(text), undefined, text);
    assert.throws(() => getMoney('-1.00'), TypeError);
  });

  it('holds MONEY_INTEGER_DIGITS_MAX integer digits, which a double holds exactly', () => {
    const largest = `${'9'.repeat(MONEY_INTEGER_DIGITS_MAX)}.99`;
    assert.ok(parseMoney(largest)! < BigInt(Number.MAX_SAFE_INTEGER));
    assert.equal(parseMoney(`1${'0'.repeat(MONEY_INTEGER_DIGITS_MAX)}`), undefined);
  });
});

describe('formatMoney', () => {
  it('writes DecimalMoney: two digits always, no leading zeros', () => {
    assert.equal(formatMoney(12_050n), '120.50');
    assert.equal(formatMoney(12_050), '120.50');
    assert.equal(formatMoney(7n), '0.07');
    assert.equal(formatMoney(0n), '0.00');
    assert.equal(formatMoney(10n ** 30n), `1${'0'.repeat(28)}.00`);
  });

  it('throws on what no price can be', () => {
    assert.throws(() => formatMoney(-1n), RangeError);
    assert.throws(() => formatMoney(0.5), RangeError);
    assert.throws(() => formatMoney(Number.NaN), RangeError);
  });

  it('is read back to the cent, and always matches the pattern of the contract', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 12n - 1n }), (minorUnits) => {
        assert.match(formatMoney(minorUnits), /^(0|[1-9]\d*)\.\d{2}$/);
        assert.equal(parseMoney(formatMoney(minorUnits)), minorUnits);
      }),
      RUN_SEED,
    );
  });
});

describe('parseDecimal', () => {
  it('gives a fraction that loses nothing', () => {
    assert.deepEqual(parseDecimal('10'), { numerator: 10n, denominator: 1n });
    assert.deepEqual(parseDecimal('0.335'), { numerator: 335n, denominator: 1000n });
  });

  it('takes DECIMAL_FRACTION_DIGITS_MAX fractional digits and no more', () => {
    assert.notEqual(parseDecimal(`0.${'1'.repeat(DECIMAL_FRACTION_DIGITS_MAX)}`), undefined);
    assert.equal(parseDecimal(`0.${'1'.repeat(DECIMAL_FRACTION_DIGITS_MAX + 1)}`), undefined);
  });

  it('refuses what is negative or no decimal', () => {
    for (const text of ['-1', '', '1.', '.5', '1e2', '10%', ' 1', '00', 'Infinity']) {
      assert.equal(parseDecimal(text), undefined, text);
    }
    assert.throws(() => getDecimal('-1'), TypeError);
  });
});

describe('roundHalfUp', () => {
  it('rounds to the nearest integer, halves upwards', () => {
    assert.equal(roundHalfUp(5n, 2n), 3n);
    assert.equal(roundHalfUp(249n, 100n), 2n);
    assert.equal(roundHalfUp(250n, 100n), 3n);
    assert.equal(roundHalfUp(7n, 3n), 2n);
    assert.equal(roundHalfUp(0n, 7n), 0n);
  });

  it('is never further than half from the fraction', () => {
    const anyBigInt = fc.bigInt({ min: 0n, max: 10n ** 40n });
    fc.assert(
      fc.property(anyBigInt, fc.bigInt({ min: 1n, max: 10n ** 20n }), (numerator, denominator) => {
        const twiceTheError = 2n * (roundHalfUp(numerator, denominator) * denominator - numerator);
        assert.ok(-denominator < twiceTheError && twiceTheError <= denominator);
      }),
      RUN_SEED,
    );
  });

  it('throws outside the fractions that it is for', () => {
    assert.throws(() => roundHalfUp(-1n, 2n), RangeError);
    assert.throws(() => roundHalfUp(1n, 0n), RangeError);
  });
});

describe('multiply', () => {
  it('is the product, rounded half up, on both sides of what a double holds', () => {
    const digits = fc.integer({ min: 0, max: 30 });
    const upTo = (count: number): fc.Arbitrary<bigint> => fc.bigInt({ min: 0n, max: 10n ** BigInt(count) });
    const amount = fc.integer({ min: 0, max: 20 }).chain(upTo);
    let small = 0;
    fc.assert(
      fc.property(amount, digits.chain(upTo), digits, (units, numerator, fractionDigits) => {
        const denominator = 10n ** BigInt(fractionDigits);
        const product = multiply(units, makeFactor(numerator, denominator));
        assert.equal(product, roundHalfUp(units * numerator, denominator));
        if (2n * units * numerator + denominator < 2n ** 53n) small += 1;
      }),
      { ...RUN_SEED, numRuns: 20_000 },
    );
    assert.ok(small > 2_000 && small < 18_000, String(small));
  });

  it('rounds as exactly at the largest double as below it', () => {
    const most = BigInt(Number.MAX_SAFE_INTEGER);
    for (let denominator = 1n; denominator < 300n; denominator++)
      for (const units of [(most - denominator) / 2n, (most - denominator) / 2n - 1n, most])
        assert.equal(
          multiply(units, makeFactor(1n, denominator)),
          roundHalfUp(units, denominator),
          `${units} / ${denominator}`,
        );
  });
});

describe('changePerMille', () => {
  it('is in thousandths of the price before, above zero when it is dearer now', () => {
    assert.equal(changePerMille(20_000n, 21_000n), 50);
    assert.equal(changePerMille(20_000n, 19_001n), -50);
    assert.equal(changePerMille(20_000n, 0n), -1000);
    assert.equal(changePerMille(0n, 5n), null);
    assert.equal(changePerMille(100n, 100_100n), CHANGE_PER_MILLE_MAX);
    assert.equal(changePerMille(100n, 100_200n), CHANGE_PER_MILLE_MAX);
  });
});
