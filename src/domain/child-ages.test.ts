import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { FAMILY_TAXES } from '../../test/kit/family-taxes.ts';
import { naiveChildren, naiveFits } from '../../test/kit/naive-model.ts';
import { familyArbitrary, worldArbitrary } from '../../test/kit/property-arbitraries.ts';
import { dayOf, makeInventoryType, makeTaxRule } from '../../test/kit/property-fixtures.ts';
import { RUN_SEED } from '../../test/kit/seeds.ts';
import { parsePropertyDocument } from '../supply/native/property-document.ts';
import {
  bandTerms,
  countPaying,
  countPlaces,
  formatCots,
  parseCots,
  taxPayersOf,
  withChildAges,
} from './child-ages.ts';
import { formatMoney, getMoney } from './money.ts';
import { readTaxes } from './price-terms.ts';
import { type AgeBand, typesOf } from './property.ts';
import { applyTaxes } from './taxes.ts';

const placesOf = (bands: readonly AgeBand[] | undefined, guests: number, ages?: readonly number[]): number =>
  countPlaces(bands, { guests, ...withChildAges(ages) });

describe('Places that a family takes', () => {
  it('are those of all guests without ages, and without bands', () => {
    assert.equal(placesOf([{ untilAge: 2, occupies: false }], 4), 4);
    assert.equal(placesOf(undefined, 4, [1]), 4);
    assert.equal(placesOf([], 4, [1]), 4);
  });

  it('an infant in a cot takes none, for as many as there are cots, the youngest first', () => {
    const cot: AgeBand = { untilAge: 2, occupies: false };
    assert.equal(placesOf([cot], 3, [2]), 2);
    assert.equal(placesOf([cot], 3, [3]), 3);
    assert.equal(placesOf([cot], 4, [2, 0]), 3);
    assert.equal(placesOf([{ ...cot, max: 2 }], 4, [2, 0]), 2);
  });

  it('a child without a cot belongs to the next band, and may find a cot there', () => {
    const bands: AgeBand[] = [
      { untilAge: 1, occupies: false },
      { untilAge: 3, occupies: false },
      { untilAge: 12, rate: '15.00' },
    ];
    assert.equal(placesOf(bands, 5, [0, 1, 1]), 3);
    assert.deepEqual(countPaying(bands.map(bandTerms), { guests: 5, childAges: [0, 1, 1] }), {
      guests: 2,
      children: 15_00,
    });
  });

  it('an adult sleeps in a place even where all children may have a cot', () => {
    const bands: AgeBand[] = [{ untilAge: 17, occupies: false, max: 29 }];
    assert.equal(
      placesOf(
        bands,
        30,
        Array.from({ length: 29 }, () => 17),
      ),
      1,
    );
  });

  it('equal those of the naive model, and are found by cots alone', () => {
    fc.assert(
      fc.property(worldArbitrary, familyArbitrary, ({ property }, stay) => {
        for (const [index, type] of typesOf(property).entries()) {
          const places = countPlaces(type.ageBands, stay);
          for (const guestsMax of [places, places - 1])
            assert.equal(
              naiveFits(property, { ...property.inventoryTypes[index]!, guestsMax }, stay),
              places <= guestsMax,
            );
          const cots = formatCots(type.ageBands);
          assert.equal(cots === undefined ? stay.guests : countPlaces(parseCots(cots), stay), places);
          const naive = naiveChildren(property, property.inventoryTypes[index]!, stay);
          const asAdults = naive.filter(({ pays }) => pays === null).length;
          const paying = countPaying((type.ageBands ?? []).map(bandTerms), stay);
          assert.equal(paying.guests, stay.guests - naive.length + asAdults);
        }
      }),
      { ...RUN_SEED, numRuns: 1000 },
    );
  });
});

describe('A family on the rates of a night', () => {
  const paying = (band: AgeBand): unknown => countPaying([bandTerms(band)], { guests: 3, childAges: [1] });

  it('a cot is free unless it has a rate, and a child in a bed pays as an adult unless it has one', () => {
    assert.deepEqual(paying({ untilAge: 2, occupies: false }), { guests: 2, children: 0 });
    assert.deepEqual(paying({ untilAge: 2, occupies: false, rate: '5.00' }), { guests: 2, children: 5_00 });
    assert.deepEqual(paying({ untilAge: 2 }), { guests: 3, children: 0 });
    assert.deepEqual(paying({ untilAge: 2, rate: '0.00' }), { guests: 2, children: 0 });
  });

  it('a rate above that of an adult is taken as it is written', () => {
    assert.deepEqual(paying({ untilAge: 2, rate: '900.00' }), { guests: 2, children: 900_00 });
  });
});

describe('Who pays a tax', () => {
  const [rule] = readTaxes(
    [makeTaxRule({ amount: '3.50', exemptUntilAge: 9, ages: [{ untilAge: 15, amount: '1.75' }] })],
    1,
  );

  it('is told by amount: adults, then children from the oldest', () => {
    assert.deepEqual(taxPayersOf(rule!, { guests: 6, childAges: [4, 9, 12, 16] }), [
      { count: 2, childAges: [], amount: '3.50' },
      { count: 1, childAges: [16], amount: '3.50' },
      { count: 1, childAges: [12], amount: '1.75' },
      { count: 2, childAges: [4, 9], amount: '0' },
    ]);
  });

  it('is not told without ages, nor where no age matters', () => {
    assert.equal(taxPayersOf(rule!, { guests: 4 }), undefined);
    const [plain] = readTaxes([makeTaxRule()], 1);
    assert.equal(taxPayersOf(plain!, { guests: 4, childAges: [4] }), undefined);
  });
});

describe('Real taxes of tourists', () => {
  it('are at least twelve', () => assert.ok(FAMILY_TAXES.length >= 12));

  for (const { place, source, asOf, currency, rules, ...stay } of FAMILY_TAXES) {
    it(`${place}: a family pays what ${source} say of ${asOf}`, () => {
      const taxes = rules.map(makeTaxRule);
      const document = parsePropertyDocument({
        propertyId: 'inn',
        name: 'Inn',
        propertyType: 'hotel',
        location: { city: 'Town', country: 'IT' },
        bathrooms: 1,
        currency,
        timezone: 'Europe/Rome',
        taxes,
        inventoryTypes: [makeInventoryType()],
      });
      assert.ok(document.ok, JSON.stringify(document));
      const nights = stay.nights.map((price, index) => ({
        night: dayOf(stay.checkIn) + index,
        price: Number(getMoney(price)),
      }));
      const due = (childAges?: readonly number[]): string => {
        const taxed = { guests: stay.guests, ...withChildAges(childAges), nights, cleaningFee: 0 };
        const lines = applyTaxes(readTaxes(document.property.taxes, 1), taxed);
        return formatMoney(lines.reduce((sum, { amount }) => sum + amount, 0n));
      };
      assert.deepEqual([due(stay.childAges), due()], [stay.family, stay.adults]);
    });
  }
});
