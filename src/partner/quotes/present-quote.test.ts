import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { formatLocalDate } from '../../domain/local-date.ts';
import {
  formatStoredBreakdown,
  parseStoredBreakdown,
  type QuoteBreakdown,
  type QuoteNight,
} from './present-quote.ts';

const FIRST = 20_788;
const amount = fc.constantFrom('0.00', '0.01', '80.00', '120.00', '99999.99');
const nights = fc
  .array(fc.record({ rate: amount, extraGuests: amount, price: amount }), { minLength: 1, maxLength: 60 })
  .map((rows) => rows.map((row, index): QuoteNight => ({ date: formatLocalDate(FIRST + index), ...row })));
const tax: QuoteBreakdown['taxes'][number] = {
  code: 'vat',
  kind: 'tax',
  logic: 'percent',
  inclusive: false,
  due: 'booking',
  nightCount: 3,
  quantity: null,
  taxable: '360.00',
  amount: '36.00',
  included: null,
};

const DISCOUNT: QuoteBreakdown['discount'] = { code: 'weekly', percent: '12.5', amount: '45.00' };

describe('the stored breakdown', () => {
  it('is read as it was written, whatever the nights cost', () => {
    fc.assert(
      fc.property(nights, fc.nat(3), fc.boolean(), (written, taxCount, isDiscounted) => {
        const taxes = Array.from({ length: taxCount }, () => tax);
        const breakdown = { discount: isDiscounted ? DISCOUNT : null, nights: written, taxes };
        assert.deepEqual(parseStoredBreakdown(formatStoredBreakdown(breakdown)), breakdown);
      }),
      { seed: 20261121, numRuns: 300 },
    );
  });

  it('is read as earlier versions wrote it', () => {
    const old = {
      nights: [{ date: '2026-12-01', rate: '80.00', extraGuests: '5.00', price: '85.00' }],
      taxes: [tax],
    };
    assert.deepEqual(parseStoredBreakdown(JSON.stringify(old)), { discount: null, ...old });
    const compact = { v: 2, from: '2026-12-01', nights: [[2, '80.00']], taxes: [] };
    assert.equal(parseStoredBreakdown(JSON.stringify(compact)).discount, null);
  });

  it('keeps what earlier versions read where they look for it, and adds nothing where no discount counted', () => {
    const night = { date: '2026-12-01', rate: '80.00', extraGuests: '5.00', price: '76.50' };
    const without = formatStoredBreakdown({ discount: null, nights: [night], taxes: [tax] }, 'Ponte');
    const discounted = formatStoredBreakdown({ discount: DISCOUNT, nights: [night], taxes: [tax] }, 'Ponte');
    const known = {
      v: 2,
      from: '2026-12-01',
      nights: [[1, '80.00', '5.00', '76.50']],
      taxes: [tax],
      name: 'Ponte',
    };
    assert.deepEqual(JSON.parse(without), known);
    assert.deepEqual(JSON.parse(discounted), { ...known, discount: DISCOUNT });
  });

  it('takes little room for 60 nights, also when each costs something else', () => {
    const night = (index: number, rate: string): QuoteNight => ({
      date: formatLocalDate(FIRST + index),
      rate,
      extraGuests: '0.00',
      price: rate,
    });
    const bytesOf = (rates: readonly string[]) =>
      formatStoredBreakdown({
        discount: null,
        nights: rates.map((rate, index) => night(index, rate)),
        taxes: [],
      }).length;
    assert.ok(bytesOf(Array.from({ length: 60 }, () => '120.00')) < 100);
    assert.ok(bytesOf(Array.from({ length: 60 }, (_, index) => `${100 + index}.00`)) < 900);
  });
});
