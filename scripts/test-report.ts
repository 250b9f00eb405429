/** The texts of the runner of the tests: a line for each process, and the summary. */
import type { Failure, NotRun, TestCounts } from './test-counts.ts';
import type { Job } from './test-parts.ts';

export interface Result extends TestCounts {
  readonly job: Job;
  readonly isPassed: boolean;
  readonly seconds: number;
  /** By the process, on both streams. */
  readonly printed: string;
  /** Files that failed, and passed when they ran again. */
  readonly unsteady: readonly string[];
}

/** A tick stands only where all ran; a process that failed is shown with all that it said. */
export function formatResult({ job, isPassed, passed, notRun, seconds, printed }: Result): string {
  const time = `${seconds.toFixed(1)} s`;
  if (!isPassed) return `\n✖ ${job.name}, ${time}\n${printed}\n`;
  const tests = passed === 1 ? '1 test' : `${passed} tests`;
  if (notRun.length === 0) return `✔ ${job.name}: ${tests}, ${time}\n`;
  const reasons = [...new Set(notRun.map(({ reason }) => reason))].join('; ');
  return `- ${job.name}: ${tests}, ${notRun.length} did not run (${reasons}), ${time}\n`;
}

/** All that did not run or failed, and as the last line the counts, in a form that programs can read. */
export function formatSummary(results: readonly Result[]): string {
  const sumOf = (key: 'passed' | 'failed'): number => results.reduce((sum, result) => sum + result[key], 0);
  const notRun = results.flatMap((result) => result.notRun);
  const unsteady = results.flatMap((result) => result.unsteady);
  const failed = results
    .filter(({ isPassed }) => !isPassed)
    .flatMap(({ job, failedFiles }) => (failedFiles.length === 0 ? [job.name] : failedFiles));
  return [
    '',
    ...formatNotRun(notRun),
    ...results.flatMap(({ failures }) => failures.map(formatFailure)),
    ...(unsteady.length === 0 ? [] : [`UNSTEADY, failed once: ${unsteady.join(', ')}`]),
    ...(failed.length === 0 ? [] : [`FAILED: ${failed.join(', ')}`]),
    `${sumOf('passed')} passed, ${sumOf('failed')} failed, ${notRun.length} skipped`,
    '',
  ].join('\n');
}

function formatFailure({ file, name, message }: Failure): string {
  return `✖ ${file}: ${name}: ${message}`;
}

/** By reason, because one missing program is the reason of many. */
function formatNotRun(notRun: readonly NotRun[]): string[] {
  if (notRun.length === 0) return [];
  const reasons = Map.groupBy(notRun, ({ reason }) => reason);
  return [
    'DID NOT RUN:',
    ...[...reasons].flatMap(([reason, all]) => [
      `  ${reason}`,
      ...all.map(({ file, name }) => `    ${[file, name].filter((text) => text !== '').join(': ')}`),
    ]),
    '',
  ];
}
