/** The part of the storage port that holds which calendars other platforms may subscribe to. */
import type { Revision } from '../history/revision.ts';

/** The calendar of one inventory type, under a URL with a secret in it. */
export interface PublishedCalendar {
  readonly propertyId: string;
  readonly inventoryTypeId: string;
  /** SHA-256 of the secret, hex; null when the calendar is not published any more. */
  readonly secretHash: string | null;
  readonly publishedAtMs: number;
  readonly revision: Revision;
}

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
