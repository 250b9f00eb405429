/** What happened: a slice counts once, however often it is sent, and sums stay exact when rows are rolled up. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type ActivityRows,
  type ActivitySlice,
  type DemandRow,
  DURATION_BUCKETS,
  type RequestRow,
  type TrafficRow,
} from '../../../src/storage/activity/store.ts';
import { NOW_MS, type OpenFixture, withStorage } from './fixture.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const TODAY = Math.floor(NOW_MS / DAY_MS);
const ALL = { from: TODAY - 500, to: TODAY + 1, rowsMax: 1_000 };
const NOTHING: ActivityRows = { traffic: [], requests: [], demand: [], unknownPlaces: [] };

function slice(writer: string, number: number, rows: Partial<ActivityRows>): ActivitySlice {
  return { writer, number, writtenAtMs: NOW_MS, ...NOTHING, ...rows };
}

function traffic(durations: readonly number[], override: Partial<TrafficRow> = {}): TrafficRow {
  const counts = Array.from({ length: DURATION_BUCKETS }, (_, bucket) => durations[bucket] ?? 0);
  const names = { partnerId: 'acme', credentialId: 'c1', operation: 'listPartnerProperties', code: '' };
  return { fromMs: NOW_MS, ...names, durations: counts, ...override };
}

function demand(override: Partial<DemandRow> = {}): DemandRow {
  const stay = { arrivalWeek: '2026-W50', nights: '5-7', guests: '1-2' };
  return {
    ...{ day: TODAY, city: 'Venezia', country: 'IT', ...stay, partnerId: 'acme' },
    ...{ searches: 1, empty: 0, looks: 0, ...override },
  };
}

function request(correlationId: string, override: Partial<RequestRow> = {}): RequestRow {
  return {
    ...{
      atMs: NOW_MS,
      correlationId,
      partnerId: 'acme',
      credentialId: 'c1',
      operation: 'createPartnerQuote',
    },
    ...{
      status: 201,
      code: null,
      durationUs: 812,
      city: null,
      propertyId: 'p1',
      checkIn: TODAY,
      checkOut: TODAY + 2,
    },
    ...{ guests: 2, page: null, total: null, quoteId: 'q1', ...override },
  };
}

const sumOf = (rows: readonly TrafficRow[]): number =>
  rows.reduce((sum, row) => sum + row.durations.reduce((all, count) => all + count, 0), 0);

export function describeActivity(open: OpenFixture): void {
  describe('activity', () => {
    it('adds slices up, and counts each once, however often it is sent', () =>
      withStorage(open, async (storage, { openAnother }) => {
        const other = await openAnother();
        const first = slice('one', 1, { traffic: [traffic([1, 2])], demand: [demand()] });
        assert.equal(await storage.recordActivity(first), true);
        assert.equal(await storage.recordActivity(first), false);
        assert.equal(await other.recordActivity(slice('two', 1, { traffic: [traffic([0, 5])] })), true);
        assert.equal(await storage.recordActivity(slice('one', 3, { demand: [demand({ looks: 4 })] })), true);
        assert.equal(await other.recordActivity(slice('one', 2, { demand: [demand()] })), false);
        assert.deepEqual(await storage.readTraffic(ALL), [traffic([1, 7])]);
        assert.deepEqual(await other.readDemand(ALL), [demand({ searches: 2, looks: 4 })]);
      }));

    it('keeps requests as they were, newest first, and finds them by each filter', () =>
      withStorage(open, async (storage) => {
        const refused = request('b', {
          ...{ atMs: NOW_MS + 5, status: 404, code: 'PROPERTY_NOT_FOUND', quoteId: null, partnerId: 'other' },
          ...{ credentialId: 'c2', operation: 'getPartnerProperty', city: 'Łódź', page: 1, total: 0 },
          ...{ checkIn: null, checkOut: null, guests: null },
        });
        const rows = [request('a'), refused];
        await storage.recordActivity(slice('one', 1, { requests: rows }));
        await storage.recordActivity(slice('two', 1, { requests: rows }));
        assert.deepEqual(await storage.readRequests({ limit: 9 }), [refused, request('a')]);
        assert.deepEqual(await storage.readRequests({ limit: 1 }), [refused]);
        for (const filter of [
          ...[{ partnerId: 'other' }, { credentialId: 'c2' }, { operation: 'getPartnerProperty' }],
          ...[{ statuses: [400, 499] as const }, { code: 'PROPERTY_NOT_FOUND' }, { sinceMs: NOW_MS + 1 }],
          { correlationId: 'b' },
        ])
          assert.deepEqual(await storage.readRequests({ ...filter, limit: 9 }), [refused]);
      }));

    it('adds unknown places up over days, those that were asked for often enough', () =>
      withStorage(open, async (storage) => {
        const places = [
          ...[
            { day: TODAY, place: 'ATLANTIS', searches: 2 },
            { day: TODAY - 1, place: 'ATLANTIS', searches: 1 },
          ],
          ...[
            { day: TODAY, place: 'MU', searches: 2 },
            { day: TODAY, place: 'UTOPIA', searches: 4 },
          ],
        ];
        await storage.recordActivity(slice('one', 1, { unknownPlaces: places }));
        assert.deepEqual(await storage.readUnknownPlaces({ ...ALL, searchesMin: 3 }), [
          { place: 'UTOPIA', searches: 4 },
          { place: 'ATLANTIS', searches: 3 },
        ]);
      }));

    it('rolls minutes up to days without losing or adding one answer', () =>
      withStorage(open, async (storage) => {
        const minute = fc.integer({ min: 0, max: 2_000 });
        const name = fc.constantFrom('a', 'b');
        const counts = fc.array(fc.nat(9), { minLength: DURATION_BUCKETS, maxLength: DURATION_BUCKETS });
        const rows = fc.sample(fc.tuple(minute, name, counts), { seed: 5, numRuns: 120 });
        const book = new Map<string, TrafficRow>();
        for (const [at, code, durations] of rows) {
          const row = traffic(durations, { fromMs: NOW_MS - at * MINUTE_MS, code });
          book.set(`${row.fromMs} ${code}`, row);
        }
        const written = [...book.values()];
        await storage.recordActivity(slice('one', 1, { traffic: written }));
        const before = NOW_MS - 500 * MINUTE_MS;
        let rolledUp = 0;
        for (let count = -1; count !== 0; rolledUp += count) count = await storage.rollUpTraffic(before, 7);
        assert.equal(rolledUp, written.filter(({ fromMs }) => fromMs < before).length);
        const left = await storage.readTraffic(ALL);
        assert.equal(sumOf(left), sumOf(written));
        const days = left.filter(({ fromMs }) => fromMs < before && fromMs % DAY_MS === 0);
        for (const day of days) {
          const same = written.filter(
            ({ fromMs, code }) =>
              fromMs < before && code === day.code && Math.floor(fromMs / DAY_MS) * DAY_MS === day.fromMs,
          );
          assert.deepEqual(
            day.durations,
            day.durations.map((_, bucket) => same.reduce((sum, row) => sum + row.durations[bucket]!, 0)),
          );
        }
        assert.equal(await storage.deleteTraffic(TODAY * DAY_MS + DAY_MS, 100), days.length);
      }));

    it('deletes what is older than a bound, a few rows at a time', () =>
      withStorage(open, async (storage) => {
        const days = [0, 1, 2, 3].map((ago) => TODAY - ago);
        await storage.recordActivity(
          slice('one', 1, {
            demand: days.map((day) => demand({ day })),
            unknownPlaces: days.map((day) => ({ day, place: 'MU', searches: 3 })),
            requests: days.map((day) => request(`r${day}`, { atMs: day * DAY_MS })),
          }),
        );
        assert.equal(await storage.deleteDemand(TODAY - 1, 1), 1);
        assert.equal(await storage.deleteDemand(TODAY - 1, 9), 1);
        assert.deepEqual(
          (await storage.readDemand(ALL)).map(({ day }) => day),
          [TODAY - 1, TODAY],
        );
        assert.equal(await storage.deleteUnknownPlaces(TODAY, 9), 3);
        assert.equal(await storage.deleteRequests(TODAY * DAY_MS, 9), 3);
        assert.equal((await storage.readRequests({ limit: 9 })).length, 1);
        assert.equal(await storage.deleteWriters(NOW_MS + 1, 9), 1);
        assert.equal(await storage.recordActivity(slice('one', 1, {})), true);
      }));

    it('reads the partner, country and days that are asked for', () =>
      withStorage(open, async (storage) => {
        const others = [demand({ partnerId: 'b' }), demand({ country: 'FR' }), demand({ day: TODAY - 1 })];
        await storage.recordActivity(
          slice('one', 1, { demand: [demand(), ...others], traffic: [traffic([1], { partnerId: 'b' })] }),
        );
        const today = { from: TODAY, to: TODAY, rowsMax: 9 };
        const found = await storage.readDemand({ ...today, partnerId: 'acme', country: 'IT' });
        assert.deepEqual(found, [demand()]);
        assert.deepEqual(await storage.readTraffic({ ...today, partnerId: 'acme' }), []);
        assert.equal((await storage.readTraffic({ ...today, partnerId: 'b' })).length, 1);
      }));

    it('adds up what several write at once', () =>
      withStorage(open, async (storage, { openAnother }) => {
        const writers = [storage, await openAnother(), await openAnother()];
        const rows = Array.from({ length: 60 }, (_, index) => demand({ city: `c${index}` }));
        await Promise.all(
          writers.map(async (writer, place) => {
            const mixed = place % 2 === 0 ? rows : rows.toReversed();
            for (let number = 1; number <= 5; number += 1)
              await untilWritten(writer, slice(`w${place}`, number, { demand: mixed }));
          }),
        );
        const found = await storage.readDemand(ALL);
        assert.deepEqual(
          found.map(({ searches }) => searches),
          rows.map(() => 15),
        );
      }));
  });
}

/** A file that another process writes is tried again, as the service does it. */
async function untilWritten(
  storage: { recordActivity(slice: ActivitySlice): Promise<boolean> },
  written: ActivitySlice,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await storage.recordActivity(written);
      return;
    } catch (error) {
      if (tries === 50) throw error;
    }
  }
}
