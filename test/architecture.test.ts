/**
 * The shape of the source tree, read from the files themselves: which folder may know which, and where time,
 * randomness and the environment may come in.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';
import { describe, it } from 'node:test';

const SOURCE = join(import.meta.dirname, '..', 'src');
const LINES_MAX = 250;
const FILES_PER_FOLDER_MAX = 20;

/** Folder to the other folders that it may import from; files directly in `src` are named themselves. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  runtime: [],
  domain: [],
  contract: ['domain'],
  storage: ['domain', 'runtime'],
  catalogue: ['contract', 'domain', 'storage', 'runtime'],
  following: ['catalogue', 'domain', 'storage', 'runtime'],
  access: ['contract', 'domain', 'storage', 'runtime'],
  handoff: ['domain', 'storage', 'runtime'],
  sandbox: ['catalogue', 'domain', 'storage', 'supply', 'runtime'],
  quotes: ['contract', 'domain', 'handoff', 'storage', 'runtime'],
  limits: ['runtime'],
  supply: ['domain', 'storage', 'runtime'],
  attribution: ['domain', 'storage', 'runtime'],
  web: ['contract', 'domain', 'handoff', 'quotes', 'runtime'],
  observability: ['limits', 'quotes', 'storage', 'runtime'],
  http: [
    'access',
    'attribution',
    'catalogue',
    'contract',
    'domain',
    'handoff',
    'limits',
    'observability',
    'quotes',
    'runtime',
    'storage',
    'supply',
    'web',
  ],
  settings: ['access', 'handoff', 'limits'],
};

/** Concrete adapters, and the files that put them to use; everybody else knows the port beside them. */
const ADAPTERS: readonly { readonly adapter: RegExp; readonly knownBy: RegExp }[] = [
  { adapter: /^storage\/(sqlite|postgres)\//, knownBy: /^storage\/(sqlite|postgres|open)\// },
  { adapter: /^storage\/open\//, knownBy: /^(service|cli|workers|storage\/open)\// },
  {
    adapter: /^(catalogue\/catalogue|following\/follower)\.ts$/,
    knownBy: /^(service|catalogue|following|sandbox)\//,
  },
  { adapter: /^limits\/memory-/, knownBy: /^(service|limits)\// },
];

const COMPOSITION_ROOTS = /^(service|cli|workers)\//;

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

const all = globSync('**/*.ts', { cwd: SOURCE }).map(readSourceFile);
/** What the program consists of: all that its entries reach. Tests are not among it. */
const files = reachableFrom(['cli/main.ts', 'cli/serving/worker-thread.ts'], all);

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

  it('has no two folders that import each other, at any depth', () => {
    const arrows = new Set(
      files.flatMap((file) =>
        file.imports.map((imported) => `${dirname(file.path)} -> ${dirname(imported)}`),
      ),
    );
    const mutual = [...arrows].filter((arrow) => {
      const [from, to] = arrow.split(' -> ');
      return from !== to && arrows.has(`${to} -> ${from}`);
    });
    assert.deepEqual(mutual, []);
  });
});

/** What may stand behind `from` in a package for partners, besides its own files. */
const PACKAGES: Readonly<Record<string, RegExp>> = {
  'sdk/src': /^$/,
  'mcp/src': /^(?:\.\.\/)+sdk\/src\/index\.ts$|^node:|^@modelcontextprotocol\/(?:server|node)(?:\/|$)/,
};

describe('The packages for partners', () => {
  for (const [folder, allowed] of Object.entries(PACKAGES)) {
    const root = join(SOURCE, '..', folder);
    const sources = globSync('**/*.ts', { cwd: root }).map((path) => ({
      path: path.split(sep).join('/'),
      text: readFileSync(join(root, path), 'utf8'),
    }));

    it(`${folder} knows the contract by its types and its document alone`, () => {
      const imports = sources.flatMap(({ path, text }) =>
        [...text.matchAll(/\b(?:from|import|import\()\s*'([^']+)'/g)].map(([, name]) => ({
          path,
          name: name!,
        })),
      );
      assert.ok(imports.length > 5);
      const wrong = imports.filter(
        ({ path, name }) =>
          !allowed.test(name) && !(name.startsWith('.') && !join(dirname(path), name).startsWith('..')),
      );
      assert.deepEqual(wrong, []);
    });

    it(`${folder} has no file over ${LINES_MAX} lines`, () => {
      const tooLong = sources.filter(({ text }) => text.split('\n').length > LINES_MAX);
      assert.deepEqual(
        tooLong.map(({ path }) => path),
        [],
      );
    });
  }
});

