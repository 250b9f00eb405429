/** Feeds as rows: the columns of `ical_feeds`, and how they become values. */
import type { Value } from '../programs/program.ts';
import type { Feed, FeedCondition, FeedState, FeedSummary } from './store.ts';

/** In the order of `stateValues`. */
export const STATE_COLUMNS = [
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
  'event_count',
  'night_count',
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
export const FEED_COLUMNS = [...OWN_COLUMNS, ...STATE_COLUMNS];

export type FeedRow = Readonly<Record<(typeof FEED_COLUMNS)[number], Value>>;

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
    state.eventCount,
    state.nightCount,
  ];
}

export function toFeed(row: FeedRow): Feed {
  const text = (column: keyof FeedRow): string | null => row[column] as string | null;
  const number = (column: keyof FeedRow): number | null => row[column] as number | null;
  return {
    feedId: String(row.feed_id),
    propertyId: String(row.property_id),
    inventoryTypeId: String(row.inventory_type_id),
    url: String(row.url),
    name: text('name'),
    everySeconds: Number(row.every_seconds),
    createdAtMs: Number(row.created_at_ms),
    nextPollAtMs: Number(row.next_poll_at_ms),
    polledAtMs: number('polled_at_ms'),
    confirmedAtMs: number('confirmed_at_ms'),
    failureCount: Number(row.failure_count),
    failure: text('failure'),
    etag: text('etag'),
    lastModified: text('last_modified'),
    contentHash: text('content_hash'),
    heldHash: text('held_hash'),
    heldNights: text('held_nights'),
    eventCount: number('event_count'),
    nightCount: number('night_count'),
  };
}
