/** Where the names of other systems lead. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAPPINGS_PER_STATEMENT_MAX } from '../../../src/storage/supply/mappings.ts';
import { type OpenFixture, withStorage } from './fixture.ts';
import { suppliedWrite } from './supply-samples.ts';

export function describeMappings(open: OpenFixture): void {
  describe('mappings', () => {
    it('lead from the names of other systems to inventory types; the last one of a name counts', () =>
      withStorage(open, async (storage) => {
        const to = (source: string, externalKey: string, propertyId: string) => ({
          source,
          externalKey,
          propertyId,
          inventoryTypeId: 'double',
        });
        await storage.putSupplyMappings([
          to('pms', 'r2', 'a'),
          to('pms', 'r1', 'a'),
          to('channel', 'r1', 'b'),
        ]);
        await storage.putSupplyMappings([to('pms', 'r2', 'c'), to('pms', 'r2', 'd')]);
        const all = [to('channel', 'r1', 'b'), to('pms', 'r1', 'a'), to('pms', 'r2', 'd')];
        assert.deepEqual(await storage.listSupplyMappings(), all);
        assert.deepEqual(await storage.listSupplyMappings('pms'), all.slice(1));
        const found = await storage.findSupplyMappings('pms', ['r2', 'none']);
        assert.deepEqual(found, [{ ...to('pms', 'r2', 'd'), currency: null }]);
        await storage.writeProperties([suppliedWrite('a', [[]])]);
        const places = await storage.findSupplyMappings('pms', ['r1', 'r2']);
        const currencies = places.map(({ externalKey, currency }) => `${externalKey} ${currency}`);
        assert.deepEqual(currencies.toSorted(), ['r1 EUR', 'r2 null']);
      }));

    for (const count of [MAPPINGS_PER_STATEMENT_MAX, MAPPINGS_PER_STATEMENT_MAX + 1]) {
      it(`of one request are all stored: ${count}, of one key the last`, () =>
        withStorage(open, async (storage) => {
          const keys = Array.from({ length: count }, (_, index) => `key ${String(index).padStart(4, '0')}`);
          const mappingOf = (externalKey: string, propertyId: string) => ({
            source: 'pms',
            externalKey,
            propertyId,
            inventoryTypeId: 'double',
          });
          const latest = keys.map((key) => mappingOf(key, 'new'));
          await storage.putSupplyMappings([...keys.map((key) => mappingOf(key, 'old')), ...latest]);
          assert.deepEqual(await storage.listSupplyMappings('pms'), latest);
        }));
    }

    it('may be none', () =>
      withStorage(open, async (storage) => {
        await storage.putSupplyMappings([]);
        assert.deepEqual(await storage.listSupplyMappings(), []);
      }));
  });
}
