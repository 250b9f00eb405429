/**
 * The files of a release, built from the last commit: the same bytes wherever they are built; and the archive runs on
 * a machine that has nothing, for a user who may not write to it.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { list, type ReadEntry } from 'tar';
import { elfMachine, PLATFORMS, releaseFiles } from '../../scripts/release/build-release.ts';
import { brokenLinks } from '../../scripts/markdown-links.ts';
import { activityPathOf } from '../../src/storage/activity/activity-path.ts';
import { GIVEN, writeBetaFiles } from '../kit/beta-database.ts';
import { until } from '../kit/command-line.ts';
import { pictureWithPosition } from '../kit/made-pictures.ts';
import { AS_STRANGER, type Isolated, isolationMissing, startIsolated, STRANGER } from './without-network.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const ARCHIVE_BYTES_MAX = 90_000_000;
const BUILD_MS_MAX = 240_000;

const folder = mkdtempSync(join(tmpdir(), 'stayport-release-'));
const here = join(folder, 'here');
const elsewhere = join(folder, 'else where');
const { version } = JSON.parse(git('show', 'HEAD:package.json')) as { version: string };
const files = releaseFiles(version);
const archives = files.filter((name) => name.endsWith('.tar.gz'));

after(() => rmSync(folder, { recursive: true, force: true }));

describe('npm run release -- --build-only', { timeout: 2 * BUILD_MS_MAX }, () => {
  before(async () => {
    chmodSync(folder, 0o755);
    const clone = join(folder, 'a clone');
    execFileSync('git', ['clone', '--quiet', '--no-local', '--depth=1', `file://${ROOT}`, clone]);
    assert.equal(git('-C', clone, 'rev-parse', 'HEAD'), git('rev-parse', 'HEAD'));
    symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
    // Each waits for npm and for one file at a time: together they take little more than one of them.
    await Promise.all([
      build(ROOT, here),
      build(clone, elsewhere, { TZ: 'Asia/Kathmandu', LC_ALL: 'tr_TR.UTF-8' }, '077'),
    ]);
  });

  it('writes the archives with their hashes, the bill of materials, the contract, packages and changes', () => {
    assert.deepEqual(readdirSync(here).toSorted(), files.toSorted());
    execFileSync('sha256sum', ['--check', '--status', ...files.filter((name) => name.endsWith('.sha256'))], {
      cwd: here,
    });
    assert.deepEqual(readFileSync(join(here, 'openapi.json'), 'utf8'), gitText('HEAD:openapi.json'));
  });

  it('gives the same bytes in another folder, time zone and language, with other rights for new files', () => {
    for (const name of files) assert.equal(hashOf(join(elsewhere, name)), hashOf(join(here, name)), name);
  });

  it(`makes archives of at most ${ARCHIVE_BYTES_MAX / 1e6} MB, with nothing of the machine in their headers`, async (test) => {
    const modified = Number(git('log', '-1', '--format=%ct')) * 1000;
    for (const [index, { name }] of PLATFORMS.entries()) {
      const file = join(here, archives[index] ?? '');
      const { size } = statSync(file);
      test.diagnostic(`${name}: ${size} bytes`);
      assert.ok(size <= ARCHIVE_BYTES_MAX, `${size}`);
      const entries: ReadEntry[] = [];
      await list({ file, onReadEntry: (entry) => void entries.push(entry) });
      assert.ok(entries.length > 1000);
      for (const { path, type, uid, gid, uname, gname, mode, mtime } of entries) {
        assert.ok(type === 'File' || type === 'Directory', path);
        assert.ok(path.startsWith(`stayport-${version}-${name}/`), path);
        assert.deepEqual([uid || 0, gid || 0, uname || '', gname || ''], [0, 0, '', ''], path);
        const isProgram = type === 'Directory' || /\/(bin\/stayport|node\/bin\/node)$/.test(path);
        assert.equal(mode, isProgram ? 0o755 : 0o644, path);
        assert.equal(mtime?.getTime(), modified, path);
      }
    }
  });

  it('has pages whose links lead to its own files and headings', () => {
    const top = unpack(join(folder, 'pages'), PLATFORMS[0]!.name);
    const pages = {
      has: (path: string) => existsSync(join(top, path)),
      read: (path: string) => (path.endsWith('.md') ? readFileSync(join(top, path), 'utf8') : undefined),
    };
    const names = globSync('**/*.md', { cwd: top, exclude: ['node_modules'] });
    assert.ok(names.length > 20);
    assert.deepEqual(
      names.flatMap((page) => brokenLinks(page, pages).map((target) => `${page}: ${target}`)),
      [],
    );
    assert.doesNotMatch(readFileSync(join(top, 'README.md'), 'utf8'), /npm|git/);
  });

  it('puts Node and compiled packages of its processor into each, and otherwise the same files', () => {
    const [x64 = '', arm64 = ''] = PLATFORMS.map(({ name }) => unpack(join(folder, 'un packed'), name));
    assert.deepEqual(
      [x64, arm64].map((top) => elfMachine(join(top, 'node/bin/node'))),
      PLATFORMS.map(({ machine }) => machine),
    );
    for (const [index, top] of [x64, arm64].entries()) {
      const compiled = globSync('node_modules/**/*.{node,so.*}', { cwd: top });
      assert.deepEqual(
        compiled
          .map((path) => [path.split('/').slice(0, 3).join('/'), elfMachine(join(top, path))])
          .toSorted(),
        ['libvips-', ''].map((part) => [
          `node_modules/@img/sharp-${part}${PLATFORMS[index]?.name}`,
          PLATFORMS[index]?.machine,
        ]),
      );
    }
    const common = (top: string): string[] =>
      globSync('**/*', { cwd: top, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .filter((path) => !/\/(bin\/stayport|node\/bin\/node)$|\/@img\/sharp-/.test(path))
        .map((path) => `${path.slice(top.length)} ${hashOf(path)}`)
        .toSorted();
    const ofX64 = common(x64);
    assert.deepEqual(common(arm64), ofX64);
    const isOdd = (line: string): boolean =>
      /\.(node|so) |\/(\.git|\.env|\.cache|\.bin|\.package-lock\.json)\b|^\/(?!node_modules\/).*\.test\.ts /.test(
        line,
      );
    assert.deepEqual(ofX64.filter(isOdd), []);
    for (const path of [
      'docs/operating.md',
      'ops/stayport.service',
      'LICENSE',
      'node/LICENSE',
      'CHANGELOG.md',
    ])
      assert.ok(
        ofX64.some((line) => line.startsWith(`/${path} `)),
        path,
      );
  });

  it('lists every package of the archives in the bill of materials, and no other', () => {
    const top = join(folder, 'un packed');
    const manifests = globSync('*/node_modules/**/package.json', { cwd: top })
      .filter((path) => /node_modules\/(@[^/]+\/)?[^/@]+\/package\.json$/.test(path))
      .map(
        (path) => JSON.parse(readFileSync(join(top, path), 'utf8')) as { name?: string; version?: string },
      );
    const there = manifests.filter(({ name }) => name !== undefined).map((it) => `${it.name}@${it.version}`);
    const { components } = JSON.parse(readFileSync(join(here, 'sbom.cdx.json'), 'utf8')) as {
      components: { group?: string; name: string; version: string; properties?: unknown }[];
    };
    const listed = components
      .filter(({ properties }) => properties !== undefined)
      .map(({ group, name, version: of }) => `${group === undefined ? '' : `${group}/`}${name}@${of}`);
    assert.deepEqual([...new Set(there)].toSorted(), [...new Set(listed)].toSorted());
  });
});

