/** Which tests a change of a file should run first: those nearest by imports, on its folder where these are many. */
import { dirname } from 'node:path';
import { distancesTo, reachableFrom, type SourceFile } from './import-graph.ts';

/** The test beside the file, those that import it, and those of its importers. */
const DISTANCE_MAX = 2;
/** Tests of one change should end in seconds; the rest is for `npm test`. */
const TESTS_MAX = 12;
const SUITES = /^test\/suites\//;

interface Near {
  readonly path: string;
  readonly distance: number;
  /** Imports from the folder of the changed file: many in a test of what this folder does. */
  readonly ofFolder: number;
}

/** The nearest tests of all `wanted`, nearest first. `files` are those of src, of tests and what tests share. */
export function findNearTests(wanted: readonly string[], files: readonly SourceFile[]): readonly string[] {
  const tests = files.filter(({ path }) => isTest(path)).map((test) => withSuites(test, files));
  const graph = [...files.filter(({ path }) => !isTest(path)), ...tests];
  const nearest = new Map<string, Near>();
  for (const file of wanted) {
    const distances = distancesTo(file, graph);
    for (const test of tests) {
      const near = nearTo(file, test, distances.get(test.path));
      const known = nearest.get(test.path);
      if (near !== undefined && (known === undefined || compare(near, known) < 0))
        nearest.set(test.path, near);
    }
  }
  const all = [...nearest.values()].sort(compare);
  const distanceMax = Math.max(DISTANCE_MAX, all[0]?.distance ?? 0);
  return all
    .filter(({ distance }) => distance <= distanceMax)
    .slice(0, TESTS_MAX)
    .map(({ path }) => path);
}

/** A suite is part of each test that runs it: it adds no step between a test and its subject. */
function withSuites(test: SourceFile, files: readonly SourceFile[]): SourceFile {
  const suites = files.filter(({ path }) => SUITES.test(path));
  return {
    ...test,
    imports: reachableFrom([test.path], [...suites, test]).flatMap(({ imports }) => imports),
  };
}

function nearTo(file: string, { path, imports }: SourceFile, distance: number | undefined): Near | undefined {
  if (distance === undefined) return undefined;
  const isBeside = path === file.replace(/\.[a-z]+$/, '.test.ts');
  const ofFolder = imports.filter((imported) => dirname(imported) === dirname(file)).length;
  return { path, distance: isBeside ? 0 : distance, ofFolder };
}

function compare(one: Near, other: Near): number {
  return one.distance - other.distance || other.ofFolder - one.ofFolder || one.path.localeCompare(other.path);
}

function isTest(path: string): boolean {
  return path.endsWith('.test.ts');
}
