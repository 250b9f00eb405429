/**
 * `npm run release -- patch|minor|major|X.Y.Z [--dry-run]`: version, CHANGELOG, commit and tag, in one step.
 *
 * The section "Unreleased" of CHANGELOG.md becomes the section of the new version. Commits since the last tag that
 * it does not mention are listed below it, so that nothing is left out. Nothing is pushed.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { changelogFor, nextVersion } from './release-text.ts';

const USAGE = 'usage: npm run release -- patch|minor|major|X.Y.Z [--dry-run]';

main(process.argv.slice(2));

function main(args: readonly string[]): void {
  const isDryRun = args.includes('--dry-run');
  const [wanted, ...more] = args.filter((arg) => arg !== '--dry-run');
  if (wanted === undefined || more.length > 0) fail(USAGE);
  const current = readVersion();
  const version = nextVersion(current, wanted);
  if (version === undefined) fail(`"${wanted}" is not a version above ${current}. ${USAGE}`);
  if (!isDryRun) assertReleasable();
  const changelog = changelogFor(readFileSync('CHANGELOG.md', 'utf8'), {
    version,
    date: git('log', '-1', '--format=%cs'),
    subjects: subjectsSinceLastTag(),
  });
  if (isDryRun) {
    process.stdout.write(
      `${changelog}\n-- dry run: ${current} would become ${version}; nothing was written\n`,
    );
    return;
  }
  writeFileSync('CHANGELOG.md', changelog);
  execFileSync('npm', ['version', version, '--no-git-tag-version'], { stdio: 'ignore' });
  git('add', 'CHANGELOG.md', 'package.json', 'package-lock.json');
  git('commit', '--quiet', '--message', `Release ${version}`);
  git('tag', '--annotate', `v${version}`, '--message', `Stayport ${version}`);
  process.stdout.write(`v${version} is committed and tagged. Push it: git push --follow-tags\n`);
}

function assertReleasable(): void {
  if (git('status', '--porcelain') !== '') fail('there are uncommitted changes: commit or stash them first');
  const branch = git('branch', '--show-current');
  if (branch !== 'main') fail(`releases are made on main, and this is ${branch}`);
}

function subjectsSinceLastTag(): string[] {
  const tags = git('tag', '--list', 'v*', '--sort=-version:refname').split('\n');
  const range = tags[0] === undefined || tags[0] === '' ? 'HEAD' : `${tags[0]}..HEAD`;
  return git('log', '--no-merges', '--reverse', '--format=%s', range).split('\n').filter(Boolean);
}

function readVersion(): string {
  return (JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version;
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' }).trim();
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
