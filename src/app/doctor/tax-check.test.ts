import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dayOf, makeTaxRule } from '../../../test/kit/property-fixtures.ts';
import type { TaxRule } from '../../domain/property.ts';
import { findEnding } from './tax-check.ts';

const OFFERED = { first: dayOf('2026-11-20'), end: dayOf('2028-11-19') };

function endsOf(...rules: readonly Partial<TaxRule>[]): readonly string[] {
  return findEnding(rules.map(makeTaxRule), OFFERED).map(({ code, validTo }) => `${code} ${validTo}`);
}
const city = (validFrom: string | null, validTo: string | null, code = 'city'): Partial<TaxRule> => {
  return { code, kind: 'city_tax', validFrom, validTo };
};

describe('taxes that end', () => {
  it('are those whose last night is offered, and is not the last one offered', () => {
    for (const [validTo, ends] of [
      ['2026-11-19', false],
      ['2026-11-20', true],
      ['2028-11-17', true],
      ['2028-11-18', false],
      [null, false],
    ] as const)
      assert.equal(endsOf(city('2026-01-01', validTo)).length, Number(ends), `${validTo}`);
  });

  it('are told once, with the end of the last rule of the code', () => {
    assert.deepEqual(endsOf(city(null, '2026-12-31'), city('2027-01-01', '2027-12-31')), ['city 2027-12-31']);
    assert.deepEqual(endsOf(city(null, '2027-12-31'), city('2027-01-01', '2027-12-31')), ['city 2027-12-31']);
    assert.deepEqual(endsOf(city(null, '2026-12-31'), city('2027-01-01', null)), []);
  });

  it('are followed by a rule of their kind that begins later, whatever its code', () => {
    const summer = city('2027-04-01', '2027-10-31', 'summer');
    const winter = city('2027-11-01', '2028-03-31', 'winter');
    assert.deepEqual(endsOf(summer, winter), ['winter 2028-03-31']);
    assert.deepEqual(endsOf(summer, { ...winter, kind: 'fee', validTo: null }), ['summer 2027-10-31']);
    assert.deepEqual(endsOf(summer, { ...winter, validFrom: null, validTo: null }), ['summer 2027-10-31']);
  });
});
