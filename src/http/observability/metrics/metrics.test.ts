import assert from 'node:assert/strict';
import { it } from 'node:test';
import { accountFamilies } from './account-families.ts';
import type { MetricFamily } from './metric-family.ts';
import { catalogueFamilies } from './metrics.ts';
import { feedFamilies } from './supply-families.ts';
import { webhookFamilies } from './webhook-families.ts';

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

const NOW_MS = 1_000_000;
const NO_FEEDS = { new: 0, ok: 0, held: 0, failing: 0 };
const NO_WEBHOOKS = { ok: 0, failing: 0, disabled: 0, stopped: 0 };

/** The one sample without labels of the family. */
function valueOf(families: readonly MetricFamily[], name: string): number | undefined {
  const [sample] = families.find((family) => family.name === name)!.read();
  return sample?.value;
}

for (const [name, ageOf] of [
  [
    'stayport_connection_age_seconds',
    (ageSeconds: number | null) =>
      accountFamilies({ reads: {}, calls: () => 0, state: () => ({ counts: {}, ageSeconds }) }),
  ],
  [
    'stayport_ical_overdue_seconds',
    (ageSeconds: number | null) => {
      const state = { counts: NO_FEEDS, confirmationDueMs: instantOf(ageSeconds) };
      return feedFamilies({ polls: {}, state: () => state }, () => NOW_MS);
    },
  ],
  [
    'stayport_webhook_waiting_seconds',
    (ageSeconds: number | null) => {
      const state = { counts: NO_WEBHOOKS, oldestUntriedMs: instantOf(ageSeconds) };
      return webhookFamilies({ tries: { delivered: 0, failed: 0 }, state: () => state }, () => NOW_MS);
    },
  ],
] as const)
  it(`${name} is an age, and 0 where there is none`, () => {
    for (const ageSeconds of [null, 0, 7.5]) assert.equal(valueOf(ageOf(ageSeconds), name), ageSeconds ?? 0);
  });

function instantOf(ageSeconds: number | null): number | null {
  return ageSeconds === null ? null : NOW_MS - ageSeconds * 1_000;
}
