/**
 * Contestants in one run, in turn (A B B A ...): whatever else the machine does meets all of them alike, and so does
 * what the one before leaves in the processor. Figures are medians over the rounds; a ratio is the median of the
 * rounds' ratios.
 */
import type { Load } from '../load/load.ts';
import type { LoadReport } from '../load/load-orders.ts';
import type { Usage } from '../machine/diagnostics.ts';
import { type Latencies, median, medianLatencies } from './statistics.ts';

export interface Contestant {
  readonly name: string;
  readonly port: number;
  readonly requests: readonly string[];
  /** Of the process that answers; absent when it is not alone in doing the work. */
  readonly usage?: () => Promise<Usage>;
  /** Before each of its rounds. */
  readonly prepare?: () => Promise<void>;
}

export interface Pace {
  readonly rounds: number;
  readonly warmUpSeconds: number;
  readonly seconds: number;
  readonly connections: number;
}

export interface Round extends LoadReport {
  /** Processor time of the server per answer; undefined when its usage is unknown. */
  readonly cpuMicrosPerAnswer: number | undefined;
}

export interface Standing {
  readonly name: string;
  readonly answersPerSecond: number;
  readonly latencies: Latencies;
  readonly cpuMicrosPerAnswer: number | undefined;
  readonly loadBusy: number;
  readonly rounds: readonly Round[];
}

/** In the order of `contestants`. Throws when one of them answers anything but 2xx. */
export async function alternate(
  load: Load,
  contestants: readonly Contestant[],
  pace: Pace,
): Promise<Standing[]> {
  const rounds: Round[][] = contestants.map(() => []);
  for (let round = 0; round < pace.rounds; round++) {
    const inTurn = [...contestants.entries()];
    if (round % 2 === 1) inTurn.reverse();
    for (const [index, contestant] of inTurn) rounds[index]!.push(await runRound(load, contestant, pace));
  }
  return contestants.map(({ name }, index) => stand(name, rounds[index]!));
}

/** Median over the rounds of how `a` compares to `b`, by what `of` says. */
export function ratio(a: Standing, b: Standing, of: (round: Round) => number | undefined): number {
  return median(ratios(a, b, of));
}

/** The same, of each round. */
export function ratios(
  a: Standing,
  b: Standing,
  of: (round: Round) => number | undefined,
): readonly number[] {
  return a.rounds.map((round, index) => (of(round) ?? Number.NaN) / (of(b.rounds[index]!) ?? Number.NaN));
}

async function runRound(load: Load, contestant: Contestant, pace: Pace): Promise<Round> {
  const { name, port, requests, usage } = contestant;
  const { warmUpSeconds, seconds, connections } = pace;
  await contestant.prepare?.();
  const before = await usage?.();
  const report = await load.run({
    port,
    requests,
    warmUpSeconds,
    seconds,
    connections,
    requestsPerSecond: 'asFastAsPossible',
  });
  const after = await usage?.();
  if (report.refusals > 0)
    throw new Error(`${name} refused ${report.refusals} of ${report.answers} requests`);
  return { ...report, cpuMicrosPerAnswer: cpuPerAnswer(before, after, report.answersInAll) };
}

function cpuPerAnswer(
  before: Usage | undefined,
  after: Usage | undefined,
  answers: number,
): number | undefined {
  if (before === undefined || after === undefined) return undefined;
  return ((after.cpuSeconds - before.cpuSeconds) * 1e6) / answers;
}

function stand(name: string, rounds: readonly Round[]): Standing {
  const cpu = rounds.map((round) => round.cpuMicrosPerAnswer);
  return {
    name,
    answersPerSecond: median(rounds.map((round) => round.answersPerSecond)),
    latencies: medianLatencies(rounds.map((round) => round.latencies)),
    cpuMicrosPerAnswer: cpu.includes(undefined) ? undefined : median(cpu as number[]),
    loadBusy: Math.max(...rounds.map((round) => round.loadBusy)),
    rounds,
  };
}
