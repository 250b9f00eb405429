/**
 * Several processes on one SQLite file, and processes that die.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Storage } from '../../storage.ts';
import { NOW_MS } from '../../../../test/suites/storage/fixture.ts';
import { sampleQuote } from '../../../../test/suites/storage/sample-rows.ts';
import { openSqliteStorage } from '../../open-sqlite.ts';
import { makeDatabasePath } from '../../../../test/suites/storage/sqlite-fixture.ts';
import { killStorm } from '../../../../test/kit/processes/kill-storm.ts';
import { startProcess } from '../../../../test/kit/processes/start.ts';
import { assertStormKept } from '../../../../test/kit/processes/storm-check.ts';

const KILLS = 4;
const ACKNOWLEDGED_BEFORE_KILL = 400;

async function withPath(body: (path: string) => Promise<void>): Promise<void> {
  const { path, remove } = makeDatabasePath();
  try {
    await body(path);
  } finally {
    remove();
  }
}

async function withStorage(path: string, body: (storage: Storage) => Promise<void>): Promise<void> {
  const storage = await openSqliteStorage({ path, clock: () => NOW_MS });
  try {
    await storage.migrate();
    await body(storage);
  } finally {
    await storage.close();
  }
}

describe('several processes on one SQLite file', () => {
  it('create and migrate it together', () =>
    withPath(async (path) => {
      const children = Array.from({ length: 4 }, () => startProcess('migrate-once', [path]));
      const versions = await Promise.all(children.map(async (child) => (await child.output.next()).value));
      for (const child of children) assert.equal(await child.end(), 0);
      await withStorage(path, async (storage) => {
        const { latest } = await storage.schemaState();
        assert.deepEqual(versions, Array(4).fill(String(latest)));
      });
    }));

  it('get their turn to store quotes while another one imports without pause', () =>
    withPath((path) =>
      withStorage(path, async (storage) => {
        await using importer = startProcess('write-storm', [`sqlite:${path}`, 'storm']);
        await importer.output.next();
        let longestMs = 0;
        for (let index = 0; index < 100; index++) {
          const startedAtMs = performance.now();
          await storage.insertQuote(sampleQuote(`mine-${index}`));
          longestMs = Math.max(longestMs, performance.now() - startedAtMs);
        }
        await importer.kill();
        assert.ok(longestMs < 5_000, `one quote waited ${longestMs} ms`);
      }),
    ));
});

describe('a process killed with -9', () => {
  it('has stored every quote that it acknowledged, and every import wholly or not at all', () =>
    withPath(async (path) => {
      await withStorage(path, async () => {});
      const acknowledged: string[] = [];
      for (let kill = 0; kill < KILLS; kill++) {
        await using storm = startProcess('write-storm', [`sqlite:${path}`, `storm${kill}`]);
        acknowledged.push(...(await killStorm(storm, ACKNOWLEDGED_BEFORE_KILL)));
      }
      assert.ok(acknowledged.length >= KILLS * ACKNOWLEDGED_BEFORE_KILL);
      await withStorage(path, async (storage) => {
        await assertStormKept(storage, acknowledged);
      });
    }));
});
