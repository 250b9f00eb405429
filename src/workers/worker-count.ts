/** How many workers there are to be. */
import { StartRefused } from '../service/listen.ts';

export interface WorkerPossibilities {
  /** Cores that this process may use. */
  readonly cores: number;
  readonly canSharePorts: boolean;
}

/** `auto` is one worker per core, where there can be several. */
export function decideWorkerCount(
  wanted: number | 'auto',
  { cores, canSharePorts }: WorkerPossibilities,
): number {
  if (canSharePorts) return wanted === 'auto' ? cores : wanted;
  if (wanted === 'auto' || wanted === 1) return 1;
  throw new StartRefused(
    `WORKERS: ${wanted} workers would listen on one port, which this system does not allow; set WORKERS=1, or use Linux`,
  );
}
