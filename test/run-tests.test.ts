/** The runner of the tests, as a process of its own, on files that pass, fail, skip and crash. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, describe, it } from 'node:test';
import { PARTS } from '../scripts/test-parts.ts';

const ROOT = join(import.meta.dirname, '..');
const IS_WINDOWS = process.platform === 'win32';
const RUNNER = join(ROOT, 'scripts', 'run-tests.ts');
const folder = mkdtempSync(join(tmpdir(), 'stayport-runner-'));
after(() => rmSync(folder, { recursive: true }));

const FILES = {
  passes: `it('adds', () => undefined);`,
  'skips-all': `describe('pages', { skip: 'no browser' }, () => { it('open', () => undefined); });`,
  'skips-one': `it('adds', () => undefined);
    describe('inside', () => { it('asks', (test) => test.skip('no browser')); });`,
  'skips-here': `it('has modes', { skip: true }, () => undefined);`,
  'runs-nothing': `describe('nothing', () => undefined);`,
  fails: `it('adds', () => { throw new Error('one is not two'); });`,
  'never-ends': `it('waits', async () => {
    mkdirSync(join(tmpdir(), 'left'));
    writeFileSync(join(tmpdir(), 'left', 'a'), '');
    setInterval(() => undefined, 1000);
    await new Promise(() => undefined);
  });`,
  crashes: `it('adds', () => undefined);
    process.exit(3);`,
} as const;
type Name = keyof typeof FILES;

const IMPORTS = `
import { describe, it } from 'node:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';`;

const pathOf = (name: Name): string => join(folder, `${name}.test.mjs`);
for (const [name, text] of Object.entries(FILES))
  writeFileSync(pathOf(name as Name), `${IMPORTS}\n${text}\n`);

/** As a person runs it; with `CI` as `.ci/run` does. */
function run(names: readonly Name[], isBinding = false): { readonly code: number | null; lines: string[] } {
  const { CI: _ci, NODE_TEST_CONTEXT: _context, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [RUNNER, ...names.map(pathOf)], {
    env: { ...env, ...(isBinding ? { CI: 'true' } : {}) },
    encoding: 'utf8',
  });
  assert.equal(stderr, '');
  return { code: status, lines: stdout.trim().split('\n') };
}

describe('The runner of the tests', () => {
  it('runs every test file in exactly one part', () => {
    const stages = Object.values(PARTS).flatMap((part) => part.stages());
    const files = stages.flatMap(({ jobs }) => jobs.flatMap((job) => job.files));
    const exclude = ['**/node_modules/**', '**/dist/**'];
    assert.deepEqual(files.toSorted(), globSync('**/*.test.ts', { cwd: ROOT, exclude }).toSorted());
  });

  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    it(`leaves no file in the temporary folder after ${signal}`, { skip: IS_WINDOWS }, async () => {
      const temporary = mkdtempSync(join(folder, 'temporary-'));
      const { CI: _ci, NODE_TEST_CONTEXT: _context, ...env } = process.env;
      const runner = spawn(process.execPath, [RUNNER, pathOf('never-ends')], {
        env: { ...env, TMPDIR: temporary },
        stdio: 'ignore',
      });
      const ended = once(runner, 'exit');
      const made = () => globSync('*/left/*', { cwd: temporary }).length > 0;
      while (!made()) await new Promise((resolve) => setTimeout(resolve, 20));
      runner.kill(signal);
      assert.deepEqual(await ended, [null, signal]);
      assert.deepEqual(readdirSync(temporary), []);
    });

  it('ticks a file that passes, and ends with the counts', () => {
    const { code, lines } = run(['passes'], true);
    assert.equal(code, 0);
    assert.match(lines[0]!, /^✔ \S+passes\.test\.mjs: 1 test, \d/);
    assert.equal(lines.at(-1), '1 passed, 0 failed, 0 skipped');
  });

  it('names what did not run with the reason, in one list, and ticks no such file', () => {
    const { code, lines } = run(['passes', 'skips-all', 'skips-one', 'skips-here', 'runs-nothing']);
    assert.equal(code, 0);
    assert.deepEqual(lines.filter((line) => line.startsWith('✔')).length, 1);
    const list = lines.slice(lines.indexOf('DID NOT RUN:') + 1);
    const named = (name: Name): string => relative(ROOT, pathOf(name));
    assert.deepEqual(
      new Set(list),
      new Set([
        '  no browser',
        `    ${named('skips-all')}: pages`,
        `    ${named('skips-one')}: asks`,
        '  not on this platform',
        `    ${named('skips-here')}: has modes`,
        '  it has no test that ran',
        `    ${named('runs-nothing')}`,
        '',
        '2 passed, 0 failed, 4 skipped',
      ]),
    );
  });

  it('fails where a suite that did not run is binding', () => {
    assert.equal(run(['skips-all'], true).code, 1);
    const script = readFileSync(join(ROOT, '.ci', 'run'), 'utf8');
    assert.ok(script.indexOf('\nexport CI=true\n') < script.indexOf('\nnpm '), 'as in .ci/run');
  });

  for (const name of ['fails', 'crashes'] as const)
    it(`shows all that a file said that ${name}, twice, and counts it as failed`, () => {
      const { code, lines } = run(['passes', name]);
      assert.equal(code, 1);
      assert.equal(lines.filter((line) => /^✖ .* s$/.test(line) && line.includes(name)).length, 2);
      if (name === 'fails') assert.match(lines.at(-3)!, /^✖ .*: one is not two/);
      assert.equal(lines.at(-2), `FAILED: ${relative(ROOT, pathOf(name))}`);
      assert.equal(lines.at(-1), '1 passed, 1 failed, 0 skipped');
    });
});
