import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chargesOf, findTaxName } from './charges.ts';
import type { TaxLine } from './taxes.ts';

const line = (code: string, amount: bigint, included: bigint | null = null): TaxLine => ({
  code,
  kind: 'tax',
  logic: 'percent',
  inclusive: included !== null,
  due: 'booking',
  nightCount: 1,
  quantity: null,
  taxable: 0n,
  amount,
  included,
});

describe('the charges of a stay', () => {
  it('are the cleaning fee and what each rule adds or includes, without what comes to nothing', () => {
    const taxLines = [
      line('nothing', 0n),
      line('vat', 0n, 900n),
      { ...line('city', 700n), kind: 'city_tax', due: 'arrival' } as const,
      line('included-nothing', 0n, 0n),
    ];
    assert.deepEqual(
      chargesOf({ cleaningFee: 2_000, taxLines }).map(({ code, kind, amount, included, due }) => [
        code,
        kind,
        amount,
        included,
        due,
      ]),
      [
        ['cleaning-fee', 'cleaning', 2_000n, null, 'booking'],
        ['vat', 'tax', 0n, 900n, 'booking'],
        ['city', 'city_tax', 700n, null, 'arrival'],
      ],
    );
    assert.deepEqual(chargesOf({ cleaningFee: 0, taxLines: [] }), []);
  });
});

describe('the name of a tax', () => {
  for (const [code, kind, english, italian] of [
    ['VAT', 'tax', 'VAT', 'IVA'],
    ['guest_pass', 'fee', 'Guest pass', 'Tessera ospiti'],
    ['seaside-levy', 'city_tax', 'City tax', 'Imposta di soggiorno'],
    ['seaside-levy', 'tax', undefined, undefined],
    ['constructor', 'fee', undefined, undefined],
  ] as const)
    it(`of ${code} (${kind}) is ${english}`, () => {
      const tax = { code, kind };
      assert.deepEqual([findTaxName(tax, 'en-GB'), findTaxName(tax, 'it-IT')], [english, italian]);
    });
});
