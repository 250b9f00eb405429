/** Feeds as rows: the columns of `ical_feeds`, and how they become values. */
import type { Feed, FeedCondition, FeedState, FeedSummary } from './port/feed-store.ts';

type Value = string | number | null;

/** In the order of `stateValues`. */
const STATE_COLUMNS = [
  'next_poll_at_ms',
  'polled_at_ms',
  'confirmed_at_ms',
  'failure_count',
  'failure',
  'etag',
  'last_modified',
  'content_hash',
  'held_hash',
  'held_nights',
] as const;
const OWN_COLUMNS = [
  'feed_id',
  'property_id',
  'inventory_type_id',
  'url',
  'name',
  'every_seconds',
  'created_at_ms',
] as const;
const COLUMNS = [...OWN_COLUMNS, ...STATE_COLUMNS];

export type FeedRow = Readonly<Record<(typeof COLUMNS)[number], Value>>;

/** How the engine writes its n-th parameter, counted from 1. */
type Place = (index: number) => string;

export function insertFeedSql(place: Place): string {
  const places = COLUMNS.map((_column, index) => place(index + 1));
  return `INSERT INTO ical_feeds (${COLUMNS.join(', ')}) VALUES (${places.join(', ')})`;
}

export function saveFeedStateSql(place: Place): string {
  const sets = STATE_COLUMNS.map((column, index) => `${column} = ${place(index + 1)}`);
  return `UPDATE ical_feeds SET ${sets.join(', ')} WHERE feed_id = ${place(STATE_COLUMNS.length + 1)}`;
}

export const LIST_FEEDS = 'SELECT * FROM ical_feeds ORDER BY created_at_ms, feed_id';

/** As `conditionOf` says it. */
export const SUMMARIZE_FEEDS = `
  SELECT condition, COUNT(*) AS feeds, MIN(due_ms) AS due_ms FROM (
    SELECT
      CASE
        WHEN failure IS NOT NULL THEN 'failing'
        WHEN held_nights IS NOT NULL THEN 'held'
        WHEN polled_at_ms IS NULL THEN 'new'
        ELSE 'ok'
      END AS condition,
      COALESCE(confirmed_at_ms, created_at_ms) + every_seconds * 1000 AS due_ms
    FROM ical_feeds
  ) AS feeds_now
  GROUP BY condition`;

export interface FeedSummaryRow {
  readonly condition: FeedCondition;
  readonly feeds: number | string;
  readonly due_ms: number | string;
}

export function toFeedSummary(rows: readonly FeedSummaryRow[]): FeedSummary {
  const counts = { new: 0, ok: 0, held: 0, failing: 0 };
  for (const { condition, feeds } of rows) counts[condition] = Number(feeds);
  const dueMs = rows.map((row) => Number(row.due_ms));
  return { counts, confirmationDueMs: dueMs.length === 0 ? null : Math.min(...dueMs) };
}

export function feedValues(feed: Feed): Value[] {
  const { feedId, propertyId, inventoryTypeId, url, name, everySeconds, createdAtMs } = feed;
  return [feedId, propertyId, inventoryTypeId, url, name, everySeconds, createdAtMs, ...stateValues(feed)];
}

export function stateValues(state: FeedState): Value[] {
  return [
    state.nextPollAtMs,
    state.polledAtMs,
    state.confirmedAtMs,
    state.failureCount,
    state.failure,
    state.etag,
    state.lastModified,
    state.contentHash,
    state.heldHash,
    state.heldNights,
  ];
}

export function toFeed(row: FeedRow): Feed {
  const text = (column: keyof FeedRow): string | null => row[column] as string | null;
  const instant = (column: keyof FeedRow): number | null => row[column] as number | null;
  return {
    feedId: String(row.feed_id),
    propertyId: String(row.property_id),
    inventoryTypeId: String(row.inventory_type_id),
    url: String(row.url),
    name: text('name'),
    everySeconds: Number(row.every_seconds),
    createdAtMs: Number(row.created_at_ms),
    nextPollAtMs: Number(row.next_poll_at_ms),
    polledAtMs: instant('polled_at_ms'),
    confirmedAtMs: instant('confirmed_at_ms'),
    failureCount: Number(row.failure_count),
    failure: text('failure'),
    etag: text('etag'),
    lastModified: text('last_modified'),
    contentHash: text('content_hash'),
    heldHash: text('held_hash'),
    heldNights: text('held_nights'),
  };
}
