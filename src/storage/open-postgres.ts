/**
 * The PostgreSQL adapter: three small pools of connections to one primary.
 */
import type { Clock } from '../runtime/clock.ts';
import { accessStore } from './access/sql.ts';
import { activityStore } from './activity/sql.ts';
import { postgresVisits } from './attribution/postgres.ts';
import { attributionReport } from './attribution/sql.ts';
import { postgresCatalogue } from './catalogue/postgres.ts';
import { migrateSchema, POSTGRES_SCHEMA_VERSION, readSchemaVersion } from './engine/postgres/migrate.ts';
import type { PostgresTarget } from './engine/postgres/postgres-url.ts';
import { openSession } from './engine/postgres/session.ts';
import { conversionStore } from './conversions/sql.ts';
import { feedStore } from './feeds/sql.ts';
import { postgresHistory } from './history/postgres.ts';
import { makePostgresRunner } from './programs/postgres.ts';
import { publishedStore } from './published/sql.ts';
import { postgresQuotes } from './quotes/postgres.ts';
import type { Storage } from './storage.ts';
import { mappingStore } from './supply/mappings.ts';
import { postgresDocuments, postgresSupply } from './supply/postgres.ts';
import { openSupplyLink } from './supply/supply-link.ts';
import { taskStore } from './tasks/sql.ts';

export interface PostgresOptions {
  /** The same as `target`, for threads: they can't be handed what reads certificates. */
  readonly databaseUrl: string;
  readonly target: PostgresTarget;
  readonly clock: Clock;
}

/** Resolves also when the schema is missing or another; rejects with `StorageUnavailable`. */
export async function openPostgresStorage({ databaseUrl, target, clock }: PostgresOptions): Promise<Storage> {
  const session = openSession(target);
  const schemaState = () =>
    session.runRaw(async (client) => ({
      version: await readSchemaVersion(client),
      latest: POSTGRES_SCHEMA_VERSION,
    }));
  try {
    await schemaState();
  } catch (error) {
    await session.end();
    throw error;
  }

  const runner = makePostgresRunner(session);
  const largeMessages = openSupplyLink(databaseUrl);
  const catalogue = postgresCatalogue(session, clock);
  return {
    ...accessStore(runner),
    ...activityStore(runner),
    ...attributionReport(runner),
    ...catalogue.store,
    ...conversionStore(runner),
    ...feedStore(runner),
    ...mappingStore(runner),
    ...postgresDocuments(session, clock),
    ...postgresHistory(session),
    ...postgresQuotes(session),
    ...postgresSupply({ session, largeMessages, clock }),
    ...postgresVisits(session),
    ...publishedStore(runner),
    ...taskStore(runner),

    schemaState,
    migrate: () => session.runRaw((client) => migrateSchema(client, clock())),
    poolUse: () => session.poolUse(),
    async close() {
      // All at once: the bound of the second also ends a snapshot that waits for its next rows.
      await Promise.all([session.end(), largeMessages.end(), catalogue.closeSnapshots()]);
    },
  };
}
