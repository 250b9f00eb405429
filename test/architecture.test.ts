/**
 * The shape of the source tree, read from the files themselves: which folder may know which, and where time,
 * randomness and the environment may come in.
 */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { describe, it } from 'node:test';
import { findCircles, reachableFrom, readSourceFile, withoutComments } from './kit/import-graph.ts';

const SOURCE = join(import.meta.dirname, '..', 'src');

/** Room to the rooms below it that it may import from. None knows one above it. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  runtime: [],
  domain: [],
  contract: ['domain'],
  limits: ['runtime'],
  storage: ['domain', 'runtime'],
  access: ['contract', 'domain', 'runtime', 'storage'],
  handoff: ['domain', 'runtime', 'storage'],
  'read-model': ['domain', 'runtime', 'storage'],
  supply: ['domain', 'runtime', 'storage'],
  http: ['access', 'contract', 'domain', 'limits', 'runtime', 'storage'],
  portal: ['contract', 'domain', 'http'],
  partner: [
    'access',
    'contract',
    'domain',
    'handoff',
    'http',
    'limits',
    'portal',
    'read-model',
    'runtime',
    'storage',
    'supply',
  ],
  traveller: [
    'access',
    'contract',
    'domain',
    'handoff',
    'http',
    'limits',
    'partner',
    'runtime',
    'storage',
    'supply',
  ],
  operator: [
    'access',
    'contract',
    'domain',
    'handoff',
    'http',
    'partner',
    'portal',
    'runtime',
    'storage',
    'supply',
  ],
  console: [
    'access',
    'contract',
    'domain',
    'http',
    'limits',
    'operator',
    'partner',
    'read-model',
    'runtime',
    'storage',
    'supply',
    'traveller',
  ],
  app: [
    // The package of the MCP server.
    '..',
    'access',
    'console',
    'contract',
    'domain',
    'handoff',
    'http',
    'limits',
    'operator',
    'partner',
    'read-model',
    'runtime',
    'storage',
    'supply',
    'traveller',
  ],
};

/** Concrete adapters, and the files that put them to use; everybody else knows the port beside them. */
const ADAPTERS: readonly { readonly adapter: RegExp; readonly knownBy: RegExp }[] = [
  {
    adapter: /^storage\/(engine\/(sqlite|postgres)\/|writer\/|[a-z]+\/(sqlite|postgres)[-a-z]*\.ts)/,
    knownBy: /^storage\//,
  },
  { adapter: /^storage\/open[-a-z]*\.ts$/, knownBy: /^app\/|^storage\/open\.ts$/ },
  {
    adapter: /^read-model\/(catalogue\/catalogue|following\/follower)\.ts$/,
    knownBy: /^(app|read-model|partner\/sandbox)\//,
  },
  { adapter: /^limits\/memory-/, knownBy: /^(app|limits)\// },
  {
    adapter: /^supply\/connections\/kinds\/[a-z0-9-]+\//,
    knownBy: /^supply\/connections\/(?:connection-kinds\.ts$|kinds\/)/,
  },
];

const all = globSync('**/*.ts', { cwd: SOURCE }).map((path) => readSourceFile(SOURCE, path));
/** What the program consists of: all that its entries reach. Tests are not among it. */
const files = reachableFrom(
  [
    'app/cli/main.ts',
    'app/cli/commands/worker-thread.ts',
    'app/cli/commands/catalogue-thread.ts',
    'app/cli/commands/reader-thread.ts',
  ],
  all,
);

/** All packages, with the benchmark, without tests. Paths are those from the root of the repository. */
const ROOT = join(SOURCE, '..');
const production = globSync('{src,sdk/src,mcp/src,bench}/**/*.ts', { cwd: ROOT })
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => readSourceFile(ROOT, path));

/** So short, and of use to one file only: it belongs into that file. */
const SHARD_LINES_MAX = 24;
/** A page of the console has its texts and what it reads in its folder, however little they are. */
const IN_ITS_PLACE = /^src\/console\/pages\/[a-z-]+\/(?:messages|read)\.ts$/;

describe('Files', () => {
  it(`of up to ${SHARD_LINES_MAX} lines that one other file imports are part of that file`, () => {
    const importers = new Map<string, Set<string>>();
    for (const { path, imports } of production)
      for (const imported of imports)
        importers.set(imported, (importers.get(imported) ?? new Set()).add(path));
    // Loaded when it is needed, or the program of a thread: it can not be part of what loads it.
    const later = new Set(production.flatMap(({ laterImports }) => laterImports));
    const shards = production.filter(
      ({ path, text }) =>
        text.trimEnd().split('\n').length <= SHARD_LINES_MAX &&
        importers.get(path)?.size === 1 &&
        !IN_ITS_PLACE.test(path) &&
        !later.has(path),
    );
    assert.deepEqual(
      shards.map(({ path }) => path),
      [],
    );
  });
});

