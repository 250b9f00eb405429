/** Limits in this process: of one thread, or of several that share the memory. */
import type { OwnLimits } from './request-limits.ts';
import {
  allocateWindows,
  createWindowTable,
  releaseWindows,
  type WindowMemory,
  type WindowMemoryOptions,
  type WindowTableOptions,
} from './window-table.ts';

/** Each limit has its own, so that a flood of addresses never evicts a credential's window. */
export interface LimitsMemory {
  readonly ingress: WindowMemory;
  readonly quota: WindowMemory;
}

export function allocateLimits(options: WindowMemoryOptions = {}): LimitsMemory {
  return { ingress: allocateWindows(options), quota: allocateWindows(options) };
}

/** Releases the locks of an ended thread, so that others do not wait for them. */
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
