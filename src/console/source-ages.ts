/** When each source last confirmed, summed up over all properties: too much work for one page. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SupplyStore } from '../storage/supply/store.ts';
import { FreshnessSummary, readConfirmations } from '../supply/freshness/read-freshness.ts';
import { createKept, type Kept } from './kept.ts';

/** In sum over its properties, as of some seconds ago. */
export type SourceAge = Awaited<ReturnType<typeof sumUp>>[number];
export type SourceAges = Kept<readonly SourceAge[]>;

const AGES_KEPT_MS = 10_000;

/** Summed up over all properties: kept for ten seconds, or longer where it takes long. */
export function createSourceAges(storage: Pick<SupplyStore, 'listConfirmations'>): SourceAges {
  return createKept({ make: () => sumUp(storage), isOutdated: (ageMs) => ageMs >= AGES_KEPT_MS });
}

async function sumUp(storage: Pick<SupplyStore, 'listConfirmations'>) {
  const summary = new FreshnessSummary();
  for await (const rows of readConfirmations(storage)) {
    for (const row of rows) summary.add(row);
    await nextTurn();
  }
  return [...summary.sources]
    .sort(([, one], [, other]) => one.newestConfirmedAtMs - other.newestConfirmedAtMs)
    .map(([source, { properties, newestConfirmedAtMs, oldestConfirmedAtMs }]) => ({
      ...{ source, properties },
      newestConfirmedAt: new Date(newestConfirmedAtMs).toISOString(),
      oldestConfirmedAt: new Date(oldestConfirmedAtMs).toISOString(),
    }));
}
