/**
 * The storage port: all that Stayport asks of a database. `sqlite/` and `postgres/` are its adapters; one contract
 * suite (`storage-suite.ts`) runs against both.
 *
 * Every write of followed data (properties, partners, credentials, handoff keys, operator tokens) increments one
 * revision counter first, in the same transaction, and stamps the rows that it changes; revisions therefore appear
 * in commit order. Quotes are not followed and take no revision, so that they never queue behind an import.
 *
 * Every method rejects with `StorageUnavailable` when the database can't answer within its limits (locked, full,
 * unreachable); any other rejection is a bug. Instants are Unix milliseconds.
 */
import type { Locale, Property } from '../domain/property.ts';
import type { AccessMark } from './access-mark.ts';
import type { AttributionStore } from './attribution-store.ts';
import type { FeedStore } from './feeds/feed-store.ts';
import type { SupplyStore } from './supply-store.ts';

export type Revision = number;

/** The database is locked, full, read-only or away. Callers answer 503 and try again later. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable';
}

/** The schema is missing, older or newer than this program; `migrate` and `serve` upgrade an older one. */
export class SchemaMismatch extends Error {
  override readonly name = 'SchemaMismatch';
}

/** The calendar of one inventory type as `domain/calendar-codec.ts` encodes it. */
export interface StoredCalendar {
  /** That of the inventory type in the same place of `property.inventoryTypes`. */
  readonly inventoryTypeId: string;
  /** Availability and restrictions: what the night index needs. */
  readonly nights: Uint8Array;
  /** Rates: what only a quote needs. */
  readonly rates: Uint8Array;
}

export interface StoredProperty {
  readonly property: Property;
  readonly source: string;
  readonly revision: Revision;
  /** Last change of the row, Unix ms. */
  readonly changedAtMs: number;
  /** The lowest upcoming rate by day, as `domain/lowest-rates.ts` encodes it. */
  readonly lowestRates: Uint8Array;
  /** One per inventory type, in the order of `property.inventoryTypes`. */
  readonly calendars: readonly StoredCalendar[];
}

/** What the read model takes in: a stored property without its rates. */
export interface FollowedProperty {
  readonly property: Property;
  readonly revision: Revision;
  readonly lowestRates: Uint8Array;
  /** `nights` of each inventory type, in the order of `property.inventoryTypes`. */
  readonly nights: readonly Uint8Array[];
}

/** A property that was withdrawn: its row stays as a tombstone, so that followers see it go. */
export interface WithdrawnProperty {
  readonly propertyId: string;
  readonly revision: Revision;
}

export interface PropertyWrite {
  readonly property: Property;
  /** The document is its own from now on, and the calendars become its layer. */
  readonly source: string;
  /** Of the calendars given; where other sources have layers too, that of the combination is stored. */
  readonly lowestRates: Uint8Array;
  readonly calendars: readonly StoredCalendar[];
  /** Inventory types of whose calendar the document says nothing: the layer that the source has stays. */
  readonly keptTypeIds?: readonly string[];
  /** Leaves a property alone whose document another source owns: `foreign`. Otherwise it is taken over. */
  readonly isOwnOnly?: boolean;
}

/**
 * `created`: new, or back after a withdrawal. `unchanged`: all that the write holds equals what is stored, lowest
 * rates included (another horizon makes other ones).
 */
export type WriteOutcome = 'created' | 'changed' | 'unchanged' | 'foreign';

export interface PartnerRow {
  readonly partnerId: string;
  readonly name: string;
  readonly origins: readonly string[];
  readonly disabled: boolean;
  readonly createdAtMs: number;
  readonly revision: Revision;
}

/** Absent: stays as it is. */
export type PartnerChanges = Partial<Pick<PartnerRow, 'name' | 'origins' | 'disabled'>>;

export interface CredentialRow {
  readonly credentialId: string;
  readonly partnerId: string;
  /** SHA-256 of the token, hex. */
  readonly tokenHash: string;
  readonly scopes: readonly string[];
  readonly quota: number;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  /** Sees the sandbox, and nothing else. */
  readonly isTest: boolean;
  readonly revision: Revision;
}

export interface HandoffKeyRow {
  readonly keyId: string;
  /** 256 bits, base64. */
  readonly secret: string;
  readonly createdAtMs: number;
  /** From then on it opens nothing. */
  readonly retiredAtMs: number | null;
  readonly revision: Revision;
}

export interface OperatorTokenRow {
  readonly operatorTokenId: string;
  readonly name: string;
  /** SHA-256 of the token, hex. */
  readonly tokenHash: string;
  readonly scopes: readonly string[];
  /** The one supply source that it may speak for; null: any. */
  readonly source: string | null;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  readonly revision: Revision;
}

/** Everything about who may do what; small enough to be read whole. */
export interface AccessRows {
  readonly partners: readonly PartnerRow[];
  readonly credentials: readonly CredentialRow[];
  readonly handoffKeys: readonly HandoffKeyRow[];
  readonly operatorTokens: readonly OperatorTokenRow[];
}

export interface QuoteRow {
  readonly quoteId: string;
  readonly propertyId: string;
  readonly partnerId: string;
  readonly credentialId: string;
  readonly inventoryTypeId: string;
  readonly locale: Locale;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** The answer as the partner got it, JSON. */
  readonly answer: string;
  /** Nightly and tax breakdown, JSON. */
  readonly breakdown: string;
  /** Of a property of the sandbox: no report of attribution counts it. */
  readonly isTest: boolean;
}

