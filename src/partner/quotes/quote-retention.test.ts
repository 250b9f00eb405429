import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sampleQuote } from '../../../test/suites/storage/sample-rows.ts';
import { openTemporaryStorage, type TemporaryStorage } from '../../../test/kit/temporary-storage.ts';
import { until } from '../../../test/kit/command-line.ts';
import { StorageUnavailable } from '../../storage/storage.ts';
import type { UnopenedQuotes } from '../../storage/quotes/store.ts';
import {
  type QuoteRetentionDeps,
  QUOTES_PER_SLICE,
  startQuoteRetention,
  startUnopenedRetention,
} from './quote-retention.ts';

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

describe('the retention of quotes that nobody opened', () => {
  const base = { clock: () => NOW_MS, logger: logger as never, holder: 'unopened', pauses: PAUSES };
  const opened = {
    openedCount: 1,
    firstOpenedAtMs: 1,
    outcome: null,
    priceChangePerMille: null,
    continuedAtMs: null,
  };

  it('deletes them after their days, keeps the opened ones, and looks at each of those once', async () => {
    const { storage } = database;
    const old = await store('unseen', 2 * QUOTES_PER_SLICE, NOW_MS - 10 * DAY_MS - 1);
    const seen = await store('seen', 3, NOW_MS - 10 * DAY_MS - 2);
    const young = await store('fresh', 3, NOW_MS - 10 * DAY_MS);
    await storage.recordVisits(seen.map((quoteId) => ({ quoteId, ...opened })));
    const slices: UnopenedQuotes[] = [];
    const retention = startUnopenedRetention({
      ...base,
      retentionDays: 10,
      storage: {
        claimTask: (...claim) => storage.claimTask(...claim),
        async deleteUnopenedQuotes(slice) {
          slices.push(slice);
          return storage.deleteUnopenedQuotes(slice);
        },
      },
    });
    await until(async () => slices.length > 6 && (await countOf(old)) === 0);
    await retention.stop();
    assert.deepEqual([await countOf(seen), await countOf(young)], [3, 3]);
    assert.deepEqual(lines.at(-1), { deletedCount: old.length, retentionDays: 10 });
    // The rounds after the first begin behind the last quote that was looked at.
    assert.equal(slices.at(-1)?.after.expiresAtMs, NOW_MS - 10 * DAY_MS - 1);
  });

  it('keeps all with 0 days', async () => {
    const old = await store('unopened', 3, 1);
    const retention = startUnopenedRetention({ ...base, retentionDays: 0, storage: database.storage });
    await sleep(50);
    await retention.stop();
    assert.equal(await countOf(old), 3);
  });
});
