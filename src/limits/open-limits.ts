/** The limits of a process: shared through Redis if the operator names one, else in its own memory. */
import type { LimitsLogger } from './redis-limits.ts';
import { parseRedisUrl } from './redis-url.ts';
import type { RequestLimits } from './request-limits.ts';
import { createOwnLimits, type LimitsMemory } from './own-limits.ts';
import { fallbackTo, type SharingState } from './shared-limits.ts';

export interface OpenedLimits {
  readonly limits: RequestLimits;
  /** Absent when counts are not shared. */
  readonly sharing?: (() => SharingState) | undefined;
  close(): void;
}

export interface OpenLimitsOptions {
  /** Already checked; throws on an invalid one. */
  readonly redisUrl: string | undefined;
  /** Shared by all serving threads; absent for a single thread. */
  readonly memory: LimitsMemory | undefined;
  readonly logger: LimitsLogger;
}

/** While Redis is lost, the process counts in its own memory. The client is loaded only if a Redis is named. */
export async function openLimits({ redisUrl, memory, logger }: OpenLimitsOptions): Promise<OpenedLimits> {
  const own = createOwnLimits({}, memory);
  if (redisUrl === undefined) return { limits: own, close: () => {} };
  const parsed = parseRedisUrl(redisUrl);
  if (!parsed.ok) throw new Error(`REDIS_URL ${parsed.problem}`);
  const { openRedisLimits } = await import('./redis-limits.ts');
  const shared = await openRedisLimits({ address: parsed.address, fallback: fallbackTo(own), logger });
  return { limits: shared, sharing: shared.state, close: shared.close };
}
