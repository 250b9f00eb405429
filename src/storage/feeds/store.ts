/** The part of the storage port that iCal feeds need. Nobody follows these rows: they take no revision. */
import type { Told } from '../../domain/wrong.ts';
import { json, plain, type RowOf, storedRow } from '../portable-sql/stored-row.ts';

const STATE = {
  nextPollAtMs: plain<number>(),
  /** The last try, successful or not. */
  polledAtMs: plain<number | null>(),
  /** When the feed last confirmed its calendar, changed or not. */
  confirmedAtMs: plain<number | null>(),
  /** Failed polls in a row. */
  failureCount: plain<number>(),
  /** The problem of the last poll, in English. */
  failure: plain<string | null>(),
  /** The same as a code with values. */
  failureWrong: json<Told | null>(),
  /** Validators of the calendar that was applied last. */
  etag: plain<string | null>(),
  lastModified: plain<string | null>(),
  /** SHA-256 of the calendar that was applied last. */
  contentHash: plain<string | null>(),
  /** SHA-256 of the calendar that is held back. */
  heldHash: plain<string | null>(),
  /** Closed nights of the calendar that is held back, JSON; null if none is held back. */
  heldNights: plain<string | null>(),
  /** Events of the calendar read last, applied or held back, and the nights that it closes from yesterday on. */
  eventCount: plain<number | null>(),
  nightCount: plain<number | null>(),
} as const;
export const FEED_STATE = storedRow(STATE);
export type FeedState = RowOf<typeof FEED_STATE>;

const CHANGEABLE = {
  /** Often holds a secret: lists and logs show its host only. */
  url: plain<string>(),
  name: plain<string | null>(),
  everySeconds: plain<number>(),
  ...STATE,
} as const;
export const CHANGED_FEED = storedRow(CHANGEABLE);

/** A calendar of another platform, and the inventory type whose nights it closes. Instants are Unix milliseconds. */
export const FEED = storedRow({
  feedId: plain<string>(),
  propertyId: plain<string>(),
  inventoryTypeId: plain<string>(),
  createdAtMs: plain<number>(),
  ...CHANGEABLE,
});
export type Feed = RowOf<typeof FEED>;

/** The condition of a feed in one word; failing takes precedence over held back. */
export const FEED_CONDITIONS = ['new', 'ok', 'held', 'failing'] as const;
export type FeedCondition = (typeof FEED_CONDITIONS)[number];

export function conditionOf({ failure, heldNights, polledAtMs }: FeedState): FeedCondition {
  if (failure !== null) return 'failing';
  if (heldNights !== null) return 'held';
  return polledAtMs === null ? 'new' : 'ok';
}

/** Clocks of processes differ by less. */
export const CLOCKS_DIFFER_MS = 10 * 60_000;

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
  /** Feeds whose next poll is due, longest waiting first; then those that a clock polled which is far ahead, or was. */
  listDueFeeds(nowMs: number, limit: number): Promise<readonly Feed[]>;
  summarizeFeeds(): Promise<FeedSummary>;
}
