/** Slices on their way into a database with every kind of failure, compared with a book of the counts. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import type { ActivityRows, ActivitySlice, DemandRow } from '../../storage/activity/store.ts';
import { StorageUnavailable } from '../../storage/storage.ts';
import { ROW_BYTES, SliceWriter, WAITING_BYTES_MAX } from './slice-writer.ts';

const DROPPED = 'what was counted of requests was dropped in part: its tables did not take it in time';
const NOTHING: ActivityRows = { traffic: [], requests: [], demand: [], unknownPlaces: [], unmet: [] };

function demand(city: string, searches: number): DemandRow {
  const stay = { arrivalWeek: '2026-W50', nights: '1', guests: '1-2' };
  return { day: 1, city, country: 'IT', ...stay, partnerId: 'acme', searches, empty: 0, looks: 0 };
}

function rowsOf(count: number): ActivityRows {
  return { ...NOTHING, demand: Array.from({ length: count }, (_, index) => demand(`c${index}`, 1)) };
}

/** An implementation of the port that fails in one way at each write. */
class FailingTables {
  readonly sums = new Map<string, number>();
  readonly longest: number[] = [];
  readonly #last = new Map<string, number>();
  readonly #ways: ('written' | 'away' | 'answer lost')[];

  constructor(ways: readonly ('written' | 'away' | 'answer lost')[]) {
    this.#ways = [...ways];
  }

  async recordActivity(slice: ActivitySlice): Promise<boolean> {
    const way = this.#ways.shift() ?? 'written';
    if (way === 'away') throw new StorageUnavailable('locked');
    const isNew = slice.number > (this.#last.get(slice.writer) ?? 0);
    if (isNew) {
      this.#last.set(slice.writer, slice.number);
      this.longest.push(slice.demand.length);
      const names = slice.demand.map(({ city }) => city);
      assert.equal(new Set(names).size, names.length, 'no two rows of one key');
      for (const { city, searches } of slice.demand)
        this.sums.set(city, (this.sums.get(city) ?? 0) + searches);
    }
    if (way === 'answer lost') throw new StorageUnavailable('connection lost');
    return isNew;
  }
}

function writerOn(storage: FailingTables) {
  const meter = { rowsWritten: 0, rowsDropped: 0 };
  const warnings: string[] = [];
  const logger = {
    warn: (fields: object, message: string): void =>
      void warnings.push('rows' in fields ? `${String(fields.rows)} rows: ${message}` : message),
  };
  const writer = new SliceWriter({ storage, clock: () => 0, logger, meter, writer: 'one' });
  return { writer, meter, warnings };
}

describe('A writer of slices', () => {
  it('counts everything once, whatever fails', async () => {
    const way = fc.constantFrom('written' as const, 'away' as const, 'answer lost' as const);
    const rounds = fc.array(fc.integer({ min: 0, max: 170 }), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(rounds, fc.array(way, { maxLength: 40 }), async (counts, ways) => {
        const tables = new FailingTables(ways);
        const { writer, meter } = writerOn(tables);
        for (const count of counts) {
          writer.add(rowsOf(count));
          await writer.write();
        }
        for (let tries = 0; !(await writer.write()); tries += 1) assert.ok(tries < 50);
        for (let index = 0; index < 170; index += 1)
          assert.equal(tables.sums.get(`c${index}`) ?? 0, counts.filter((count) => count > index).length);
        const all = counts.reduce((sum, count) => sum + count, 0);
        assert.deepEqual([meter.rowsWritten, meter.rowsDropped], [all, 0]);
        assert.ok(tables.longest.every((length) => length <= 50));
      }),
      { seed: 7, numRuns: 200 },
    );
  });

  it('drops the oldest rows beyond its bound, and says once that it waits and once how many it dropped', async () => {
    const tables = new FailingTables(Array.from({ length: 90 }, () => 'away' as const));
    const { writer, meter, warnings } = writerOn(tables);
    const keptMax = Math.floor(WAITING_BYTES_MAX / ROW_BYTES.demand);
    for (let round = 0; round < 80; round += 1) {
      writer.add(rowsOf(500));
      assert.equal(await writer.write(), false);
    }
    assert.deepEqual(warnings, ['what is counted of requests waits for its tables; requests go on']);
    assert.ok(meter.rowsDropped >= 80 * 500 - keptMax - 50, `${meter.rowsDropped} dropped`);
    assert.ok(meter.rowsDropped <= 80 * 500 - keptMax + 50, `${meter.rowsDropped} dropped`);
    for (let tries = 0; !(await writer.write()); tries += 1) assert.ok(tries < 50);
    assert.equal(meter.rowsWritten + meter.rowsDropped, 80 * 500);
    const { rowsDropped } = meter;
    assert.deepEqual(warnings.slice(1), [`${rowsDropped} rows: ${DROPPED}`]);
    writer.add(rowsOf(3));
    writer.abandon();
    assert.equal(meter.rowsDropped, rowsDropped + 3);
    assert.deepEqual(warnings.slice(2), [`3 rows: ${DROPPED}`]);
  });

  it('drops a slice that no table takes, and goes on', async () => {
    const tables = new FailingTables([]);
    const { writer, meter } = writerOn(tables);
    let isBroken = true;
    const record = tables.recordActivity.bind(tables);
    tables.recordActivity = async (slice) => {
      if (isBroken) throw new TypeError('not storable');
      return record(slice);
    };
    writer.add(rowsOf(2));
    assert.equal(await writer.write(), false);
    isBroken = false;
    writer.add(rowsOf(3));
    assert.equal(await writer.write(), true);
    assert.deepEqual([meter.rowsWritten, meter.rowsDropped], [3, 2]);
  });
});
