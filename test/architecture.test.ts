/**
 * The shape of the source tree, read from the files themselves: which folder may know which, and where time,
 * randomness and the environment may come in.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';
import { describe, it } from 'node:test';

const SOURCE = join(import.meta.dirname, '..', 'src');
const LINES_WANTED_MAX = 200;

/** Folder to the other folders that it may import from; files directly in `src` are named themselves. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  domain: [],
  'clock.ts': [],
  limits: ['clock.ts'],
  storage: ['domain', 'clock.ts'],
  catalogue: ['contract', 'domain', 'storage', 'clock.ts'],
  partners: ['contract', 'domain', 'storage', 'clock.ts'],
  handoff: ['contract', 'domain', 'storage', 'partners', 'quotes', 'clock.ts'],
  quotes: ['contract', 'domain', 'storage', 'partners', 'handoff', 'clock.ts'],
  supply: ['domain', 'storage', 'clock.ts'],
  web: ['contract'],
  observability: ['storage', 'handoff', 'quotes'],
  http: [
    'contract',
    'domain',
    'storage',
    'catalogue',
    'partners',
    'handoff',
    'quotes',
    'limits',
    'observability',
    'web',
    'clock.ts',
  ],
};

/** Concrete adapters, and the files that put them to use; everybody else knows the port beside them. */
const ADAPTERS: readonly { readonly adapter: RegExp; readonly knownBy: RegExp }[] = [
  { adapter: /^storage\/(sqlite|postgres)\//, knownBy: /^storage\/(sqlite\/|postgres\/|open-storage\.ts$)/ },
  { adapter: /^storage\/open-storage\.ts$/, knownBy: /^(service\.ts$|(cli|workers)\/)/ },
  { adapter: /^catalogue\/(catalogue|follower)\.ts$/, knownBy: /^(service\.ts$|catalogue\/)/ },
  { adapter: /^limits\/memory-/, knownBy: /^(service\.ts$|limits\/)/ },
];

const COMPOSITION_ROOTS = /^(service|held-access|settings|setting-values)\.ts$|^(cli|workers)\//;

/** `... from './x.ts'`, `import './x.ts'`, `import('./x.ts')`, `new URL('./x.ts', import.meta.url)` */
const SPECIFIER = /(?:\bfrom|\bimport|\bimport\(|\bnew URL\()\s*'(\.{1,2}\/[^']+\.ts)'/g;
const TYPE_STATEMENT = /^(?:import|export) type [^;]*;/gm;

interface SourceFile {
  /** Relative to `src`, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
  /** Without those that name types only, and are gone when the program runs. */
  readonly valueImports: readonly string[];
}

/** What the program consists of: all that its entry reaches. Tests and their helpers are not among it. */
const files = reachableFrom('cli/main.ts', globSync('**/*.ts', { cwd: SOURCE }).map(readSourceFile));

describe('Import directions', () => {
  it('finds the imports that it is about', () => {
    const importCount = files.reduce((count, file) => count + file.imports.length, 0);
    assert.ok(files.length > 50 && importCount > 150, `${files.length} files, ${importCount} imports`);
  });

  for (const [owner, allowed] of Object.entries(MAY_IMPORT)) {
    it(`${owner} imports ${allowed.length === 0 ? 'nobody else' : `only ${allowed.join(', ')}`}`, () => {
      const wrong = files
        .filter((file) => folderOf(file.path) === owner)
        .flatMap((file) =>
          file.imports
            .filter((imported) => folderOf(imported) !== owner && !allowed.includes(folderOf(imported)))
            .map((imported) => `${file.path} -> ${imported}`),
        );
      assert.deepEqual(wrong, []);
    });
  }

  it('gives every folder a place in the order', () => {
    const unplaced = files.filter(
      (file) => !COMPOSITION_ROOTS.test(file.path) && !(folderOf(file.path) in MAY_IMPORT),
    );
    assert.deepEqual(
      unplaced.map((file) => file.path),
      [],
    );
  });

  it('lets only composition roots know concrete adapters', () => {
    const wrong = files.flatMap((file) =>
      file.imports
        .filter((imported) =>
          ADAPTERS.some(({ adapter, knownBy }) => adapter.test(imported) && !knownBy.test(file.path)),
        )
        .map((imported) => `${file.path} -> ${imported}`),
    );
    assert.deepEqual(wrong, []);
  });

  it('has no cycle of files', () => {
    assert.deepEqual(findCycle(files), []);
  });
});

describe('Injected places', () => {
  it('reads the environment in settings.ts alone', () => {
    assert.deepEqual(filesWith(/\bprocess\.env\b/), ['settings.ts']);
  });

  it('keeps the domain free of clocks, randomness and input', () => {
    const impure = /\bDate\.now\b|\bnew Date\(\s*\)|\bMath\.random\b|\bperformance\b|\bprocess\b|from 'node:/;
    assert.deepEqual(
      filesWith(impure).filter((path) => folderOf(path) === 'domain'),
      [],
    );
  });

  it('takes the wall clock from clock.ts alone', () => {
    // The other writes the Date header of an answer for which there is no response object.
    const allowed = new Set(['clock.ts', 'http/client-errors.ts']);
    assert.deepEqual(
      filesWith(/\bDate\.now\b|\bnew Date\(\s*\)/).filter((path) => !allowed.has(path)),
      [],
    );
  });

  it('never uses Math.random', () => {
    assert.deepEqual(filesWith(/\bMath\.random\b/), []);
  });
});

describe('File sizes', () => {
  it(`aims below ${LINES_WANTED_MAX} lines`, (context) => {
    const long = files
      .map((file) => ({ path: file.path, lineCount: file.text.split('\n').length }))
      .filter(({ lineCount }) => lineCount > LINES_WANTED_MAX)
      .map(({ path, lineCount }) => `${path} (${lineCount})`);
    // Guidance, not a limit: the list is shown, and only a file of twice the size fails.
    if (long.length > 0) context.diagnostic(`longer than wanted: ${long.join(', ')}`);
    const tooLong = files.filter((file) => file.text.split('\n').length > 2 * LINES_WANTED_MAX);
    assert.deepEqual(
      tooLong.map((file) => file.path),
      [],
    );
  });
});

function readSourceFile(path: string): SourceFile {
  const text = readFileSync(join(SOURCE, path), 'utf8');
  const resolved = (specifiers: Iterable<RegExpExecArray>): string[] =>
    [...specifiers].map((match) =>
      normalize(join(dirname(path), match[1] ?? ''))
        .split(sep)
        .join('/'),
    );
  const imports = resolved(text.matchAll(SPECIFIER));
  const valueImports = resolved(text.replaceAll(TYPE_STATEMENT, '').matchAll(SPECIFIER));
  return { path: path.split(sep).join('/'), text, imports, valueImports };
}

function reachableFrom(entry: string, all: readonly SourceFile[]): SourceFile[] {
  const byPath = new Map(all.map((file) => [file.path, file]));
  const reached = new Map<string, SourceFile>();
  const waiting = [entry];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const file = byPath.get(path);
    if (file === undefined || reached.has(path)) continue;
    reached.set(path, file);
    waiting.push(...file.imports);
  }
  return [...reached.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function folderOf(path: string): string {
  return path.split('/')[0] ?? path;
}

function filesWith(pattern: RegExp): string[] {
  return files
    .filter((file) => pattern.test(withoutComments(file.text)))
    .map((file) => file.path)
    .sort();
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1');
}

/** The first cycle that is met, as a list of paths; empty when there is none. */
function findCycle(all: readonly SourceFile[]): string[] {
  const importsOf = new Map(all.map((file) => [file.path, file.valueImports]));
  const done = new Set<string>();
  const walk = (path: string, trail: readonly string[]): string[] => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    if (done.has(path)) return [];
    for (const next of importsOf.get(path) ?? []) {
      const cycle = walk(next, [...trail, path]);
      if (cycle.length > 0) return cycle;
    }
    done.add(path);
    return [];
  };
  for (const file of all) {
    const cycle = walk(file.path, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}
