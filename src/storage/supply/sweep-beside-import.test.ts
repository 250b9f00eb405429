/**
 * The freshness sweep beside an import that changes nothing: the import confirms without the lock of the revision, so
 * only the rows that it confirms make one wait for the other.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { NOW_MS } from '../../../test/suites/storage/fixture.ts';
import { describePostgres, openPostgres } from '../../../test/suites/storage/postgres-fixture.ts';
import {
  effectiveCalendar,
  FIRST_NIGHT,
  HORIZON_NIGHTS,
  nightEntry,
  suppliedWrite,
} from '../../../test/suites/storage/supply-samples.ts';
import { valueAt } from '../../domain/night-runs.ts';
import { closeSilentSlice } from '../../supply/freshness/close-silent.ts';
import { createMessageIds } from './message-id.ts';
import type { Storage } from '../storage.ts';

const WRITE = suppliedWrite('a', [[nightEntry(0, 9, { availability: 5 })]], { maxSupplyAgeHours: 6 });
const SILENT_MS = NOW_MS + 7 * 3_600_000;

describePostgres('PostgreSQL, while a property is closed for its age and confirmed', (server) => {
  /** Both want the row of the confirmation while another transaction holds it: `first` gets it first. */
  async function race(first: 'import' | 'sweep'): Promise<boolean> {
    const url = await server().createDatabase();
    let nowMs = NOW_MS;
    const storages = await Promise.all([1, 2].map(() => openPostgres(url, () => nowMs)));
    const [importing, sweeping] = storages as [Storage, Storage];
    const holder = new Client({ connectionString: url });
    await holder.connect();
    try {
      await importing.migrate();
      await importing.writeProperties([WRITE]);
      nowMs = SILENT_MS;
      await holder.query('BEGIN');
      await holder.query('SELECT 1 FROM supply_confirmations FOR UPDATE');
      const acts = {
        import: () => importing.writeProperties([WRITE]),
        sweep: () =>
          closeSilentSlice(
            {
              storage: sweeping,
              clock: () => nowMs,
              horizonNights: HORIZON_NIGHTS,
              newMessageId: createMessageIds(() => 'sweep'),
            },
            '',
          ),
      };
      const underway = [acts[first]()] as Promise<unknown>[];
      await untilWaiting(holder, 1);
      underway.push(acts[first === 'import' ? 'sweep' : 'import']());
      await untilWaiting(holder, 2);
      await holder.query('COMMIT');
      await Promise.all(underway);
      const { stopSell } = await effectiveCalendar(importing, 'a');
      return valueAt(stopSell, FIRST_NIGHT) === 1;
    } finally {
      await holder.end();
      for (const storage of storages) await storage.close();
    }
  }

  it('is open when the import comes first', async () => assert.equal(await race('import'), false));
  it('is open when the sweep comes first', async () => assert.equal(await race('sweep'), false));
});

async function untilWaiting(client: Client, count: number): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ waiting: number }>(
      `SELECT count(*)::int AS waiting FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    if (rows[0]!.waiting >= count) return;
    await sleep(5);
  }
}
