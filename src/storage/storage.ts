/**
 * The storage port: all that Stayport asks of a database, a part for each concern in `port/`. Take the part that you
 * need. `sqlite/` and `postgres/` are the adapters; one contract suite (`test/suites/storage/`) runs against
 * both.
 *
 * Every method rejects with `StorageUnavailable` when the database can't answer within its limits (locked, full,
 * unreachable); any other rejection is a bug. Instants are Unix milliseconds.
 */
import type { AccessStore, FollowedAccess } from './port/access-store.ts';
import type { AttributionStore } from './port/attribution-store.ts';
import type { CatalogueStore, FollowedCatalogue } from './port/catalogue-store.ts';
import type { FeedStore } from './port/feed-store.ts';
import type { QuoteStore } from './port/quote-store.ts';
import type { SupplyStore } from './port/supply-store.ts';
import type { TaskStore } from './port/task-store.ts';

/** The database is locked, full, read-only or away. Callers answer 503 and try again later. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable';
}

/** The schema is missing, older or newer than this program; `migrate` and `serve` upgrade an older one. */
export class SchemaMismatch extends Error {
  override readonly name = 'SchemaMismatch';
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
    FollowedCatalogue,
    FollowedAccess,
    AttributionStore {
  schemaState(): Promise<SchemaState>;
  /** Creates or upgrades the schema; safe when several processes do it at once. */
  migrate(): Promise<SchemaState>;
  /** Only where there is a server to connect to. */
  readonly poolUse?: () => readonly PoolUse[];
  close(): Promise<void>;
}
