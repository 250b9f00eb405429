/** iCal feeds. Writes run in the writer thread, within a write transaction. */
import type { DatabaseSync } from 'node:sqlite';
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

const place = (): string => '?';

export function insertFeed(database: DatabaseSync, feed: Feed): void {
  database.prepare(insertFeedSql(place)).run(...feedValues(feed));
}

export function saveFeedState(database: DatabaseSync, feedId: string, state: FeedState): boolean {
  const { changes } = database.prepare(saveFeedStateSql(place)).run(...stateValues(state), feedId);
  return Number(changes) > 0;
}

export function deleteFeed(database: DatabaseSync, feedId: string, source: string): boolean {
  const ofFeed = 'property_id = (SELECT property_id FROM ical_feeds WHERE feed_id = ?)';
  database.prepare(`DELETE FROM supply_confirmations WHERE source = ? AND ${ofFeed}`).run(source, feedId);
  const { changes } = database.prepare('DELETE FROM ical_feeds WHERE feed_id = ?').run(feedId);
  return Number(changes) > 0;
}

export function prepareFeedQueries(database: DatabaseSync) {
  return {
    find: database.prepare('SELECT * FROM ical_feeds WHERE feed_id = ?'),
    list: database.prepare(LIST_FEEDS),
    summary: database.prepare(SUMMARIZE_FEEDS),
    due: database.prepare(
      'SELECT * FROM ical_feeds WHERE next_poll_at_ms <= ? ORDER BY next_poll_at_ms, feed_id LIMIT ?',
    ),
  };
}

export type FeedQueries = ReturnType<typeof prepareFeedQueries>;

export function selectFeed({ find }: FeedQueries, feedId: string): Feed | undefined {
  const row = find.get(feedId);
  return row && toFeed(row as FeedRow);
}

export function selectFeeds({ list }: FeedQueries): Feed[] {
  return list.all().map((row) => toFeed(row as FeedRow));
}

export function selectDueFeeds({ due }: FeedQueries, nowMs: number, limit: number): Feed[] {
  return due.all(nowMs, limit).map((row) => toFeed(row as FeedRow));
}

export function summarizeFeeds({ summary }: FeedQueries): FeedSummary {
  return toFeedSummary(summary.all() as unknown as FeedSummaryRow[]);
}
