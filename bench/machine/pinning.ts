/**
 * Cores: what answers runs on one, what asks runs on another, so that neither takes time from the other and a rate
 * is a rate per core. Where the system has no `taskset` nothing is pinned, and the report says so.
 */
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** `server`: whatever answers. `load`: whatever asks. `both`: two cores for what answers. `any`: all there are. */
export type Role = 'server' | 'load' | 'both' | 'any';

const TASKSET = 'taskset';
const LAST_CORE = Math.min(2, availableParallelism() - 1);
const CORES_OF = { server: '0', load: String(LAST_CORE), both: '0,1' } as const;

export const isPinningPossible: boolean =
  process.platform === 'linux' &&
  availableParallelism() > 1 &&
  spawnSync(TASKSET, ['-c', '0', 'true']).status === 0;

/** Whether the load has a core of its own beside the two of `both`. */
export const isLoadApart: boolean = isPinningPossible && LAST_CORE > 1;

/** The command that runs `command` on the cores of its role. */
export function pinned(role: Role, command: string, args: readonly string[]): [string, string[]] {
  if (role === 'any' || !isPinningPossible) return [command, [...args]];
  return [TASKSET, ['-c', CORES_OF[role], command, ...args]];
}

/** Moves a process that runs already; the processes that it starts from now on follow. */
export function pinProcess(role: Exclude<Role, 'any'>, pid: number): void {
  if (isPinningPossible) spawnSync(TASKSET, ['-a', '-p', '-c', CORES_OF[role], String(pid)]);
}

export function formatPinning(): string {
  return isPinningPossible
    ? `servers pinned to core 0, load to core ${LAST_CORE}`
    : 'nothing pinned: this system has no taskset, or one core only';
}
