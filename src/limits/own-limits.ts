/** Limits that this process counts by itself. */
import { createMemoryWindowCounter, type MemoryWindowOptions } from './memory-window-counter.ts';
import type { OwnLimits } from './request-limits.ts';

/** Each limit has its own memory: a flood of addresses never makes a credential's window forgotten. */
export function createOwnLimits(options: MemoryWindowOptions = {}): OwnLimits {
  return { ingress: createMemoryWindowCounter(options), quota: createMemoryWindowCounter(options) };
}
