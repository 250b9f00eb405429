/**
 * The PostgreSQL adapter: three small pools of connections to one primary.
 */
import type { Clock } from '../runtime/clock.ts';
import { activityConcern } from './activity/sql.ts';
import { postgresVisits } from './attribution/postgres.ts';
import { postgresCatalogue } from './catalogue/postgres.ts';
import { concernStores } from './concerns/concerns.ts';
import { migrateSchema, readSchemaState } from './engine/postgres/migrate.ts';
import type { PostgresTarget } from './engine/postgres/postgres-url.ts';
import { openSession } from './engine/postgres/session.ts';
import { postgresHistory } from './history/postgres.ts';
import { postgresProcesses, readPostgresProcesses } from './processes/postgres.ts';
import { makePostgresRunner } from './portable-sql/postgres.ts';
import { postgresQuotes } from './quotes/postgres.ts';
import type { Storage } from './storage.ts';
import { postgresDocuments, postgresSupply } from './supply/postgres.ts';
import { openSupplyLink } from './supply/supply-link.ts';

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
    ...concernStores(runner),
    ...activityConcern.store(runner),
    ...catalogue.store,
    ...postgresDocuments(session, clock),
    ...postgresHistory(session),
    ...postgresProcesses(session),
    ...postgresQuotes(session),
    ...postgresSupply({ session, largeMessages, clock }),
    ...postgresVisits(session),

    schemaState,
    migrate: () =>
      session.runRaw((client) => {
        const nowMs = clock();
        return migrateSchema(client, { nowMs, findServing: () => readPostgresProcesses(client, nowMs) });
      }),
    poolUse: () => session.poolUse(),
    async close() {
      // All at once: the bound of the second also ends a snapshot that waits for its next rows.
      await Promise.all([session.end(), largeMessages.end(), catalogue.closeSnapshots()]);
    },
  };
}
