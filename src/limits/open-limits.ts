/** The limits of a process: shared through Redis where the operator names one, else counted by what the process has. */
import { openRedisLimits, type LimitsLogger } from './redis-limits.ts';
import { parseRedisUrl } from './redis-url.ts';
import type { RequestLimits } from './request-limits.ts';
import { createOwnLimits } from './own-limits.ts';
import { fallbackTo, type SharedLimits, type SharingState } from './shared-limits.ts';

export interface OpenedLimits {
  readonly limits: RequestLimits;
  /** Absent when nothing is shared. */
  readonly sharing?: (() => SharingState) | undefined;
  close(): void;
}

export interface OpenLimitsOptions {
  /** Checked before; throws on a wrong one. */
  readonly redisUrl: string | undefined;
  /** Counts for all processes of the machine; absent when there is only this one. */
  readonly machine: SharedLimits | undefined;
  readonly logger: LimitsLogger;
}

/** While Redis is lost, the machine counts, or the process where it is alone. */
export async function openLimits({ redisUrl, machine, logger }: OpenLimitsOptions): Promise<OpenedLimits> {
  if (redisUrl === undefined) {
    if (machine === undefined) return { limits: createOwnLimits(), close: () => {} };
    return { limits: machine, sharing: machine.state, close: machine.close };
  }
  const parsed = parseRedisUrl(redisUrl);
  if (!parsed.ok) throw new Error(`REDIS_URL ${parsed.problem}`);
  const fallback = machine?.count ?? fallbackTo(createOwnLimits());
  const shared = await openRedisLimits({ address: parsed.address, fallback, logger });
  return {
    limits: shared,
    sharing: shared.state,
    close() {
      shared.close();
      machine?.close();
    },
  };
}
