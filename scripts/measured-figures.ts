/** Figures of the benchmark, for pages that name some of them: of the newest report that has the section. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

interface Report {
  /** ISO 8601. */
  readonly date: string;
  readonly sections: readonly {
    readonly name: string;
    readonly figures: readonly { readonly what: string; readonly value: number }[];
  }[];
}

const FOLDER = join(import.meta.dirname, '..', 'bench', 'results');
/** Runs of some sections are in `parts/`. */
const FULL = globSync('*.json', { cwd: FOLDER });
const ALL = [...FULL, ...globSync('parts/*.json', { cwd: FOLDER })];
const REPORTS = newestFirst(ALL).map((file) => ({ file, ...read(file) }));

/** The day of the last full run, `YYYY-MM-DD`. */
export const MEASURED_ON = read(newestFirst(FULL)[0]!).date.slice(0, 10);

/** The day when the section was measured last, `YYYY-MM-DD`. */
export function measuredOn(section: string): string {
  return reportOf(section).date.slice(0, 10);
}

/** A figure in the benchmark's unit. Throws, and names the file, when it is missing. */
export function measured(section: string, what: string): number {
  const { file, sections } = reportOf(section);
  const figures = sections.find(({ name }) => name === section)?.figures;
  const figure = figures?.find((one) => one.what === what);
  if (figure === undefined)
    throw new Error(`bench/results/${file} has no "${what}" in its section "${section}"`);
  return figure.value;
}

function reportOf(section: string) {
  const report = REPORTS.find(({ sections }) => sections.some(({ name }) => name === section));
  if (report === undefined) throw new Error(`bench/results has no section "${section}"`);
  return report;
}

/** By the day in their names. */
function newestFirst(files: readonly string[]): string[] {
  return files.toSorted((a, b) => (basename(a) < basename(b) ? 1 : -1));
}

function read(file: string): Report {
  return JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Report;
}
