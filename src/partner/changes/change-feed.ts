/** The port through which the partner listener reads a feed of changes, of the catalogue or of the sandbox. */
import type { ChangeKind } from '../../storage/catalogue/change-row.ts';

export interface FeedQuestion {
  readonly partnerId: string;
  /** Undefined asks for the current cursor. */
  readonly since: string | undefined;
  readonly limit: number;
  /** Accepts a state up to this many milliseconds old; default 0. */
  readonly mayBeOldMs?: number;
}

export interface ListedChange {
  readonly propertyId: string;
  readonly change: ChangeKind;
}

export interface ListedChanges {
  /** Each property once. */
  readonly changes: readonly ListedChange[];
  readonly next: string;
  readonly hasMore: boolean;
  /** While the feed has the same version, there are no changes after `next`. */
  readonly version: number;
}

/**
 * `invalid`: not a cursor of this partner. `reset`: the cursor is too old or of a lost history: start over. `away`: the
 * feed is unavailable now.
 */
export type FeedRefusal = 'invalid' | 'reset' | 'away';

export type FeedAnswer =
  | ({ readonly refused?: undefined } & ListedChanges)
  | { readonly refused: FeedRefusal; readonly reason?: string };

export interface ChangeFeed {
  readonly ask: (question: FeedQuestion) => Promise<FeedAnswer>;
  /** If it differs from an answer's version, there may be more changes. */
  readonly version: () => number;
}
