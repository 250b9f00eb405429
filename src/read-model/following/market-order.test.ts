import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeProperty } from '../../../test/kit/property-fixtures.ts';
import type { FollowedProperty } from '../../storage/catalogue/store.ts';
import { HELD_BYTES_MAX, inMarketOrder } from './market-order.ts';

const NEVER_ABORTED = new AbortController().signal;

function propertyIn(propertyId: string, city: string, nightBytes = 10): FollowedProperty {
  const property = makeProperty({ propertyId, location: { city, country: 'IT', area: null } });
  const nights = [new Uint8Array(nightBytes)];
  return { property, revision: 1, lowestRates: new Uint8Array(1), nights, rates: [new Uint8Array()] };
}

async function* snapshotOf(batches: readonly (readonly FollowedProperty[])[], told: string[] = []) {
  for (const batch of batches) {
    yield batch;
    told.push('another batch is wanted');
  }
}

async function orderOf(...inputs: Parameters<typeof inMarketOrder>): Promise<string[]> {
  const ids: string[] = [];
  for await (const batch of inMarketOrder(...inputs)) ids.push(...batch.map((f) => f.property.propertyId));
  return ids;
}

describe('properties of a snapshot in the order of their markets', () => {
  it('are together by market, and within it in the order of the snapshot', async () => {
    let reads = 0;
    const batches = snapshotOf([
      [propertyIn('a', 'Roma'), propertyIn('b', 'Bari')],
      [propertyIn('c', 'Roma'), propertyIn('d', 'Como'), propertyIn('e', 'Bari')],
    ]);
    assert.deepEqual(await orderOf(batches, () => reads++, NEVER_ABORTED), ['a', 'c', 'b', 'e', 'd']);
    assert.equal(reads, 2, 'each batch is told of');
  });

  it('are handed over a hundred at a time, all of them', async () => {
    const ids = Array.from({ length: 250 }, (_, index) => `h${index}`);
    const sizes: number[] = [];
    const batches = snapshotOf([ids.map((id) => propertyIn(id, 'Roma'))]);
    for await (const batch of inMarketOrder(batches, () => undefined, NEVER_ABORTED))
      sizes.push(batch.length);
    assert.deepEqual(sizes, [100, 100, 50]);
  });

  it('are handed over before too much is held', async () => {
    const told: string[] = [];
    const large = [propertyIn('b', 'Roma', HELD_BYTES_MAX), propertyIn('c', 'Bari')];
    const batches = snapshotOf([[propertyIn('a', 'Bari')], large, [propertyIn('d', 'Roma')]], told);
    const ordered = inMarketOrder(batches, () => undefined, NEVER_ABORTED);
    const { value: first } = await ordered.next();
    assert.deepEqual(
      (first as FollowedProperty[]).map(({ property }) => property.propertyId),
      ['a', 'c', 'b'],
    );
    assert.equal(told.length, 1, 'the rest is not read yet');
    assert.equal((await Array.fromAsync(ordered)).flat().length, 1);
  });

  it('count the items of every list as held', async () => {
    for (const list of ['amenities', 'cityAliases', 'inventoryTypes', 'taxes', 'discounts', 'visibleTo']) {
      const told: string[] = [];
      const one = propertyIn('a', 'Roma');
      const property = {
        ...one.property,
        [list]: Array.from({ length: Math.ceil(HELD_BYTES_MAX / 500) }, () => 'an item'),
      };
      const batches = snapshotOf([[{ ...one, property }], [propertyIn('b', 'Roma')]], told);
      const { value: first } = await inMarketOrder(batches, () => undefined, NEVER_ABORTED).next();
      assert.deepEqual([(first as FollowedProperty[]).length, told.length], [1, 0], list);
    }
  });

  it('come to an end when nobody wants them any more', async () => {
    const stopping = new AbortController();
    const batches = snapshotOf([[propertyIn('a', 'Roma')], [propertyIn('b', 'Roma')]]);
    assert.deepEqual(await orderOf(batches, () => stopping.abort(), stopping.signal), []);
  });
});