describe('Injected places', () => {
  it('reads the environment in settings/settings.ts alone', () => {
    assert.deepEqual(filesWith(/\bprocess\.env\b/), ['settings/settings.ts']);
  });

  it('keeps the domain free of clocks, randomness and input', () => {
    const impure = /\bDate\.now\b|\bnew Date\(\s*\)|\bMath\.random\b|\bperformance\b|\bprocess\b|from 'node:/;
    assert.deepEqual(
      filesWith(impure).filter((path) => folderOf(path) === 'domain'),
      [],
    );
  });

  it('takes the wall clock from runtime/clock.ts alone', () => {
    // The other writes the Date header of an answer for which there is no response object.
    const allowed = new Set(['runtime/clock.ts', 'http/listener/client-errors.ts']);
    assert.deepEqual(
      filesWith(/\bDate\.now\b|\bnew Date\(\s*\)/).filter((path) => !allowed.has(path)),
      [],
    );
  });

  it('never uses Math.random', () => {
    assert.deepEqual(filesWith(/\bMath\.random\b/), []);
  });
});

describe('Sizes', () => {
  it(`has no file over ${LINES_MAX} lines`, () => {
    const tooLong = files.filter(({ text }) => text.split('\n').length > LINES_MAX);
    assert.deepEqual(
      tooLong.map((file) => file.path),
      [],
    );
  });

  it(`has no folder with more than ${FILES_PER_FOLDER_MAX} production files`, () => {
    const counts = Map.groupBy(files, ({ path }) => dirname(path));
    const full = [...counts].filter(([, members]) => members.length > FILES_PER_FOLDER_MAX);
    assert.deepEqual(
      full.map(([folder]) => folder),
      [],
    );
  });
});

describe('Tests and their helpers', () => {
  it('leave nothing in src but X.test.ts beside X.ts, or beside the folder that it is about', () => {
    const reached = new Set(files.map(({ path }) => path));
    const strays = all.filter(({ path }) => !reached.has(path) && !path.endsWith('.test.ts'));
    assert.deepEqual(
      strays.map(({ path }) => path),
      [],
    );
  });

  it('are never imported by what is not a test', () => {
    const wrong = files.filter((file) => file.imports.some((imported) => imported.startsWith('../test/')));
    assert.deepEqual(
      wrong.map(({ path }) => path),
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

function reachableFrom(entries: readonly string[], candidates: readonly SourceFile[]): SourceFile[] {
  const byPath = new Map(candidates.map((file) => [file.path, file]));
  const reached = new Map<string, SourceFile>();
  const waiting = [...entries];
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

/** They hold programs for partners as text: what those read is not read here. */
const PROGRAM_TEXTS = new Set(['web/docs/guide-programs.ts', 'web/docs/guide-paging-program.ts']);

function filesWith(pattern: RegExp): string[] {
  return files
    .filter((file) => !PROGRAM_TEXTS.has(file.path) && pattern.test(withoutComments(file.text)))
    .map((file) => file.path)
    .sort();
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1');
}

/** The first cycle that is met, as a list of paths; empty when there is none. */
function findCycle(graph: readonly SourceFile[]): string[] {
  const importsOf = new Map(graph.map((file) => [file.path, file.valueImports]));
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
  for (const file of graph) {
    const cycle = walk(file.path, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}
