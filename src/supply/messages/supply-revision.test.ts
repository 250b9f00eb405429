/** Waiting for a revision while the database goes back. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createRevisionReader, type HistoryLosses, type ReadRevision } from './supply-context.ts';

interface World {
  readonly readRevision: ReadRevision;
  readonly database: { revision: number };
  readonly process: { revision: number; losses: HistoryLosses };
}

async function withReader(work: (world: World) => Promise<void>): Promise<void> {
  const database = { revision: 12 };
  const process: World['process'] = { revision: 12, losses: { count: 0, lastAtMs: undefined } };
  const readRevision = createRevisionReader({
    storage: { readRevision: () => Promise.resolve(database.revision) },
    followedRevision: () => process.revision,
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
      Object.assign(process, { revision: 9, losses: { count: 1, lastAtMs: 5 } });
      database.revision = 9;
      assert.equal((await readRevision({ waitMs: LONG_MS, atLeast: 10 })).isLost, true);
      assert.equal((await readRevision({ waitMs: LONG_MS, atLeast: 9 })).isLost, false);
      assert.equal((await readRevision({ waitMs: LONG_MS, atLeast: undefined })).isLost, false);
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