describe('Import directions', () => {
  it('finds the imports that it is about', () => {
    const importCount = files.reduce((count, file) => count + file.imports.length, 0);
    assert.ok(files.length > 50 && importCount > 150, `${files.length} files, ${importCount} imports`);
  });

  it('know no circle of rooms: each is above all those that it may import from', () => {
    const placed = new Set(['..']);
    for (const [room, below] of Object.entries(MAY_IMPORT)) {
      assert.deepEqual(
        below.filter((other) => !placed.has(other)),
        [],
        room,
      );
      placed.add(room);
    }
  });

  for (const [owner, allowed] of Object.entries(MAY_IMPORT)) {
    it(`${owner} imports ${allowed.length === 0 ? 'nobody else' : `only ${allowed.join(', ')}`}`, () => {
      const wrong = files
        .filter((file) => roomOf(file.path) === owner)
        .flatMap((file) =>
          file.imports
            .filter((imported) => roomOf(imported) !== owner && !allowed.includes(roomOf(imported)))
            .map((imported) => `${file.path} -> ${imported}`),
        );
      assert.deepEqual(wrong, []);
    });
  }

  it('gives every folder a room', () => {
    const unplaced = files.filter((file) => !(roomOf(file.path) in MAY_IMPORT));
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

  it('has no circle of files, by types either', () => {
    assert.deepEqual(
      findCircles(production, (file) => file.imports),
      [],
    );
  });

  it('lets nothing that reads for a page of the console know HTML', () => {
    const reading =
      /^console\/(?:reading\/|pages\/[a-z-]+\/(?:read|save|fields|preview|acts|replay-request)\.ts$)/;
    const readers = files.filter(({ path }) => reading.test(path));
    assert.ok(readers.length > 20);
    const wrong = readers.flatMap(({ path, imports }) =>
      imports
        .filter((imported) => /^http\/html\/|^console\/(?:web\/|pages\/[a-z-]+\/page\.ts$)/.test(imported))
        .map((imported) => `${path} -> ${imported}`),
    );
    assert.deepEqual(wrong, []);
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

/** What may follow `from` in a package for partners, besides its own files. */
const PACKAGES: Readonly<Record<string, RegExp>> = {
  'sdk/src': /^$/,
  'mcp/src': /^(?:\.\.\/)+sdk\/src\/index\.ts$|^node:|^@modelcontextprotocol\/server(?:\/|$)/,
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
  }
});

describe('Injected places', () => {
  it('reads the environment in app/settings/settings.ts alone, but for the checks of tests', () => {
    assert.deepEqual(filesWith(/\bprocess\.env\b/), ['app/settings/settings.ts', 'runtime/assertions.ts']);
  });

  it('keeps the domain free of clocks, randomness and input', () => {
    const impure = /\bDate\.now\b|\bnew Date\(\s*\)|\bMath\.random\b|\bperformance\b|\bprocess\.|from 'node:/;
    assert.deepEqual(
      filesWith(impure).filter((path) => /^domain\/(?!ledger\/)/.test(path)),
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

describe('Names', () => {
  it('of files in `new URL(…, import.meta.url)` are those of files, of the benchmark too', () => {
    const named = production.flatMap(({ path, text }) =>
      [...text.matchAll(/new URL\(\s*'(\.[^'?]*)[^']*',\s*import\.meta\.url/g)].map(
        ([, name]) => [path, name!] as const,
      ),
    );
    assert.ok(named.length > 0);
    const missing = named.filter(([path, name]) => !existsSync(join(ROOT, dirname(path), name)));
    assert.deepEqual(missing, []);
  });

  it('have one verb for text, and one for what an answer has: `format`, `present`', () => {
    assert.deepEqual(filesWith(/\bfunction\*? (?:describe|show|tell)[A-Z]/), []);
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

function roomOf(path: string): string {
  return path.split('/')[0]!;
}

/** It writes programs for partners: what those read is not read here. */
const PROGRAM_TEXTS = new Set(['portal/programs/sample-programs.ts']);

function filesWith(pattern: RegExp): string[] {
  return files
    .filter((file) => !PROGRAM_TEXTS.has(file.path) && pattern.test(withoutComments(file.text)))
    .map((file) => file.path)
    .sort();
}
