import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { until } from './kit/command-line.ts';
import { readSourceFile } from './kit/import-graph.ts';
import { LEFT_POSTGRES } from './kit/postgres-server.ts';
import { findNearTests, findStarting, SERVICE_TESTS_MAX } from './kit/near-tests.ts';

const ROOT = join(import.meta.dirname, '..');
const files = globSync('{src,test,sdk,mcp}/**/*.ts', { cwd: ROOT, exclude: ['**/node_modules/**'] }).map(
  (path) => readSourceFile(ROOT, path),
);

const startsProcesses = findStarting(files);

describe('findNearTests', () => {
  it('takes the test beside a file first', () => {
    assert.equal(findNearTests(['src/domain/layers.ts'], files).quick[0], 'src/domain/layers.test.ts');
  });

  for (const file of ['planner', 'layered-property', 'settle-messages', 'stored-write'])
    it(`takes the suites of storage for the ledger's ${file}.ts`, () => {
      const { quick } = findNearTests([`src/domain/ledger/${file}.ts`], files);
      assert.ok(quick.includes('src/storage/sqlite-storage.test.ts'), quick.join('\n'));
    });

  it('takes the tests that run a suite for this suite', () => {
    const { quick, starting } = findNearTests(['test/suites/storage/supply-model-suite.ts'], files);
    assert.equal(quick[0], 'src/storage/sqlite-storage.test.ts');
    assert.ok(starting.includes('src/storage/postgres-storage.test.ts'), starting.join('\n'));
  });

  it('takes SQLite alone for what does not speak of PostgreSQL', () => {
    const { starting, isOfPostgres } = findNearTests(['src/domain/ledger/planner.ts'], files);
    assert.equal(isOfPostgres, false);
    assert.ok(!starting.some((test) => test.includes('postgres')), starting.join('\n'));
  });

  it('takes the suites on PostgreSQL for what is about PostgreSQL', () => {
    const { starting } = findNearTests(['src/storage/catalogue/postgres-writes.ts'], files);
    assert.ok(starting.includes('src/storage/postgres-storage.test.ts'), starting.join('\n'));
  });

  for (const [file, test] of [
    ['app/workers/threads', 'workers'],
    ['operator/acts/property-acts', 'property-show'],
    ['console/http/upload', 'e2e/console/import'],
    ['console/pages/webhooks/read', 'e2e/console/webhooks'],
    ['console/pages/property-form/save', 'e2e/console/property-form'],
    ['partner/quotes/create-quote', 'e2e/partner/quotes'],
    ['supply/ical/feed-poller', 'e2e/operator/feeds'],
    ['traveller/http/published-route', 'e2e/traveller/published-calendars'],
    ['operator/activity/demand-report', 'e2e/partner/activity'],
    ['read-model/catalogue/prices/flexible-search', 'e2e/partner/flexible-stays'],
    ['handoff/booking-url', 'e2e/traveller/booking-site'],
    ['app/cli/commands/rates-command', 'override-commands'],
  ])
    it(`takes the end-to-end tests ${test} for ${file}.ts`, () => {
      const { starting } = findNearTests([`src/${file}.ts`], files);
      assert.ok(starting.includes(`test/${test}.test.ts`), starting.join('\n'));
    });

  it('takes the tests that start a server of the kit for this server', () => {
    const { starting } = findNearTests(['test/kit/feed-server.ts'], files);
    const importers = files.filter(({ imports }) => imports.includes('test/kit/feed-server.ts'));
    assert.ok(importers.some(({ path }) => starting.includes(path)));
  });

  for (const file of [
    'storage/storage',
    'domain/property',
    'partner/quotes/create-quote',
    'app/cli/terminal/session',
  ])
    it(`takes few tests that start processes for ${file}.ts, apart from the quick ones`, () => {
      const { quick, starting } = findNearTests([`src/${file}.ts`], files);
      assert.ok(quick.length > 0 && !quick.some((test) => startsProcesses.has(test)), String(quick));
      assert.ok(starting.length <= SERVICE_TESTS_MAX);
      assert.ok(
        starting.every((test) => startsProcesses.has(test)),
        String(starting),
      );
    });
});

