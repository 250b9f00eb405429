/** iCal feeds. */
import { assertStorableRow } from '../../domain/storable-text.ts';
import { commit } from '../engine/write-result.ts';
import { concern, type RunnerOf } from '../portable-sql/concern.ts';
import { administrative, change, ordinary, type Program, rows, type Value } from '../portable-sql/program.ts';
import type { StoredRow } from '../portable-sql/stored-row.ts';
import {
  CLOCKS_DIFFER_MS,
  CHANGED_FEED,
  FEED,
  FEED_STATE,
  type Feed,
  type FeedCondition,
  type FeedState,
  type FeedStore,
  type FeedSummary,
} from './store.ts';

type ChangedFeed = Parameters<FeedStore['updateFeed']>[0];

const insert = administrative('insertFeed', function* (feed: Feed) {
  yield* change(`INSERT INTO ical_feeds (${FEED.columns}) VALUES (${FEED.places})`, FEED.values(feed));
  return commit(undefined);
});

const update = administrative('updateFeed', function* (feed: ChangedFeed) {
  return commit(yield* replaceColumns(CHANGED_FEED, feed.feedId, feed));
});

const saveState = ordinary('saveFeedState', function* (feedId: string, state: FeedState) {
  return commit(yield* replaceColumns(FEED_STATE, feedId, state));
});

function* replaceColumns<Row>(table: StoredRow<Row>, feedId: string, row: Row): Program<boolean> {
  const text = `UPDATE ical_feeds SET ${table.assignments} WHERE feed_id = ?`;
  return (yield* change(text, [...table.values(row), feedId])) === 1;
}

const remove = administrative('deleteFeed', function* (feedId: string, source: string) {
  const deleted = yield* rows<object>('DELETE FROM ical_feeds WHERE feed_id = ? RETURNING *', [feedId]);
  const [feed] = deleted.map(FEED.read);
  if (feed === undefined) return commit(false);
  yield* change('DELETE FROM supply_confirmations WHERE property_id = ? AND source = ?', [
    feed.propertyId,
    source,
  ]);
  return commit(true);
});

/** More than any database holds: a list of all. */
const FEEDS_MAX = 1_000_000_000;

const WRITES = [insert, update, saveState, remove];

export const feedConcern = concern(WRITES, feedStore);

function feedStore({ read, write }: RunnerOf<typeof WRITES>): FeedStore {
  return {
    async insertFeed(feed) {
      assertStorableRow(feed);
      await write(insert, feed);
    },
    async updateFeed(feed) {
      assertStorableRow(feed);
      return write(update, feed);
    },
    async saveFeedState(feedId, state) {
      assertStorableRow(state);
      return write(saveState, feedId, state);
    },
    deleteFeed: (feedId, source) => write(remove, feedId, source),
    findFeed: async (feedId) => (await read(selectFeeds('WHERE feed_id = ?', [feedId])))[0],
    listFeeds: (limit = FEEDS_MAX) => read(selectFeeds('ORDER BY created_at_ms, feed_id LIMIT ?', [limit])),
    pageFeeds: (afterId, limit) =>
      read(selectFeeds('WHERE feed_id > ? ORDER BY feed_id LIMIT ?', [afterId, limit])),
    listFeedsOf: (propertyId, limit) =>
      read(selectFeeds('WHERE property_id = ? ORDER BY created_at_ms, feed_id LIMIT ?', [propertyId, limit])),
    listFeedsInNeed: (limit) =>
      read(
        selectFeeds('WHERE failure IS NOT NULL OR held_nights IS NOT NULL ORDER BY feed_id LIMIT ?', [limit]),
      ),
    listDueFeeds: (nowMs, limit) =>
      read(
        selectFeeds(
          'WHERE next_poll_at_ms <= ? OR polled_at_ms > ? ORDER BY next_poll_at_ms, feed_id LIMIT ?',
          [nowMs, nowMs + CLOCKS_DIFFER_MS, limit],
        ),
      ),
    summarizeFeeds: () => read(summarize()),
  };
}

function* selectFeeds(condition: string, values: readonly Value[] = []): Program<Feed[]> {
  return (yield* rows<object>(`SELECT * FROM ical_feeds ${condition}`, values)).map(FEED.read);
}

interface FeedSummaryRow {
  readonly condition: FeedCondition;
  readonly feeds: number | string;
  readonly due_ms: number | string;
}

/** As `conditionOf` says it. */
function* summarize(): Program<FeedSummary> {
  const found = yield* rows<FeedSummaryRow>(`
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
    GROUP BY condition`);
  const counts = { new: 0, ok: 0, held: 0, failing: 0 };
  for (const { condition, feeds } of found) counts[condition] = Number(feeds);
  const dueMs = found.map((row) => Number(row.due_ms));
  return { counts, confirmationDueMs: dueMs.length === 0 ? null : Math.min(...dueMs) };
}
