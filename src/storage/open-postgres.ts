/**
 * The PostgreSQL adapter: three small pools of connections to one primary.
 */
import type { Clock } from '../runtime/clock.ts';
import { activityStore } from './activity/sql.ts';
import { postgresVisits } from './attribution/postgres.ts';
import { administeredStores } from './administered.ts';
import { attributionReport } from './attribution/sql.ts';
import { postgresCatalogue } from './catalogue/postgres.ts';
import { migrateSchema, readSchemaState } from './engine/postgres/migrate.ts';
import type { PostgresTarget } from './engine/postgres/postgres-url.ts';
import { openSession } from './engine/postgres/session.ts';
import { changeStore } from './catalogue/change-reads.ts';
import { contentStore } from './catalogue/content.ts';
import { listings } from './catalogue/listings.ts';
import { conversionStore } from './conversions/sql.ts';
import { feedStore } from './feeds/sql.ts';
import { postgresHistory } from './history/postgres.ts';
import { postgresProcesses } from './processes/postgres.ts';
import { makePostgresRunner } from './portable-sql/postgres.ts';
import { publishedStore } from './published/sql.ts';
import { postgresQuotes } from './quotes/postgres.ts';
import { quoteStore } from './quotes/sql.ts';
import type { Storage } from './storage.ts';
import { mappingStore } from './supply/mappings.ts';
import { postgresDocuments, postgresSupply } from './supply/postgres.ts';
import { supplyReads } from './supply/sql.ts';
import { openSupplyLink } from './supply/supply-link.ts';
import { setupStore } from './setup/sql.ts';
import { taskStore } from './tasks/sql.ts';
import { webhookSending } from './webhooks/sending.ts';

export interface PostgresOptions {
  /** The same as `target`, for threads: they can't be handed what reads certificates. */
  readonly databaseUrl: string;
  readonly target: PostgresTarget;
  readonly clock: Clock;
  /** How long what a partner waits for may take; tests are more patient. */
  readonly decisionMs?: number;
}

/** Resolves also when the schema is missing or another; rejects with `StorageUnavailable`. */
export async function openPostgresStorage({
  databaseUrl,
  target,
  clock,
  decisionMs,
}: PostgresOptions): Promise<Storage> {
  const session = openSession(target, decisionMs);
  const schemaState = () => session.runRaw((client) => readSchemaState(client));
  try {
    await schemaState();
  } catch (error) {
    await session.end();
    throw error;
  }

  const runner = makePostgresRunner(session, clock);
  const largeMessages = openSupplyLink(databaseUrl);
  const catalogue = postgresCatalogue(session, clock);
  return {
    ...administeredStores(runner),
    asAuthor: (author) => administeredStores(runner.asAuthor(author)),
    ...activityStore(runner),
    ...attributionReport(runner),
    ...catalogue.store,
    ...changeStore(runner),
    ...contentStore(runner),
    ...listings(runner),
    ...conversionStore(runner),
    ...feedStore(runner),
    ...mappingStore(runner),
    ...publishedStore(runner),
    ...postgresDocuments(session, clock),
    ...postgresHistory(session),
    ...postgresProcesses(session, runner),
    ...quoteStore(runner),
    ...postgresQuotes(session),
    ...postgresSupply({ session, largeMessages, clock }),
    ...postgresVisits(session),
    ...supplyReads(runner),
    ...setupStore(runner),
    ...taskStore(runner),
    ...webhookSending(runner),

    schemaState,
    migrate: () => session.runRaw((client) => migrateSchema(client, clock())),
    poolUse: () => session.poolUse(),
    async close() {
      // All at once: the bound of the second also ends a snapshot that waits for its next rows.
      await Promise.all([session.end(), largeMessages.end(), catalogue.closeSnapshots()]);
    },
  };
}
