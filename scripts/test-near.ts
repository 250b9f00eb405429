/**
 * Runs the tests that a change of the named files should run first. `npm run test:near FILE...` also takes files that are
 * read by path: `.sql`, `.lua`, `.css`; and a file of tests stands for itself.
 *
 * It ends within a minute, whatever the tests do: what runs then is ended and named. `--seconds N` gives it less. It ends
 * with 0 where all that began have passed, 1 where one failed, 3 where none failed and some were ended, or where no test
 * ran. Tests that a file leaves out follow its line.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { CHECKING } from '../test/kit/checking.ts';
import { readSourceFile } from '../test/kit/import-graph.ts';
import { findNearTests, type NearTests } from '../test/kit/near-tests.ts';
import { LEFT_POSTGRES } from '../test/kit/postgres-server.ts';
import { makeTestFolders } from '../test/kit/test-folders.ts';

const ROOT = join(import.meta.dirname, '..');
const SOURCES = '{src,test,bench,sdk,mcp}/**/*.ts';
/** `npm run` and the end of what runs take the rest of a minute. */
const SECONDS_MAX = 52;
/** In this part of the time files begin; the rest is for their end. */
const BEGIN_SHARE = 0.5;
/** Processes that hold the output of a file that has ended are not waited for. */
const OUTPUT_MS_MAX = 1_000;
/** The end of the output of a file that did not end. */
const LAST_LINES = 5;
const EXIT_FAILED = 1;
const EXIT_UNFINISHED = 3;
/** A line of the reporter: a test has failed, whatever becomes of its file. */
const FAILED_LINE = /^\s*✖ /m;
/** The same of a test or a suite that did not run, with the reason. */
const SKIPPED_LINE = /^\s*﹣ .*$/gm;
const NO_TEST_LINE = /^ℹ pass 0$/m;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: String(SECONDS_MAX) } },
});
const limitMs = Math.min(Number(values.seconds), SECONDS_MAX) * 1_000;
const wanted = positionals.map((file) => relative(ROOT, resolve(file)).split(sep).join('/'));
const unknown = wanted.filter((file) => !existsSync(join(ROOT, file)));
if (wanted.length === 0 || unknown.length > 0 || !(limitMs > 0)) {
  process.stderr.write(
    unknown.length > 0
      ? `no such file: ${unknown.join(', ')}\n`
      : 'name the files that you changed: npm run test:near src/domain/layers.ts\n',
  );
  process.exit(2);
}

const near = chooseTests();
if (near.quick.length + near.starting.length === 0) {
  process.stderr.write('no test reaches these files by imports; run `npm test`\n');
  process.exit(1);
}
const folders = makeTestFolders();
const running = new Set<ChildProcess>();
process.once('exit', () => folders.remove());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    for (const child of running) endWithChildren(child);
    folders.remove();
    process.kill(process.pid, signal);
  });

const failed: string[] = [];
const unfinished: string[] = [];
const notBegun: string[] = [];
let passedCount = 0;
const quick = [...near.quick];
const starting = [...near.starting];
/** Every other process begins with the tests that take longest, so that these have all of the time. */
const takeNext = (isQuick: boolean): string | undefined =>
  isQuick ? (quick.shift() ?? starting.shift()) : (starting.shift() ?? quick.shift());
await Promise.all(
  Array.from({ length: availableParallelism() }, async (_, at) => {
    for (let file = takeNext(at % 2 === 0); file !== undefined; file = takeNext(at % 2 === 0)) {
      if (performance.now() > limitMs * BEGIN_SHARE) notBegun.push(file);
      else await runFile(file);
    }
  }),
);
const says: string[] = [];
if (notBegun.length > 0) says.push(`no time for these, \`npm test\` has: ${notBegun.join(', ')}`);
if (unfinished.length > 0)
  says.push(`NOT FINISHED in ${limitMs / 1_000} s, so ended: ${unfinished.join(', ')}`);
if (failed.length > 0) says.push(`FAILED: ${failed.join(', ')}`);
else if (unfinished.length > 0) says.push('no test has failed, and nothing is known of what was ended');
else if (passedCount === 0) says.push('no test ran');
else says.push('all that began have passed');
process.stdout.write(`${says.join('\n')}\n`);
if (failed.length > 0) process.exitCode = EXIT_FAILED;
else if (unfinished.length > 0 || passedCount === 0) process.exitCode = EXIT_UNFINISHED;

function chooseTests(): NearTests {
  const tests = wanted.filter((file) => file.includes('.test.'));
  const changed = wanted.filter((file) => !tests.includes(file));
  if (changed.length === 0) return { quick: tests, starting: [], isOfPostgres: true };
  const files = globSync(SOURCES, { cwd: ROOT, exclude: ['**/node_modules/**'] }).map((path) =>
    readSourceFile(ROOT, path),
  );
  const found = findNearTests(changed, files);
  return {
    quick: [...new Set([...tests, ...found.quick])],
    starting: found.starting.filter((file) => !tests.includes(file)),
    // A file of tests that is named runs whole.
    isOfPostgres: found.isOfPostgres || tests.length > 0,
  };
}

/** In a process of its own, which is the first of a group: what it starts ends with it. */
async function runFile(file: string): Promise<void> {
  const startMs = performance.now();
  const child = spawn(process.execPath, [file], {
    cwd: ROOT,
    detached: true,
    env: {
      ...process.env,
      ...CHECKING,
      ...folders.environment,
      ...(near.isOfPostgres ? {} : { [LEFT_POSTGRES]: '`npm run test:near`' }),
      NODE_COMPILE_CACHE: join(ROOT, 'node_modules', '.cache', 'stayport-tests'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    endWithChildren(child);
  }, limitMs - startMs);
  const closed = once(child, 'close');
  await once(child, 'exit');
  clearTimeout(timer);
  await Promise.race([closed, sleep(OUTPUT_MS_MAX, undefined, { ref: false })]);
  for (const stream of [child.stdout, child.stderr]) stream.destroy();
  running.delete(child);
  const isPassed = child.exitCode === 0;
  const isUnfinished = isLate && !FAILED_LINE.test(printed);
  const hasRun = !NO_TEST_LINE.test(printed);
  const mark = !isPassed ? '✖' : hasRun ? '✔' : '﹣';
  const line = `${mark} ${file}, ${((performance.now() - startMs) / 1_000).toFixed(1)} s\n`;
  if (isPassed) {
    const skipped = printed.match(SKIPPED_LINE) ?? [];
    process.stdout.write(`${line}${skipped.map((one) => `  ${one.trim()}\n`).join('')}`);
    if (hasRun) passedCount += 1;
    return;
  }
  process.stdout.write(`\n${line}${isUnfinished ? lastLines(printed) : printed}\n`);
  (isUnfinished ? unfinished : failed).push(file);
}

/** Behind the last test that ended is the one that did not. */
function lastLines(printed: string): string {
  return printed.trimEnd().split('\n').slice(-LAST_LINES).join('\n');
}

function endWithChildren(child: ChildProcess): void {
  try {
    process.kill(-child.pid!, 'SIGKILL');
  } catch {
    // Windows has no groups.
    child.kill('SIGKILL');
  }
}
