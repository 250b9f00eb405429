/** Waiting for a revision while the database goes back. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { openTemporaryStorage } from '../../../test/kit/temporary-storage.ts';
import { openMessageParser } from './message-parser.ts';
import { type HistoryLosses, createSupplyApi, type SupplyApi } from './supply-api.ts';

interface World {
  readonly api: SupplyApi;
  readonly database: { revision: number };
  readonly process: { revision: number; losses: HistoryLosses };
}

async function withApi(work: (world: World) => Promise<void>): Promise<void> {
  const temporary = await openTemporaryStorage();
  const parser = openMessageParser();
  const database = { revision: 12 };
  const process: World['process'] = { revision: 12, losses: { count: 0, lastAtMs: undefined } };
  const api = createSupplyApi({
    storage: { ...temporary.storage, readRevision: () => Promise.resolve(database.revision) },
    parser,
    clock: Date.now,
    newMessageId: () => 'm',
    horizonNights: 730,
    publicUrl: 'http://127.0.0.1',
    followedRevision: () => process.revision,
    losses: () => process.losses,
  });
  try {
    await work({ api, database, process });
  } finally {
    await parser.close();
    await temporary.close();
  }
}

const LONG_MS = 10_000;

describe('a wait for a revision', () => {
  it('ends at once when the database goes back meanwhile', () =>
    withApi(async ({ api, database, process }) => {
      database.revision = 13;
      const waiting = api.readRevision({ waitMs: LONG_MS, atLeast: 13 });
      await delay(20);
      Object.assign(process, { revision: 0, losses: { count: 1, lastAtMs: 5 } });
      database.revision = 9;
      const answer = await waiting;
      assert.deepEqual(answer, { revision: 0, databaseRevision: 9, historyLostAtMs: 5, isLost: true });
    }));

  it('ends at once, after a loss, for a revision that the database does not have', () =>
    withApi(async ({ api, database, process }) => {
      Object.assign(process, { revision: 9, losses: { count: 1, lastAtMs: 5 } });
      database.revision = 9;
      assert.equal((await api.readRevision({ waitMs: LONG_MS, atLeast: 10 })).isLost, true);
      assert.equal((await api.readRevision({ waitMs: LONG_MS, atLeast: 9 })).isLost, false);
      assert.equal((await api.readRevision({ waitMs: LONG_MS, atLeast: undefined })).isLost, false);
    }));

  it('shows a database that went back, before the process has noticed it', () =>
    withApi(async ({ api, database }) => {
      database.revision = 9;
      assert.deepEqual(await api.readRevision({ waitMs: 0, atLeast: undefined }), {
        revision: 12,
        databaseRevision: 9,
        historyLostAtMs: undefined,
        isLost: false,
      });
    }));
});
