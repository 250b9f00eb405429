/** Figures of the newest full run of the benchmark, for pages that name some of them. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Report {
  /** ISO 8601. */
  readonly date: string;
  readonly sections: readonly {
    readonly name: string;
    readonly figures: readonly { readonly what: string; readonly value: number }[];
  }[];
}

const FOLDER = join(import.meta.dirname, '..', 'bench', 'results');
const NEWEST = globSync('*.json', { cwd: FOLDER })
  .toSorted((a, b) => (a < b ? -1 : 1))
  .at(-1)!;
const report = JSON.parse(readFileSync(join(FOLDER, NEWEST), 'utf8')) as Report;

/** The day of the run, `YYYY-MM-DD`. */
export const MEASURED_ON = report.date.slice(0, 10);

/** A figure in the benchmark's unit. Throws, and names the file, when it is missing. */
export function measured(section: string, what: string): number {
  const figures = report.sections.find(({ name }) => name === section)?.figures;
  const figure = figures?.find((one) => one.what === what);
  if (figure === undefined)
    throw new Error(`bench/results/${NEWEST} has no "${what}" in its section "${section}"`);
  return figure.value;
}
