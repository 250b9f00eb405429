/** The part of the storage port that iCal feeds need. Nobody follows these rows: they take no revision. */

/** A calendar of another platform, and which inventory type it closes nights of. Instants are Unix milliseconds. */
export interface Feed extends FeedState {
  readonly feedId: string;
  readonly propertyId: string;
  readonly inventoryTypeId: string;
  /** Often holds a secret: lists and logs show its host only. */
  readonly url: string;
  readonly name: string | null;
  readonly everySeconds: number;
  readonly createdAtMs: number;
}

/** What polling a feed leaves behind. */
export interface FeedState {
  readonly nextPollAtMs: number;
  /** The last try, whatever came of it. */
  readonly polledAtMs: number | null;
  /** When the feed last said what its calendar is, changed or not. */
  readonly confirmedAtMs: number | null;
  /** Of polls in a row. */
  readonly failureCount: number;
  /** What was wrong with the last poll. */
  readonly failure: string | null;
  /** Validators of the calendar that was applied last. */
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** SHA-256 of the calendar that was applied last. */
  readonly contentHash: string | null;
  /** SHA-256 of the calendar that is held back. */
  readonly heldHash: string | null;
  /** Its closed nights, JSON; null when nothing is held back. */
  readonly heldNights: string | null;
  /** Of the calendar that was read last, applied or held back: events, and nights from yesterday on that it closes. */
  readonly eventCount: number | null;
  readonly nightCount: number | null;
}

/** In one word; failing comes before held back. */
export const FEED_CONDITIONS = ['new', 'ok', 'held', 'failing'] as const;
export type FeedCondition = (typeof FEED_CONDITIONS)[number];

export function conditionOf({ failure, heldNights, polledAtMs }: FeedState): FeedCondition {
  if (failure !== null) return 'failing';
  if (heldNights !== null) return 'held';
  return polledAtMs === null ? 'new' : 'ok';
}

/** All feeds, in a few numbers. */
export interface FeedSummary {
  /** Feeds by `conditionOf`. */
  readonly counts: Readonly<Record<FeedCondition, number>>;
  /**
   * The earliest instant at which a feed had to confirm its calendar and has not done so since: its interval after it
   * last did, or after it was subscribed. Null without feeds; mostly in the future.
   */
  readonly confirmationDueMs: number | null;
}

export interface FeedStore {
  insertFeed(feed: Feed): Promise<void>;
  /** Replaces all but what it is about; false when the feed no longer exists. */
  updateFeed(feed: Omit<Feed, 'propertyId' | 'inventoryTypeId' | 'createdAtMs'>): Promise<boolean>;
  /** Replaces the state; false when the feed no longer exists. */
  saveFeedState(feedId: string, state: FeedState): Promise<boolean>;
  /** And what `source`, which was its own, has confirmed; false when it no longer exists. */
  deleteFeed(feedId: string, source: string): Promise<boolean>;
  findFeed(feedId: string): Promise<Feed | undefined>;
  /** The oldest first; all unless limited. */
  listFeeds(limit?: number): Promise<readonly Feed[]>;
  /** By id, behind `afterId`. */
  pageFeeds(afterId: string, limit: number): Promise<readonly Feed[]>;
  /** Of one property, the oldest first. */
  listFeedsOf(propertyId: string, limit: number): Promise<readonly Feed[]>;
  /** Those that a person should look at, held back or failing, by id. */
  listFeedsInNeed(limit: number): Promise<readonly Feed[]>;
  /** Those whose next poll is due, the longest waiting first. */
  listDueFeeds(nowMs: number, limit: number): Promise<readonly Feed[]>;
  summarizeFeeds(): Promise<FeedSummary>;
}
