/**
 * Runs a part of the suite: `unit` (the tests in `src`), `coverage` (the same, with the lines that they reach), `whole`
 * (what crosses folders, and programs as they are started), each several files at a time; `timed` (what measures time),
 * one file after the other; `faults` (what fails around a service), those that mostly wait together, then the others alone; or
 * `release` (what is shipped, and how it replaces the release before).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

const ROOT = join(import.meta.dirname, '..');
const SHARED_FILES = join(import.meta.dirname, 'shared-files.ts');
const FAILED_FILES = pathToFileURL(join(import.meta.dirname, 'failed-files.ts')).href;
/** A test file that takes longer stands still. */
const FILE_MS_MAX = 180_000;
/** Faults and releases: they wait for windows to end, or build archives. */
const LONG = { limitMs: 300_000, mayRepeat: true };
/** Each is a process, and most wait for servers or time limits: twice as many as a small machine has processors. */
const FILES_AT_ONCE = 4;

/**
 * Setting of glibc: pieces of a MiB and more are mapped, and returned when they are freed. By default it keeps the
 * segments of a catalogue for the next one, and clears 16 MiB each time: half of the time of tests that build many.
 */
const LARGE_PIECES = { MALLOC_MMAP_THRESHOLD_: String(2 ** 20) };

/** So many may fail by chance, and pass when they run again alone (docs/decisions/053-tests-that-do-not-repeat.md). */
const UNSTEADY_FILES_MAX = 3;

/** They measure time, and a second file beside them would be measured as well. */
const TIMED = new Set([
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
]);

/**
 * Each of these files is short, and spends most of its time on loading the same modules: one process runs them all,
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
  '--experimental-test-coverage',
  '--test-coverage-include=src/**/*.ts',
  '--test-coverage-exclude=**/*.test.ts',
];

const WHOLE = ['test/*.test.ts', 'test/{e2e,kit}/**/*.test.ts', '{sdk,mcp}/test/**/*.test.ts'];

/** Stages of each part, one after the other; the runs of a stage are concurrent. */
const PARTS: Readonly<Record<string, () => readonly (readonly Run[])[]>> = {
  unit: () => [
    withShared(unit(), [
      { files: untimed(SHARED) },
      { files: untimed(SHARED_SOURCES).filter((file) => !ALONE.includes(file)), mayRepeat: true },
    ]),
  ],
  coverage: () => [[{ atOnce: FILES_AT_ONCE, files: unit(), flags: COVERAGE }]],
  whole: () => [
    withShared(
      [...UNCOUNTED, ...WHOLE.flatMap(untimed)],
      [{ files: untimed(SHARED_SERVICES), mayRepeat: true }],
    ),
  ],
  timed: () => [[{ atOnce: 1, files: [...TIMED], mayRepeat: true }]],
  faults: () => [
    [{ atOnce: FILES_AT_ONCE, files: WAITING_FAULTS, ...LONG }],
    [{ atOnce: 1, files: loneFaults(), ...LONG }],
  ],
  release: () => [[{ atOnce: 1, files: filesOf('test/release/*.test.ts'), ...LONG }]],
};

/** A run of Node's test runner. */
interface Run {
  /** 0: all files in one process, one after the other; what it prints is shown when it has ended. */
  readonly atOnce: number;
  readonly files: readonly string[];
  readonly flags?: readonly string[];
  /** Time limit of each file. */
  readonly limitMs?: number;
  /** It waits for programs, servers or threads: a file that fails runs a second time. */
  readonly mayRepeat?: boolean;
}

const stages = PARTS[process.argv[2] ?? ''];
if (stages === undefined) throw new Error(`name a part: ${Object.keys(PARTS).join(', ')}`);
const named = [...TIMED, ...ALONE, ...UNCOUNTED, ...WAITING_FAULTS];
const gone = named.filter((file) => !filesOf(file).includes(file));
if (gone.length > 0) throw new Error(`no such test: ${gone.join(', ')}`);
const folder = mkdtempSync(join(tmpdir(), 'stayport-tests-'));
try {
  // All of them, so that one look shows everything that fails.
  for (const runs of stages()) {
    const codes = await Promise.all(runs.map(runTests));
    process.exitCode = codes.find((code) => code !== 0) ?? process.exitCode ?? 0;
  }
} finally {
  rmSync(folder, { recursive: true });
}

/** The exit code; 1 when a signal ended it. */
async function runTests(run: Run): Promise<number> {
  const list = join(folder, `${run.files[0]!.replaceAll('/', '-')}.txt`);
  const code = await runOnce(run, list);
  if (code === 0 || run.mayRepeat !== true) return code;
  const failed = [...new Set(readFileSync(list, 'utf8').split('\n').filter(Boolean))];
  const files = failed.map((file) => relative(ROOT, file));
  if (files.length === 0 || files.length > UNSTEADY_FILES_MAX) return code;
  process.stdout.write(`\nruns again, alone: ${files.join(', ')}\n\n`);
  const codeAlone = await runOnce({ ...run, files, atOnce: 1 }, join(folder, 'again.txt'));
  if (codeAlone === 0) process.stdout.write(`\nUNSTEADY, failed once: ${files.join(', ')}\n\n`);
  return codeAlone;
}

/** Writes the files that failed to `list`. */
async function runOnce(
  { atOnce, files, flags = [], limitMs = FILE_MS_MAX }: Run,
  list: string,
): Promise<number> {
  const isShared = atOnce === 0;
  const how = isShared ? [] : ['--test', `--test-concurrency=${atOnce}`];
  const reporters = [
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-reporter=${FAILED_FILES}`,
    `--test-reporter-destination=${list}`,
  ];
  const options = [...how, `--test-timeout=${limitMs}`, ...reporters, ...flags, ...process.argv.slice(3)];
  const programs = isShared ? [SHARED_FILES, ...files] : files;
  const child = spawn(process.execPath, [...options, ...programs], {
    cwd: ROOT,
    stdio: ['inherit', isShared ? 'pipe' : 'inherit', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: cacheFolder(), ...LARGE_PIECES },
  });
  const printed = child.stdout === null ? '' : text(child.stdout);
  await once(child, 'close');
  process.stdout.write(await printed);
  return child.exitCode ?? 1;
}

/** Those of each of `shared` in a process that they share, beside the others of `files`. */
function withShared(
  files: readonly string[],
  shared: readonly Pick<Run, 'files' | 'mayRepeat'>[],
): readonly Run[] {
  const taken = new Set(shared.flatMap((run) => run.files));
  const others = files.filter((file) => !taken.has(file));
  return [
    ...shared.map((run) => ({ ...run, atOnce: 0 })),
    { atOnce: FILES_AT_ONCE - shared.length, files: others, mayRepeat: true },
  ];
}

/** Every file and every thread of it loads the same modules: compiled once, they start in half the time. */
function cacheFolder(): string {
  return join(ROOT, 'node_modules', '.cache', 'stayport-tests');
}

function unit(): string[] {
  return untimed('src/**/*.test.ts').filter((file) => !UNCOUNTED.includes(file));
}

function untimed(pattern: string): string[] {
  return filesOf(pattern).filter((file) => !TIMED.has(file));
}

function loneFaults(): string[] {
  return filesOf('test/faults/**/*.test.ts').filter((file) => !WAITING_FAULTS.includes(file));
}

function filesOf(pattern: string): string[] {
  return globSync(pattern, { cwd: ROOT }).sort();
}
