import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DETAILS } from '../../../test/kit/property-details.ts';
import { bridgeHotel, NOW_MS, quoteDeps, quoteRequest } from '../../../test/kit/quote-fixtures.ts';
import { openTemporaryStorage, type TemporaryStorage } from '../../../test/kit/temporary-storage.ts';
import { StorageUnavailable } from '../../storage/storage.ts';
import { findOffer, type OfferDeps } from './find-offer.ts';

let database: TemporaryStorage;
before(async () => {
  database = await openTemporaryStorage(() => NOW_MS);
});
after(() => database.close());

/** Its cleaning fee and its seller are of one state. */
async function write(state: number): Promise<void> {
  const details = { ...DETAILS, seller: `Seller ${state}` };
  await database.storage.writeProperties([{ ...bridgeHotel({ cleaningFee: `${state}.00` }), details }]);
}

/** The property changes so often between the read of its price and that of its terms. */
function changingDeps(changes: number): { readonly deps: OfferDeps; readonly readCount: () => number } {
  const { storage } = database;
  let reads = 0;
  const changing: OfferDeps['storage'] = {
    findProperty: (propertyId) => storage.findProperty(propertyId),
    findContent: async (propertyIds) => {
      reads += 1;
      if (reads <= changes) await write(100 + reads);
      return storage.findContent(propertyIds);
    },
  };
  const recallContent = changing.findContent;
  return {
    deps: { ...quoteDeps(storage), storage: changing, recallContent, seller: 'Stayport' },
    readCount: () => reads,
  };
}

const request = { ...quoteRequest(), tellsReasons: true };

describe('an offer of a property that changes while it is read', () => {
  for (const changes of [0, 1, 3])
    it(`has the price and the terms of one state after ${changes} changes`, async () => {
      await write(1);
      const { deps, readCount } = changingDeps(changes);
      const found = await findOffer(deps, request);
      assert.ok('offer' in found);
      const state = changes === 0 ? 1 : 100 + changes;
      assert.equal(found.offer.pricing.cleaningFee, `${state}.00`);
      assert.equal(found.offer.seller, `Seller ${state}`);
      assert.equal(readCount(), changes + 1);
    });

  it('has the terms that are stored where those that are remembered are older, or newer, or gone', async () => {
    const { storage } = database;
    await write(1);
    const [older] = await storage.findContent([request.propertyId]);
    await write(2);
    for (const remembered of [[older!], [{ ...older!, revision: 1_000_000 }], []]) {
      const deps = { ...quoteDeps(storage), recallContent: async () => remembered, seller: 'Stayport' };
      const found = await findOffer({ ...deps, storage }, request);
      assert.ok('offer' in found && found.offer.seller === 'Seller 2');
      assert.equal(found.offer.pricing.cleaningFee, '2.00');
    }
  });

  it('is unavailable where it never stands still, after a few reads', async () => {
    await write(1);
    const { deps, readCount } = changingDeps(Number.POSITIVE_INFINITY);
    await assert.rejects(findOffer(deps, request), StorageUnavailable);
    assert.equal(readCount(), 4);
  });

  it('is not there where it is withdrawn meanwhile', async () => {
    await write(1);
    const { storage } = database;
    const deps: OfferDeps = {
      ...quoteDeps(storage),
      storage,
      recallContent: async (propertyIds) => {
        await storage.withdrawProperties(propertyIds);
        return storage.findContent(propertyIds);
      },
      seller: 'Stayport',
    };
    assert.deepEqual(await findOffer(deps, request), { refusal: 'PROPERTY_NOT_FOUND' });
  });
});
