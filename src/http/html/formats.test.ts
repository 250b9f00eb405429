/** Formats that are made once for each currency and number of digits: each is of its own, whatever was shown before. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeDecimal, makeFormats } from './formats.ts';

/** Browsers and pages join what belongs together by blanks that do not break. */
const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ');

describe('Formats of numbers', () => {
  it('are those of each currency, again and again', () => {
    const { money } = makeFormats('en-GB');
    for (let round = 0; round < 2; round += 1) {
      assert.equal(plain(money('1250.00', 'EUR')), '€1,250.00');
      assert.equal(plain(money('1250.00', 'JPY')), 'JP¥1,250');
      assert.equal(plain(money('1250.50', 'JPY')), 'JP¥1,250.50');
      assert.equal(plain(money('7.00', 'USD')), 'US$7.00');
    }
  });

  it('are those of each language', () => {
    const [english, italian] = [makeFormats('en-GB'), makeFormats('it-IT')];
    assert.equal(plain(english.money('1250.00', 'EUR')), '€1,250.00');
    assert.equal(plain(italian.money('1250.00', 'EUR')), '1250,00 €');
    assert.equal(plain(italian.money('12500.00', 'EUR')), '12.500,00 €');
  });

  it('show all digits of a decimal, whatever had more or fewer before', () => {
    const decimal = makeDecimal('en-GB');
    for (const text of ['1,250.00', '1,250', '3.5', '0.125', '3.5', '1,250.00'])
      assert.equal(decimal(text.replace(',', '')), text);
  });
});
