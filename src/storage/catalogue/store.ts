/** The part of the storage port that holds properties and their calendars, and lets processes follow them. */
import type { PropertyDetails } from '../../domain/property-details.ts';
import type { PriceTerms } from '../../domain/price-terms.ts';
import type { Property } from '../../domain/property.ts';
import type { PropertyWrite, StoredCalendar, WriteOutcome } from '../../domain/ledger/stored-write.ts';
import type { HistoryMark, HistoryStore, Revision } from '../history/revision.ts';

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

export interface CatalogueStore {
  /** Each property's outcome, in order. One transaction; no revision is taken when nothing changes. */
  writeProperties(writes: readonly PropertyWrite[]): Promise<readonly WriteOutcome[]>;
  /** The outcomes that `writeProperties` would return; writes nothing. */
  compareProperties(writes: readonly PropertyWrite[]): Promise<readonly WriteOutcome[]>;
  /** Withdraws those that exist; returns how many. One transaction. */
  withdrawProperties(propertyIds: readonly string[]): Promise<number>;
  /** Ids of this source that are not withdrawn, ascending, after `afterId`. */
  listPropertyIds(source: string, afterId: string, limit: number): Promise<readonly string[]>;
  /** Properties that are not withdrawn, by id (byte order), after `afterId`; all sources unless one is named. */
  listProperties(afterId: string, limit: number, source?: string): Promise<readonly ListedProperty[]>;
  /** Properties that are not withdrawn; stops counting at `max`. */
  countProperties(max: number): Promise<number>;
  /** Undefined if unknown or withdrawn. Quotes depend on it: always the newest committed state. */
  findProperty(propertyId: string): Promise<StoredProperty | undefined>;
  /** For the traveller's page; undefined if the property has none. */
  readonly findDetails: (propertyId: string) => Promise<PropertyDetails | undefined>;
}

/** A property as the read model takes it in. */
export interface FollowedProperty {
  readonly property: Property;
  readonly revision: Revision;
  readonly lowestRates: Uint8Array;
  /** `nights` of each inventory type, in the order of `property.inventoryTypes`. */
  readonly nights: readonly Uint8Array[];
  /** `rates` of each, in the same order. */
  readonly rates: readonly Uint8Array[];
}

/** A withdrawn property: its row stays as a tombstone, so that followers notice. */
export interface WithdrawnProperty {
  readonly propertyId: string;
  readonly revision: Revision;
}

/** A place in the order of changes, after which the next page starts. */
export interface ChangeCursor {
  readonly revision: Revision;
  readonly propertyId: string;
  /** The history of the database when this place was read. */
  readonly history: HistoryMark;
}

export interface PropertyChanges {
  /** Ascending by (revision, propertyId), at most `limit` of them. */
  readonly changes: readonly (FollowedProperty | WithdrawnProperty)[];
  /** Where to continue. When `complete`, everything up to `cursor.revision` has been read. */
  readonly cursor: ChangeCursor;
  readonly complete: boolean;
}

/** One consistent view of the whole database, held until `close`. */
export interface Snapshot {
  /** The history of the database when the snapshot was opened. */
  readonly history: HistoryMark;
  /** All properties that are not withdrawn, ascending by propertyId (byte order), in batches. */
  readProperties(): AsyncIterable<readonly FollowedProperty[]>;
  close(): Promise<void>;
}

/** The reads that a follower of properties polls. */
export interface FollowedCatalogue extends HistoryStore {
  /** Throws `HistoryLost` unless the database continues the history of the cursor. */
  readPropertyChanges(after: ChangeCursor, limit: number): Promise<PropertyChanges>;
  /** Throws `HistoryLost` unless the database continues the history of `known`. */
  openSnapshot(known?: HistoryMark): Promise<Snapshot>;
}
