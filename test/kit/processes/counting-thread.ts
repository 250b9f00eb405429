/** A thread that counts in windows which it shares with others. */
import { parentPort, workerData } from 'node:worker_threads';
import { seedRandom } from '../../../bench/measure/random.ts';
import { createOwnLimits, type LimitsMemory } from '../../../src/limits/own-limits.ts';
import type { CounterKind, WindowHit } from '../../../src/limits/request-limits.ts';

export interface CountingThreadData {
  readonly memory: LimitsMemory;
  readonly windowSeconds: number;
}

/** One hit; or as many as there are, of keys in an order that the seed decides. */
export type CountingOrder =
  | { readonly id: number; readonly kind: CounterKind; readonly key: string }
  | { readonly id: number; readonly keyCount: number; readonly hitCount: number; readonly seed: number };

export interface CountingAnswer {
  readonly id: number;
  readonly hits: readonly SeenHit[];
}

export interface SeenHit extends WindowHit {
  readonly key: string;
}

const { memory, windowSeconds } = workerData as CountingThreadData;
const limits = createOwnLimits({ windowSeconds }, memory);

parentPort?.on('message', (order: CountingOrder) => {
  const answer: CountingAnswer = { id: order.id, hits: 'key' in order ? [hit(order)] : hitMany(order) };
  parentPort?.postMessage(answer);
});

function hit({ kind, key }: { readonly kind: CounterKind; readonly key: string }): SeenHit {
  return { key, ...limits[kind].hit(key) };
}

function hitMany(order: {
  readonly keyCount: number;
  readonly hitCount: number;
  readonly seed: number;
}): SeenHit[] {
  const random = seedRandom(order.seed);
  return Array.from({ length: order.hitCount }, () =>
    hit({ kind: 'quota', key: `credential-${random.below(order.keyCount)}` }),
  );
}
