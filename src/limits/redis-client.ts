/** A connection to Redis or a Redis Cluster that fails fast: callers can count without it. */
import { once } from 'node:events';
import { Cluster, Redis } from 'ioredis';
import type { RedisAddress } from './redis-url.ts';

export type RedisClient = Redis | Cluster;

const CONNECT_MS_MAX = 2_000;
/** Above the time limit of a count: the counter gives up first, this only cleans up. */
const COMMAND_MS_MAX = 1_000;
const RECONNECT_MS_MIN = 50;
const RECONNECT_MS_MAX = 1_000;
/** The library waits so long even for a lost connection, and delays the end of the process. */
const DISCONNECT_MS_MAX = 100;
/** How long the successor of a node may remain unknown. */
const CLUSTER_REFRESH_MS = 1_000;
const CLUSTER_REDIRECTIONS_MAX = 3;

/**
 * The library would queue commands without a connection, and repeat commands after a broken one. The first hangs, the
 * second counts twice.
 */
const FAIL_FAST = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  connectTimeout: CONNECT_MS_MAX,
  commandTimeout: COMMAND_MS_MAX,
  disconnectTimeout: DISCONNECT_MS_MAX,
  connectionName: 'stayport',
  // Understood by every server of the last ten years.
  protocol: 2,
  // A server that became a replica answers READONLY: connect again, which finds the primary behind the same name.
  reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
} as const;

export interface RedisEvents {
  readonly onError: (error: Error) => void;
  /** A connection broke; known before the next command. */
  readonly onClose: () => void;
}

/** Connects in the background and stays connected. */
export function connectRedis(address: RedisAddress, { onError, onClose }: RedisEvents): RedisClient {
  const client = address.isCluster ? connectCluster(address) : connectSingle(address);
  client.on('error', onError);
  client.on(address.isCluster ? '-node' : 'close', onClose);
  return client;
}

/** Resolves when commands can be sent, or after CONNECT_MS_MAX. */
export async function untilConnected(client: RedisClient): Promise<void> {
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), CONNECT_MS_MAX);
  try {
    if (client.status !== 'ready') await once(client, 'ready', { signal: giveUp.signal });
    // Cluster nodes are connected at their first command, and refuse a second one meanwhile.
    if (client instanceof Cluster) await Promise.all(client.nodes('master').map((node) => node.ping()));
  } catch {
    // The next caller will learn it.
  } finally {
    clearTimeout(timer);
  }
}

function connectSingle(address: RedisAddress): Redis {
  const [{ host, port }] = address.nodes;
  return new Redis({
    ...FAIL_FAST,
    ...login(address),
    host,
    port,
    db: address.database,
    retryStrategy: delay,
  });
}

function connectCluster(address: RedisAddress): Cluster {
  const { enableOfflineQueue: _, ...node } = FAIL_FAST;
  return new Cluster([...address.nodes], {
    enableOfflineQueue: false,
    clusterRetryStrategy: delay,
    slotsRefreshTimeout: CONNECT_MS_MAX,
    slotsRefreshInterval: CLUSTER_REFRESH_MS,
    maxRedirections: CLUSTER_REDIRECTIONS_MAX,
    // 0 is "do not try again".
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    redisOptions: { ...node, ...login(address) },
    // Certificates are for names; the library's look-up would replace them by addresses.
    ...(address.isTls && { dnsLookup: (name, done) => done(null, name) }),
  });
}

function login({ username, password, isTls }: RedisAddress) {
  return {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(isTls && { tls: {} }),
  };
}

function delay(attempt: number): number {
  return Math.min(RECONNECT_MS_MIN * 2 ** (attempt - 1), RECONNECT_MS_MAX);
}
