import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type HandoffVisit, type VisitStore } from '../../storage/attribution/store.ts';
import { StorageUnavailable } from '../../storage/storage.ts';
import { startVisitLog, VISITS_PER_WRITE_MAX, VISITS_WAITING_MAX } from './visit-log.ts';

/** Keeps writes in memory; fails while `isAway`. */
class Database implements VisitStore {
  readonly batches: (readonly HandoffVisit[])[] = [];
  isAway = false;
  async recordVisits(visits: readonly HandoffVisit[]): Promise<void> {
    if (this.isAway) throw new StorageUnavailable('away');
    this.batches.push(visits);
  }
}

function start(database: Database) {
  const warnings: string[] = [];
  const lost = { count: 0 };
  const log = startVisitLog({
    storage: database,
    onLost: (count) => (lost.count += count),
    logger: {
      warn: (_fields, message) => void warnings.push(message),
      error: (_fields, message) => void warnings.push(message),
    },
    writeEveryMs: 5,
  });
  return { log, warnings, lost };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2));
}

describe('the log of visits', () => {
  it('writes behind the caller, what one quote did as one visit', async () => {
    const database = new Database();
    const { log } = start(database);
    log.opened('a', 10, null);
    log.opened('a', 20, 'price_changed', 45);
    log.opened('a', 30, 'price_changed', 90);
    log.continued('a', 40);
    log.continued('a', 50);
    log.continued('b', 60);
    assert.equal(database.batches.length, 0);
    await until(() => database.batches.length > 0);
    assert.deepEqual(database.batches, [
      [
        {
          quoteId: 'a',
          openedCount: 3,
          firstOpenedAtMs: 10,
          outcome: 'price_changed',
          priceChangePerMille: 45,
          continuedAtMs: 40,
        },
        {
          quoteId: 'b',
          openedCount: 0,
          firstOpenedAtMs: null,
          outcome: null,
          priceChangePerMille: null,
          continuedAtMs: 60,
        },
      ],
    ]);
    await log.close();
  });

  it('writes in bounded batches', async () => {
    const database = new Database();
    const { log } = start(database);
    for (let index = 0; index < VISITS_PER_WRITE_MAX + 1; index += 1) log.opened(`q${index}`, 1, 'unchanged');
    await log.close();
    assert.deepEqual(
      database.batches.map((batch) => batch.length),
      [VISITS_PER_WRITE_MAX, 1],
    );
  });

  it('keeps what the database does not take, says so once, and adds what comes meanwhile', async () => {
    const database = new Database();
    database.isAway = true;
    const { log, warnings, lost } = start(database);
    log.opened('a', 10, 'unchanged');
    await until(() => warnings.length > 0);
    log.opened('a', 20, 'expired');
    database.isAway = false;
    await log.close();
    assert.deepEqual(database.batches.flat(), [
      {
        quoteId: 'a',
        openedCount: 2,
        firstOpenedAtMs: 10,
        outcome: 'unchanged',
        priceChangePerMille: null,
        continuedAtMs: null,
      },
    ]);
    assert.deepEqual([warnings.length, lost.count], [1, 0]);
  });

  it('has room for so many quotes and no more; what is lost is counted', async () => {
    const database = new Database();
    database.isAway = true;
    const { log, lost } = start(database);
    for (let index = 0; index < VISITS_WAITING_MAX + 7; index += 1) log.opened(`q${index}`, 1, 'unchanged');
    // A quote that waits already takes no more room.
    log.opened('q0', 2, 'unchanged');
    assert.equal(lost.count, 7);
    await log.close();
    assert.equal(lost.count, 7 + VISITS_WAITING_MAX);
    assert.deepEqual(database.batches, []);
  });
});
