/**
 * The connections of one process, in three pools: for requests that partners wait for, for following, and for
 * everything else. So neither an import nor a snapshot delays a quote or a revocation.
 */
import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { RELEASE } from '../../../runtime/release.ts';
import type { PoolUse } from '../state.ts';
import { createPoolSockets } from './pool-sockets.ts';
import { PrimaryFence } from './primary-fence.ts';
import { isConnectionUsable, toConnectError, toStorageError } from './postgres-errors.ts';
import type { PostgresTarget } from './postgres-url.ts';

/** A quote reads its property, then stores itself: two such waits, and the caller has its answer in less than 1 s. */
export const DECISION_WAIT_MS = 450;
/** One statement works while the next is on its way, and commits at the same time share one sync of the log. */
export const DECISION_BATCHES_AT_ONCE = 2;
/** Connections for two kinds of work: reading properties and storing quotes. */
const DECISION_CONNECTIONS_MAX = 2 * DECISION_BATCHES_AT_ONCE;
/** The connection attempt times out before the request does. */
const DECISION_CONNECT_SHARE = 0.9;
/** The server times out with the request, the client later: by then the connection itself must be lost. */
const DECISION_READ_SHARE = 1.3;

/** A follower without an answer for this long reports the database as away. */
export const FOLLOWING_WAIT_MS = 5_000;
/** Access, the catalogue, and a look for a new key: none waits for another. */
const FOLLOWING_CONNECTIONS_MAX = 3;

const BACKGROUND_CONNECTIONS_MAX = 4;
/** Connections of one worker; one more while it applies a large supply message. */
export const CONNECTIONS_MAX =
  DECISION_CONNECTIONS_MAX + FOLLOWING_CONNECTIONS_MAX + BACKGROUND_CONNECTIONS_MAX;
const BACKGROUND_CONNECT_MS = 5_000;
export const BACKGROUND_STATEMENT_MS = 60_000;
const BACKGROUND_READ_MS = 65_000;
/** How long an import or a command waits for another writer. */
export const BACKGROUND_LOCK_MS = 10_000;
/** A writer whose machine died must not keep the lock of all others. */
const IDLE_IN_TRANSACTION_MS = 15_000;

const IDLE_MS = 30_000;
/**
 * Connections end at this age, and new ones resolve the host name again. Followers' connections live shorter: they are
 * always in use, so they meet a new primary first.
 */
export const LIFE_SECONDS = 60;
export const FOLLOWING_LIFE_SECONDS = 10;
/**
 * A follower's connection that took this long to open or to answer is not reused: the server may have been frozen and
 * replaced meanwhile. The next one resolves the name again, and all others are compared with the server that it finds.
 */
export const FOLLOWING_SUSPECT_MS = 1_000;
const KEEP_ALIVE_MS = 10_000;

export interface Connections {
  /** Lends a connection to `work`. Rejects with `StorageUnavailable` when there is none or it is lost. */
  use<T>(work: (client: PoolClient) => Promise<T>): Promise<T>;
  count(): Omit<PoolUse, 'pool'>;
  /** Lends nothing further and waits for running work, CLOSE_MS_MAX at most; then it rejects. */
  end(): Promise<void>;
}

export interface ConnectionPools {
  readonly decisions: Connections;
  readonly following: Connections;
  readonly background: Connections;
}

/** Durations that tests override. */
export interface PoolWaits {
  /** The life of all connections except followers'. */
  readonly lifeSeconds?: number;
  /** The time limit for work that a partner waits for, from the request to the answer of the server. */
  readonly decisionMs?: number;
}

/**
 * Calls `onLost` when an idle connection ends by itself, such as when the server restarts, and when another server
 * takes over.
 */
