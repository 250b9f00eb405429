/** The part of the storage port that knows which processes serve the database. */
import type { Contraction, SeenProcess } from '../engine/state.ts';

export interface ProcessPlace {
  readonly machine: string;
  readonly pid: number;
}

export interface RunningProcess extends ProcessPlace {
  /** Random, of each thread that serves. */
  readonly processId: string;
  readonly startedAtMs: number;
}

/** As operators read it: the `where` of a registered process. */
export function whereOf({ machine, pid }: ProcessPlace): string {
  return `${machine}, process ${pid}`;
}

/** A process that has said nothing for so long does not count any more; much longer than clocks differ. */
export const PROCESS_SEEN_MS = 10 * 60_000;

export interface ProcessStore {
  /** Says that the process runs now. Forgets those that have said nothing for PROCESS_SEEN_MS. */
  registerProcess(running: RunningProcess, nowMs: number): Promise<void>;
  /** It has stopped. */
  forgetProcess(processId: string): Promise<void>;
  /** Those that serve the database, each machine's process once. Commands do not register. */
  readProcesses(nowMs: number): Promise<readonly SeenProcess[]>;
  /**
   * Removes what only older releases need, unless such a process is seen. Throws `SchemaMismatch` where `migrate` comes
   * first.
   */
  contract(nowMs: number): Promise<Contraction>;
}
