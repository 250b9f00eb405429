/** Lends connections by kind of work, with time limits, and only on a schema that fits this program. */
import type { ClientBase } from 'pg';
import { StorageUnavailable } from '../errors.ts';
import { createSchemaCheck } from '../schema-check.ts';
import type { PoolUse } from '../state.ts';
import {
  type ConnectionPools,
  type Connections,
  DECISION_WAIT_MS,
  FOLLOWING_WAIT_MS,
  openPools,
} from './connections.ts';
import { POSTGRES_SCHEMA, readApplied } from './migrate.ts';
import type { PostgresTarget } from './postgres-url.ts';
import { inTime } from '../../../runtime/time-limit.ts';

type Work<T> = (client: ClientBase) => Promise<T>;

/** Each method rejects with SchemaMismatch unless the schema fits this program; see `createSchemaCheck`. */
export interface Session {
  readonly decisionMs: number;
  /** For work that a partner waits for, within `decisionMs`. */
  decide<T>(work: Work<T>): Promise<T>;
  /** For the short reads of a follower: `StorageUnavailable` after FOLLOWING_WAIT_MS. */
  follow<T>(work: Work<T>): Promise<T>;
  /** For imports, commands and other long work. */
  run<T>(work: Work<T>): Promise<T>;
  /** As `run`, with any schema. */
  runRaw<T>(work: Work<T>): Promise<T>;
  poolUse(): readonly PoolUse[];
  /** Returns in time even if the server does not answer: see CLOSE_MS_MAX. */
  end(): Promise<void>;
}

export function openSession(target: PostgresTarget, decisionMs: number = DECISION_WAIT_MS): Session {
  let isSchemaKnown = false;
  const assertServes = createSchemaCheck(POSTGRES_SCHEMA);
  // The same name may now resolve to another database.
  const forgetSchema = (): void => {
    isSchemaKnown = false;
  };
  const pools: ConnectionPools = openPools(target, forgetSchema, { decisionMs });

  function checked<T>(work: Work<T>): Work<T> {
    return async (client) => {
      if (!isSchemaKnown) {
        assertServes(await readApplied(client));
        isSchemaKnown = true;
      }
      return work(client);
    };
  }

  return {
    decisionMs,
    decide: (work) => pools.decisions.use(checked(work)),
    follow: (work) => inTime(pools.following.use(checked(work)), FOLLOWING_WAIT_MS, refuseLate),
    run: (work) => pools.background.use(checked(work)),
    runRaw: (work) => pools.background.use(work),
    poolUse: () =>
      Object.entries(pools).map(([pool, connections]: [string, Connections]) => ({
        pool,
        ...connections.count(),
      })),
    async end() {
      await Promise.all(Object.values(pools).map((pool: Connections) => pool.end()));
    },
  };
}

function refuseLate(): never {
  throw new StorageUnavailable(`the database did not answer within ${FOLLOWING_WAIT_MS} ms`);
}