describe('The unpacked release, without PATH, network and rights', { skip: isolationMissing() }, () => {
  const home = join(folder, 'home');
  const link = join(folder, 'link');
  let top: string;
  before(() => {
    mkdirSync(home);
    chownSync(home, STRANGER, STRANGER);
    chmodSync(home, 0o700);
  });

  it('answers the calls of the demo, from a path with blanks and through a link', async (test) => {
    const startedAtMs = Date.now();
    top = unpack(join(folder, 'for a stranger'), 'linux-x64');
    const unpackedAtMs = Date.now();
    symlinkSync(join(top, 'bin', 'stayport'), link);
    const demo = startIsolated([link, 'demo', '--json'], home);
    await until(async () => demo.printed.stdout.includes('\n') || demo.child.exitCode !== null, 60_000);
    assert.notEqual(demo.printed.stdout, '', demo.printed.stderr);
    const { calls } = JSON.parse(demo.printed.stdout) as { calls: string[] };
    assert.equal(readlinkSync(`/proc/${demo.child.pid}/exe`), join(top, 'node/bin/node'));
    const statuses = calls.map((call) => {
      const status = statusOf(demo, call);
      if (call === calls[0])
        test.diagnostic(
          `unpacked in ${unpackedAtMs - startedAtMs} ms, first 200 after ${Date.now() - startedAtMs} ms`,
        );
      return status;
    });
    assert.throws(() => demo.shell('curl --silent --max-time 2 http://192.0.2.1/'));
    await stop(demo);
    assert.deepEqual(statuses, ['200', '200', '200', '201', '200', '200']);
    assert.doesNotMatch(demo.printed.stderr, /Warning|EACCES|EROFS/);
    assert.deepEqual(globSync('**/.cache', { cwd: top }), []);
  });

  it('starts from the folder of its program, by a linked folder, and prints its version', async () => {
    const linked = join(folder, 'linked folder');
    symlinkSync(top, linked);
    for (const [cwd, program] of [
      [join(top, 'bin'), './stayport'],
      [home, join(linked, 'bin', 'stayport')],
      [top, 'bin/stayport'],
    ] as const) {
      const started = startIsolated([program, '--version'], cwd);
      assert.equal(await started.ended, 0, started.printed.stderr);
      assert.equal(started.printed.stdout, `${version}\n`);
    }
  });

  it('takes over a database of the last beta, knows its tokens and quotes, and doctor finds no fault', async () => {
    const database = join(home, 'old.db');
    writeBetaFiles(database);
    for (const file of [database, activityPathOf(database)]) chownSync(file, STRANGER, STRANGER);
    const settings = {
      DATABASE_URL: `sqlite:${database}`,
      QUOTE_RETENTION_DAYS: '0',
      QUOTE_UNOPENED_DAYS: '0',
    };
    const server = startIsolated([link, 'serve'], home, settings);
    const call = `curl -s -H "Authorization: Bearer ${GIVEN.token}" http://127.0.0.1:8080/v1/properties/hotel-ponte-venezia`;
    await until(async () => server.child.exitCode !== null || isReady(server), 60_000);
    assert.equal(statusOf(server, call), '200', server.printed.stderr);
    const shown = startIsolated([link, 'quote', 'show', GIVEN.quoteId, '--json'], home, settings);
    assert.equal(await shown.ended, 0, shown.printed.stderr);
    const { pricing } = JSON.parse(shown.printed.stdout) as { pricing: { total: string } };
    assert.equal(pricing.total, GIVEN.total);
    const pictures = join(folder, 'pictures');
    mkdirSync(pictures);
    writeFileSync(join(pictures, 'near.jpg'), await pictureWithPosition('jpg'));
    const asked = `cd ${home} && ${AS_STRANGER} env -i PATH= DATABASE_URL=sqlite:${database} WEB_IMAGES=${pictures} ${link} doctor --json`;
    const checks = JSON.parse(server.shell(asked)) as { check: string; status: string; detail: string }[];
    assert.ok(checks.length > 10);
    assert.deepEqual(
      checks.filter(({ status }) => status === 'fail'),
      [],
    );
    const { detail } = checks.find(({ check }) => check === 'positions in pictures') ?? {};
    assert.equal(detail, '1 of 1 say where they were taken, and everybody may read it: near.jpg');
    await stop(server);
  });

  it('refuses to start where its processor is another, in one line that says which archive to take', async () => {
    const name = `stayport-${version}-linux-arm64`;
    execFileSync('tar', ['-xzf', join(here, `${name}.tar.gz`), '-C', folder, `${name}/bin/stayport`]);
    const other = join(folder, name, 'bin', 'stayport');
    const started = startIsolated([other, '--version'], home);
    assert.equal(await started.ended, 1);
    assert.match(started.printed.stderr, /^stayport: this is the archive for linux-arm64 [^\n]+\n$/);
  });
});

