import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readSourceFile } from './kit/import-graph.ts';
import { findNearTests } from './kit/near-tests.ts';

const ROOT = join(import.meta.dirname, '..');
const files = globSync('{src,test,sdk,mcp}/**/*.ts', { cwd: ROOT, exclude: ['**/node_modules/**'] }).map(
  (path) => readSourceFile(ROOT, path),
);

describe('findNearTests', () => {
  it('takes the test beside a file first', () => {
    assert.equal(findNearTests(['src/domain/layers.ts'], files)[0], 'src/domain/layers.test.ts');
  });

  for (const file of ['planner', 'layered-property', 'settle-messages', 'stored-write'])
    it(`takes the suites of storage for the ledger's ${file}.ts`, () => {
      const near = findNearTests([`src/domain/ledger/${file}.ts`], files);
      assert.ok(near.includes('src/storage/sqlite-storage.test.ts'), near.join('\n'));
    });

  it('takes the tests that run a suite for this suite', () => {
    const near = findNearTests(['test/suites/storage/supply-model-suite.ts'], files);
    assert.deepEqual(near.toSorted(), [
      'src/storage/postgres-storage.test.ts',
      'src/storage/sqlite-storage.test.ts',
    ]);
  });

  for (const [file, test] of [
    ['app/workers/threads', 'workers'],
    ['operator/acts/property-acts', 'property-show'],
    ['console/http/upload', 'e2e/console/import'],
    ['console/pages/webhooks/read', 'e2e/console/webhooks'],
    ['console/pages/property-form/save', 'e2e/console/property-form'],
    ['partner/quotes/create-quote', 'e2e/partner/quotes'],
    ['supply/ical/feed-poller', 'e2e/operator/feeds'],
    ['traveller/http/published-route', 'e2e/traveller/published-calendars'],
  ])
    it(`takes the end-to-end tests ${test} for ${file}.ts`, () => {
      const near = findNearTests([`src/${file}.ts`], files);
      assert.ok(near.includes(`test/${test}.test.ts`), near.join('\n'));
    });

  it('takes the tests that start a server of the kit for this server', () => {
    const near = findNearTests(['test/kit/feed-server.ts'], files);
    assert.ok(near.length > 0);
    const importers = files.filter(({ imports }) => imports.includes('test/kit/feed-server.ts'));
    assert.ok(importers.some(({ path }) => near.includes(path)));
  });
});
