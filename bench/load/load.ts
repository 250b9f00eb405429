/** The load process as the benchmark sees it. */
import { join } from 'node:path';
import { type Child, startChild } from '../machine/child.ts';
import type { LoadOrder, LoadReport } from './load-orders.ts';

/** Above this share of its core the load may be what limits the rate; the report says so. */
export const LOAD_BUSY_MAX = 0.95;

export interface Load {
  run(order: LoadOrder): Promise<LoadReport>;
  stop(): Promise<void>;
}

export function startLoad(): Load {
  const child: Child = startChild({
    role: 'load',
    name: 'load',
    args: [join(import.meta.dirname, 'load-process.ts')],
  });
  return {
    run: (order) => child.ask<LoadReport>('run', order),
    stop: () => child.stop(),
  };
}
