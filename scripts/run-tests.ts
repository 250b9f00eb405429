/**
 * Runs a part of the suite: `fast` (all but what follows, several processes at a time), of it `unit` (the tests in
 * `src`) or `whole` (what crosses folders, and programs as they are started); `timed` (what measures time);
 * `faults` (what fails around a service), those that mostly wait together, then the others alone; `release` (what is
 * shipped, and how it replaces the release before); or `coverage` (the unit tests, with the lines that they reach).
 *
 * A process that passes prints one line, one that fails all that it said.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import {
  type PostgresServer,
  postgresMissing,
  SHARED_POSTGRES,
  startPostgres,
} from '../test/kit/postgres-server.ts';
import type { TestCounts } from './test-counts.ts';

const ROOT = join(import.meta.dirname, '..');
const SHARED_FILES = join(import.meta.dirname, 'shared-files.ts');
const COUNTS = pathToFileURL(join(import.meta.dirname, 'test-counts.ts')).href;
/** A test that takes longer stands still. */
const TEST_MS_MAX = 180_000;
/** Faults and releases: they wait for windows to end, or build archives. */
const LONG_TEST_MS_MAX = 300_000;
/** A process of several files that takes longer stands still; one of a single file, after the time of a test. */
const SHARED_MS_MAX = 900_000;
/** Most processes wait half of their time: three times as many as a small machine has processors. */
const PROCESSES_AT_ONCE = 6;
/** Enough to load their modules once, few enough that none ends long after the others. */
const SHARED_FILES_MAX = 30;

/**
 * Setting of glibc: pieces of a MiB and more are mapped, and returned when they are freed. By default it keeps the
 * segments of a catalogue for the next one, and clears 16 MiB each time: half of the time of tests that build many.
 */
const LARGE_PIECES = { MALLOC_MMAP_THRESHOLD_: String(2 ** 20) };

/** So many may fail by chance, and pass when they run again alone (docs/decisions/053-tests-that-do-not-repeat.md). */
const UNSTEADY_FILES_MAX = 3;

/** They measure time, and more than one other file beside them would be measured as well. */
const TIMED = [
  'src/following/catalogue-follower.test.ts',
  'src/http/partner/shedding.test.ts',
  'src/http/listener/closing.test.ts',
  'src/http/listener/pipelining.test.ts',
  'src/limits/shared-limits.test.ts',
  'src/runtime/event-loop-watch.test.ts',
  'src/storage/engine/postgres/postgres-failures.test.ts',
  'src/storage/engine/sqlite/sqlite-failures.test.ts',
  'src/storage/engine/sqlite/sqlite-processes.test.ts',
  'test/drain.test.ts',
  'test/e2e/changes.test.ts',
  'test/e2e/revocation.test.ts',
  'test/serve.test.ts',
  'test/workers.test.ts',
];

/**
 * Each of these files is short, and spends most of its time on loading the same modules: one process runs many of them,
 * one after the other (`shared-files.ts`). They keep nothing outside of themselves, and none of them measures time or
 * memory.
 */
const SHARED =
  'src/{access,activity,attribution,console,contract,domain,handoff,observability,quotes,sandbox,settings,web}/**/*.test.ts';

/** As well, but these wait for servers and threads: a file that fails runs a second time. */
const SHARED_SOURCES = 'src/{cli,http,limits,service,supply,workers}/**/*.test.ts';
const SHARED_SERVICES =
  'test/e2e/{answers,audit,database-away,documents,freshness,handoff,history-lost,limits,local-days,messages,parameters,pictures,problems,published-calendars,quote-body,quotes,sandbox,sandbox-problems,search,stays,stored-quotes,unmet-demand,visibility}.test.ts';

/** They watch the memory of their process, or take so long that a process of their own ends sooner. */
const ALONE = [
  'src/http/listener/request-body.test.ts',
  'src/http/listener/body-chunks.test.ts',
  'src/supply/inside-airbnb/inside-airbnb.test.ts',
  'src/supply/messages/supply-retention.test.ts',
  'src/supply/run/import-run.test.ts',
  'src/supply/text/ndjson-lines.test.ts',
  'src/supply/ical/mutated-calendars.test.ts',
  'src/supply/messages/mutated-messages.test.ts',
  'src/supply/rates/rates-file.test.ts',
];

/** They wait for timers of seconds, and nothing that they assert depends on who else has the processors. */
const WAITING_FAULTS = ['activity', 'clock-steps', 'feeds', 'held-connections', 'redis', 'redis-cluster'].map(
  (name) => `test/faults/${name}.test.ts`,
);

