/**
 * Runs the tests that a change of the named files should run first: those nearest by imports. `npm run test:near FILE...`
 * also takes files that are read by path: `.sql`, `.lua`, `.css`.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { CHECKING } from '../test/kit/checking.ts';
import { readSourceFile } from '../test/kit/import-graph.ts';
import { findNearTests } from '../test/kit/near-tests.ts';

const ROOT = join(import.meta.dirname, '..');
const SOURCES = '{src,test,bench,sdk,mcp}/**/*.ts';

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

const files = globSync(SOURCES, { cwd: ROOT, exclude: ['**/node_modules/**'] }).map((path) =>
  readSourceFile(ROOT, path),
);
const near = findNearTests(wanted, files);
if (near.length === 0) {
  process.stderr.write('no test reaches these files by imports; run `npm test`\n');
  process.exit(1);
}
process.stderr.write(`${near.join('\n')}\n`);
const { status } = spawnSync(process.execPath, ['--test', ...near], {
  cwd: ROOT,
  stdio: 'inherit',
  env: { ...process.env, ...CHECKING },
});
process.exitCode = status ?? 1;
