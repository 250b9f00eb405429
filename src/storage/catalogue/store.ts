/** The part of the storage port that holds properties and their calendars, and lets processes follow them. */
import type { PropertyDetails } from '../../domain/property-details.ts';
import type { PriceTerms } from '../../domain/price-terms.ts';
import type { Property } from '../../domain/property.ts';
import type { HistoryMark, HistoryStore, Revision } from '../history/revision.ts';

/** The calendar of one inventory type as `domain/calendar-codec.ts` encodes it. */
export interface StoredCalendar {
  /** That of the inventory type in the same place of `property.inventoryTypes`. */
  readonly inventoryTypeId: string;
  /** Availability and restrictions: what the night index needs. */
  readonly nights: Uint8Array;
  /** Rates: what prices need. */
  readonly rates: Uint8Array;
}

export interface StoredProperty {
  readonly property: Property;
  /** Read from the property. */
  readonly terms: PriceTerms;
  readonly source: string;
  readonly revision: Revision;
  /** Last change of the row, Unix ms. */
  readonly changedAtMs: number;
  /** The lowest upcoming rate by day, as `domain/lowest-rates.ts` encodes it. */
  readonly lowestRates: Uint8Array;
  /** One per inventory type, in the order of `property.inventoryTypes`. */
  readonly calendars: readonly StoredCalendar[];
}

/** A stored property without its calendars. */
export type ListedProperty = Pick<StoredProperty, 'property' | 'source' | 'revision' | 'changedAtMs'>;

export interface PropertyWrite {
  readonly property: Property;
  /** Absent: none, and those that are stored go. */
  readonly details?: PropertyDetails;
  /** The document is its own from now on, and the calendars become its layer. */
  readonly source: string;
  /** Of the calendars given; where other sources have layers too, that of the combination is stored. */
  readonly lowestRates: Uint8Array;
  readonly calendars: readonly StoredCalendar[];
  /** Inventory types without a calendar in the document: the source's layer stays. */
  readonly keptTypeIds?: readonly string[];
  /** Leaves a property alone whose document another source owns: `foreign`. Otherwise it is taken over. */
  readonly isOwnOnly?: boolean;
}

/**
 * `created`: new, or back after a withdrawal. `unchanged`: all that the write holds equals what is stored, lowest
 * rates included (another horizon makes other ones).
 */
export type WriteOutcome = 'created' | 'changed' | 'unchanged' | 'foreign';

export interface CatalogueStore {
  /** Each property's outcome, in order. One transaction; no revision is taken when nothing changes. */
  writeProperties(writes: readonly PropertyWrite[]): Promise<readonly WriteOutcome[]>;
  /** What `writeProperties` would answer; writes nothing. */
  compareProperties(writes: readonly PropertyWrite[]): Promise<readonly WriteOutcome[]>;
  /** Withdraws those that exist; returns how many. One transaction. */
  withdrawProperties(propertyIds: readonly string[]): Promise<number>;
  /** Ids of this source that are not withdrawn, ascending, after `afterId`. */
  listPropertyIds(source: string, afterId: string, limit: number): Promise<readonly string[]>;
  /** Those that are not withdrawn, by id (byte order), behind `afterId`; of one source where it is named. */
  listProperties(afterId: string, limit: number, source?: string): Promise<readonly ListedProperty[]>;
  /** Those that are not withdrawn; counts no further than `max`. */
  countProperties(max: number): Promise<number>;
  /** Undefined when unknown or withdrawn. Decides quotes: always the newest committed state. */
  findProperty(propertyId: string): Promise<StoredProperty | undefined>;
  /** For the traveller's page; undefined when nothing is said. */
  readonly findDetails: (propertyId: string) => Promise<PropertyDetails | undefined>;
}

/** What the read model takes in. */
export interface FollowedProperty {
  readonly property: Property;
  readonly revision: Revision;
  readonly lowestRates: Uint8Array;
  /** `nights` of each inventory type, in the order of `property.inventoryTypes`. */
  readonly nights: readonly Uint8Array[];
  /** `rates` of each, in the same order. */
  readonly rates: readonly Uint8Array[];
}

/** A property that was withdrawn: its row stays as a tombstone, so that followers see it go. */
export interface WithdrawnProperty {
  readonly propertyId: string;
  readonly revision: Revision;
}

/** A place in the order of changes; the next page starts behind it. */
export interface ChangeCursor {
  readonly revision: Revision;
  readonly propertyId: string;
  /** What the database had when the place was read. */
  readonly history: HistoryMark;
}

export interface PropertyChanges {
  /** Ascending by (revision, propertyId), at most `limit` of them. */
  readonly changes: readonly (FollowedProperty | WithdrawnProperty)[];
  /** Where to go on. When `complete`, everything up to `cursor.revision` has been seen. */
  readonly cursor: ChangeCursor;
  readonly complete: boolean;
}

/** One consistent view of the whole database, held until `close`. */
export interface Snapshot {
  /** What the database had when it was opened. */
  readonly history: HistoryMark;
  /** All properties that are not withdrawn, ascending by propertyId (byte order), in batches. */
  readProperties(): AsyncIterable<readonly FollowedProperty[]>;
  close(): Promise<void>;
}

/** What a follower of properties asks, again and again. */
export interface FollowedCatalogue extends HistoryStore {
  /** `HistoryLost` unless the database continues the history of the cursor. */
  readPropertyChanges(after: ChangeCursor, limit: number): Promise<PropertyChanges>;
  /** `HistoryLost` unless the database continues the history of `known`. */
  openSnapshot(known?: HistoryMark): Promise<Snapshot>;
}