/** Counting every branch makes them take three times as long, and they reach few lines that no other test reaches. */
const UNCOUNTED = ['src/catalogue/index/index-edges.test.ts', 'src/following/follower-simulation.test.ts'];

const COVERAGE = [
  '--test',
  '--experimental-test-coverage',
  '--test-coverage-include=src/**/*.ts',
  '--test-coverage-exclude=**/*.test.ts',
];

const WHOLE = ['test/*.test.ts', 'test/{e2e,kit}/**/*.test.ts', '{sdk,mcp}/test/**/*.test.ts'];

/** Files that one process runs. */
interface Job {
  readonly files: readonly string[];
  /** It waits for programs, servers or threads: a file that fails runs a second time. */
  readonly mayRepeat: boolean;
  readonly testMsMax?: number;
}

interface Stage {
  readonly atOnce: number;
  readonly jobs: readonly Job[];
}

/** Stages of each part, one after the other. */
const PARTS: Readonly<Record<string, () => readonly Stage[]>> = {
  fast: () => [{ atOnce: PROCESSES_AT_ONCE, jobs: [...whole(), ...unit()] }],
  unit: () => [{ atOnce: PROCESSES_AT_ONCE, jobs: unit() }],
  whole: () => [{ atOnce: PROCESSES_AT_ONCE, jobs: whole() }],
  timed: () => [{ atOnce: 2, jobs: TIMED.map((file) => alone(file)) }],
  faults: () => [
    { atOnce: PROCESSES_AT_ONCE, jobs: WAITING_FAULTS.map((file) => alone(file, LONG_TEST_MS_MAX)) },
    { atOnce: 1, jobs: loneFaults().map((file) => alone(file, LONG_TEST_MS_MAX)) },
  ],
  release: () => [
    { atOnce: 1, jobs: filesOf('test/release/*.test.ts').map((file) => alone(file, LONG_TEST_MS_MAX)) },
  ],
};

/** Parts whose files share a PostgreSQL server; the others stop theirs, or measure. */
const SHARING = ['fast', 'unit', 'whole'];

const [part = '', ...flags] = process.argv.slice(2);
const named = [...TIMED, ...ALONE, ...UNCOUNTED, ...WAITING_FAULTS];
const gone = named.filter((file) => !existsSync(join(ROOT, file)));
if (gone.length > 0) throw new Error(`no such test: ${gone.join(', ')}`);
if (part === 'coverage') process.exitCode = await printCoverage();
else {
  const stages = PARTS[part];
  if (stages === undefined) throw new Error(`name a part: ${[...Object.keys(PARTS), 'coverage'].join(', ')}`);
  const folder = mkdtempSync(join(tmpdir(), 'stayport-tests-'));
  const postgres = SHARING.includes(part) ? await openPostgres() : undefined;
  if (postgres !== undefined) process.env[SHARED_POSTGRES] = String(postgres.port);
  try {
    process.exitCode = (await runStages(stages(), folder)) ? 0 : 1;
  } finally {
    await postgres?.close();
    rmSync(folder, { recursive: true });
  }
}

/**
 * One server for the databases of all files; undefined where none can be started, which the files say themselves. Six
 * files at once open many pools on it.
 */
async function openPostgres(): Promise<PostgresServer | undefined> {
  return postgresMissing() === false ? startPostgres({ max_connections: '400' }) : undefined;
}

/** All of them, so that one look shows everything that fails. */
async function runStages(stages: readonly Stage[], folder: string): Promise<boolean> {
  const results: Result[] = [];
  for (const { atOnce, jobs } of stages) {
    const waiting = jobs.values();
    const lanes = Array.from({ length: atOnce }, async () => {
      for (const job of waiting) results.push(await runJob(job, folder));
    });
    await Promise.all(lanes);
  }
  const failed = results.filter(({ isPassed }) => !isPassed);
  const again = failed.flatMap(({ failedFiles, job }) =>
    failedFiles.map((file) => ({ ...job, files: [file] })),
  );
  const isBad = failed.some(({ job, failedFiles }) => !job.mayRepeat || failedFiles.length === 0);
  const unsteady: string[] = [];
  if (!isBad && again.length <= UNSTEADY_FILES_MAX)
    for (const job of again) if ((await runJob(job, folder)).isPassed) unsteady.push(...job.files);
  const sumOf = (key: 'passed' | 'skipped') => results.reduce((sum, result) => sum + result[key], 0);
  const bad = again.flatMap(({ files }) => files).filter((file) => !unsteady.includes(file));
  process.stdout.write(`\n${sumOf('passed')} tests passed, ${sumOf('skipped')} were skipped\n`);
  if (unsteady.length > 0) process.stdout.write(`UNSTEADY, failed once: ${unsteady.join(', ')}\n`);
  if (bad.length > 0) process.stdout.write(`FAILED: ${bad.join(', ')}\n`);
  return !isBad && bad.length === 0;
}

