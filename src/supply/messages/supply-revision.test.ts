/** Waiting for a revision while the database goes back. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { HistoryLost, type HistoryMark } from '../../storage/history/revision.ts';
import { createRevisionReader, type HistoryLosses, type ReadRevision } from './supply-context.ts';

interface World {
  readonly readRevision: ReadRevision;
  readonly database: { revision: number; stamps: Record<number, string> };
  readonly process: { revision: number; history: HistoryMark | undefined; losses: HistoryLosses };
}

async function withReader(work: (world: World) => Promise<void>): Promise<void> {
  const database: World['database'] = { revision: 12, stamps: { 9: 'i', 12: 'l', 13: 'm' } };
  const process: World['process'] = {
    revision: 12,
    history: { revision: 12, stamp: 'l' },
    losses: { count: 0, lastAtMs: undefined },
  };
  const readRevision = createRevisionReader({
    storage: {
      readRevision: () => Promise.resolve(database.revision),
      async readHistory(known) {
        const newest = { revision: database.revision, stamp: database.stamps[database.revision]! };
        if (known.revision > newest.revision || database.stamps[known.revision] !== known.stamp)
          throw new HistoryLost(known, newest);
        return newest;
      },
    },
    followed: () => process,
    losses: () => process.losses,
  });
  await work({ readRevision, database, process });
}

const LONG_MS = 10_000;

describe('a wait for a revision', () => {
  it('ends at once when the database goes back meanwhile', () =>
    withReader(async ({ readRevision, database, process }) => {
      database.revision = 13;
      const waiting = readRevision({ waitMs: LONG_MS, atLeast: 13 });
      await delay(20);
      Object.assign(process, { revision: 0, losses: { count: 1, lastAtMs: 5 } });
      database.revision = 9;
      const answer = await waiting;
      assert.deepEqual(answer, { revision: 0, databaseRevision: 9, historyLostAtMs: 5, isLost: true });
    }));

  it('ends at once, after a loss, for a revision that the database does not have', () =>
    withReader(async ({ readRevision, database, process }) => {
      Object.assign(process, {
        revision: 9,
        history: { revision: 9, stamp: 'i' },
        losses: { count: 1, lastAtMs: 5 },
      });
      database.revision = 9;
      assert.equal((await readRevision({ waitMs: LONG_MS, atLeast: 10 })).isLost, true);
      assert.equal((await readRevision({ waitMs: LONG_MS, atLeast: 9 })).isLost, false);
      assert.equal((await readRevision({ waitMs: LONG_MS, atLeast: undefined })).isLost, false);
    }));

  it('does not take a number of a lost history for the one that is waited for', () =>
    withReader(async ({ readRevision, database, process }) => {
      // The database went back to 9, and wrote 10 to 13 again, before the process has noticed it.
      database.stamps = { 9: 'i', 12: 'other', 13: 'others' };
      database.revision = 13;
      process.revision = 13;
      process.history = { revision: 13, stamp: 'm' };
      let answer: unknown;
      const waiting = readRevision({ waitMs: LONG_MS, atLeast: 13 }).then((given) => (answer = given));
      await delay(50);
      assert.equal(answer, undefined, 'answered before the process shows the revision');
      Object.assign(process, { revision: 0, history: undefined, losses: { count: 1, lastAtMs: 5 } });
      await waiting;
      assert.deepEqual(answer, { revision: 0, databaseRevision: 13, historyLostAtMs: 5, isLost: true });
    }));

  it('ends when the time is up, with the number that the process shows', () =>
    withReader(async ({ readRevision, database }) => {
      database.revision = 13;
      assert.equal((await readRevision({ waitMs: 30, atLeast: 13 })).revision, 12);
    }));

  it('shows a database that went back, before the process has noticed it', () =>
    withReader(async ({ readRevision, database }) => {
      database.revision = 9;
      assert.deepEqual(await readRevision({ waitMs: 0, atLeast: undefined }), {
        revision: 12,
        databaseRevision: 9,
        historyLostAtMs: undefined,
        isLost: false,
      });
    }));
});
