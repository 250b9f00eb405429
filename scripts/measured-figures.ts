/** Figures of the benchmark, for pages that name some of them: `bench/results` has the newest run of each section. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Report {
  /** ISO 8601. */
  readonly date: string;
  readonly sections: readonly {
    readonly figures: readonly { readonly what: string; readonly value: number }[];
  }[];
}

const FOLDER = join(import.meta.dirname, '..', 'bench', 'results');

/** The day when the section was measured last, `YYYY-MM-DD`. */
export function measuredOn(section: string): string {
  return reportOf(section).date.slice(0, 10);
}

/** A figure in the benchmark's unit. Throws when the newest run of the section does not have it. */
export function measured(section: string, what: string): number {
  const figures = reportOf(section).sections.flatMap((one) => one.figures);
  const figure = figures.find((one) => one.what === what);
  if (figure === undefined) throw new Error(`bench/results/${section}.json has no "${what}"`);
  return figure.value;
}

function reportOf(section: string): Report {
  const file = join(FOLDER, `${section}.json`);
  if (!existsSync(file)) throw new Error(`bench/results has no section "${section}"`);
  return JSON.parse(readFileSync(file, 'utf8')) as Report;
}
