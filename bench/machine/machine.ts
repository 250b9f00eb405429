/** The machine that the figures belong to. Never its name, its addresses or its paths. */
import { availableParallelism, cpus, totalmem } from 'node:os';

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGib: number;
  readonly node: string;
  readonly platform: string;
}

export function describeMachine(): Machine {
  return {
    cpu: (cpus()[0]?.model ?? 'unknown').trim(),
    cores: availableParallelism(),
    memoryGib: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
  };
}

export function formatMachine({ cpu, cores, memoryGib, node, platform }: Machine): string {
  return `${cpu}, ${cores} cores, ${memoryGib} GiB memory, Node ${node.slice(1)}, ${platform}`;
}
