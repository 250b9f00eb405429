/**
 * Where a report goes: a full run into `bench/results/` and docs/performance.md; a part of one, which is nothing to
 * publish, into `bench/data/`, which is not committed.
 */
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Report } from './report.ts';
import { writePage } from './performance-page.ts';

const BENCH = join(import.meta.dirname, '..');
const PAGE = join(BENCH, '..', 'docs', 'performance.md');

export async function writeReport(report: Report, isFull: boolean): Promise<void> {
  const text = `${JSON.stringify(report, null, 1)}\n`;
  if (!isFull) {
    await mkdir(join(BENCH, 'data'), { recursive: true });
    await writeFile(join(BENCH, 'data', 'last-part.json'), text);
    return;
  }
  await mkdir(join(BENCH, 'results'), { recursive: true });
  await writeFile(join(BENCH, 'results', `${report.date.slice(0, 10)}.json`), text);
  await writeFile(PAGE, writePage(await readFile(PAGE, 'utf8'), report));
  // README.md and docs/operating.md name some of the figures.
  await promisify(execFile)(process.execPath, [join(BENCH, '..', 'scripts', 'documented-tables.ts')]);
}
