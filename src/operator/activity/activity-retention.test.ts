/** Retention on a real database, by an injected clock. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { until } from '../../../test/kit/command-line.ts';
import { NOW_MS } from '../../../test/suites/storage/fixture.ts';
import { makeDatabasePath } from '../../../test/suites/storage/sqlite-fixture.ts';
import { DAY_MS, utcDay } from '../../domain/local-date.ts';
import { openStorage } from '../../storage/open.ts';
import { type DemandRow, DURATION_BUCKETS, type RequestRow } from '../../storage/activity/store.ts';
import type { Storage } from '../../storage/storage.ts';
import { startActivityRetention } from './activity-retention.ts';

const TODAY = utcDay(NOW_MS);
const MINUTES = 500;
const HOUR_MS = 3_600_000;
const EVER = { from: 0, to: TODAY + 1, rowsMax: 10_000 };

const clock = (): number => NOW_MS;

function demand(day: number): DemandRow {
  const stay = { arrivalWeek: '2026-W50', nights: '1', guests: '1-2' };
  return { day, city: 'Roma', country: 'IT', ...stay, partnerId: 'p', searches: 1, empty: 0, looks: 0 };
}

function request(atMs: number): RequestRow {
  return {
    atMs,
    correlationId: `r${atMs}`,
    partnerId: 'p',
    credentialId: 'c',
    operation: 'o',
    status: 404,
    code: 'X',
    durationUs: 1,
    city: null,
    propertyId: null,
    checkIn: null,
    checkOut: null,
    guests: null,
    page: null,
    total: null,
    quoteId: null,
    reasons: null,
    childAges: null,
  };
}

function unmet(day: number, checkIn: number) {
  const guests = 1 + ((TODAY - day) % 30);
  const party = { guests, childAges: '' };
  return { city: 'Venezia', country: 'IT', day, checkIn, nights: 1 + (day % 60), ...party, searches: 1 };
}

async function withFilled(
  body: (storage: Storage, path: string, warnings: string[]) => Promise<void>,
): Promise<void> {
  const { path, remove } = makeDatabasePath();
  const storage = await openStorage(`sqlite:${path}`, { clock });
  try {
    await storage.migrate();
    const days = [0, 1, 5, 9, 399, 400, 401].map((ago) => TODAY - ago);
    const names = { partnerId: 'p', credentialId: 'c', operation: 'o', code: '' };
    const durations = Array.from({ length: DURATION_BUCKETS }, () => 1);
    await storage.recordActivity({
      writer: 'one',
      number: 1,
      writtenAtMs: NOW_MS,
      traffic: Array.from({ length: MINUTES }, (_, index) => ({
        fromMs: NOW_MS - index * HOUR_MS,
        durations,
        ...names,
      })),
      requests: days.map((day) => request(day * DAY_MS)),
      demand: days.map(demand),
      unknownPlaces: days.map((day) => ({ day, place: 'MU', searches: 1 })),
      unmet: days.flatMap((day) => [unmet(day, TODAY), unmet(day, TODAY - 1)]),
    });
    await body(storage, path, []);
  } finally {
    await storage.close();
    remove();
  }
}

function start(
  storage: Storage,
  warnings: string[],
  settings: { requestLogDays: number; demandDays: number },
) {
  const warn = (_fields: object, message: string): void => void warnings.push(message);
  return startActivityRetention({
    storage,
    clock,
    holder: 'test',
    ...settings,
    pauses: { roundMs: 5, sliceMs: 1 },
    logger: { error: warn, info: () => undefined, warn },
  });
}

describe('The retention of what happened', () => {
  it('keeps each kind for its time, and every answer of traffic', () =>
    withFilled(async (storage, _path, warnings) => {
      const retention = start(storage, warnings, { requestLogDays: 7, demandDays: 400 });
      const countDemand = async (): Promise<number> => (await storage.readDemand(EVER)).length;
      await until(async () => (await storage.readTraffic(EVER)).length < 80 && (await countDemand()) === 5);
      await retention.stop();
      const rows = await storage.readTraffic(EVER);
      const minutes = rows.filter(({ fromMs }) => fromMs % DAY_MS !== 0);
      assert.ok(minutes.every(({ fromMs }) => fromMs >= NOW_MS - 48 * HOUR_MS));
      assert.equal(
        rows.reduce((sum, { durations }) => sum + durations[3]!, 0),
        MINUTES,
      );
      const sums = await storage.sumTraffic(['operation', 'code'], EVER);
      assert.deepEqual(
        sums.map(({ durations }) => durations[3]),
        [MINUTES],
      );
      assert.equal((await storage.readRequests({ limit: 99 })).length, 3);
      const stays = await storage.readUnmet({ checkInFrom: 0, rowsMax: 99 });
      assert.deepEqual(new Set(stays.map(({ checkIn }) => checkIn)), new Set([TODAY]));
      assert.equal(stays.length, 5);
      assert.deepEqual(warnings, []);
    }));

  it('keeps nothing where the settings are 0', () =>
    withFilled(async (storage, _path, warnings) => {
      const retention = start(storage, warnings, { requestLogDays: 0, demandDays: 0 });
      await until(async () => (await storage.readDemand(EVER)).length === 0);
      await until(async () => (await storage.readRequests({ limit: 9 })).length === 0);
      // The slice that deleted these deletes the rest, too.
      await retention.stop();
      assert.deepEqual(await storage.readUnknownPlaces({ ...EVER, searchesMin: 1 }), []);
      assert.deepEqual(await storage.readUnmet({ checkInFrom: 0, rowsMax: 99 }), []);
    }));

  it('says once that its tables fail, and goes on', () =>
    withFilled(async (storage, path, warnings) => {
      const activityPath = path.replace('.db', '-activity.db');
      for (const end of ['', '-wal', '-shm']) rmSync(`${activityPath}${end}`, { force: true });
      writeFileSync(activityPath, 'damaged'.repeat(1_000));
      let rounds = 0;
      const counted: Storage = {
        ...storage,
        claimTask: async (...args) => {
          rounds += 1;
          return storage.claimTask(...args);
        },
      };
      const retention = start(counted, warnings, { requestLogDays: 7, demandDays: 400 });
      await until(async () => rounds > 4);
      await retention.stop();
      assert.deepEqual(warnings, ['old counts of requests could not be deleted']);
    }));
});
