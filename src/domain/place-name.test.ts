import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { FIXED_SEED } from '../../test/kit/property-arbitraries.ts';
import { foldPlaceName } from './place-name.ts';

const isSamePlace = (a: string, b: string): boolean => foldPlaceName(a) === foldPlaceName(b);

describe('foldPlaceName', () => {
  it('takes upper and lower case for the same', () => {
    assert.ok(isSamePlace('VENEZIA', 'venezia'));
    assert.ok(isSamePlace('ΑΘΉΝΑ', 'αθήνα'));
    assert.ok(isSamePlace('Gießen', 'GIESSEN'));
    assert.ok(isSamePlace('GIEẞEN', 'giessen'));
    assert.ok(isSamePlace('Πάτρας', 'ΠΑΤΡΑΣ'));
  });

  it('ignores diacritics, composed or not', () => {
    assert.ok(isSamePlace('Forlì', 'forli'));
    assert.ok(isSamePlace('S\u00E3o Paulo', 'Sa\u0303o Paulo'));
    assert.ok(isSamePlace('Łódź', 'Lodz'));
    assert.ok(isSamePlace('Tromsø', 'TROMSO'));
    assert.ok(isSamePlace('İstanbul', 'istanbul'));
    assert.ok(isSamePlace('Diyarbakır', 'DIYARBAKIR'));
  });

  it('ignores repeated and outer spaces', () => {
    assert.ok(isSamePlace('  Reggio \t nell’Emilia ', 'Reggio nell’Emilia'));
  });

  it('keeps different names apart', () => {
    assert.ok(!isSamePlace('Reggio', 'Reg gio'));
    assert.ok(!isSamePlace('Bari', 'Baro'));
    assert.ok(!isSamePlace('दिल्ली', 'दलल'));
    assert.ok(!isSamePlace('がま', 'かま'));
  });

  it('is a fixed point, and the same in upper and lower case', () => {
    const name = fc.string({ unit: fc.constantFrom(...'aZèÉßøŁıIİi ñÅçΣσςΆ京도 '), maxLength: 12 });
    fc.assert(
      fc.property(name, (text) => {
        const folded = foldPlaceName(text);
        assert.equal(foldPlaceName(folded), folded);
        assert.equal(foldPlaceName(text.toUpperCase()), folded);
        assert.equal(foldPlaceName(text.toLowerCase()), folded);
        assert.equal(foldPlaceName(text.normalize('NFD')), folded);
      }),
      FIXED_SEED,
    );
  });
});
