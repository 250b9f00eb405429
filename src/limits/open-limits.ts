/** The limits of a process: shared through Redis where the operator names one, else counted in its own memory. */
import type { LimitsLogger } from './redis-limits.ts';
import { parseRedisUrl } from './redis-url.ts';
import type { RequestLimits } from './request-limits.ts';
import { createOwnLimits, type LimitsMemory } from './own-limits.ts';
import { fallbackTo, type SharingState } from './shared-limits.ts';

export interface OpenedLimits {
  readonly limits: RequestLimits;
  /** Absent when nothing is shared. */
  readonly sharing?: (() => SharingState) | undefined;
  close(): void;
}

export interface OpenLimitsOptions {
  /** Checked before; throws on a wrong one. */
  readonly redisUrl: string | undefined;
  /** That of all threads which serve; absent when there is only this one. */
  readonly memory: LimitsMemory | undefined;
  readonly logger: LimitsLogger;
}

/** While Redis is lost, the process counts in its own memory. Its client is loaded only where one is named. */
export async function openLimits({ redisUrl, memory, logger }: OpenLimitsOptions): Promise<OpenedLimits> {
  const own = createOwnLimits({}, memory);
  if (redisUrl === undefined) return { limits: own, close: () => {} };
  const parsed = parseRedisUrl(redisUrl);
  if (!parsed.ok) throw new Error(`REDIS_URL ${parsed.problem}`);
  const { openRedisLimits } = await import('./redis-limits.ts');
  const shared = await openRedisLimits({ address: parsed.address, fallback: fallbackTo(own), logger });
  return { limits: shared, sharing: shared.state, close: shared.close };
}