describe('The command for the nearest tests', { skip: process.platform === 'win32' }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'stayport-near-'));
  after(() => rmSync(folder, { recursive: true }));
  /** A file of tests that writes down its own process and one that it starts. */
  const fileOf = (name: string, body: string, behind = ''): string => {
    const path = join(folder, `${name}.test.mjs`);
    writeFileSync(
      path,
      `import { spawn } from 'node:child_process';
      import { writeFileSync } from 'node:fs';
      import { it } from 'node:test';
      it('${name}', () => {
        const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'inherit' });
        writeFileSync(${JSON.stringify(join(folder, name))}, process.pid + ' ' + child.pid);
        ${body}
      });
      ${behind}`,
    );
    return path;
  };
  const run = (temporary: string, args: readonly string[]) => {
    const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
    const child = spawn(process.execPath, [join(ROOT, 'scripts', 'test-near.ts'), ...args], {
      env: { ...env, TMPDIR: temporary },
    });
    const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    return { child, ended: ended.then(([stdout, stderr]) => ({ code: child.exitCode, stdout, stderr })) };
  };
  const isAlive = (pid: number): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  const pidsOf = (name: string) => readFileSync(join(folder, name), 'utf8').split(' ').map(Number);
  const assertGone = (name: string) => until(async () => !pidsOf(name).some(isAlive));

  const loops = fileOf('loops', 'for (;;);');
  const passes = fileOf('passes', 'child.kill();');
  const fails = fileOf('fails', `child.kill(); throw new Error('one is not two');`);
  const failsAndLoops = fileOf(
    'fails-and-loops',
    `child.kill(); throw new Error('one is not two');`,
    `it('waits', () => new Promise(() => setInterval(() => undefined, 1000)));`,
  );

  it('ends with 0 where all pass', async () => {
    const { code, stdout } = await run(folder, [passes]).ended;
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^✔ \S+passes\.test\.mjs, \d/);
    assert.match(stdout, /\nall that began have passed\n$/);
  });

  it('names what a file leaves out, and ends with 3 where no test ran', async () => {
    const skips = join(folder, 'skips.test.mjs');
    writeFileSync(skips, `import { it } from 'node:test'; it('waits', { skip: 'left out here' }, () => {});`);
    const alone = await run(folder, [skips]).ended;
    assert.equal(alone.code, 3, alone.stdout);
    assert.match(alone.stdout, /^﹣ \S+skips\.test\.mjs, .*\n {2}﹣ waits .*# left out here\nno test ran\n$/);
    const beside = await run(folder, [skips, passes]).ended;
    assert.equal(beside.code, 0, beside.stdout);
    assert.match(beside.stdout, /^﹣ \S+skips\.test\.mjs/m);
  });

  it('leaves PostgreSQL out of nothing in a file of tests that is named', async () => {
    const whole = join(folder, 'whole.test.mjs');
    const isLeftOut = `process.env.${LEFT_POSTGRES} !== undefined`;
    writeFileSync(whole, `import { it } from 'node:test'; it('runs', { skip: ${isLeftOut} }, () => {});`);
    const { stdout } = await run(folder, ['--seconds', '6', whole, 'src/domain/layers.ts']).ended;
    assert.match(stdout, /^✔ \S+whole\.test\.mjs/m);
  });

  it('tells a file that did not finish from one that failed', async () => {
    const { code, stdout } = await run(folder, ['--seconds', '5', loops]).ended;
    assert.equal(code, 3);
    assert.match(stdout, /^NOT FINISHED in 5 s, so ended: \S+loops\.test\.mjs$/m);
    assert.match(stdout, /\nno test has failed, and nothing is known of what was ended\n$/);
  });

  it('counts a file that was ended behind a failed test as failed', async () => {
    const { code, stdout } = await run(folder, ['--seconds', '5', failsAndLoops]).ended;
    assert.equal(code, 1);
    assert.doesNotMatch(stdout, /NOT FINISHED/);
    assert.match(stdout, /\nFAILED: \S+fails-and-loops\.test\.mjs\n$/);
  });

  it('ends a test that loops for ever with all that it started, and names it', async () => {
    const startMs = performance.now();
    const { code, stdout } = await run(folder, ['--seconds', '5', loops, fails, passes]).ended;
    assert.equal(code, 1);
    assert.ok(performance.now() - startMs < 15_000);
    assert.match(stdout, /^NOT FINISHED in 5 s, so ended: \S+loops\.test\.mjs$/m);
    await assertGone('loops');
    // With one processor, none begins behind the loop.
    if (availableParallelism() === 1) return;
    assert.match(stdout, /^FAILED: \S+fails\.test\.mjs$/m);
    assert.match(stdout, /one is not two/);
    assert.match(stdout, /^✔ \S+passes\.test\.mjs/m);
  });

  it('leaves neither processes nor files when it is interrupted', async () => {
    rmSync(join(folder, 'loops'));
    const temporary = mkdtempSync(join(folder, 'temporary-'));
    const { child } = run(temporary, [loops]);
    const exit = once(child, 'exit');
    await until(async () => existsSync(join(folder, 'loops')));
    child.kill('SIGINT');
    assert.deepEqual(await exit, [null, 'SIGINT']);
    await assertGone('loops');
    assert.deepEqual(readdirSync(temporary), []);
  });
});
