/**
 * Where a page starts when several markets answer to one name and their hits are merged by propertyId.
 *
 * Walking there costs a comparison per market and passed property: a far page of many towns held the event loop for a
 * quarter of a second. Here the start is found as a selection finds the n-th of several sorted lists: an id is
 * chosen, all markets count their hits below it, and what cannot be the start falls away on one side.
 */
import { NumberedHits, type MarketHits } from './market-hits.ts';

/** Ids looked at for the next cut: more make a better cut and cost more themselves. */
const SAMPLES_MAX = 32;

/** The hits of one market among which the start still can be: those numbered `low` to `high` (excluded). */
interface Span {
  readonly numbered: NumberedHits;
  low: number;
  high: number;
  /** Hits below the id of the cut. */
  cut: number;
}

/**
 * For each market the number of its first hit that is not before merged hit number `skipped`; that number must
 * be below the sum of all counts.
 */
export function findPageStart(found: readonly MarketHits[], skipped: number): number[] {
  if (skipped === 0) return found.map(() => 0);
  if (found.length === 1) return [skipped];
  const spans = found.map((hits): Span => ({
    numbered: new NumberedHits(hits),
    low: 0,
    high: hits.count,
    cut: 0,
  }));
  let open = spans.filter(({ high }) => high > 0);
  let openCount = found.reduce((sum, { count }) => sum + count, 0);
  let left = skipped;
  while (left > 0) {
    const below = cutAt(open, chooseCut(open, openCount, left));
    if (below <= left) {
      // The cut itself is passed with the next one, or is the start.
      for (const span of open) span.low = span.cut;
      left -= below;
      openCount -= below;
    } else {
      for (const span of open) span.high = span.cut;
      openCount = below;
    }
    open = open.filter(({ low, high }) => low < high);
  }
  return spans.map(({ low }) => low);
}

/** Counts in each market the hits below the id; returns how many of them are open. */
function cutAt(open: readonly Span[], propertyId: string): number {
  let below = 0;
  for (const span of open) {
    span.cut = Math.min(Math.max(span.numbered.countBelow(propertyId), span.low), span.high);
    below += span.cut - span.low;
  }
  return below;
}

/**
 * The id that parts the open hits about where the start is, and never the lowest of them, so that some fall away
 * whichever side it turns out to be.
 */
function chooseCut(open: readonly Span[], openCount: number, left: number): string {
  const sampleCount = Math.min(SAMPLES_MAX, openCount);
  const ids: string[] = [];
  let before = 0;
  for (const { numbered, low, high } of open) {
    const until = before + high - low;
    for (;;) {
      const place = Math.floor((ids.length * openCount) / sampleCount);
      if (ids.length === sampleCount || place >= until) break;
      ids.push(numbered.idOf(low + place - before));
    }
    before = until;
  }
  ids.sort((a, b) => (a < b ? -1 : 1));
  return ids[Math.max(1, Math.floor((left / openCount) * sampleCount))]!;
}
