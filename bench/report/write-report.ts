/**
 * Where a report goes: everything that was measured into `bench/data/last-run.json`, and the figures of each section
 * into a file of its own, which replaces those of the run before. A full run writes these files to `bench/results/` and
 * the figures of docs/performance.md; a part of one, which is nothing to publish, to `bench/data/results/`. `bench/data`
 * is not committed.
 */
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Report } from './report.ts';
import { writePage } from './performance-page.ts';

const BENCH = join(import.meta.dirname, '..');
const DATA = join(BENCH, 'data');
const PAGE = join(BENCH, '..', 'docs', 'performance.md');

export async function writeReport(report: Report, isFull: boolean): Promise<void> {
  await writeJson(DATA, 'last-run.json', report);
  await writeSections(isFull ? join(BENCH, 'results') : join(DATA, 'results'), report);
  if (!isFull) return;
  await writeFile(PAGE, writePage(await readFile(PAGE, 'utf8'), report));
  // README.md and docs/operating.md name some of the figures.
  await promisify(execFile)(process.execPath, [join(BENCH, '..', 'scripts', 'documented-tables.ts')]);
}

/** A section that was left out keeps the figures of its last run. */
async function writeSections(folder: string, { sections, ...run }: Report): Promise<void> {
  for (const { details: _details, ...section } of sections)
    if (section.leftOut === undefined)
      await writeJson(folder, `${section.name}.json`, { ...run, sections: [section] });
}

async function writeJson(folder: string, name: string, content: unknown): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), `${JSON.stringify(content, null, 1)}\n`);
}
