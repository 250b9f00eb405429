/** Which source file imports which, read from the files themselves. */
import { readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';

/** `... from './x.ts'`, `import './x.ts'`, `import('./x.ts')`, `new URL('./x.lua', import.meta.url)` */
const SPECIFIER = /(?:\bfrom|\bimport|\bimport\(|\bnew URL\()\s*'((?:\.{1,2}\/)?[^']+\.[a-z]+)'/g;
/** Among these, `import('./x.ts')` and `new URL('./x.ts', import.meta.url)`: loaded on use, or in a thread. */
const LATER_SPECIFIER = /(?:\bimport\(|\bnew URL\()\s*'((?:\.{1,2}\/)?[^']+\.[a-z]+)'/g;

export interface SourceFile {
  /** Relative to the root, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
  /** Modules loaded on use, or in a thread. */
  readonly laterImports: readonly string[];
}

/** `path` is relative to `root`, and so is what it imports. */
export function readSourceFile(root: string, path: string): SourceFile {
  const text = readFileSync(join(root, path), 'utf8');
  const resolved = (specifiers: Iterable<RegExpExecArray>): string[] =>
    [...specifiers].map((match) => toSlashes(normalize(join(dirname(path), match[1] ?? ''))));
  const imports = resolved(text.matchAll(SPECIFIER));
  const laterImports = resolved(text.matchAll(LATER_SPECIFIER));
  return { path: toSlashes(path), text, imports, laterImports };
}

/** In order of their paths. */
export function reachableFrom(
  entries: readonly string[],
  candidates: readonly SourceFile[],
): readonly SourceFile[] {
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

/** How many imports lie between each file and `path`: 1 for those that import it themselves. */
export function distancesTo(path: string, files: readonly SourceFile[]): ReadonlyMap<string, number> {
  const importers = new Map<string, string[]>();
  for (const file of files)
    for (const imported of file.imports)
      importers.set(imported, [...(importers.get(imported) ?? []), file.path]);
  const distances = new Map([[path, 0]]);
  let edge = [path];
  for (let distance = 1; edge.length > 0; distance += 1) {
    edge = edge.flatMap((near) => importers.get(near) ?? []).filter((far) => !distances.has(far));
    for (const far of edge) distances.set(far, distance);
  }
  return distances;
}

/** Groups of files of which each reaches each other one by imports, in order of their paths; mostly none. */
export function findCircles(
  files: readonly SourceFile[],
  arrows: (file: SourceFile) => readonly string[],
): readonly (readonly string[])[] {
  const importsOf = new Map(files.map((file) => [file.path, arrows(file)]));
  const reachedFrom = new Map(
    files.map(({ path }) => [path, reached(importsOf.get(path) ?? [], importsOf)] as const),
  );
  const groups = new Map<string, string>();
  for (const { path } of files) {
    if (!reachedFrom.get(path)!.has(path)) continue;
    const group = [...reachedFrom.get(path)!].filter((other) => reachedFrom.get(other)?.has(path)).sort();
    groups.set(group[0]!, group.join('\n'));
  }
  return [...groups.values()].sort().map((group) => group.split('\n'));
}

function reached(
  from: readonly string[],
  importsOf: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const met = new Set<string>();
  const waiting = [...from];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (met.has(path)) continue;
    met.add(path);
    waiting.push(...(importsOf.get(path) ?? []));
  }
  return met;
}

function toSlashes(path: string): string {
  return path.split(sep).join('/');
}

/** Removes comments from TypeScript. */
export function withoutComments(text: string): string {
  return text.replaceAll(/(?<!\*)\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1');
}
