import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sampleQuote } from '../../test/suites/storage/sample-rows.ts';
import { openTemporaryStorage, type TemporaryStorage } from '../../test/kit/temporary-storage.ts';
import { until } from '../../test/kit/command-line.ts';
import { StorageUnavailable } from '../storage/storage.ts';
import { type QuoteRetentionDeps, QUOTES_PER_SLICE, startQuoteRetention } from './quote-retention.ts';

const NOW_MS = Date.UTC(2026, 10, 21);
const DAY_MS = 86_400_000;
const PAUSES = { roundMs: 5, sliceMs: 1 };

let database: TemporaryStorage;
before(async () => {
  database = await openTemporaryStorage(() => NOW_MS);
});
after(() => database.close());

const lines: object[] = [];
const logger = { info: (line: object) => lines.push(line), warn: (line: object) => lines.push(line) };
function start(changes: Partial<QuoteRetentionDeps> = {}) {
  return startQuoteRetention({
    storage: database.storage,
    clock: () => NOW_MS,
    logger: logger as never,
    retentionDays: 10,
    holder: 'a',
    pauses: PAUSES,
    ...changes,
  });
}
async function store(prefix: string, count: number, expiresAtMs: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, index) => `${prefix}${index}`);
  await Promise.all(ids.map((id) => database.storage.insertQuote(sampleQuote(id, { expiresAtMs }))));
  return ids;
}
async function countOf(ids: readonly string[]): Promise<number> {
  const found = await Promise.all(ids.map((id) => database.storage.findQuote(id)));
  return found.filter((quote) => quote !== undefined).length;
}

describe('the retention of quotes', () => {
  it('deletes what expired longer ago than that, slice by slice, and nothing else', async () => {
    const old = await store('old', 2 * QUOTES_PER_SLICE + 7, NOW_MS - 10 * DAY_MS - 1);
    const young = await store('young', 5, NOW_MS - 10 * DAY_MS);
    const slices: number[] = [];
    const { storage } = database;
    const retention = start({
      storage: {
        claimTask: (...claim) => storage.claimTask(...claim),
        async deleteExpiredQuotes(expiredBeforeMs, limit) {
          const count = await storage.deleteExpiredQuotes(expiredBeforeMs, limit);
          slices.push(count);
          return count;
        },
      },
    });
    await until(async () => (await countOf(old)) === 0);
    await retention.stop();
    assert.deepEqual(slices.slice(0, 3), [QUOTES_PER_SLICE, QUOTES_PER_SLICE, 7]);
    assert.equal(await countOf(young), 5);
    assert.deepEqual(lines, [{ deletedCount: old.length, retentionDays: 10 }]);
  });

  it('keeps all with 0 days', async () => {
    const old = await store('kept', 3, 1);
    const retention = start({ retentionDays: 0, holder: 'a' });
    await sleep(50);
    await retention.stop();
    assert.equal(await countOf(old), 3);
  });

  it('is the work of one process, until its claim ends', async () => {
    let nowMs = NOW_MS + DAY_MS;
    const claimed = await database.storage.claimTask('delete expired quotes', 'dead', {
      nowMs,
      untilMs: nowMs + 60_000,
    });
    assert.ok(claimed);
    const old = await store('waiting', 3, 1);
    const retention = start({ holder: 'b', clock: () => nowMs });
    await sleep(50);
    assert.equal(await countOf(old), 3);
    nowMs += 60_000;
    await until(async () => (await countOf(old)) === 0);
    await retention.stop();
  });

  it('goes on after the database was away', async () => {
    let isAway = true;
    const { storage } = database;
    const old = await store('away', 3, 1);
    const retention = start({
      holder: 'b',
      clock: () => NOW_MS + 2 * DAY_MS,
      storage: {
        async claimTask(...claim) {
          if (isAway) throw new StorageUnavailable('the disk is full');
          return storage.claimTask(...claim);
        },
        deleteExpiredQuotes: (...slice) => storage.deleteExpiredQuotes(...slice),
      },
    });
    await until(async () => JSON.stringify(lines.at(-1)) === '{"reason":"the disk is full"}');
    isAway = false;
    await until(async () => (await countOf(old)) === 0);
    await retention.stop();
  });
});
