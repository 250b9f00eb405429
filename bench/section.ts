/**
 * A section of the benchmark: measures one question and answers in figures.
 */
import type { Context } from './context.ts';

export type Unit = 'ratio' | 'requests/s' | 'us' | 'ms' | 's' | 'GiB' | 'MB' | '%' | 'count';

export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: Unit;
  /** What it has to reach. */
  readonly bar?: { readonly is: 'at least' | 'at most'; readonly value: number };
}

export interface SectionResult {
  readonly figures: readonly Figure[];
  /** What a reader has to know beside the figures, one sentence each. */
  readonly notes: readonly string[];
  /** Everything that was measured, for `bench/data/last-run.json`. */
  readonly details: unknown;
}

export interface Section {
  readonly name: string;
  readonly title: string;
  /** About how long it takes, in seconds: it is left out when less time is left. */
  readonly seconds: { readonly full: number; readonly quick: number };
  /** Runs only when it is named, and then for as long as it takes. */
  readonly isOnDemand?: boolean;
  run(context: Context): Promise<SectionResult>;
}

export function isMet({ value, bar }: Figure): boolean | undefined {
  if (bar === undefined) return undefined;
  return bar.is === 'at least' ? value >= bar.value : value <= bar.value;
}
