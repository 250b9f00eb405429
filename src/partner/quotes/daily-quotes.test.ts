import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { until } from '../../../test/kit/command-line.ts';
import { openTemporaryStorage, type TemporaryStorage } from '../../../test/kit/temporary-storage.ts';
import { StorageUnavailable } from '../../storage/storage.ts';
import { msUntilTomorrow, startDailyQuotes } from './daily-quotes.ts';

const DAY_MS = 86_400_000;
const NOON_MS = Date.UTC(2026, 10, 21, 12);
/** Longer than any test: only `close` writes. */
const NEVER_MS = 60_000;

let database: TemporaryStorage;
let nowMs = NOON_MS;
before(async () => {
  database = await openTemporaryStorage(() => nowMs);
});
after(() => database.close());

const warnings: string[] = [];
const warn = (_fields: object, message: string): void => void warnings.push(message);
const logger = { warn, error: warn };
function start(writeEveryMs: number, storage: Parameters<typeof startDailyQuotes>[0]['storage']) {
  return startDailyQuotes({ storage, clock: () => nowMs, logger, writeEveryMs });
}

describe('the quotes of a day', () => {
  it('are counted by credential, at once in this process, and over all of them with the next write', async () => {
    const one = start(NEVER_MS, database.storage);
    const other = start(1, database.storage);
    one.note('a');
    one.note('a');
    one.note('b');
    assert.deepEqual([one.quotesOf('a'), one.quotesOf('b'), one.quotesOf('c')], [2, 1, 0]);
    assert.equal(other.quotesOf('a'), 0);
    await one.close();
    other.note('a');
    await until(async () => other.quotesOf('a') === 3);
    assert.equal(other.quotesOf('b'), 0);
    await other.close();
  });

  it('are known again after a restart with the first quote that is written', async () => {
    const before = start(NEVER_MS, database.storage);
    for (let count = 0; count < 5; count++) before.note('restarted');
    await before.close();
    const after = start(1, database.storage);
    assert.equal(after.quotesOf('restarted'), 0);
    after.note('restarted');
    await until(async () => after.quotesOf('restarted') === 6);
    await after.close();
  });

  it('begin at 0 with the day, UTC', async () => {
    nowMs = NOON_MS + DAY_MS / 2 - 1;
    const counts = start(NEVER_MS, database.storage);
    counts.note('midnight');
    assert.equal(counts.quotesOf('midnight'), 1);
    nowMs += 1;
    assert.equal(counts.quotesOf('midnight'), 0);
    counts.note('midnight');
    assert.equal(counts.quotesOf('midnight'), 1);
    await counts.close();
    nowMs = NOON_MS;
  });

  it('wait for a database that is away, and lose nothing', async () => {
    let isAway = true;
    const counts = start(1, {
      async addQuoteCounts(day, added) {
        if (isAway) throw new StorageUnavailable('away');
        return database.storage.addQuoteCounts(day, added);
      },
    });
    counts.note('patient');
    await until(async () => warnings.length > 0);
    counts.note('patient');
    assert.equal(counts.quotesOf('patient'), 2);
    isAway = false;
    await counts.close();
    const again = await database.storage.addQuoteCounts(Math.floor(NOON_MS / DAY_MS), [
      { credentialId: 'patient', quotes: 0 },
    ]);
    assert.deepEqual(again, [{ credentialId: 'patient', quotes: 2 }]);
    assert.deepEqual(warnings, ['counts of quotes wait for the database']);
  });

  it('end at the next midnight, which is never now', () => {
    assert.equal(msUntilTomorrow(NOON_MS), DAY_MS / 2);
    assert.equal(msUntilTomorrow(NOON_MS + DAY_MS / 2), DAY_MS);
    assert.equal(msUntilTomorrow(NOON_MS + DAY_MS / 2 - 1), 1);
  });
});