/** A place in the order of changes; the next page starts behind it. */
export interface ChangeCursor {
  readonly revision: Revision;
  readonly propertyId: string;
}

export interface PropertyChanges {
  /** Ascending by (revision, propertyId), at most the limit asked for. */
  readonly changes: readonly (FollowedProperty | WithdrawnProperty)[];
  /** Where to go on. When `complete`, everything up to `cursor.revision` has been seen. */
  readonly cursor: ChangeCursor;
  readonly complete: boolean;
}

/** One consistent view of the whole database, held until `close`. */
export interface Snapshot {
  readonly revision: Revision;
  /** All properties that are not withdrawn, ascending by propertyId (byte order), in batches. */
  readProperties(): AsyncIterable<readonly FollowedProperty[]>;
  close(): Promise<void>;
}

export interface CatalogueStore {
  /** Each property's outcome, in order. One transaction; no revision is taken when nothing changes. */
  writeProperties(writes: readonly PropertyWrite[]): Promise<readonly WriteOutcome[]>;
  /** What `writeProperties` would answer; writes nothing. */
  compareProperties(writes: readonly PropertyWrite[]): Promise<readonly WriteOutcome[]>;
  /** Withdraws those that exist; returns how many. One transaction. */
  withdrawProperties(propertyIds: readonly string[]): Promise<number>;
  /** Ids of this source that are not withdrawn, ascending, after `afterId`. */
  listPropertyIds(source: string, afterId: string, limit: number): Promise<readonly string[]>;
  /** Undefined when unknown or withdrawn. Decides quotes: always the newest committed state. */
  findProperty(propertyId: string): Promise<StoredProperty | undefined>;
}

export interface AccessStore {
  readAccess(): Promise<AccessRows>;
  /** Newest first. */
  readHandoffKeys(): Promise<readonly HandoffKeyRow[]>;
  /** Inserts or replaces by id; the revision in the row is ignored and taken from the counter. */
  putPartner(partner: PartnerRow): Promise<void>;
  /** Changes only what is named, so that two commands at once undo nothing of each other; undefined: no such partner. */
  updatePartner(partnerId: string, changes: PartnerChanges): Promise<PartnerRow | undefined>;
  /**
   * Inserts or replaces by id, all of them in one transaction (a rotation writes two). A stored `revokedAtMs` is
   * kept whatever the row says, and of two expiries the earlier, so that a command which read the row earlier can't
   * undo a revocation or the end of an overlap.
   */
  putCredentials(credentials: readonly CredentialRow[]): Promise<void>;
  /**
   * Inserts the key unless one exists already and `unlessAnyExists` is set; returns the keys, newest first. The
   * first start of several processes at once must agree on one key.
   */
  putHandoffKey(
    key: HandoffKeyRow,
    options: { readonly unlessAnyExists: boolean },
  ): Promise<readonly HandoffKeyRow[]>;
  /**
   * From `atMs` on the key opens nothing; one that is retired already keeps its instant. Returns the keys, newest
   * first; an unknown id changes nothing.
   */
  retireHandoffKey(keyId: string, atMs: number): Promise<readonly HandoffKeyRow[]>;
  /** Inserts or replaces by id. A stored `revokedAtMs` is kept whatever the row says. */
  putOperatorToken(token: OperatorTokenRow): Promise<void>;
}

export interface QuoteStore {
  /** Resolved means: the row survives `kill -9`. */
  insertQuote(quote: QuoteRow): Promise<void>;
  findQuote(quoteId: string): Promise<QuoteRow | undefined>;
  /**
   * Deletes at most `limit` quotes that expired before the instant, the oldest first, with their visits; the totals of
   * their days stay. Returns how many.
   */
  deleteExpiredQuotes(expiredBeforeMs: number, limit: number): Promise<number>;
}

/** Work that one process of all does, such as deleting old quotes. */
export interface TaskStore {
  /**
   * Whether `holder` has the task now: it was free, its claim had ended, or it was this holder's already. The claim
   * then lasts until `untilMs`; one that ends now gives the task back. A process that dies loses its claims by that.
   */
  claimTask(
    task: string,
    holder: string,
    term: { readonly nowMs: number; readonly untilMs: number },
  ): Promise<boolean>;
}

/** What a follower asks, again and again. */
export interface FollowedStore {
  /** Cheap enough for ten times a second. */
  readRevision(): Promise<Revision>;
  /** The same as long as no row of access changes; reads counts and revisions, no rows. */
  readAccessMark(): Promise<AccessMark>;
  readAccess(): Promise<AccessRows>;
  readPropertyChanges(after: ChangeCursor, limit: number): Promise<PropertyChanges>;
  openSnapshot(): Promise<Snapshot>;
}

export interface SchemaState {
  /** 0 for an empty database. */
  readonly version: number;
  /** The version that this program writes. */
  readonly latest: number;
}

/** The connections of one pool, now. */
export interface PoolUse {
  readonly pool: string;
  readonly open: number;
  readonly idle: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
  readonly max: number;
}

export interface Storage
  extends
    CatalogueStore,
    SupplyStore,
    FeedStore,
    AccessStore,
    QuoteStore,
    TaskStore,
    FollowedStore,
    AttributionStore {
  schemaState(): Promise<SchemaState>;
  /** Creates or upgrades the schema; safe when several processes do it at once. */
  migrate(): Promise<SchemaState>;
  /** Only where there is a server to connect to. */
  readonly poolUse?: () => readonly PoolUse[];
  close(): Promise<void>;
}
