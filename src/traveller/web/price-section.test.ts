import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TaxRule } from '../../domain/property.ts';
import { readTaxes } from '../../domain/price-terms.ts';
import { applyTaxes } from '../../domain/taxes.ts';
import { formatMoney } from '../../domain/money.ts';
import { html } from '../../http/html/html.ts';
import { makeView } from './frame.ts';
import { includedLine, taxExplained, withRules } from './price-section.ts';

const operator = {
  name: 'Inn',
  logoPath: undefined,
  contact: undefined,
  legal: {},
  canContinue: true,
  tellsReasons: true,
};
const view = makeView(operator, 'en-GB', './');
const money = (minorUnits: bigint | number): string => `€${formatMoney(minorUnits)}`;
const stay = {
  guests: 2,
  nights: [1, 2, 3, 4, 5, 6].map((night) => ({ night, price: 10_000 })),
  cleaningFee: 5_000,
};

function rule(fields: Partial<TaxRule>): TaxRule {
  return {
    code: 'x',
    kind: 'tax',
    logic: 'per_booking',
    amount: '4.00',
    percent: null,
    maxNights: null,
    skipNights: 0,
    validFrom: null,
    validTo: null,
    inclusive: false,
    base: ['accommodation'],
    order: 0,
    ...fields,
  };
}

/** The text of the explanation. */
function explain(...rules: readonly TaxRule[]): string[] {
  const lines = withRules({ taxes: rules }, applyTaxes(readTaxes(rules, 1), stay));
  return lines.map(({ line, rule: own }) =>
    html`${taxExplained(view, { line, rule: own, guests: stay.guests, money })}`.text
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll('\u00A0', ' ')
      .trim(),
  );
}

describe('what a tax is made of', () => {
  const percent = { amount: null, percent: '10' };
  const cases: readonly (readonly [Partial<TaxRule>, string])[] = [
    [{ logic: 'per_booking' }, 'once for the stay'],
    [{ logic: 'per_room' }, 'once for the stay'],
    [{ logic: 'per_night' }, '€4.00 per night: 6 nights'],
    [
      { logic: 'per_room_per_night', maxNights: 5 },
      '€4.00 per night: 5 nights; charged for at most 5 nights',
    ],
    [{ logic: 'per_person' }, '€4.00 per guest: 2 guests'],
    [{ logic: 'per_person_per_night', skipNights: 2 }, '€4.00 per guest and night: 2 guests, 4 nights'],
    [{ logic: 'per_person_per_night', amount: '0.125' }, '0.125 per guest and night: 2 guests, 6 nights'],
    [{ logic: 'percent', ...percent, base: ['accommodation', 'cleaningFee'] }, '10% of €650.00'],
    [{ logic: 'cumulative_percent', ...percent, percent: '2.5' }, '2.5% of €600.00'],
  ];
  for (const [fields, expected] of cases)
    it(`is "${expected}" for ${JSON.stringify(fields)}`, () =>
      assert.deepEqual(explain(rule(fields)), [expected]));

  it('stands with the right one of several, in whatever order they run', () => {
    const rules = [
      rule({ code: 'b', logic: 'per_person', order: 2 }),
      rule({ code: 'a', logic: 'per_night', amount: '1.00', order: 1 }),
    ];
    assert.deepEqual(explain(...rules), ['€1.00 per night: 6 nights', '€4.00 per guest: 2 guests']);
  });

  it('is not told where the rules are others than those of the lines', () => {
    const [line] = applyTaxes(readTaxes([rule({ code: 'a' })], 1), stay);
    const [ruled] = withRules({ taxes: [rule({ code: 'b' })] }, [line!]);
    assert.equal(ruled?.rule, undefined);
    assert.equal(taxExplained(view, { line: line!, rule: undefined, guests: 2, money }), '');
  });

  it('by tiers and with a cap says how the amount comes about', () => {
    const tiers = [{ from: '0.00', amount: '1.50' }];
    const tiered = rule({ code: 'a', logic: 'per_person_per_night', amount: null, tiers });
    const capped = rule({
      code: 'b',
      logic: 'percent',
      percent: '5',
      amount: null,
      capPerGuestNight: '4.60',
    });
    const [byPrice, byCap] = explain(tiered, capped);
    assert.equal(byPrice, 'per guest and night, by its price: 2 guests, 6 nights');
    assert.match(byCap!, /^5% of €\S+; at most €4.60 per guest and night$/);
  });

  it('of one that the price holds is its percentage', () => {
    const vat = rule({ code: 'vat', logic: 'percent', ...percent, inclusive: true });
    const lines = withRules({ taxes: [vat] }, applyTaxes(readTaxes([vat], 1), stay));
    assert.match(
      html`${includedLine(view, lines, money)}`.text,
      /Included in the price: VAT \(10%\) €54\.55\./,
    );
  });
});
