/** Supply messages, and the process is killed in the middle of a batch: none acknowledged is lost, none is half there. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startProcess } from '../../../test/kit/processes/start.ts';
import { STORM_BATCH_IDS } from '../../../test/kit/processes/storm-shape.ts';
import { describePostgres, untilItWorks } from '../../../test/suites/storage/postgres-fixture.ts';
import { makeDatabasePath } from '../../../test/suites/storage/sqlite-fixture.ts';
import {
  effectiveCalendar,
  FIRST_NIGHT,
  suppliedWrite,
} from '../../../test/suites/storage/supply-samples.ts';
import { valueAt } from '../../domain/night-runs.ts';
import { systemClock } from '../../runtime/clock.ts';
import { openStorage } from '../open.ts';
import type { Storage } from '../storage.ts';

const KILLS = 2;
const ACKNOWLEDGED_BEFORE_KILL = 60;
/** Each life of the sender has nights of its own; more of them than it can send. */
const NIGHTS_OF_A_LIFE = 100_000;

async function withStorage(url: string, body: (storage: Storage) => Promise<void>): Promise<void> {
  const storage = await openStorage(url, { clock: systemClock });
  try {
    await storage.migrate();
    await body(storage);
  } finally {
    await storage.close();
  }
}

/** The nights that were acknowledged before the process died. */
async function sendUntilKilled(url: string, life: number): Promise<number[]> {
  await using storm = startProcess('supply-storm', [url, 'pms', String(life * NIGHTS_OF_A_LIFE)]);
  const acknowledged: number[] = [];
  for (let count = 0; count < ACKNOWLEDGED_BEFORE_KILL; count++) {
    acknowledged.push(Number((await storm.output.next()).value));
  }
  await storm.kill();
  for (let line = await storm.output.next(); line.done !== true; line = await storm.output.next()) {
    acknowledged.push(Number(line.value));
  }
  return acknowledged;
}

async function assertWhole(storage: Storage, acknowledged: readonly number[]): Promise<void> {
  const calendars = await Promise.all(STORM_BATCH_IDS.map((id) => effectiveCalendar(storage, id)));
  const messages = await storage.listSupplyMessages({ limit: 100_000 });
  const remembered = new Set(messages.map(({ messageId }) => messageId));
  const last = Math.max(...acknowledged) + 100;
  const first = last - (last % NIGHTS_OF_A_LIFE);
  const isAcknowledged = new Set(acknowledged);
  for (let night = first; night < last; night++) {
    const units = calendars.map(({ availability }) => valueAt(availability, FIRST_NIGHT + night));
    const isThere = units[0] !== undefined;
    assert.deepEqual(units, Array(units.length).fill(isThere ? 1 + (night % 9) : undefined));
    assert.equal(remembered.has(`sm_pms-${night}`), isThere, `the message of night ${night}`);
    assert.ok(isThere || !isAcknowledged.has(night), `night ${night} was acknowledged`);
  }
}

async function killAndLook(url: string): Promise<void> {
  await withStorage(url, async (storage) => {
    await storage.writeProperties(STORM_BATCH_IDS.map((id) => suppliedWrite(id, [[]])));
  });
  for (let life = 0; life < KILLS; life++) {
    const acknowledged = await sendUntilKilled(url, life);
    // After a kill -9 a busy machine may take longer than the adapter waits.
    await untilItWorks(() => withStorage(url, (storage) => assertWhole(storage, acknowledged)));
  }
}

describe('SQLite, when a sender is killed with -9', () => {
  it('has every acknowledged message, each wholly', async () => {
    const { path, remove } = makeDatabasePath();
    try {
      await killAndLook(`sqlite:${path}`);
    } finally {
      remove();
    }
  });
});

describePostgres('PostgreSQL, when a sender is killed with -9', (server) => {
  it('has every acknowledged message, each wholly', async () => {
    await killAndLook(await server().createDatabase());
  });
});
