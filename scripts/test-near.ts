/**
 * Runs the tests that a change of the named files should run first: those nearest by imports. `npm run test:near FILE...`
 * also takes files that are read by path: `.sql`, `.lua`, `.css`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { distancesTo, readSourceFile } from '../test/kit/import-graph.ts';

const ROOT = join(import.meta.dirname, '..');
const SOURCES = '{src,test,bench,sdk,mcp}/**/*.ts';
/** The test beside the file, those that import it, and those of its importers. */
const DISTANCE_MAX = 2;
/** Tests of one change should end in seconds; the rest is for `npm test`. */
const TESTS_MAX = 12;

const wanted = process.argv.slice(2).map((file) => relative(ROOT, resolve(file)).split(sep).join('/'));
const unknown = wanted.filter((file) => !existsSync(join(ROOT, file)));
if (wanted.length === 0 || unknown.length > 0) {
  process.stderr.write(
    unknown.length > 0
      ? `no such file: ${unknown.join(', ')}\n`
      : 'name the files that you changed: npm run test:near src/domain/layers.ts\n',
  );
  process.exit(2);
}

// Not by way of what only tests share: it imports much for little.
const files = globSync(SOURCES, { cwd: ROOT, exclude: ['**/node_modules/**'] })
  .filter((path) => path.endsWith('.test.ts') || !path.startsWith('test'))
  .map((path) => readSourceFile(ROOT, path));
const near = findNear();
if (near.length === 0) {
  process.stderr.write('no test reaches these files by imports; run `npm test`\n');
  process.exit(1);
}
process.stderr.write(`${near.join('\n')}\n`);
const { status } = spawnSync(process.execPath, ['--test', ...near], { cwd: ROOT, stdio: 'inherit' });
process.exitCode = status ?? 1;

/** The nearest tests of each file, nearest first. */
function findNear(): readonly string[] {
  const distances = new Map<string, number>();
  for (const file of wanted) {
    for (const [path, distance] of distancesTo(file, files)) {
      if (!path.endsWith('.test.ts')) continue;
      const isBeside = path === file.replace(/\.[a-z]+$/, '.test.ts');
      distances.set(path, Math.min(isBeside ? 0 : distance, distances.get(path) ?? Infinity));
    }
  }
  const all = [...distances].sort(([one, a], [other, b]) => a - b || one.localeCompare(other));
  const nearest = all[0]?.[1] ?? 0;
  return all
    .filter(([, distance]) => distance <= Math.max(DISTANCE_MAX, nearest))
    .slice(0, TESTS_MAX)
    .map(([path]) => path);
}
