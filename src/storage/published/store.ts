/** The part of the storage port that holds which calendars other platforms may subscribe to. */
import type { Revision } from '../history/revision.ts';
import { plain, type RowOf, storedRow } from '../portable-sql/stored-row.ts';

/** The calendar of one inventory type, under a URL with a secret in it. */
export const PUBLISHED = storedRow({
  propertyId: plain<string>(),
  inventoryTypeId: plain<string>(),
  /** SHA-256 of the secret, hex; null when the calendar is not published any more. */
  secretHash: plain<string | null>(),
  publishedAtMs: plain<number>(),
  revision: plain<Revision>(),
});
export type PublishedCalendar = RowOf<typeof PUBLISHED>;

export type PublishedKey = Pick<PublishedCalendar, 'propertyId' | 'inventoryTypeId'>;

export interface PublishedStore {
  /** Inserts, or replaces the secret; whether there was one in force. Takes a revision of its own. */
  publishCalendar(calendar: Omit<PublishedCalendar, 'revision'>): Promise<boolean>;
  /** False when it was not published. */
  unpublishCalendar(key: PublishedKey): Promise<boolean>;
  /** Those in force, by property and type, behind `after`. */
  listPublishedCalendars(after: PublishedKey, limit: number): Promise<readonly PublishedCalendar[]>;
  /** Ascending by revision, those that are not published any more included; each has a revision of its own. */
  readPublishedChanges(after: Revision, limit: number): Promise<readonly PublishedCalendar[]>;
}
