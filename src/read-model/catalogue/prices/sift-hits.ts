/** Takes out of the hits of a search what its filters do not let pass, and counts the values of the rest. */
import { HitWalk, type MarketHits, type OwnHits, ownHits } from '../index/market-search.ts';
import { isCounted, PASSES, type SearchCounts, type SearchFilter, TOO_DEAR } from './search-filter.ts';
import type { PropertyRef } from './slot-price.ts';

export interface Sieve {
  readonly filter: SearchFilter;
  readonly counts: SearchCounts | undefined;
  /** Whether the property has a stay within the price limit; undefined without a limit. */
  readonly affords: ((ref: PropertyRef) => boolean) | undefined;
}

export function siftHits(
  found: readonly MarketHits[],
  { filter, counts, affords }: Sieve,
): readonly OwnHits[] {
  const sifted = ownHits(found);
  for (const hits of sifted) {
    for (const walk = new HitWalk(hits, 0); walk.block !== undefined; walk.next()) {
      const { block, slot } = walk;
      let failures = filter.judge(block, slot);
      const isOpen = counts === undefined ? failures === PASSES : isCounted(failures);
      if (affords !== undefined && isOpen && !affords({ block, slot })) failures |= TOO_DEAR;
      counts?.add(failures, filter.cursor);
      if (failures !== PASSES) {
        walk.drop();
        hits.count -= 1;
      }
    }
  }
  return sifted;
}
