/**
 * `npm run release -- VERSION`: writes version and changelog, builds all files of the release into `dist`, and only
 * when every one is there commits and tags. Nothing is pushed.
 *
 * The section "Unreleased" of CHANGELOG.md becomes the section of the new version. Commits since the last tag that
 * it does not mention are listed below it, so that nothing is left out.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildRelease, releaseFiles } from './release/build-release.ts';
import { changelogFor, changesOf, nextVersion, withVersion } from './release/release-text.ts';

const USAGE = `usage: npm run release -- VERSION [--dry-run] [--no-build] [--out FOLDER]
       npm run release -- --build-only [--out FOLDER]

VERSION is patch, minor, major, or a version above the present one such as 1.2.0 or 1.2.0-rc.1.
  --dry-run     shows the changelog and the names of the files; writes nothing
  --build-only  builds the files of the commit that is checked out; no version, commit or tag
  --no-build    version, commit and tag only
  --out FOLDER  for the files; dist unless named

Example: npm run release -- minor --dry-run`;

/** Packages of their own that have the version of the project. */
const PACKAGES = ['sdk', 'mcp'];
/** Files that name the version in a sentence or a constant. */
const MENTIONS = ['sdk/src/transport.ts', 'sdk/README.md', 'mcp/README.md', 'mcp/server.json'];

await main().catch((error: Error) => fail(`Nothing was released: ${error.message}`, 1));

async function main(): Promise<void> {
  const { wanted, dryRun, buildOnly, noBuild, out } = readArguments();
  const current = readVersion();
  if (buildOnly) {
    if (git('status', '--porcelain') !== '')
      process.stderr.write('Uncommitted changes are not built: only the last commit is.\n');
    await build(git('rev-parse', 'HEAD'), versionOf(git('show', 'HEAD:package.json')), out);
    return;
  }
  // A version that was written, and not released yet, keeps its changelog.
  const isWritten = wanted === current && !tags().includes(`v${current}`);
  const version = isWritten ? current : nextVersion(current, wanted);
  if (version === undefined) fail(`"${wanted}" is not a version above ${current}.\n${USAGE}`);
  if (!dryRun) assertReleasable();
  const changed = isWritten ? new Map<string, string>() : changedFiles(current, version);
  const section = changesOf(changed.get('CHANGELOG.md') ?? read('CHANGELOG.md'), version);
  if (dryRun) {
    const files = noBuild ? [] : releaseFiles(version).map((name) => `\n   ${join(out, name)}`);
    const end = `-- dry run: ${current} would become ${version}; nothing was written`;
    process.stdout.write(`${section}\n${end}${files.join('')}\n`);
    return;
  }
  const commit = isWritten ? git('rev-parse', 'HEAD') : commitOf(changed, `Release ${version}`);
  if (!noBuild) await build(commit, version, out);
  git('merge', '--quiet', '--ff-only', commit);
  git('tag', '--annotate', `v${version}`, '--message', `Stayport ${version}`);
  process.stdout.write(`v${version} is committed and tagged. Push it: git push --follow-tags\n`);
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        'dry-run': { type: 'boolean', default: false },
        'build-only': { type: 'boolean', default: false },
        'no-build': { type: 'boolean', default: false },
        out: { type: 'string', default: 'dist' },
        help: { type: 'boolean', default: false },
      },
    });
    const { 'dry-run': dryRun, 'build-only': buildOnly, 'no-build': noBuild, out } = values;
    const [wanted = '', ...more] = positionals;
    if (values.help) {
      process.stdout.write(`${USAGE}\n`);
      process.exit(0);
    }
    if (more.length > 0 || buildOnly === (wanted !== '') || (buildOnly && (dryRun || noBuild))) fail(USAGE);
    return { wanted, dryRun, buildOnly, noBuild, out };
  } catch (error) {
    fail(`${(error as Error).message}\n${USAGE}`);
  }
}

/** Every file that the release changes, as it will be. */
function changedFiles(current: string, version: string): Map<string, string> {
  const date = git('log', '-1', '--format=%cs');
  const manifests = ['package.json', ...PACKAGES.map((folder) => `${folder}/package.json`)];
  const mention = new RegExp(`(?<![\\w.])${RegExp.escape(current)}(?![\\w])`, 'g');
  const subjects = subjectsSinceLastTag();
  return new Map([
    ['CHANGELOG.md', changelogFor(read('CHANGELOG.md'), { version, date, subjects })],
    ['sdk/CHANGELOG.md', changelogFor(read('sdk/CHANGELOG.md'), { version, date, subjects: [] })],
    ...manifests.map((path) => [path, withVersion(read(path), version)] as const),
    ['package-lock.json', withVersion(read('package-lock.json'), version, PACKAGES)],
    ...MENTIONS.map((path) => [path, read(path).replaceAll(mention, version)] as const),
  ]);
}

/** A commit on top of the present one, on no branch yet: until the build is through, nothing has happened. */
function commitOf(changed: ReadonlyMap<string, string>, message: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'stayport-index-'));
  const env = { ...process.env, GIT_INDEX_FILE: join(folder, 'index') };
  const gitHere = (args: readonly string[], input = ''): string =>
    execFileSync('git', args, { encoding: 'utf8', env, input }).trim();
  try {
    gitHere(['read-tree', 'HEAD']);
    for (const [path, text] of changed) {
      const blob = gitHere(['hash-object', '-w', '--stdin'], text);
      gitHere(['update-index', '--cacheinfo', `100644,${blob},${path}`]);
    }
    return gitHere(['commit-tree', gitHere(['write-tree']), '-p', 'HEAD', '-m', message]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function build(commit: string, version: string, out: string): Promise<void> {
  await buildRelease({ commit, version, dist: out });
  for (const name of releaseFiles(version)) {
    const megabytes = (statSync(join(out, name)).size / 1e6).toFixed(1);
    process.stdout.write(`${megabytes.padStart(6)} MB  ${join(out, name)}\n`);
  }
}

function assertReleasable(): void {
  if (git('status', '--porcelain') !== '') fail('there are uncommitted changes: commit or stash them first');
  const branch = git('branch', '--show-current');
  if (branch !== 'main') fail(`releases are made on main, and this is ${branch}`);
}

/** None before the first release: its changelog is written by hand. */
function subjectsSinceLastTag(): string[] {
  const [last] = tags();
  if (last === undefined) return [];
  return git('log', '--no-merges', '--reverse', '--format=%s', `${last}..HEAD`).split('\n').filter(Boolean);
}

/** Tags of releases, the newest first; a pre-release is older than its release. */
function tags(): string[] {
  const listed = git('-c', 'versionsort.suffix=-', 'tag', '--list', 'v*', '--sort=-version:refname');
  return listed.split('\n').filter(Boolean);
}

function readVersion(): string {
  return versionOf(read('package.json'));
}

function versionOf(manifest: string): string {
  return (JSON.parse(manifest) as { version: string }).version;
}

function read(path: string): string {
  return readFileSync(path, 'utf8');
}

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { encoding: 'utf8' }).trim();
}

function fail(message: string, code = 2): never {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}
