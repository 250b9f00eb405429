/** The load process as the benchmark sees it. */
import { join } from 'node:path';
import { type Child, startChild } from '../machine/child.ts';
import type { Usage } from '../machine/diagnostics.ts';
import type { Role } from '../machine/pinning.ts';
import type { LoadOrder, LoadReport } from './load-orders.ts';

/** Above this share of its core the load may be what limits the rate; the report says so. */
export const LOAD_BUSY_MAX = 0.95;

export interface Load {
  run(order: LoadOrder): Promise<LoadReport>;
  /** Its own, with the time in which it looked for answers in vain. */
  usage(): Promise<Usage>;
  stop(): Promise<void>;
}

export function startLoad(role: Role = 'load'): Load {
  const child: Child = startChild({
    role,
    name: 'load',
    args: [join(import.meta.dirname, 'load-process.ts')],
  });
  return {
    run: (order) => child.ask<LoadReport>('run', order),
    usage: () => child.ask<Usage>('usage'),
    stop: () => child.stop(),
  };
}
