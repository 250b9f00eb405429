/** Limits that this process counts by itself: alone, or in several threads that share the memory. */
import type { OwnLimits } from './request-limits.ts';
import {
  allocateWindows,
  createWindowTable,
  releaseWindows,
  type WindowMemory,
  type WindowMemoryOptions,
  type WindowTableOptions,
} from './window-table.ts';

/** Each limit has its own: a flood of addresses never makes a credential's window forgotten. */
export interface LimitsMemory {
  readonly ingress: WindowMemory;
  readonly quota: WindowMemory;
}

export function allocateLimits(options: WindowMemoryOptions = {}): LimitsMemory {
  return { ingress: allocateWindows(options), quota: allocateWindows(options) };
}

/** So that no other thread waits for what the ended one held. */
export function releaseLimits({ ingress, quota }: LimitsMemory, endedThreadId: number): void {
  for (const memory of [ingress, quota]) releaseWindows(memory, endedThreadId);
}

export function createOwnLimits(
  options: WindowTableOptions = {},
  memory: LimitsMemory = allocateLimits(),
): OwnLimits {
  return {
    ingress: createWindowTable(memory.ingress, options),
    quota: createWindowTable(memory.quota, options),
  };
}
