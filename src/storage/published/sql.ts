/** Published calendars. */
import { assertStorableRow } from '../../domain/storable-text.ts';
import { commit, rollBack } from '../engine/write-result.ts';
import { concern, type RunnerOf } from '../portable-sql/concern.ts';
import { administrative, change, type Program, rows, takeRevision } from '../portable-sql/program.ts';
import { PUBLISHED, type PublishedCalendar, type PublishedKey, type PublishedStore } from './store.ts';

const publish = administrative('publishCalendar', function* (calendar: Omit<PublishedCalendar, 'revision'>) {
  const revision = yield* takeRevision();
  const isReplaced = yield* isPublished(calendar);
  yield* change(
    `INSERT INTO published_calendars (${PUBLISHED.columns}) VALUES (${PUBLISHED.places})
       ON CONFLICT (property_id, inventory_type_id) DO UPDATE SET ${PUBLISHED.replacements}`,
    PUBLISHED.values({ ...calendar, revision }),
  );
  return commit(isReplaced);
});

/** One that is not published takes no revision. */
const unpublish = administrative('unpublishCalendar', function* (key: PublishedKey) {
  const revision = yield* takeRevision();
  if (!(yield* isPublished(key))) return rollBack(false);
  yield* change(
    `UPDATE published_calendars SET revision = ?, secret_hash = NULL
     WHERE property_id = ? AND inventory_type_id = ?`,
    [revision, key.propertyId, key.inventoryTypeId],
  );
  return commit(true);
});

const WRITES = [publish, unpublish];

export const publishedConcern = concern(WRITES, publishedStore);

function publishedStore({ read, follow, write }: RunnerOf<typeof WRITES>): PublishedStore {
  return {
    async publishCalendar(calendar) {
      assertStorableRow(calendar);
      return write(publish, calendar);
    },
    unpublishCalendar: (key) => write(unpublish, key),
    listPublishedCalendars: (after, limit) => read(selectPublished(after, limit)),
    readPublishedChanges: (after, limit) => follow(selectChanges(after, limit)),
  };
}

function* isPublished({ propertyId, inventoryTypeId }: PublishedKey): Program<boolean> {
  const found = yield* rows(
    `SELECT 1 AS found FROM published_calendars
     WHERE property_id = ? AND inventory_type_id = ? AND secret_hash IS NOT NULL`,
    [propertyId, inventoryTypeId],
  );
  return found.length > 0;
}

function* selectPublished(after: PublishedKey, limit: number): Program<PublishedCalendar[]> {
  const found = yield* rows<object>(
    `SELECT ${PUBLISHED.columns} FROM published_calendars
     WHERE (property_id, inventory_type_id) > (?, ?) AND secret_hash IS NOT NULL
     ORDER BY property_id, inventory_type_id
     LIMIT ?`,
    [after.propertyId, after.inventoryTypeId, limit],
  );
  return found.map(PUBLISHED.read);
}

function* selectChanges(after: number, limit: number): Program<PublishedCalendar[]> {
  const found = yield* rows<object>(
    `SELECT ${PUBLISHED.columns} FROM published_calendars WHERE revision > ? ORDER BY revision LIMIT ?`,
    [after, limit],
    'published-changes',
  );
  return found.map(PUBLISHED.read);
}
