/** Redis, if it is set: it counts the limits of several machines. */
import { judgeClockDifference } from './database-checks.ts';
import { asItIs, type Check, type Examined, fail, type Finding, ok, warn } from './check.ts';
import { Wrong } from '../../domain/wrong.ts';
import { messageOf } from '../../runtime/message-of.ts';

export const REDIS_CHECKS: readonly Check[] = [
  { name: 'redis', run: checkReachable },
  { name: 'redis settings', run: checkSettings },
  { name: 'redis clock', run: checkClock },
];

async function checkReachable({ redis, database }: Examined): Promise<Finding> {
  try {
    const found = await redis;
    if (found !== undefined) return ok(asItIs(found.name));
  } catch (error) {
    return fail(asItIs(messageOf(error)), new Wrong('fixRedis'));
  }
  const processes = await database.then(
    ({ content }) => content?.processes.length ?? 0,
    () => 0,
  );
  return processes > 1
    ? warn(new Wrong('limitsAlone', { count: processes }), new Wrong('fixLimitsAlone'))
    : ok(new Wrong('redisUnused'));
}

async function checkSettings({ redis }: Examined): Promise<Finding> {
  const found = await redis.catch(() => undefined);
  if (found === undefined) return ok(new Wrong('nothingToCheck'));
  const { isReplica, memoryMax, evictionPolicy: policy } = found;
  if (isReplica) return fail(new Wrong('redisReplica'), new Wrong('fixRedisReplica'));
  if (memoryMax > 0 && policy.startsWith('allkeys'))
    return warn(new Wrong('redisForgets', { policy }), new Wrong('fixRedisForgets'));
  return ok(memoryMax === 0 ? new Wrong('redisUnlimited') : new Wrong('redisPrimary', { policy }));
}

async function checkClock({ redis }: Examined): Promise<Finding> {
  const found = await redis.catch(() => undefined);
  return found === undefined
    ? ok(new Wrong('nothingToCheck'))
    : judgeClockDifference('Redis', found.clockAheadMs);
}