async function build(
  clone: string,
  dist: string,
  env: Readonly<Record<string, string>> = {},
  umask = '022',
): Promise<void> {
  const command = `umask ${umask}; exec "$0" scripts/release.ts --build-only --out "$1"`;
  const child = spawn('sh', ['-c', command, process.execPath, dist], {
    cwd: clone,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: BUILD_MS_MAX,
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  await once(child, 'close');
  assert.equal(child.exitCode, 0, said);
}

/** As a person does it; gives the folder of the release. */
function unpack(into: string, platform: string): string {
  mkdirSync(into, { recursive: true });
  const name = `stayport-${version}-${platform}`;
  execFileSync('tar', ['-xzf', join(here, `${name}.tar.gz`), '-C', into]);
  return join(into, name);
}

function statusOf(server: Isolated, call: string): string {
  return server.shell(`${call} -o /dev/null -w '%{http_code}'`);
}

function isReady(server: Isolated): boolean {
  try {
    return statusOf(server, 'curl -s http://127.0.0.1:8081/readyz') === '200';
  } catch {
    return false;
  }
}

async function stop({ child, ended, printed }: Isolated): Promise<void> {
  child.kill('SIGTERM');
  assert.equal(await ended, 0, printed.stderr);
}

function hashOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
}

function gitText(object: string): string {
  return execFileSync('git', ['show', object], { cwd: ROOT, encoding: 'utf8' });
}