interface Result extends TestCounts {
  readonly job: Job;
  readonly isPassed: boolean;
}

async function runJob(job: Job, folder: string): Promise<Result> {
  const { files, testMsMax = TEST_MS_MAX } = job;
  const startMs = performance.now();
  const list = join(folder, `${files[0]!.replaceAll('/', '-')}.json`);
  const programs = files.length === 1 ? files : [SHARED_FILES, ...files];
  const reporters = [
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-reporter=${COUNTS}`,
    `--test-reporter-destination=${list}`,
  ];
  const child = spawn(
    process.execPath,
    [`--test-timeout=${testMsMax}`, ...reporters, ...flags, ...programs],
    {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: files.length === 1 ? testMsMax : SHARED_MS_MAX,
      env: environment(),
    },
  );
  const [printed, complaints] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  const counts = readCounts(list, files);
  const isPassed = child.exitCode === 0 && counts.failedFiles.length === 0;
  const seconds = ((performance.now() - startMs) / 1_000).toFixed(1);
  const name = files.length === 1 ? files[0] : `${files[0]} and ${files.length - 1} more`;
  const skipped = counts.skipped === 0 ? '' : `, ${counts.skipped} skipped`;
  process.stdout.write(
    isPassed
      ? `✔ ${name}: ${counts.passed} tests${skipped}, ${seconds} s\n`
      : `\n✖ ${name}, ${seconds} s\n${printed}${complaints}\n`,
  );
  return { job, isPassed, ...counts };
}

/** A process that ended before its report failed in all of its files. */
function readCounts(list: string, files: readonly string[]): TestCounts {
  try {
    const counts = JSON.parse(readFileSync(list, 'utf8')) as TestCounts;
    return { ...counts, failedFiles: counts.failedFiles.map((file) => relative(ROOT, file)) };
  } catch {
    return { passed: 0, skipped: 0, failedFiles: files };
  }
}

async function printCoverage(): Promise<number> {
  const files = untimed('src/**/*.test.ts').filter((file) => !UNCOUNTED.includes(file));
  const options = [...COVERAGE, `--test-concurrency=${PROCESSES_AT_ONCE}`, `--test-timeout=${TEST_MS_MAX}`];
  const child = spawn(process.execPath, [...options, ...flags, ...files], {
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
  return { ...process.env, NODE_COMPILE_CACHE: cache, ...LARGE_PIECES };
}

function unit(): Job[] {
  const waiting = untimed(SHARED_SOURCES).filter((file) => !ALONE.includes(file));
  const shared = [...together(untimed(SHARED), false), ...together(waiting, true)];
  return [...shared, ...others(untimed('src/**/*.test.ts'), shared)];
}

/** Those in a browser take longest, so they begin first. */
function whole(): Job[] {
  const files = WHOLE.flatMap(untimed);
  const inBrowser = files.filter((file) => file.includes('browser'));
  const shared = together(untimed(SHARED_SERVICES), true);
  return [...inBrowser.map((file) => alone(file)), ...shared, ...others(files, shared, inBrowser)];
}

/** Each in a process of its own. */
function others(files: readonly string[], shared: readonly Job[], taken: readonly string[] = []): Job[] {
  const elsewhere = new Set([...taken, ...shared.flatMap((job) => job.files)]);
  return files.filter((file) => !elsewhere.has(file)).map((file) => alone(file));
}

function alone(file: string, testMsMax?: number): Job {
  return { files: [file], mayRepeat: true, ...(testMsMax === undefined ? {} : { testMsMax }) };
}

/** In processes of about as many files each. */
function together(files: readonly string[], mayRepeat: boolean): Job[] {
  const count = Math.ceil(files.length / SHARED_FILES_MAX);
  return Array.from({ length: count }, (_, index) => ({
    files: files.filter((_file, place) => place % count === index),
    mayRepeat,
  }));
}

function untimed(pattern: string): string[] {
  return filesOf(pattern).filter((file) => !TIMED.includes(file));
}

function loneFaults(): string[] {
  return filesOf('test/faults/**/*.test.ts').filter((file) => !WAITING_FAULTS.includes(file));
}

function filesOf(pattern: string): string[] {
  return globSync(pattern, { cwd: ROOT }).sort();
}
