/** Figures of the benchmark, for pages that name some of them: each of the newest report that has it. */
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
const REPORTS = newestFirst(globSync(['*.json', 'parts/*.json'], { cwd: FOLDER })).map(read);

/** The day when the section was measured last, `YYYY-MM-DD`. */
export function measuredOn(section: string): string {
  return reportOf(section).date.slice(0, 10);
}

/** A figure in the benchmark's unit. Throws when no report has it. */
export function measured(section: string, what: string): number {
  for (const { sections } of REPORTS) {
    const figures = sections.find(({ name }) => name === section)?.figures;
    const figure = figures?.find((one) => one.what === what);
    if (figure !== undefined) return figure.value;
  }
  throw new Error(`bench/results has no "${what}" in a section "${section}"`);
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
