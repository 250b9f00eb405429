/** The part of the storage port that iCal feeds need. Nobody follows these rows: they take no revision. */

/** A calendar of another platform, and the inventory type whose nights it closes. Instants are Unix milliseconds. */
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

export interface FeedState {
  readonly nextPollAtMs: number;
  /** The last try, successful or not. */
  readonly polledAtMs: number | null;
  /** When the feed last confirmed its calendar, changed or not. */
  readonly confirmedAtMs: number | null;
  /** Failed polls in a row. */
  readonly failureCount: number;
  /** The problem of the last poll. */
  readonly failure: string | null;
  /** Validators of the calendar that was applied last. */
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** SHA-256 of the calendar that was applied last. */
  readonly contentHash: string | null;
  /** SHA-256 of the calendar that is held back. */
  readonly heldHash: string | null;
  /** Closed nights of the calendar that is held back, JSON; null if none is held back. */
  readonly heldNights: string | null;
  /** Events of the calendar read last, applied or held back, and the nights that it closes from yesterday on. */
  readonly eventCount: number | null;
  readonly nightCount: number | null;
}

/** The condition of a feed in one word; failing takes precedence over held back. */
export const FEED_CONDITIONS = ['new', 'ok', 'held', 'failing'] as const;
export type FeedCondition = (typeof FEED_CONDITIONS)[number];

export function conditionOf({ failure, heldNights, polledAtMs }: FeedState): FeedCondition {
  if (failure !== null) return 'failing';
  if (heldNights !== null) return 'held';
  return polledAtMs === null ? 'new' : 'ok';
}

/** All feeds in a few numbers. */
export interface FeedSummary {
  /** Feeds by `conditionOf`. */
  readonly counts: Readonly<Record<FeedCondition, number>>;
  /**
   * The earliest instant by which a feed should have confirmed its calendar and has not: its interval after its last
   * confirmation, or after it was subscribed. Null without feeds; mostly in the future.
   */
  readonly confirmationDueMs: number | null;
}

export interface FeedStore {
  insertFeed(feed: Feed): Promise<void>;
  /** Replaces all but what it is about; false when the feed no longer exists. */
  updateFeed(feed: Omit<Feed, 'propertyId' | 'inventoryTypeId' | 'createdAtMs'>): Promise<boolean>;
  /** Replaces the state; false when the feed no longer exists. */
  saveFeedState(feedId: string, state: FeedState): Promise<boolean>;
  /** Also deletes the confirmations of `source`, which was the feed's own. False if the feed no longer exists. */
  deleteFeed(feedId: string, source: string): Promise<boolean>;
  findFeed(feedId: string): Promise<Feed | undefined>;
  /** Oldest first; all unless limited. */
  listFeeds(limit?: number): Promise<readonly Feed[]>;
  /** By id, after `afterId`. */
  pageFeeds(afterId: string, limit: number): Promise<readonly Feed[]>;
  /** Oldest first. */
  listFeedsOf(propertyId: string, limit: number): Promise<readonly Feed[]>;
  /** Feeds that need a person's attention, held back or failing, by id. */
  listFeedsInNeed(limit: number): Promise<readonly Feed[]>;
  /** Feeds whose next poll is due, longest waiting first. */
  listDueFeeds(nowMs: number, limit: number): Promise<readonly Feed[]>;
  summarizeFeeds(): Promise<FeedSummary>;
}
