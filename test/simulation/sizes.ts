/** Sizes of pages, batches and buffers in a story: so small that four properties fill them. */
import type { FeedSizes } from '../../src/partner/changes/recent-changes.ts';

/** What is absent has the size that the service gives it. */
export interface Sizes {
  /** Properties of a page of a search. */
  readonly list?: number;
  /** Changes that a feed reads at once, and what it keeps. */
  readonly feed?: number;
  /** Changes that memory takes at once. */
  readonly follower?: number;
  /** Properties of a batch of a snapshot. */
  readonly snapshot?: number;
  /** Properties that an import or the retention writes at once. */
  readonly batch?: number;
  /** Deliveries that are tried at once. */
  readonly tries?: number;
}

/** All sizes are the service's own. */
export const SERVICE_SIZES: Sizes = {};
const SMALL = [2, 2, 3] as const;
/** Half of the stories have some sizes of the service, the others none. */
const USUAL_SHARES = [0, 0.5] as const;

export function drawSizes(random: () => number): Sizes {
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;
  const usualShare = pick(USUAL_SHARES);
  const names: readonly (keyof Sizes)[] = ['list', 'feed', 'follower', 'snapshot', 'batch', 'tries'];
  return Object.fromEntries(
    names.flatMap((name) => (random() < usualShare ? [] : [[name, pick(SMALL)] as const])),
  );
}

/** Two queries an answer, so that catching up takes several. */
export function feedSizesOf({ feed }: Sizes): FeedSizes | undefined {
  if (feed === undefined) return undefined;
  return { read: feed, reads: 2, recent: feed, marks: feed, scanned: 2 * feed, shared: 1 };
}
