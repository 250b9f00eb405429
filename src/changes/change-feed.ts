/** The port that the partner listener meets feeds of changes through: that of the catalogue, and that of the sandbox. */
import type { ChangeKind } from '../storage/catalogue/change-row.ts';

export interface FeedQuestion {
  readonly partnerId: string;
  /** Undefined: where are we now? */
  readonly since: string | undefined;
  readonly limit: number;
  /** What was true so long ago is as good as what is true now; 0 unless given. */
  readonly mayBeOldMs?: number;
}

export interface ToldChange {
  readonly propertyId: string;
  readonly change: ChangeKind;
}

export interface ToldChanges {
  /** Each property once. */
  readonly changes: readonly ToldChange[];
  readonly next: string;
  readonly hasMore: boolean;
  /** While it is that of the feed, there is nothing to tell behind `next`. */
  readonly version: number;
}

/**
 * `invalid`: not a cursor of this partner. `reset`: it was one, and what changed since can't be told. `away`: nothing can
 * be told at present.
 */
export type FeedRefusal = 'invalid' | 'reset' | 'away';

export type FeedAnswer =
  | ({ readonly refused?: undefined } & ToldChanges)
  | { readonly refused: FeedRefusal; readonly reason?: string };

export interface ChangeFeed {
  readonly ask: (question: FeedQuestion) => Promise<FeedAnswer>;
  /** Another number than that of an answer: there may be more to tell. */
  readonly version: () => number;
}
