/**
 * Runs a part of the suite: `unit` (the tests in `src`), `coverage` (the same, with the lines that they reach), `whole`
 * (what crosses folders, and programs as they are started), each several files at a time; or `timed` (what measures
 * time), one file after the other.
 */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
/** A test file that takes longer stands still. */
const FILE_MS_MAX = 180_000;
/** Each is a process, and most wait for servers or time limits: twice as many as a small machine has processors. */
const FILES_AT_ONCE = 4;

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

/** Counting every branch makes them take three times as long, and they reach few lines that no other test reaches. */
const UNCOUNTED = ['src/catalogue/index/index-edges.test.ts', 'src/following/follower-simulation.test.ts'];

const COVERAGE = [
  '--experimental-test-coverage',
  '--test-coverage-include=src/**/*.ts',
  '--test-coverage-exclude=**/*.test.ts',
];

const WHOLE = ['test/*.test.ts', 'test/{e2e,kit}/**/*.test.ts', '{sdk,mcp}/test/**/*.test.ts'];

const PARTS: Readonly<Record<string, () => string[]>> = {
  unit: () => [`--test-concurrency=${FILES_AT_ONCE}`, ...unit()],
  coverage: () => [`--test-concurrency=${FILES_AT_ONCE}`, ...COVERAGE, ...unit()],
  whole: () => [`--test-concurrency=${FILES_AT_ONCE}`, ...UNCOUNTED, ...WHOLE.flatMap(untimed)],
  timed: () => ['--test-concurrency=1', ...TIMED],
};

const part = PARTS[process.argv[2] ?? ''];
if (part === undefined) throw new Error(`name a part: ${Object.keys(PARTS).join(', ')}`);
const gone = [...TIMED, ...UNCOUNTED].filter((file) => !filesOf(file).includes(file));
if (gone.length > 0) throw new Error(`no such test: ${gone.join(', ')}`);
const { status } = spawnSync(
  process.execPath,
  ['--test', `--test-timeout=${FILE_MS_MAX}`, ...part(), ...process.argv.slice(3)],
  { cwd: ROOT, stdio: 'inherit', env: { ...process.env, NODE_COMPILE_CACHE: cacheFolder() } },
);
process.exitCode = status ?? 1;

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

function filesOf(pattern: string): string[] {
  return globSync(pattern, { cwd: ROOT }).sort();
}
