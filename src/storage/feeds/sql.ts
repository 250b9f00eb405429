/** iCal feeds. */
import { assertStorableRow } from '../../domain/storable-text.ts';
import { commit } from '../engine/write-result.ts';
import {
  administrative,
  change,
  ordinary,
  type Program,
  type ProgramRunner,
  rows,
  type Value,
} from '../portable-sql/program.ts';
import type { Feed, FeedCondition, FeedState, FeedStore, FeedSummary } from './store.ts';

/** Where `ical_feeds` holds what: each field is a column, unchanged. */
const STATE_COLUMNS: Readonly<Record<keyof FeedState, string>> = {
  nextPollAtMs: 'next_poll_at_ms',
  polledAtMs: 'polled_at_ms',
  confirmedAtMs: 'confirmed_at_ms',
  failureCount: 'failure_count',
  failure: 'failure',
  etag: 'etag',
  lastModified: 'last_modified',
  contentHash: 'content_hash',
  heldHash: 'held_hash',
  heldNights: 'held_nights',
  eventCount: 'event_count',
  nightCount: 'night_count',
};
const FEED_COLUMNS: Readonly<Record<keyof Feed, string>> = {
  feedId: 'feed_id',
  propertyId: 'property_id',
  inventoryTypeId: 'inventory_type_id',
  url: 'url',
  name: 'name',
  everySeconds: 'every_seconds',
  createdAtMs: 'created_at_ms',
  ...STATE_COLUMNS,
};

type FeedRow = Readonly<Record<string, Value>>;

function toFeed(row: FeedRow): Feed {
  return Object.fromEntries(
    Object.entries(FEED_COLUMNS).map(([field, column]) => [field, row[column]]),
  ) as unknown as Feed;
}

/** In the order of `columns`. */
function valuesOf<Fields extends Readonly<Record<keyof Fields, Value>>>(
  columns: Readonly<Record<keyof Fields, string>>,
  fields: Fields,
): Value[] {
  return Object.keys(columns).map((field) => fields[field as keyof Fields]);
}

const insert = administrative('insertFeed', function* (feed: Feed) {
  const columns = Object.values(FEED_COLUMNS);
  const places = columns.map(() => '?').join(', ');
  yield* change(
    `INSERT INTO ical_feeds (${columns.join(', ')}) VALUES (${places})`,
    valuesOf(FEED_COLUMNS, feed),
  );
  return commit(undefined);
});

type ChangedFeed = Parameters<FeedStore['updateFeed']>[0];

const CHANGED_COLUMNS = { url: 'url', name: 'name', everySeconds: 'every_seconds', ...STATE_COLUMNS };

const update = administrative('updateFeed', function* (feed: ChangedFeed) {
  return commit(yield* replaceColumns(CHANGED_COLUMNS, feed.feedId, feed));
});

const saveState = ordinary('saveFeedState', function* (feedId: string, state: FeedState) {
  return commit(yield* replaceColumns(STATE_COLUMNS, feedId, state));
});

function* replaceColumns(
  columns: Readonly<Record<string, string>>,
  feedId: string,
  fields: FeedState | ChangedFeed,
): Program<boolean> {
  const sets = Object.values(columns)
    .map((column) => `${column} = ?`)
    .join(', ');
  const values = [...valuesOf(columns, { ...fields }), feedId];
  return (yield* change(`UPDATE ical_feeds SET ${sets} WHERE feed_id = ?`, values)) === 1;
}

const remove = administrative('deleteFeed', function* (feedId: string, source: string) {
  const [feed] = yield* rows<FeedRow>('DELETE FROM ical_feeds WHERE feed_id = ? RETURNING *', [feedId]);
  if (feed === undefined) return commit(false);
  yield* change('DELETE FROM supply_confirmations WHERE property_id = ? AND source = ?', [
    feed['property_id']!,
    source,
  ]);
  return commit(true);
});

/** More than any database holds: a list of all. */
const FEEDS_MAX = 1_000_000_000;

export const FEED_WRITES = [insert, update, saveState, remove];

export function feedStore({ read, write }: ProgramRunner): FeedStore {
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
        selectFeeds('WHERE next_poll_at_ms <= ? ORDER BY next_poll_at_ms, feed_id LIMIT ?', [nowMs, limit]),
      ),
    summarizeFeeds: () => read(summarize()),
  };
}

function* selectFeeds(condition: string, values: readonly Value[] = []): Program<Feed[]> {
  return (yield* rows<FeedRow>(`SELECT * FROM ical_feeds ${condition}`, values)).map(toFeed);
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
