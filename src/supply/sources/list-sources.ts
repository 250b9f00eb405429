/** Sources, with the number of properties that each confirmed or closed. */
import { MANUAL_SOURCE } from '../../domain/layers.ts';
import { SOURCES_LISTED_MAX, type SupplyStore } from '../../storage/supply/store.ts';
import { readSources } from '../freshness/read-freshness.ts';

export interface ListedSource {
  readonly source: string;
  /** Properties, not withdrawn, that it confirmed or closed nights of. */
  readonly properties: number;
  /** RFC 3339; null for manual overrides, which confirm nothing, and for a source with only withdrawn properties. */
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
  // Adds sources of withdrawn properties: their closings apply again if these properties return.
  for (const source of await storage.listLayerSources()) sumOf(source);
  return Array.from(sums, ([source, { properties, lastMs }]) => ({
    source,
    properties,
    lastConfirmedAt: source === MANUAL_SOURCE || lastMs === 0 ? null : new Date(lastMs).toISOString(),
  })).toSorted((a, b) => (a.source < b.source ? -1 : 1));
}