export function openPools(
  target: PostgresTarget,
  onLost: () => void,
  { lifeSeconds = LIFE_SECONDS, decisionMs = DECISION_WAIT_MS }: PoolWaits = {},
): ConnectionPools {
  const fence = new PrimaryFence({ onOtherServer: onLost });
  const shared = { fence, onLost, lifeSeconds };
  return {
    decisions: openPool(shared, {
      ...target,
      max: DECISION_CONNECTIONS_MAX,
      connectionTimeoutMillis: Math.round(decisionMs * DECISION_CONNECT_SHARE),
      statement_timeout: decisionMs,
      query_timeout: Math.round(decisionMs * DECISION_READ_SHARE),
    }),
    following: openPool(shared, {
      ...target,
      max: FOLLOWING_CONNECTIONS_MAX,
      maxLifetimeSeconds: FOLLOWING_LIFE_SECONDS,
      suspectAfterMs: FOLLOWING_SUSPECT_MS,
      connectionTimeoutMillis: FOLLOWING_WAIT_MS,
      statement_timeout: FOLLOWING_WAIT_MS,
      query_timeout: FOLLOWING_WAIT_MS,
    }),
    background: openPool(shared, {
      ...target,
      max: BACKGROUND_CONNECTIONS_MAX,
      connectionTimeoutMillis: BACKGROUND_CONNECT_MS,
      statement_timeout: BACKGROUND_STATEMENT_MS,
      query_timeout: BACKGROUND_READ_MS,
      lock_timeout: BACKGROUND_LOCK_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    }),
  };
}

interface SharedByPools {
  readonly fence: PrimaryFence;
  readonly onLost: () => void;
  readonly lifeSeconds: number;
}

type PoolOptions = PoolConfig & { readonly suspectAfterMs?: number };

function openPool(
  { fence, onLost, lifeSeconds }: SharedByPools,
  { suspectAfterMs = Infinity, ...config }: PoolOptions,
): Connections {
  const sockets = createPoolSockets();
  const pool = new Pool({
    // Marks releases that register their processes: older ones use the bare name.
    application_name: `stayport/${RELEASE}`,
    idleTimeoutMillis: IDLE_MS,
    maxLifetimeSeconds: lifeSeconds,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types: { getTypeParser },
    stream: () => sockets.open(),
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it, though its type does not say so
    onConnect: (client) => fence.admit(client),
    ...config,
  });
  // Without a listener, a restart of the server would end this process.
  pool.on('error', onLost);
  return {
    use: (work) => useConnection({ pool, fence, suspectAfterMs }, work),
    count: () => ({
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      max: pool.options.max,
    }),
    end: () => sockets.untilClosed(pool.end()),
  };
}

interface LentFrom {
  readonly pool: Pool;
  readonly fence: PrimaryFence;
  readonly suspectAfterMs: number;
}

async function useConnection<T>(
  { pool, fence, suspectAfterMs }: LentFrom,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  // The wait includes opening the connection: a frozen server may open it when it thaws.
  const askedAtMs = performance.now();
  const client = await pool.connect().catch((cause: unknown) => {
    throw toConnectError(cause);
  });
  // A closing connection also fails its running statement, and `work` learns of it that way.
  client.on('error', ignore);
  let isUsable = false;
  try {
    await fence.check(client);
    isUsable = true;
    return await work(client);
  } catch (error) {
    isUsable &&= isConnectionUsable(error);
    throw toStorageError(error);
  } finally {
    client.off('error', ignore);
    client.release(!isUsable || performance.now() - askedAtMs >= suspectAfterMs);
  }
}

function ignore(): void {}

const OID_BOOL = 16;
const OID_BYTEA = 17;
const OID_INT8 = 20;
const OID_INT2 = 21;
const OID_INT4 = 23;

/** All stored integers are safe ones, so BIGINT, which the driver returns as text, becomes a number. */
export function getTypeParser(oid: number): (text: string) => unknown {
  if (oid === OID_INT8 || oid === OID_INT4 || oid === OID_INT2) return Number;
  if (oid === OID_BYTEA) return parseBytes;
  return oid === OID_BOOL ? isTrue : asText;
}

/** `\x0a0b`; a plain Uint8Array, as every adapter returns. */
function parseBytes(text: string): Uint8Array {
  const { buffer, byteOffset, byteLength } = Buffer.from(text.slice(2), 'hex');
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function isTrue(text: string): boolean {
  return text === 't';
}

function asText(text: string): string {
  return text;
}
