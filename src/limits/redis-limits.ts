/**
 * Limits that any number of processes share in Redis. One script counts, by the clock of Redis;
 * docs/decisions/011-limits.md has the reasons and the cost.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connectRedis, type RedisClient, untilConnected } from './redis-client.ts';
import { type RedisAddress } from './redis-url.ts';
import { type Counted, type CountRequest, WINDOW_SECONDS, type WindowHit } from './request-limits.ts';
import { type CountOne, createSharedLimits, type SharedCounter, type SharedLimits } from './shared-limits.ts';

/**
 * A cluster spreads keys over its nodes by the text in braces. With so many groups, each node has its share of each
 * limit, and one script counts the keys of a group. All processes must agree on the number.
 */
export const CLUSTER_GROUP_COUNT = 16;

export const SCRIPT = readFileSync(new URL('count-windows.lua', import.meta.url), 'utf8');
const SCRIPT_SHA1 = createHash('sha1').update(SCRIPT).digest('hex');

export interface LimitsLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface RedisLimitsOptions {
  readonly address: RedisAddress;
  /** Counts while Redis can't. */
  readonly fallback: CountOne;
  readonly logger: LimitsLogger;
  readonly windowSeconds?: number;
}

/** Resolves after one probe of Redis. If it fails, Redis counts as lost, and the service starts anyway. */
export async function openRedisLimits(options: RedisLimitsOptions): Promise<SharedLimits> {
  const { address, fallback, logger } = options;
  let connectionProblem = '';
  const client = connectRedis(address, {
    onError: ({ message }) => {
      connectionProblem = message;
    },
    // A process that nobody asks anything must not claim that its counts are shared.
    onClose: () => void limits.probe(),
  });
  const windowMs = (options.windowSeconds ?? WINDOW_SECONDS) * 1000;
  const groupCount = address.isCluster ? CLUSTER_GROUP_COUNT : 1;
  const limits = createSharedLimits({
    counters: Array.from({ length: groupCount }, (_, group) =>
      scriptCounter((keys, args) => runScript(client, keys, args), group, windowMs),
    ),
    counterOf: ({ kind, key }) => groupOf(kind + key, groupCount),
    fallback,
    onLost(reason) {
      logger.warn({ reason, connectionProblem }, 'Redis does not answer: this process counts alone');
    },
    onBack() {
      connectionProblem = '';
      logger.info({}, 'Redis answers again: counts are shared');
    },
  });
  await untilConnected(client);
  await limits.probe();
  return {
    ...limits,
    close() {
      limits.close();
      client.disconnect();
    },
  };
}

/** FNV-1a: equal in every process. */
function groupOf(text: string, groupCount: number): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0) % groupCount;
}

/** Runs the script with these keys and arguments. */
type RunScript = (keys: readonly string[], args: readonly string[]) => Promise<readonly number[]>;

export function scriptCounter(run: RunScript, group: number, windowMs: number): SharedCounter {
  const prefix = `stayport:{${group}}:`;
  return {
    async count(requests) {
      const keys: string[] = [];
      const args: string[] = [String(windowMs)];
      for (const { kind, key, next } of requests) {
        keys.push(`${prefix}${kind}:${key}`);
        args.push(next === undefined ? '' : String(next.limit));
        if (next !== undefined) keys.push(`${prefix}quota:${next.credentialId}`);
      }
      return readAnswer(requests, await run(keys, args));
    },
  };
}

async function runScript(
  client: RedisClient,
  keys: readonly string[],
  args: readonly string[],
): Promise<readonly number[]> {
  try {
    return (await client.evalsha(SCRIPT_SHA1, keys.length, ...keys, ...args)) as number[];
  } catch (error) {
    // A server that was restarted, or that took over, does not know the script yet.
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    return (await client.eval(SCRIPT, keys.length, ...keys, ...args)) as number[];
  }
}

/** Reads the time, then a count and an end for each key; see the script. */
function readAnswer(
  requests: readonly CountRequest[],
  [nowMs = 0, ...numbers]: readonly number[],
): Counted[] {
  let position = 0;
  const readHit = (): WindowHit => {
    const [count = 0, resetAtMs = 0] = numbers.slice(position, position + 2);
    position += 2;
    return { count, resetAtMs, resetInMs: resetAtMs - nowMs };
  };
  return requests.map(({ next }) => {
    const hit = readHit();
    const nextHit = next === undefined ? undefined : readHit();
    return { hit, next: nextHit?.count === 0 ? undefined : nextHit };
  });
}
