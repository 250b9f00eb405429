/**
 * Who gets which connection, for how long, and only on a schema that this program knows.
 */
import type { ClientBase } from 'pg';
import { assertSchemaCurrent } from '../migrations.ts';
import { type ConnectionPools, DECISION_WAIT_MS, openPools } from './connections.ts';
import { within } from './deadline.ts';
import { POSTGRES_SCHEMA_VERSION, readSchemaVersion } from './migrate.ts';
import type { PostgresTarget } from './postgres-url.ts';

/** A follower that hears nothing for so long says that the database is away. */
const FOLLOW_WAIT_MS = 5_000;

type Work<T> = (client: ClientBase) => Promise<T>;

/** Each rejects with SchemaMismatch unless the schema is exactly the one that this program knows. */
export interface Session {
  /** For what a partner waits for: `StorageUnavailable` after DECISION_WAIT_MS. */
  decide<T>(work: Work<T>): Promise<T>;
  /** For short reads of a follower. */
  follow<T>(work: Work<T>): Promise<T>;
  /** For imports, commands and whatever else takes its time. */
  run<T>(work: Work<T>): Promise<T>;
  /** As `run`, whatever the schema. */
  runRaw<T>(work: Work<T>): Promise<T>;
  end(): Promise<void>;
}

export function openSession(target: PostgresTarget): Session {
  let isSchemaKnown = false;
  const pools: ConnectionPools = openPools(target, () => {
    // Behind the same name there may be another database now.
    isSchemaKnown = false;
  });

  function checked<T>(work: Work<T>): Work<T> {
    return async (client) => {
      if (!isSchemaKnown) {
        assertSchemaCurrent(await readSchemaVersion(client), POSTGRES_SCHEMA_VERSION);
        isSchemaKnown = true;
      }
      return work(client);
    };
  }

  return {
    decide: (work) => within(DECISION_WAIT_MS, pools.decisions.use(checked(work))),
    follow: (work) => within(FOLLOW_WAIT_MS, pools.background.use(checked(work))),
    run: (work) => pools.background.use(checked(work)),
    runRaw: (work) => pools.background.use(work),
    async end() {
      await Promise.all([pools.decisions.end(), pools.background.end()]);
    },
  };
}
