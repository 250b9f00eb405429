import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openTemporaryStorage } from '../../../../test/kit/temporary-storage.ts';
import { NOW_MS } from '../../../../test/suites/storage/fixture.ts';
import { OPEN, suppliedWrite } from '../../../../test/suites/storage/supply-samples.ts';
import { findQuotableStay, PROPERTIES_TRIED_MAX } from './demo-calls.ts';

describe('A stay for the calls of the demo', () => {
  it('is found among as many properties as are tried, and no further', async () => {
    const temporary = await openTemporaryStorage(() => NOW_MS);
    const { storage } = temporary;
    try {
      await storage.writeProperties([suppliedWrite('ponte', [[OPEN]])]);
      const findAfter = (unknownCount: number) =>
        findQuotableStay(storage, 'acme', { nowMs: NOW_MS, horizonNights: 730 }, [
          ...Array.from({ length: unknownCount }, (_, index) => `unknown-${index}`),
          'ponte',
        ]);
      assert.equal((await findAfter(PROPERTIES_TRIED_MAX - 1))?.propertyId, 'ponte');
      assert.equal(await findAfter(PROPERTIES_TRIED_MAX), undefined);
    } finally {
      await temporary.close();
    }
  });
});
