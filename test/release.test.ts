/** `npm run release`, in a repository of its own. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';

const ROOT = join(import.meta.dirname, '..');
const CHANGELOG =
  '# Changelog\n\n## Unreleased\n\n- Partners can wait.\n\n## 0.1.0 (2026-01-01)\n\n- First.\n';

describe('npm run release', () => {
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'stayport-release-'));
    cpSync(join(ROOT, 'scripts'), join(folder, 'scripts'), { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"name":"x","version":"0.1.0","type":"module"}\n');
    writeFileSync(join(folder, 'package-lock.json'), '{"name":"x","version":"0.1.0","lockfileVersion":3}\n');
    writeFileSync(join(folder, 'CHANGELOG.md'), CHANGELOG);
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

  it('shows with --dry-run what it would write, and writes nothing', () => {
    const { status, stdout } = release('minor', '--dry-run');
    assert.equal(status, 0);
    assert.match(stdout, /^## 0\.2\.0 \(\d{4}-\d{2}-\d{2}\)$/m);
    assert.match(stdout, /0\.1\.0 would become 0\.2\.0/);
    assert.equal(git('status', '--porcelain'), '');
  });

  it('refuses what is not a higher version, and a tree with changes', () => {
    assert.equal(release('0.1.0').status, 2);
    assert.equal(release('next').status, 2);
    assert.equal(release().status, 2);
    writeFileSync(join(folder, 'new-file'), '');
    assert.match(release('patch').stderr, /uncommitted changes/);
    rmSync(join(folder, 'new-file'));
  });

  it('writes version and changelog, commits and tags', () => {
    assert.equal(release('patch').status, 0);
    assert.equal(git('describe', '--tags'), 'v0.1.1');
    assert.equal(git('status', '--porcelain'), '');
    const text = readFileSync(join(folder, 'CHANGELOG.md'), 'utf8');
    const [unreleased, section] = text.split(/^## .*$/m).slice(1);
    assert.equal(unreleased?.trim(), '');
    assert.equal(section?.trim(), '- Partners can wait.\n\n### Commits\n\n- Let partners wait');
    for (const file of ['package.json', 'package-lock.json']) {
      const { version } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { version: string };
      assert.equal(version, '0.1.1');
    }
  });
});
