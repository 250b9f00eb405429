import { Wrong } from '../../../domain/wrong.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeDiscount, makeProperty, makeTaxRule } from '../../../../test/kit/property-fixtures.ts';
import { parseLocalDate } from '../../../domain/local-date.ts';
import type { SuppliedProperty, Supply, SupplyItem } from '../../../supply/run/supply-item.ts';
import { moveSupply } from './moved-supply.ts';

const [JANUARY_1, JANUARY_5, MAY_1] = ['2026-01-01', '2026-01-05', '2026-05-01'].map((date) =>
  parseLocalDate(date)!,
);

describe('A moved supply', () => {
  it('moves all nights by one number of days, so that the earliest of all is the first', async () => {
    const items = [propertyWith(JANUARY_5!, JANUARY_5! + 9), propertyWith(JANUARY_1!, JANUARY_5!)];
    const moved = await propertiesOf(await moveSupply(supplyOf(items), MAY_1!));
    const nights = moved.map(({ entries }) =>
      entries.flat().map(({ from, to }) => [from - MAY_1!, to - MAY_1!]),
    );
    assert.deepEqual(nights, [[[4, 13]], [[0, 4]]]);
  });

  it('moves the validity of taxes with them', async () => {
    const taxes = [makeTaxRule({ validFrom: '2026-01-03' })];
    const item = { ...propertyWith(JANUARY_1!, JANUARY_5!), property: makeProperty({ taxes }) };
    const [moved] = await propertiesOf(await moveSupply(supplyOf([item]), MAY_1!));
    assert.deepEqual(
      [moved?.property.taxes[0]?.validFrom, moved?.property.taxes[0]?.validTo],
      ['2026-05-03', null],
    );
  });

  it('moves the dates of discounts with them, and adds none', async () => {
    const discounts = [
      makeDiscount({
        stayFrom: '2026-01-03',
        stayTo: '2026-01-04',
        bookFrom: '2025-12-31',
        bookTo: '2026-01-01',
      }),
      makeDiscount({ code: 'early', minAdvanceDays: 60 }),
    ];
    const item = { ...propertyWith(JANUARY_1!, JANUARY_5!), property: makeProperty({ discounts }) };
    const [moved] = await propertiesOf(await moveSupply(supplyOf([item]), MAY_1!));
    assert.deepEqual(moved?.property.discounts, [
      makeDiscount({
        stayFrom: '2026-05-03',
        stayTo: '2026-05-04',
        bookFrom: '2026-04-30',
        bookTo: '2026-05-01',
      }),
      makeDiscount({ code: 'early', minAdvanceDays: 60 }),
    ]);
  });

  it('leaves what is not a property, and a supply without nights, as it is', async () => {
    const notice: SupplyItem = { kind: 'notice', text: new Wrong('rowHidden', { row: 2 }) };
    const empty = { ...propertyWith(JANUARY_1!, JANUARY_1!), entries: [[]] };
    const moved = await moveSupply(supplyOf([notice, empty]), MAY_1!);
    assert.deepEqual(await Array.fromAsync(moved.open()), [notice, empty]);
  });
});

function propertyWith(from: number, to: number): SuppliedProperty {
  const entries = [[{ from, to, set: { availability: 1 } }]];
  const property = makeProperty();
  return { kind: 'property', file: 'a.ndjson', line: 1, bytes: 100, property, entries, keptTypeIds: [] };
}

function supplyOf(items: readonly SupplyItem[]): Supply {
  return {
    async *open() {
      yield* items;
    },
    progress: () => ({ bytesRead: 0, bytesTotal: 0 }),
    close: async () => undefined,
  };
}

async function propertiesOf(supply: Supply): Promise<SuppliedProperty[]> {
  const items = await Array.fromAsync(supply.open());
  return items.filter((item) => item.kind === 'property');
}
