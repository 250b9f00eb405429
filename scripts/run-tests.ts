/**
 * Runs parts of the tests (`test-parts.ts`), or the test files that are named: `node scripts/run-tests.ts quick rest`.
 * `all` is every part, with `--after-test` all but those of `npm test`; `coverage` is the unit tests with the lines that
 * they reach. Other flags go to Node.
 *
 * A process that passes prints a line, one that fails all that it said. At the end stand the suites that did not run,
 * with the reason and what to install. With `CI=true` such a suite is a failure.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import {
  type PostgresServer,
  postgresMissing,
  SHARED_POSTGRES,
  startPostgres,
} from '../test/kit/postgres-server.ts';
import { CHECKING } from '../test/kit/checking.ts';
import { makeTestFolders } from '../test/kit/test-folders.ts';
import type { TestCounts } from './test-counts.ts';
import {
  alone,
  assertNamedFilesExist,
  countedFiles,
  type Job,
  type Part,
  PARTS,
  PROCESSES_AT_ONCE,
  ROOT,
} from './test-parts.ts';
import { formatResult, formatSummary, type Result } from './test-report.ts';

const SHARED_FILES = join(import.meta.dirname, 'shared-files.ts');
const COUNTS = pathToFileURL(join(import.meta.dirname, 'test-counts.ts')).href;
/**
 * A test that takes longer, or a process, stands still. Five times what the longest takes on a quiet machine: a busy
 * one must not fail it.
 */
const STANDS_STILL_MS = 900_000;
/** So many may fail by chance, and pass when they run again alone (docs/decisions/053-tests-that-do-not-repeat.md). */
const UNSTEADY_FILES_MAX = 3;
/** By habit of test programs, the exit code of a command that could not run here; the reason is its last line. */
const NOT_RUN_CODE = 77;
/** After an interruption a test has so long to end what it started. */
const END_MS_MAX = 5_000;
const NO_TEST = 'it has no test that ran';
const PARTS_OF_NPM_TEST = ['check', 'quick'];

const COVERAGE = [
  '--test',
  '--experimental-test-coverage',
  '--test-coverage-include=src/**/*.ts',
  '--test-coverage-exclude=**/*.test.ts',
];

const AFTER_TEST = '--after-test';
const words = process.argv.slice(2).filter((word) => word !== AFTER_TEST);
const flags = words.filter((word) => word.startsWith('-'));
const wanted = words.filter((word) => !word.startsWith('-'));
assertNamedFilesExist();
const folders = makeTestFolders();
const children = new Set<ChildProcess>();
let postgres: PostgresServer | undefined;
process.once('exit', () => folders.remove());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => void endEarly(signal));
if (wanted.join() === 'coverage') process.exitCode = await printCoverage();
else {
  const results: Result[] = [];
  for (const part of chooseParts()) results.push(...(await runPart(part)));
  process.stdout.write(formatSummary(results));
  const isBinding = process.env['CI'] === 'true';
  const isGood = results.every(({ isPassed, notRun }) => isPassed && !(isBinding && notRun.length > 0));
  process.exitCode = isGood ? 0 : 1;
}

/** Ends what runs, so that it leaves nothing, and then this process as the signal would have. */
async function endEarly(signal: NodeJS.Signals): Promise<void> {
  const ends = [...children].map(async (child) => {
    child.kill('SIGTERM');
    await Promise.race([once(child, 'close'), sleep(END_MS_MAX)]);
    child.kill('SIGKILL');
  });
  await Promise.all(ends);
  await postgres?.close().catch(() => undefined);
  folders.remove();
  process.kill(process.pid, signal);
}

/** Files stand for a part that runs each alone. */
function chooseParts(): readonly Part[] {
  const files = wanted.filter((word) => word.includes('.test.'));
  const paths = files.map((file) => relative(ROOT, resolve(file)));
  const done = process.argv.includes(AFTER_TEST) ? PARTS_OF_NPM_TEST : [];
  const all = Object.keys(PARTS).filter((name) => !done.includes(name));
  const names = wanted.flatMap((word) => (word === 'all' ? all : files.includes(word) ? [] : [word]));
  const unknown = names.filter((name) => PARTS[name] === undefined);
  if (unknown.length > 0 || wanted.length === 0)
    throw new Error(`name a part or files: ${[...Object.keys(PARTS), 'all', 'coverage'].join(', ')}`);
  const parts = names.map((name) => PARTS[name]!);
  if (files.length === 0) return parts;
  return [...parts, { stages: () => [{ atOnce: PROCESSES_AT_ONCE, jobs: paths.map(alone) }] }];
}

async function runPart({ sharesPostgres = false, stages }: Part): Promise<readonly Result[]> {
  postgres = sharesPostgres ? await openPostgres() : undefined;
  const env = {
    ...environment(),
    ...(postgres === undefined ? {} : { [SHARED_POSTGRES]: String(postgres.port) }),
  };
  const run = async (job: Job): Promise<Result> => {
    const result = await runJob(job, env);
    process.stdout.write(formatResult(result));
    return result;
  };
  try {
    const results: Result[] = [];
    // All of them, so that one look shows everything that fails.
    for (const { atOnce, jobs } of stages()) {
      const waiting = jobs.values();
      const lanes = Array.from({ length: atOnce }, async () => {
        for (const job of waiting) results.push(await run(job));
      });
      await Promise.all(lanes);
    }
    return await repeatFailed(results, run);
  } finally {
    await postgres?.close();
  }
}

