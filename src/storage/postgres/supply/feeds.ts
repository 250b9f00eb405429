/** iCal feeds. */
import type { ClientBase } from 'pg';
import {
  type FeedRow,
  type FeedSummaryRow,
  feedValues,
  insertFeedSql,
  LIST_FEEDS,
  saveFeedStateSql,
  stateValues,
  SUMMARIZE_FEEDS,
  toFeed,
  toFeedSummary,
} from '../../feed-rows.ts';
import type { Feed, FeedState, FeedSummary } from '../../port/feed-store.ts';

const place = (index: number): string => `$${index}`;

export async function insertFeed(client: ClientBase, feed: Feed): Promise<void> {
  await client.query(insertFeedSql(place), feedValues(feed));
}

export async function saveFeedState(client: ClientBase, feedId: string, state: FeedState): Promise<boolean> {
  const { rowCount } = await client.query(saveFeedStateSql(place), [...stateValues(state), feedId]);
  return rowCount === 1;
}

export async function deleteFeed(client: ClientBase, feedId: string, source: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `WITH feed AS (DELETE FROM ical_feeds WHERE feed_id = $1 RETURNING property_id),
       confirmed AS (
         DELETE FROM supply_confirmations USING feed
         WHERE supply_confirmations.property_id = feed.property_id AND source = $2)
     SELECT property_id FROM feed`,
    [feedId, source],
  );
  return rowCount === 1;
}

export async function selectFeed(client: ClientBase, feedId: string): Promise<Feed | undefined> {
  const { rows } = await client.query<FeedRow>('SELECT * FROM ical_feeds WHERE feed_id = $1', [feedId]);
  return rows[0] && toFeed(rows[0]);
}

export async function selectFeeds(client: ClientBase): Promise<Feed[]> {
  const { rows } = await client.query<FeedRow>(LIST_FEEDS);
  return rows.map(toFeed);
}

export async function selectDueFeeds(client: ClientBase, nowMs: number, limit: number): Promise<Feed[]> {
  const { rows } = await client.query<FeedRow>(
    'SELECT * FROM ical_feeds WHERE next_poll_at_ms <= $1 ORDER BY next_poll_at_ms, feed_id LIMIT $2',
    [nowMs, limit],
  );
  return rows.map(toFeed);
}

export async function summarizeFeeds(client: ClientBase): Promise<FeedSummary> {
  const { rows } = await client.query<FeedSummaryRow>(SUMMARIZE_FEEDS);
  return toFeedSummary(rows);
}
