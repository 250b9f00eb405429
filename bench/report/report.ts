/** Everything that one run found out. */
import type { Machine } from '../machine/machine.ts';
import type { SectionResult } from '../section.ts';

export interface SectionReport extends SectionResult {
  readonly name: string;
  readonly title: string;
  readonly seconds: number;
  /** Why there are no figures. */
  readonly leftOut?: string;
}

export interface Report {
  /** UTC. */
  readonly date: string;
  /** What was typed, without the names of anybody's folders. */
  readonly command: string;
  readonly machine: Machine;
  readonly pinning: string;
  readonly isQuick: boolean;
  readonly seconds: number;
  /** Processes that wanted to run at the start, on average over a minute; beside the benchmark there should be none. */
  readonly loadAverageAtStart: number;
  readonly sections: readonly SectionReport[];
}