/**
 * One server for the databases of all files; undefined where none can be started, which the files say themselves. Six
 * files at once open many pools on it.
 */
async function openPostgres(): Promise<PostgresServer | undefined> {
  if (postgresMissing() !== false) return undefined;
  try {
    return await startPostgres({ max_connections: '400' });
  } catch (error) {
    process.stdout.write(`${String(error)}\n`);
    return undefined;
  }
}

/** A file that passes now, alone, is unsteady and has not failed. */
async function repeatFailed(
  results: readonly Result[],
  run: (job: Job) => Promise<Result>,
): Promise<readonly Result[]> {
  const failed = results.filter((result) => !result.isPassed);
  const files = failed.flatMap(({ failedFiles }) => failedFiles);
  const isBad = failed.some(({ job, failedFiles }) => !job.mayRepeat || failedFiles.length === 0);
  if (isBad || files.length > UNSTEADY_FILES_MAX) return results;
  const unsteady: string[] = [];
  for (const file of files) if ((await run(alone(file))).isPassed) unsteady.push(file);
  return results.map((result) => withoutUnsteady(result, unsteady));
}

function withoutUnsteady(result: Result, files: readonly string[]): Result {
  const failedFiles = result.failedFiles.filter((file) => !files.includes(file));
  const unsteady = result.failedFiles.filter((file) => files.includes(file));
  if (failedFiles.length > 0 || unsteady.length === 0) return { ...result, failedFiles, unsteady };
  return { ...result, failedFiles, unsteady, failed: 0, isPassed: true };
}

async function runJob(job: Job, env: NodeJS.ProcessEnv): Promise<Result> {
  const startMs = performance.now();
  const list = join(folders.own, `${job.name.replaceAll(/[/ ]/g, '-')}.json`);
  const [program = '', ...args] = job.command ?? commandOf(job.files, list);
  const stdio = ['ignore', 'pipe', 'pipe'] as const;
  const child = spawn(program, args, { cwd: ROOT, stdio: [...stdio], timeout: STANDS_STILL_MS, env });
  children.add(child);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  children.delete(child);
  const { exitCode, signalCode } = child;
  const printed = `${stdout}${stderr}${signalCode === null ? '' : `ended by ${signalCode}\n`}`;
  const counts =
    job.command === undefined ? readCounts(list, job.files) : countCommand(job, exitCode, stdout);
  const isPassed = counts.failed === 0 && [0, NOT_RUN_CODE].includes(exitCode ?? -1);
  return { job, isPassed, seconds: (performance.now() - startMs) / 1_000, printed, unsteady: [], ...counts };
}

function commandOf(files: readonly string[], list: string): readonly string[] {
  const programs = files.length === 1 ? files : [SHARED_FILES, ...files];
  const reporters = [
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-reporter=${COUNTS}`,
    `--test-reporter-destination=${list}`,
  ];
  return [process.execPath, `--test-timeout=${STANDS_STILL_MS}`, ...reporters, ...flags, ...programs];
}

/** A process that ended before its report failed in all of its files. */
function readCounts(list: string, files: readonly string[]): TestCounts {
  try {
    const counts = JSON.parse(readFileSync(list, 'utf8')) as TestCounts;
    if (counts.passed + counts.failed + counts.notRun.length > 0) return counts;
    return { ...counts, notRun: files.map((file) => ({ file, name: '', reason: NO_TEST })) };
  } catch {
    return { passed: 0, failed: files.length, notRun: [], failedFiles: files, failures: [] };
  }
}

function countCommand(job: Job, exitCode: number | null, stdout: string): TestCounts {
  const none: TestCounts = { passed: 0, failed: 0, notRun: [], failedFiles: [], failures: [] };
  if (exitCode === 0) return { ...none, passed: 1 };
  if (exitCode !== NOT_RUN_CODE) return { ...none, failed: 1 };
  const reason = stdout.trim().split('\n').at(-1) ?? '';
  return { ...none, notRun: [{ file: job.name, name: '', reason }] };
}

async function printCoverage(): Promise<number> {
  const options = [
    ...COVERAGE,
    `--test-concurrency=${PROCESSES_AT_ONCE}`,
    `--test-timeout=${STANDS_STILL_MS}`,
  ];
  const child = spawn(process.execPath, [...options, ...flags, ...countedFiles()], {
    cwd: ROOT,
    stdio: 'inherit',
    env: environment(),
  });
  await once(child, 'close');
  return child.exitCode ?? 1;
}

/** Every file and every thread of it loads the same modules: compiled once, they start in half the time. */
function environment(): NodeJS.ProcessEnv {
  const cache = join(ROOT, 'node_modules', '.cache', 'stayport-tests');
  return { ...process.env, ...CHECKING, ...folders.environment, NODE_COMPILE_CACHE: cache };
}
