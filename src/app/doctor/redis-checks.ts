/** Redis, if it is set: it counts the limits of several machines. */
import { judgeClockDifference } from './database-checks.ts';
import { type Check, type Examined, fail, type Finding, ok, warn } from './check.ts';
import { messageOf } from '../../runtime/message-of.ts';

export const REDIS_CHECKS: readonly Check[] = [
  { name: 'redis', run: checkReachable },
  { name: 'redis settings', run: checkSettings },
  { name: 'redis clock', run: checkClock },
];

const NOT_USED = 'not used: REDIS_URL is not set';

async function checkReachable({ redis, database }: Examined): Promise<Finding> {
  try {
    const found = await redis;
    if (found !== undefined) return ok(found.name);
  } catch (error) {
    return fail(
      messageOf(error),
      'check REDIS_URL, and that Redis runs and can be reached; until then each process counts alone',
    );
  }
  const processes = await database.then(
    ({ content }) => content?.processes.length ?? 0,
    () => 0,
  );
  return processes > 1
    ? warn(
        `${processes} processes serve, and each counts limits alone: REDIS_URL is not set`,
        'set REDIS_URL to one Redis for all of them',
      )
    : ok(NOT_USED);
}

async function checkSettings({ redis }: Examined): Promise<Finding> {
  const found = await redis.catch(() => undefined);
  if (found === undefined) return ok('nothing to check');
  if (found.isReplica)
    return fail('this Redis is a replica: counts can not be written', 'let REDIS_URL lead to the primary');
  if (found.memoryMax > 0 && found.evictionPolicy.startsWith('allkeys'))
    return warn(
      `maxmemory-policy is ${found.evictionPolicy}: with full memory Redis forgets counts, and partners exceed their limits`,
      'give Stayport a Redis of its own, or set maxmemory-policy to volatile-ttl or noeviction',
    );
  return ok(
    found.memoryMax === 0 ? 'a primary without a limit of memory' : `a primary, ${found.evictionPolicy}`,
  );
}

async function checkClock({ redis }: Examined): Promise<Finding> {
  const found = await redis.catch(() => undefined);
  return found === undefined ? ok('nothing to check') : judgeClockDifference('Redis', found.clockAheadMs);
}
