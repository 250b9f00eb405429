/** Limits in a story: each process counts for itself, or all count in one Redis while that answers. */
import { createOwnLimits, type LimitsMemory } from '../../src/limits/own-limits.ts';
import {
  countNow,
  type Counted,
  type CountRequest,
  type RequestLimits,
  WINDOW_SECONDS,
  type WindowHit,
} from '../../src/limits/request-limits.ts';
import { createSharedLimits } from '../../src/limits/shared-limits.ts';
import { Process, type Scheduler } from './scheduler.ts';

const TRAVEL_MS_MAX = 3;

/** What counts in the Redis of a story. */
export interface RedisCounts {
  /** As a server does that is started again without a file. */
  forget(): void;
  count(requests: readonly CountRequest[], nowMs: number): readonly Counted[] | Promise<readonly Counted[]>;
}

/** What `count-windows.lua` does; `redis-model.test.ts` and `redis-stories.test.ts` compare the two. */
export class RedisModel implements RedisCounts {
  readonly #windows = new Map<string, { count: number; readonly endsAtMs: number }>();
  readonly #windowMs: number;

  constructor(windowMs = WINDOW_SECONDS * 1_000) {
    this.#windowMs = windowMs;
  }

  forget(): void {
    this.#windows.clear();
  }

  count(requests: readonly CountRequest[], nowMs: number): readonly Counted[] {
    return requests.map(({ kind, key, next }) => {
      const hit = this.#hit(`${kind}:${key}`, nowMs);
      const isNext = next !== undefined && hit.count <= next.limit;
      return { hit, next: isNext ? this.#hit(`quota:${next.credentialId}`, nowMs) : undefined };
    });
  }

  #hit(key: string, nowMs: number): WindowHit {
    const known = this.#windows.get(key);
    const isOpen = known !== undefined && known.endsAtMs > nowMs && known.endsAtMs <= nowMs + this.#windowMs;
    const window = isOpen ? known : { count: 0, endsAtMs: nowMs + this.#windowMs };
    window.count += 1;
    this.#windows.set(key, window);
    return { count: window.count, resetAtMs: window.endsAtMs, resetInMs: window.endsAtMs - nowMs };
  }
}

/** The Redis of a story, and how it is reached. */
export interface RedisNetwork {
  readonly scheduler: Scheduler;
  counts: RedisCounts;
  /** It never dies. */
  readonly process: Process;
  /** Until this true time it does not answer. */
  awayUntilMs: number;
  /** While it is away, questions are refused at once; else they wait. */
  isRefusing: boolean;
}

export function openRedisNetwork(scheduler: Scheduler): RedisNetwork {
  const process = new Process(scheduler, 'Redis');
  return { scheduler, counts: new RedisModel(), process, awayUntilMs: 0, isRefusing: false };
}

export interface ServiceLimits extends RequestLimits {
  /** Whether the process itself counted this. */
  isOwn(hit: WindowHit): boolean;
  close(): void;
}

/** Of one reading thread; `memory` is its process's. Resolves when it knows whether Redis answers. */
export async function openSimulatedLimits(
  process: Process,
  memory: LimitsMemory,
  redis: RedisNetwork | undefined,
): Promise<ServiceLimits> {
  // The table asks for times above 0.
  const own = createOwnLimits({ clock: process.wallMs, uptimeMs: () => process.uptimeMs() + 1 }, memory);
  if (redis === undefined) return { ...own, isOwn: () => true, close: () => undefined };
  const ownHits = new WeakSet<WindowHit>();
  const shared = createSharedLimits({
    counters: [{ count: (requests) => ask(redis, process, requests) }],
    fallback(request) {
      const counted = countNow(own, request);
      ownHits.add(counted.hit);
      return counted;
    },
    onLost: () => undefined,
    onBack: () => undefined,
  });
  await shared.probe();
  return { ...shared, isOwn: (hit) => ownHits.has(hit) };
}

/** What is under way when it goes away is counted, and not answered. */
function ask(
  redis: RedisNetwork,
  process: Process,
  requests: readonly CountRequest[],
): Promise<readonly Counted[]> {
  const { scheduler, counts } = redis;
  const isAway = (): boolean => scheduler.nowMs < redis.awayUntilMs;
  if (isAway() && redis.isRefusing) return Promise.reject(new Error('simulated: refused'));
  const travel = (to: Process, run: () => void): void =>
    void scheduler.at(scheduler.nowMs + scheduler.random() * TRAVEL_MS_MAX, to, run);
  return new Promise((resolve, reject) => {
    const answer = (counted: readonly Counted[]): void =>
      travel(process, () => {
        if (!isAway()) resolve(counted);
      });
    travel(redis.process, () => {
      if (isAway()) return;
      Promise.resolve(counts.count(requests, Math.floor(scheduler.nowMs))).then(answer, reject);
    });
  });
}
