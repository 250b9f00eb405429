/**
 * Runs all tests of this package on the older versions of Node.js that it promises: `npm run test:runtimes [-- 20 limiter]`.
 * A number chooses a version, a word the files with it in their names. Without words, some stories of the simulation are
 * told on the newest Node.js as well. `test/runtimes` pins the versions; they are installed here when they are first
 * needed, because nothing else needs their 545 MB.
 * The tests are bundled as JavaScript first, because those versions don't run TypeScript; the service behind them and
 * tools such as the compiler stay on the Node.js that runs this file. It prints how long each version took.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

const ROOT = join(import.meta.dirname, '..', '..');
const RUNTIMES = join(ROOT, 'test', 'runtimes');
const VERSIONS = ['20', '22'];
const NEWEST = '26';
const STORY_SEEDS = [11, 12, 13];
/** A busy machine must not fail a file: it stands still when it takes many times as long as on a quiet one. */
const FILE_MS_MAX = 900_000;
/** The exit code of a program that could not run everything here (`scripts/run-tests.ts`). */
const NOT_RUN_CODE = 77;
const FILES_AT_ONCE = 3;
const PLATFORM = process.platform === 'win32' ? 'win' : process.platform;
const BINARY = process.platform === 'win32' ? 'node.exe' : 'node';

/** A bundle lies elsewhere than its source, and tests look for files beside themselves. */
const keepPlaces: Plugin = {
  name: 'keep-places',
  setup(bundle) {
    bundle.onLoad({ filter: /[\\/](?:sdk|test|src)[\\/].*\.ts$/ }, ({ path }) => ({
      loader: 'ts',
      contents: readFileSync(path, 'utf8')
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
    }));
  },
};

const wanted = VERSIONS.filter((version) => process.argv.includes(version));
const words = process.argv.slice(2).filter((word) => !VERSIONS.includes(word));
const chosen = wanted.length === 0 ? VERSIONS : wanted;
if (!(words.length === 0 ? [...chosen, NEWEST] : chosen).every(isInstalled)) install();
const notRun: string[] = [];
const folder = mkdtempSync(join(tmpdir(), 'stayport-runtimes-'));
try {
  const files = await bundleTests();
  for (const version of chosen) runOn(version, files);
  if (words.length === 0) {
    runMcpPackage();
    compareStories();
  }
  if (notRun.length > 0) console.log(notRun.join('; '));
} finally {
  rmSync(folder, { recursive: true });
}

function packageOf(version: string): string {
  return `node-${version}-${PLATFORM}-${process.arch}`;
}

function nodeOf(version: string): string {
  return join(RUNTIMES, 'node_modules', packageOf(version), 'bin', BINARY);
}

/** The pinned one of this version, or none where no package brings it for this machine. */
function isInstalled(version: string): boolean {
  const { optionalDependencies } = readJson(join(RUNTIMES, 'package.json')) as {
    readonly optionalDependencies: Readonly<Record<string, string>>;
  };
  const pinned = optionalDependencies[packageOf(version)];
  if (pinned === undefined) return true;
  const manifest = join(RUNTIMES, 'node_modules', packageOf(version), 'package.json');
  if (!existsSync(manifest)) return false;
  return pinned.endsWith(`@${(readJson(manifest) as { readonly version: string }).version}`);
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function install(): void {
  const options = { cwd: RUNTIMES, stdio: 'inherit', shell: process.platform === 'win32' } as const;
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], options);
  if (status !== 0) throw new Error('npm ci in test/runtimes failed');
}

/** The package of the MCP server promises Node 20, too. */
function runMcpPackage(): void {
  const { status } = spawnSync(process.execPath, ['--test', join(ROOT, 'mcp', 'test', 'package.test.ts')], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
}

/** A seed is the same story on the newest version. */
function compareStories(): void {
  const newest = nodeOf(NEWEST);
  if (!existsSync(newest)) return noteMissing(NEWEST);
  const tell = (node: string, seed: number): string =>
    spawnSync(node, ['scripts/simulate.ts', '--seed', String(seed), '--trace'], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    }).stdout;
  const differing = STORY_SEEDS.filter((seed) => {
    const story = tell(process.execPath, seed);
    return !story.endsWith('everything held\n') || story !== tell(newest, seed);
  });
  const seeds = (differing.length === 0 ? STORY_SEEDS : differing).join(', ');
  console.log(
    `Node ${NEWEST}: the stories of seeds ${seeds} ${differing.length === 0 ? 'are the same' : 'DIFFER'}`,
  );
  if (differing.length > 0) process.exitCode = 1;
}

function noteMissing(version: string): void {
  process.exitCode ??= NOT_RUN_CODE;
  notRun.push(`no package brings Node ${version} for ${PLATFORM}-${process.arch}`);
}

async function bundleTests(): Promise<string[]> {
  const sources = globSync('sdk/test/*.test.ts', { cwd: ROOT })
    .filter((file) => words.every((word) => file.includes(word)))
    .sort();
  if (sources.length === 0) throw new Error(`no test has ${words.join(' and ')} in its name`);
  await build({
    entryPoints: sources.map((source) => join(ROOT, source)),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: 'inline',
    plugins: [keepPlaces],
    logLevel: 'warning',
  });
  return sources.map((source) => join(folder, basename(source).replace(/\.ts$/, '.mjs')));
}

function runOn(version: string, files: readonly string[]): void {
  const node = nodeOf(version);
  if (!existsSync(node)) return noteMissing(version);
  const startMs = performance.now();
  const limits = [`--test-concurrency=${FILES_AT_ONCE}`, `--test-timeout=${FILE_MS_MAX}`];
  const { status } = spawnSync(node, ['--enable-source-maps', '--test', ...limits, ...files], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, STAYPORT_SERVICE_NODE: process.execPath },
  });
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  console.log(`Node ${version}: the tests of the SDK ${status === 0 ? 'passed' : 'FAILED'} in ${seconds} s`);
  if (status !== 0) process.exitCode = 1;
}
