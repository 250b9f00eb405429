/**
 * Parses `REDIS_URL`: `redis://user:password@host:port/db`, `rediss://` with TLS, and
 * `redis-cluster://user:password@host1:port1,host2:port2` (`rediss-cluster://` with TLS) for a Redis Cluster.
 */

export interface RedisAddress {
  readonly isCluster: boolean;
  readonly isTls: boolean;
  /** Some nodes of a cluster are enough: they name the others. */
  readonly nodes: readonly [RedisNode, ...RedisNode[]];
  readonly username: string | undefined;
  readonly password: string | undefined;
  /** A cluster has only database 0. */
  readonly database: number;
}

export interface RedisNode {
  readonly host: string;
  readonly port: number;
}

export type RedisUrlResult =
  | { readonly ok: true; readonly address: RedisAddress }
  /** Ends a sentence that begins with the value; repeats no part of it. */
  | { readonly ok: false; readonly problem: string };

const PORT_DEFAULT = 6379;
const PORT_MAX = 65_535;
const DATABASE_MAX = 65_535;
const NODE = /^(\[[\dA-Fa-f:.]+\]|[^:[\]\s]+)(?::(\d{1,5}))?$/;
const URL_PARTS =
  /^(redis|rediss|redis-cluster|rediss-cluster):\/\/(?:([^@\s]*)@)?([^/?#@\s]+)(?:\/(\d{0,5}))?$/;
const FORMS = 'redis://HOST:PORT nor redis-cluster://HOST1:PORT1,HOST2:PORT2';

export function parseRedisUrl(text: string): RedisUrlResult {
  const [, scheme = '', login, hosts = '', databaseText = ''] = URL_PARTS.exec(text) ?? [];
  if (scheme === '') return { ok: false, problem: `is neither ${FORMS}` };
  const isCluster = scheme.endsWith('-cluster');
  const [first, ...others] = hosts.split(',').map((host) => parseNode(host, isCluster));
  if (first === undefined || others.includes(undefined)) {
    return { ok: false, problem: isCluster ? 'has a node that is not HOST:PORT' : 'has no HOST:PORT' };
  }
  if (!isCluster && others.length > 0) {
    return { ok: false, problem: 'names several hosts, which only redis-cluster:// can have' };
  }
  const database = Number(databaseText);
  if (isCluster && databaseText !== '') {
    return { ok: false, problem: 'names a database, which a cluster does not have' };
  }
  if (database > DATABASE_MAX) return { ok: false, problem: `names a database above ${DATABASE_MAX}` };
  const credentials = parseLogin(login);
  if (credentials === undefined) return { ok: false, problem: 'has a wrong % escape in user or password' };
  const nodes = [first, ...(others as RedisNode[])] as const;
  return {
    ok: true,
    address: { isCluster, isTls: scheme.startsWith('rediss'), nodes, database, ...credentials },
  };
}

function parseNode(text: string, isPortNeeded: boolean): RedisNode | undefined {
  const [, host = '', portText] = NODE.exec(text) ?? [];
  const port = portText === undefined ? PORT_DEFAULT : Number(portText);
  const isPortMissing = isPortNeeded && portText === undefined;
  if (host === '' || isPortMissing || port < 1 || port > PORT_MAX) return undefined;
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port };
}

/** `user:password`, `:password` or `user`, each percent-encoded. */
function parseLogin(text: string | undefined): Pick<RedisAddress, 'username' | 'password'> | undefined {
  const [username, ...password] = (text ?? '').split(':');
  try {
    return {
      username: decodeURIComponent(username ?? '') || undefined,
      password: decodeURIComponent(password.join(':')) || undefined,
    };
  } catch {
    return undefined;
  }
}
