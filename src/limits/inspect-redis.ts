/** Reads the facts about Redis for `doctor`, without counting. */
import { Cluster } from 'ioredis';
import { connectRedis, untilConnected } from './redis-client.ts';
import { parseRedisUrl } from './redis-url.ts';

export interface RedisInspection {
  /** Such as `Redis 8.0.1 at 127.0.0.1:6379`; without user and password. */
  readonly name: string;
  readonly isReplica: boolean;
  /** Its memory limit in bytes; 0 is unlimited. */
  readonly memoryMax: number;
  /** Its policy at that limit, such as `noeviction`. */
  readonly evictionPolicy: string;
  /** How far its clock is ahead, milliseconds: it measures the windows of limits. */
  readonly clockAheadMs: number;
}

/** In a cluster, the node that answers. Rejects when none does within a few seconds, with a line without secrets. */
export async function inspectRedis(redisUrl: string, clock: () => number): Promise<RedisInspection> {
  const parsed = parseRedisUrl(redisUrl);
  if (!parsed.ok) throw new Error(`REDIS_URL ${parsed.problem}`);
  const { nodes } = parsed.address;
  const where = nodes.map(({ host, port }) => `${host}:${port}`).join(', ');
  let problem: string | undefined;
  const client = connectRedis(parsed.address, {
    onError: (error) => (problem ??= error.message),
    onClose: () => undefined,
  });
  try {
    await untilConnected(client);
    const node = client instanceof Cluster ? client.nodes('master')[0] : client;
    if (node?.status !== 'ready') throw new Error(problem ?? 'it does not answer');
    const askedAtMs = clock();
    const [seconds, micros] = await node.time();
    const middleMs = (askedAtMs + clock()) / 2;
    const info = await node.info();
    const field = (name: string): string => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? '';
    return {
      name: `Redis ${field('redis_version')} at ${where}`,
      isReplica: field('role') === 'slave',
      memoryMax: Number(field('maxmemory')),
      evictionPolicy: field('maxmemory_policy'),
      clockAheadMs: Number(seconds) * 1_000 + Number(micros) / 1_000 - middleMs,
    };
  } catch (error) {
    throw new Error(`${where}: ${problem ?? (error as Error).message}`, { cause: error });
  } finally {
    client.disconnect();
  }
}
