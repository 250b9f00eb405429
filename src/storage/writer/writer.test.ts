/** The queue of the writer thread: bounded, in turns, and never lost on close. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startProcess } from '../../../test/kit/processes/start.ts';
import { NOW_MS } from '../../../test/suites/storage/fixture.ts';
import { samplePartner, sampleQuote, sampleWrite } from '../../../test/suites/storage/sample-rows.ts';
import { makeDatabasePath } from '../../../test/suites/storage/sqlite-fixture.ts';
import { openSqliteStorage } from '../open-sqlite.ts';
import { type Storage, StorageUnavailable } from '../storage.ts';
import { JOBS_WAITING_MAX, QUOTES_WAITING_MAX } from './writer.ts';

async function withDatabase(
  body: (storage: Storage, path: string) => Promise<void>,
  options: { readonly writesHere?: boolean } = {},
): Promise<void> {
  const { path, remove } = makeDatabasePath();
  const storage = await openSqliteStorage({ path, clock: () => NOW_MS, ...options });
  try {
    await storage.migrate();
    await body(storage, path);
  } finally {
    await storage.close();
    remove();
  }
}

const openAt = (path: string) => openSqliteStorage({ path, clock: () => NOW_MS });

describe('The writer of SQLite', () => {
  for (const [place, writesHere] of [
    ['a thread', false],
    ['the thread that calls', true],
  ] as const)
    it(`stores, on ${place}, every quote that was asked for before it closes, and refuses what comes after`, () =>
      withDatabase(
        async (storage, path) => {
          const ids = Array.from({ length: 3_000 }, (_, index) => `q${index}`);
          const underway = ids.map((id) => storage.insertQuote(sampleQuote(id)));
          const write = storage.writeProperties([sampleWrite('a')]);
          const closed = storage.close();
          await assert.rejects(storage.insertQuote(sampleQuote('late')), StorageUnavailable);
          await assert.rejects(storage.putPartner(samplePartner('late')), StorageUnavailable);
          const results = await Promise.allSettled([...underway, write]);
          assert.deepEqual(
            results.filter(({ status }) => status === 'rejected'),
            [],
          );
          await closed;
          const again = await openAt(path);
          for (const id of ids) assert.ok(await again.findQuote(id), id);
          assert.ok(await again.findProperty('a'));
          assert.equal(await again.findQuote('late'), undefined);
          await again.close();
        },
        { writesHere },
      ));

  it('refuses quotes in time while the thread stands still, holds no more than so many, and goes on', () =>
    withDatabase(async (storage, path) => {
      await using holder = startProcess('hold-lock', [path]);
      await holder.output.next();
      // Holds the lock, and so blocks the thread, for ten seconds.
      const stuck = storage.putPartner(samplePartner('p'));
      const startedAtMs = performance.now();
      const row = sampleQuote('q');
      const results = await Promise.allSettled(
        Array.from({ length: QUOTES_WAITING_MAX + 5 }, (_, index) =>
          storage.insertQuote({ ...row, quoteId: `q${index}` }),
        ),
      );
      const elapsedMs = performance.now() - startedAtMs;
      assert.ok(elapsedMs < 5_000, `refused after ${elapsedMs} ms`);
      const reasons = results.map((result) => (result.status === 'rejected' ? result.reason.message : ''));
      assert.equal(reasons.filter((reason) => reason === 'too many quotes wait for the disk').length, 5);
      assert.equal(
        reasons.filter((reason) => /could not be stored within 1750 ms/.test(reason)).length,
        QUOTES_WAITING_MAX,
      );

      const jobs = Array.from({ length: JOBS_WAITING_MAX + 1 }, () => storage.withdrawProperties(['none']));
      await assert.rejects(jobs.at(-1)!, /too many writes wait for the disk/);
      await holder.end();
      await stuck;
      await storage.insertQuote(sampleQuote('after'));
      assert.equal((await Promise.allSettled(jobs)).filter(({ status }) => status === 'rejected').length, 1);
      assert.ok(await storage.findQuote('after'));
      assert.equal(await storage.findQuote('q0'), undefined, 'what was refused in the queue is not stored');
    }));

  it('lets quotes and other work take turns', () =>
    withDatabase(async (storage) => {
      const order: string[] = [];
      const note = (what: string) => () => void order.push(what);
      const jobs = ['job 1', 'job 2', 'job 3'].map((name) =>
        storage.putPartner(samplePartner(name)).then(note(name)),
      );
      const quotes = ['q1', 'q2'].map((id) => storage.insertQuote(sampleQuote(id)).then(note('quote')));
      await Promise.all([...jobs, ...quotes]);
      assert.deepEqual(order, ['job 1', 'quote', 'quote', 'job 2', 'job 3']);
    }));
});
