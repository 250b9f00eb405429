/** How fresh supply is: by property and source, and in sum by source. */
import { MANUAL_SOURCE } from '../../domain/layers.ts';
import { inPages } from '../../runtime/in-pages.ts';
import type { ConfirmedSupply, SupplyStore } from '../../storage/supply/store.ts';
import { HOUR_MS } from '../../domain/local-date.ts';

/** Rows of one read: a few milliseconds. */
const ROWS_PER_SLICE = 500;
const FIRST: ConfirmedSupply = { propertyId: '', source: '', confirmedAtMs: 0 };
/** Sources that are summed up one by one; all further ones are one sum. */
const SOURCES_MAX = 50;
const OTHER_SOURCES = 'other';

export interface SourceFreshness {
  /** Properties that the source has ever confirmed and that are there. */
  readonly properties: number;
  readonly newestConfirmedAtMs: number;
  readonly oldestConfirmedAtMs: number;
}

/** A confirmation as `freshness` prints it; hours in tenths, rounded down. */
export function presentFreshness({ propertyId, source, confirmedAtMs }: ConfirmedSupply, nowMs: number) {
  const ageHours = Math.floor((Math.max(0, nowMs - confirmedAtMs) / HOUR_MS) * 10) / 10;
  return { propertyId, source, confirmedAt: new Date(confirmedAtMs).toISOString(), ageHours };
}

/** Slice by slice, so that others get their turn in between. Without manual overrides, which confirm nothing. */
export async function* readConfirmations(
  storage: Pick<SupplyStore, 'listConfirmations'>,
): AsyncGenerator<readonly ConfirmedSupply[], void> {
  for await (const rows of readSources(storage)) {
    const confirmed = rows.filter(({ source }) => source !== MANUAL_SOURCE);
    if (confirmed.length > 0) yield confirmed;
  }
}

/** As `readConfirmations`, with `manual`: when it last closed or opened nights of a property. */
export function readSources(storage: Pick<SupplyStore, 'listConfirmations'>) {
  return inPages<ConfirmedSupply>(ROWS_PER_SLICE, (last = FIRST, limit) =>
    storage.listConfirmations(last, limit),
  );
}

export class FreshnessSummary {
  readonly sources = new Map<string, SourceFreshness>();

  add({ source, confirmedAtMs }: ConfirmedSupply): void {
    const isNamed = this.sources.has(source) || this.sources.size < SOURCES_MAX;
    const name = isNamed ? source : OTHER_SOURCES;
    const known = this.sources.get(name);
    this.sources.set(name, {
      properties: (known?.properties ?? 0) + 1,
      newestConfirmedAtMs: Math.max(known?.newestConfirmedAtMs ?? 0, confirmedAtMs),
      oldestConfirmedAtMs: Math.min(known?.oldestConfirmedAtMs ?? confirmedAtMs, confirmedAtMs),
    });
  }
}
