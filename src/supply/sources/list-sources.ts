/** Who says something of which properties, in sum by source. */
import { MANUAL_SOURCE } from '../../domain/layers.ts';
import { SOURCES_LISTED_MAX, type SupplyStore } from '../../storage/supply/store.ts';
import { readSources } from '../freshness/read-freshness.ts';

export interface ListedSource {
  readonly source: string;
  /** Of those that are there: it confirmed them or closed nights of them. */
  readonly properties: number;
  /** RFC 3339; null for manual overrides, which confirm nothing, and for a source of withdrawn properties only. */
  readonly lastConfirmedAt: string | null;
}

interface Sum {
  properties: number;
  lastMs: number;
}

/** Ascending by name, at most SOURCES_LISTED_MAX. */
export async function listSources(
  storage: Pick<SupplyStore, 'listConfirmations' | 'listLayerSources'>,
): Promise<ListedSource[]> {
  const sums = new Map<string, Sum>();
  const sumOf = (source: string): Sum | undefined => {
    const known = sums.get(source);
    if (known !== undefined || sums.size >= SOURCES_LISTED_MAX) return known;
    const sum = { properties: 0, lastMs: 0 };
    sums.set(source, sum);
    return sum;
  };
  for await (const rows of readSources(storage)) {
    for (const { source, confirmedAtMs } of rows) {
      const sum = sumOf(source);
      if (sum === undefined) continue;
      sum.properties += 1;
      sum.lastMs = Math.max(sum.lastMs, confirmedAtMs);
    }
  }
  // Of properties that were withdrawn: they are closed again when these come back.
  for (const source of await storage.listLayerSources()) sumOf(source);
  return Array.from(sums, ([source, { properties, lastMs }]) => ({
    source,
    properties,
    lastConfirmedAt: source === MANUAL_SOURCE || lastMs === 0 ? null : new Date(lastMs).toISOString(),
  })).toSorted((a, b) => (a.source < b.source ? -1 : 1));
}
