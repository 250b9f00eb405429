/**
 * The storage port: all that Stayport asks of a database, a part for each concern in its folder. Take the part that
 * you need. `open-sqlite.ts` and `open-postgres.ts` put the adapters together; one contract suite
 * (`test/suites/storage/`) runs against both.
 *
 * Every method rejects with `StorageUnavailable` when the database can't answer within its limits (locked, full,
 * unreachable); any other rejection is a bug. Instants are Unix milliseconds.
 */
import type { ActivityStore } from './activity/store.ts';
import type { FollowedAccess } from './access/store.ts';
import type { AdministeredStores } from './administered.ts';
import type { PoolUse, SchemaState } from './engine/state.ts';
import type { AttributionStore } from './attribution/store.ts';
import type { CatalogueStore, FollowedCatalogue } from './catalogue/store.ts';
import type { ChangeStore } from './catalogue/change-store.ts';
import type { ContentStore } from './catalogue/content.ts';
import type { ConversionStore } from './conversions/store.ts';
import type { ConnectionStore } from './connections/store.ts';
import type { FeedStore } from './feeds/store.ts';
import type { HistoryStore, Revision } from './history/revision.ts';
import type { ProcessStore } from './processes/store.ts';
import type { Author } from './portable-sql/program.ts';
import type { PublishedStore } from './published/store.ts';
import type { QuoteStore } from './quotes/store.ts';
import type { SetupStore } from './setup/store.ts';
import type { SupplyStore } from './supply/store.ts';
import type { TaskStore } from './tasks/store.ts';
import type { WebhookSending } from './webhooks/store.ts';

export { SchemaMismatch, StorageUnavailable } from './engine/errors.ts';
export type { PoolUse, SchemaState, SeenProcess } from './engine/state.ts';
export { HistoryLost } from './history/revision.ts';

export interface Storage
  extends
    CatalogueStore,
    SupplyStore,
    AdministeredStores,
    ConnectionStore,
    FeedStore,
    PublishedStore,
    SetupStore,
    QuoteStore,
    TaskStore,
    ProcessStore,
    HistoryStore,
    FollowedCatalogue,
    FollowedAccess,
    AttributionStore,
    ChangeStore,
    ContentStore,
    ConversionStore,
    ActivityStore,
    WebhookSending {
  /** The same database, with what is changed recorded under this name. */
  asAuthor(author: Author): AdministeredStores;
  schemaState(): Promise<SchemaState>;
  /** Creates or upgrades the schema; safe when several processes do it at once. */
  migrate(): Promise<SchemaState>;
  /** Only where there is a server to connect to. */
  readonly poolUse?: () => readonly PoolUse[];
  /** The number alone, of whatever history. */
  readRevision(): Promise<Revision>;
  close(): Promise<void>;
}
