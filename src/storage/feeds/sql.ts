/** iCal feeds. */
import { assertStorableRow } from '../engine/storable-text.ts';
import { commit } from '../engine/write-result.ts';
import {
  administrative,
  change,
  ordinary,
  type Program,
  type ProgramRunner,
  rows,
  type Value,
} from '../programs/program.ts';
import {
  FEED_COLUMNS,
  type FeedRow,
  type FeedSummaryRow,
  feedValues,
  STATE_COLUMNS,
  stateValues,
  toFeed,
  toFeedSummary,
} from './rows.ts';
import type { Feed, FeedState, FeedStore, FeedSummary } from './store.ts';

const insert = administrative('insertFeed', function* (feed: Feed) {
  const places = FEED_COLUMNS.map(() => '?').join(', ');
  yield* change(`INSERT INTO ical_feeds (${FEED_COLUMNS.join(', ')}) VALUES (${places})`, feedValues(feed));
  return commit(undefined);
});

const saveState = ordinary('saveFeedState', function* (feedId: string, state: FeedState) {
  const sets = STATE_COLUMNS.map((column) => `${column} = ?`).join(', ');
  const saved = yield* change(`UPDATE ical_feeds SET ${sets} WHERE feed_id = ?`, [
    ...stateValues(state),
    feedId,
  ]);
  return commit(saved === 1);
});

const remove = administrative('deleteFeed', function* (feedId: string, source: string) {
  const [feed] = yield* rows<FeedRow>('DELETE FROM ical_feeds WHERE feed_id = ? RETURNING *', [feedId]);
  if (feed === undefined) return commit(false);
  yield* change('DELETE FROM supply_confirmations WHERE property_id = ? AND source = ?', [
    feed.property_id,
    source,
  ]);
  return commit(true);
});

/** More than any database holds: a list of all. */
const FEEDS_MAX = 1_000_000_000;

export const FEED_WRITES = [insert, saveState, remove];

export function feedStore({ read, write }: ProgramRunner): FeedStore {
  return {
    async insertFeed(feed) {
      assertStorableRow(feed);
      await write(insert, feed);
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
        selectFeeds('WHERE next_poll_at_ms <= ? ORDER BY next_poll_at_ms, feed_id LIMIT ?', [nowMs, limit]),
      ),
    summarizeFeeds: () => read(summarize()),
  };
}

function* selectFeeds(condition: string, values: readonly Value[] = []): Program<Feed[]> {
  return (yield* rows<FeedRow>(`SELECT * FROM ical_feeds ${condition}`, values)).map(toFeed);
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
  return toFeedSummary(found);
}
