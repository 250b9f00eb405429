import assert from 'node:assert/strict';
import { it } from 'node:test';
import { catalogueFamilies } from './metrics.ts';

it('tells the catalogue and how far it is behind, each number by its own name', () => {
  const families = catalogueFamilies({
    readiness: () => 'ready',
    freshness: () => ({
      access: { ageMs: 1_000 },
      catalogue: { ageMs: 2_000 },
      lagRevisions: 3,
      lagMs: 4_000,
      memory: { bytes: 500, freeBytes: 60 },
    }),
    catalogueSize: () => ({ properties: 7, inventoryTypes: 8, markets: 9 }),
  });
  const told = families.map(({ name, read }) => [name, [...read()][0]?.value]);
  assert.deepEqual(Object.fromEntries(told), {
    stayport_ready: 1,
    stayport_follower_lag_revisions: 3,
    stayport_follower_lag_seconds: 4,
    stayport_database_contact_age_seconds: 2,
    stayport_access_age_seconds: 1,
    stayport_catalogue_properties: 7,
    stayport_catalogue_inventory_types: 8,
    stayport_catalogue_markets: 9,
    stayport_catalogue_memory_bytes: 500,
    stayport_catalogue_memory_free_bytes: 60,
  });
});
