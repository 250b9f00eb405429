/** What happened: a slice counts once, however often it is sent, and sums stay exact when rows are rolled up. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type ActivityRows,
  type ActivitySlice,
  type DemandName,
  type DemandRow,
  DURATION_BUCKETS,
  type RequestRow,
  OTHER,
  type TrafficName,
  type TrafficRow,
  type UnmetRow,
} from '../../../src/storage/activity/store.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { NOW_MS, type OpenFixture, withStorage } from './fixture.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const TODAY = Math.floor(NOW_MS / DAY_MS);
const ALL = { from: TODAY - 500, to: TODAY + 1, rowsMax: 1_000 };
const NOTHING: ActivityRows = { traffic: [], requests: [], demand: [], unknownPlaces: [], unmet: [] };

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
    day: TODAY,
    city: 'Venezia',
    country: 'IT',
    ...stay,
    partnerId: 'acme',
    searches: 1,
    empty: 0,
    looks: 0,
    ...override,
  };
}

function unmet(override: Partial<UnmetRow> = {}): UnmetRow {
  const stay = { city: 'Venezia', country: 'IT', checkIn: TODAY + 5, nights: 3, guests: 2, childAges: '' };
  return { ...stay, day: TODAY, searches: 1, ...override };
}

function request(correlationId: string, override: Partial<RequestRow> = {}): RequestRow {
  return {
    atMs: NOW_MS,
    correlationId,
    partnerId: 'acme',
    credentialId: 'c1',
    operation: 'createPartnerQuote',

    status: 201,
    code: null,
    durationUs: 812,
    city: null,
    propertyId: 'p1',
    checkIn: TODAY,
    checkOut: TODAY + 2,
    guests: 2,
    page: null,
    total: null,
    quoteId: 'q1',
    reasons: 'NIGHTS_CLOSED MIN_STAY',
    childAges: '4,9',
    ...override,
  };
}

const sumOf = (rows: readonly Pick<TrafficRow, 'durations'>[]): number =>
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
          atMs: NOW_MS + 5,
          status: 404,
          code: 'PROPERTY_NOT_FOUND',
          quoteId: null,
          partnerId: 'other',
          credentialId: 'c2',
          operation: 'getPartnerProperty',
          city: 'Łódź',
          page: 1,
          total: 0,
          checkIn: null,
          checkOut: null,
          guests: null,
        });
        const rows = [request('a'), refused];
        await storage.recordActivity(slice('one', 1, { requests: rows }));
        await storage.recordActivity(slice('two', 1, { requests: rows }));
        assert.deepEqual(await storage.readRequests({ limit: 9 }), [refused, request('a')]);
        assert.deepEqual(await storage.readRequests({ limit: 1 }), [refused]);
        for (const filter of [
          { partnerId: 'other' },
          { credentialId: 'c2' },
          { operation: 'getPartnerProperty' },
          { statuses: [400, 499] as const },
          { code: 'PROPERTY_NOT_FOUND' },
          { sinceMs: NOW_MS + 1 },
          { correlationId: 'b' },
        ])
          assert.deepEqual(await storage.readRequests({ ...filter, limit: 9 }), [refused]);
      }));

    it('adds unknown places up over days, those that were asked for often enough', () =>
      withStorage(open, async (storage) => {
        const places = [
          { day: TODAY, place: 'ATLANTIS', searches: 2 },
          { day: TODAY - 1, place: 'ATLANTIS', searches: 1 },

          { day: TODAY, place: 'MU', searches: 2 },
          { day: TODAY, place: 'UTOPIA', searches: 4 },
        ];
        await storage.recordActivity(slice('one', 1, { unknownPlaces: places }));
        assert.deepEqual(await storage.readUnknownPlaces({ ...ALL, searchesMin: 3 }), [
          { place: 'UTOPIA', searches: 4 },
          { place: 'ATLANTIS', searches: 3 },
        ]);
        for (const daysAtOnce of [undefined, 1, 3]) {
          const all = await storage.sumUnknownPlaces({ ...ALL, ...(daysAtOnce && { daysAtOnce }) });
          assert.deepEqual(
            all.toSorted((one, other) => one.searches - other.searches),
            [
              { place: 'MU', searches: 2 },
              { place: 'ATLANTIS', searches: 3 },
              { place: 'UTOPIA', searches: 4 },
            ],
          );
        }
        assert.deepEqual(
          await storage.sumUnknownPlaces({ from: TODAY - 99, to: TODAY - 2, daysAtOnce: 3 }),
          [],
        );
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

    it('adds up the searches of a stay that found nothing, and keeps how it was judged', () =>
      withStorage(open, async (storage, { openAnother }) => {
        const other = await openAnother();
        const stays = [
          unmet({ searches: 2 }),
          unmet({ nights: 4 }),
          unmet({ childAges: '4', searches: 1 }),
          unmet({ checkIn: TODAY - 1, searches: 9 }),
        ];
        await storage.recordActivity(slice('one', 1, { unmet: stays }));
        await other.recordActivity(slice('two', 1, { unmet: [unmet({ searches: 3, day: TODAY + 1 })] }));
        const range = { checkInFrom: TODAY, rowsMax: 9 };
        const notYet = { judgedAtMs: null, judgement: null };
        const { day: _day, ...stay } = unmet({ searches: 5 });
        const { day: _other, ...longer } = unmet({ nights: 4 });
        const { day: _third, ...family } = unmet({ childAges: '4' });
        assert.deepEqual(await storage.readUnmet(range), [
          { ...stay, ...notYet },
          { ...longer, ...notYet },
          { ...family, ...notYet },
        ]);
        const judged = { judgedAtMs: NOW_MS, judgement: '{"causes":[]}' };
        await other.recordJudgements([
          { ...longer, ...judged },
          { ...longer, ...judged, city: 'Atlantis' },
        ]);
        assert.deepEqual(await storage.readUnmet({ ...range, rowsMax: 1 }), [{ ...stay, ...notYet }]);
        await storage.recordActivity(slice('one', 2, { unmet: [unmet({ nights: 4 })] }));
        const rows = await storage.readUnmet(range);
        assert.deepEqual(rows[1], { ...longer, ...judged, searches: 2 });
      }));

    it('keeps so many stays that found nothing, the most asked, and the sum of the others', () =>
      withStorage(open, async (storage) => {
        const none = { city: OTHER, country: OTHER, checkIn: 0, nights: 0, guests: 0 };
        const stays = [4, 1, 3, 2, 5].map((searches) => unmet({ nights: searches, searches }));
        await storage.recordActivity(slice('one', 1, { unmet: [...stays, unmet({ ...none, searches: 7 })] }));
        assert.equal(await storage.trimUnmet(6, 9), 0);
        assert.equal(await storage.trimUnmet(4, 1), 1);
        assert.equal(await storage.trimUnmet(4, 9), 1);
        assert.equal(await storage.trimUnmet(4, 9), 0);
        const rows = await storage.readUnmet({ checkInFrom: TODAY, rowsMax: 9 });
        assert.deepEqual(
          rows.map(({ searches }) => searches),
          [5, 4, 3],
        );
        assert.equal(await storage.countOtherUnmet(), 7 + 1 + 2);
        assert.equal(await storage.deletePassedUnmet(TODAY + 6, 2), 2);
        assert.equal(await storage.deletePassedUnmet(TODAY + 5, 9), 0);
        assert.equal(await storage.countOtherUnmet(), 10, 'what found no room has no date');
        assert.equal(await storage.deleteOldUnmet(TODAY, 9), 0);
        assert.equal(await storage.deleteOldUnmet(TODAY + 1, 9), 2);
        assert.equal(await storage.countOtherUnmet(), 0);
      }));

    it('counts refusals but those of limits', () =>
      withStorage(open, async (storage) => {
        const refused = (code: string, count: number, partnerId = 'acme') =>
          traffic([count], { code, partnerId });
        await storage.recordActivity(
          slice('one', 1, {
            traffic: [
              refused('', 9),
              refused('RATE_LIMIT_EXCEEDED', 9),
              refused('PROPERTY_NOT_FOUND', 2),
              refused('PROPERTY_NOT_FOUND', 3, 'b'),
            ],
          }),
        );
        const fromMs = traffic([1]).fromMs;
        const range = { fromMs, toMs: fromMs + 1, rowsMax: 9 };
        assert.deepEqual(await storage.countRefusals(range), [
          { partnerId: 'b', code: 'PROPERTY_NOT_FOUND', count: 3 },
          { partnerId: 'acme', code: 'PROPERTY_NOT_FOUND', count: 2 },
        ]);
        assert.deepEqual(await storage.countRefusals({ ...range, fromMs: fromMs + 1, toMs: fromMs + 2 }), []);
      }));

    it('adds demand up by any of its names, as a sum over its rows does', () =>
      withStorage(open, async (storage) => {
        const rows = manyDemandRows();
        await storage.recordActivity(slice('one', 1, { demand: rows }));
        const names: readonly DemandName[] = [
          ...(['city', 'country', 'arrivalWeek', 'nights', 'guests', 'partnerId', 'day'] as const),
        ];
        for (const by of [
          ...names.map((name) => [name]),
          ['city', 'country'],
          ['arrivalWeek', 'day'],
        ] as const) {
          for (const filter of [{}, { country: 'IT' }, { partnerId: 'b', cities: ['c1', 'c2'] }]) {
            const range = { from: TODAY - 2, to: TODAY - 1, ...filter };
            const found = await storage.sumDemand(by, range);
            const counted = await storage.readDemand({ ...range, rowsMax: 1_000 });
            assert.ok(counted.length > 0 && counted.length < rows.length);
            assert.deepEqual(sorted(found), sorted(addUp(counted, by)), by.join());
          }
        }
        assert.deepEqual(await storage.sumDemand(['city'], { from: 0, to: 1 }), []);
        assert.deepEqual(await storage.sumDemand(['city'], { from: 0, to: 100 }), []);
      }));

    it('adds demand up over more days than one statement takes', () =>
      withStorage(open, async (storage) => {
        const rows = [0, 9, 40, 400].flatMap((earlier) =>
          manyDemandRows().map((row) => ({ ...row, day: row.day - earlier })),
        );
        await storage.recordActivity(slice('one', 1, { demand: rows }));
        const counted = await storage.readDemand(ALL);
        const sums = [['city'], ['city', 'country'], ['partnerId'], ['guests', 'nights'], ['day', 'city']];
        for (const by of sums as readonly (readonly DemandName[])[])
          for (const range of [ALL, { ...ALL, daysAtOnce: 3 }])
            assert.deepEqual(
              sorted(await storage.sumDemand(by, range)),
              sorted(addUp(counted, by)),
              by.join(),
            );
      }));

    it('adds traffic up by any of its names, minutes and days alike', () =>
      withStorage(open, async (storage) => {
        const at = (minutes: number) => NOW_MS - minutes * MINUTE_MS;
        const written = ['a', 'b'].flatMap((code, index) =>
          [0, 1, 1_500, 3_000, 60_000].map((minutes) =>
            traffic([1 + index, minutes], { fromMs: at(minutes), code, partnerId: `p${minutes % 2}` }),
          ),
        );
        await storage.recordActivity(slice('one', 1, { traffic: written }));
        await storage.rollUpTraffic(at(1_000), 99);
        const days = written.map((row) => ({ ...row, day: Math.floor(row.fromMs / DAY_MS) }));
        const names: readonly TrafficName[] = ['partnerId', 'credentialId', 'operation', 'code', 'day'];
        for (const by of [
          ...names.map((name) => [name]),
          ['partnerId', 'credentialId'],
          ['code', 'day'],
        ] as const) {
          for (const partnerId of [undefined, 'p1']) {
            const found = await storage.sumTraffic(by, { ...ALL, partnerId });
            const counted = days.filter((row) => partnerId === undefined || row.partnerId === partnerId);
            const keyOf = (row: object): string =>
              by.map((name) => (row as (typeof counted)[0])[name]).join(' ');
            assert.deepEqual(
              found.map((row) => [keyOf(row), sumOf([row])]).toSorted(),
              [...Map.groupBy(counted, keyOf)].map(([key, group]) => [key, sumOf(group)]).toSorted(),
            );
          }
        }
      }));

    it('counts answers and refusals of each partner by day, and knows its last one', () =>
      withStorage(open, async (storage) => {
        const written = ['p1', 'p2', 'p3'].flatMap((partnerId, index) =>
          ['', 'STALE', 'GONE'].flatMap((code, at) =>
            [0, 7, 1_500, 3_000, 9_000, 60_000]
              .slice(index)
              .map((minutes) =>
                traffic([1 + index, minutes + at], { fromMs: NOW_MS - minutes * MINUTE_MS, code, partnerId }),
              ),
          ),
        );
        await storage.recordActivity(slice('one', 1, { traffic: written }));
        await assertPartnerDays(storage, written);
        const rolledMs = NOW_MS - 2_000 * MINUTE_MS;
        await storage.rollUpTraffic(rolledMs, 99);
        const days = written.map((row) =>
          row.fromMs < rolledMs ? { ...row, fromMs: Math.floor(row.fromMs / DAY_MS) * DAY_MS } : row,
        );
        await assertPartnerDays(storage, days);
        const range = { from: TODAY - 400, to: TODAY - 7 };
        const last = await storage.readLastPartnerDays(['p3', 'p1', 'nobody'], range);
        const day = Math.floor((NOW_MS - 60_000 * MINUTE_MS) / DAY_MS);
        assert.deepEqual(
          last.toSorted((one, other) => (one.partnerId < other.partnerId ? -1 : 1)),
          [
            { partnerId: 'p1', day },
            { partnerId: 'p3', day },
          ],
        );
        assert.deepEqual(await storage.readLastPartnerDays(['p1'], { from: day + 1, to: TODAY - 7 }), []);
        assert.deepEqual(await storage.readLastPartnerDays([], range), []);
      }));

    it('adds days up by operation and code once, and then what comes late', () =>
      withStorage(open, async (storage) => {
        const rows = [30, 29, 27, 8, 1].flatMap((ago) =>
          ['', 'STALE', 'GONE'].flatMap((code, index) =>
            ['p1', 'p2'].map((partnerId) =>
              traffic([ago, index], { code, partnerId, fromMs: (TODAY - ago) * DAY_MS + MINUTE_MS }),
            ),
          ),
        );
        const late = traffic([5], { code: 'GONE', fromMs: (TODAY - 29) * DAY_MS + 7 * MINUTE_MS });
        const before = traffic([6], { code: 'GONE', fromMs: (TODAY - 31) * DAY_MS });
        const other = traffic([7], { operation: 'getPartnerProperty', fromMs: (TODAY - 27) * DAY_MS });
        await storage.recordActivity(slice('one', 1, { traffic: rows }));
        const untilMs = (TODAY - 7) * DAY_MS;
        await storage.rollUpTraffic(untilMs, 99);
        const lastMs = (TODAY - 8) * DAY_MS;
        const kept: number[] = [];
        do {
          await assertTrafficSums(storage);
          kept.push(await storage.keepTrafficSums(lastMs));
        } while (kept.at(-1)! > 0);
        assert.deepEqual(kept, [3, 3, 3, 0], 'each day once, but not the one that begins at the bound');
        await storage.recordActivity(slice('one', 2, { traffic: [late, before, other] }));
        await assertTrafficSums(storage);
        await storage.rollUpTraffic(untilMs, 99);
        assert.equal(await storage.keepTrafficSums(lastMs), 0, 'they were added');
        await assertTrafficSums(storage);
        for (const limit of [4, 9, 9]) await storage.deleteTraffic((TODAY - 28) * DAY_MS, limit);
        await assertTrafficSums(storage);
        assert.equal(sumOf(await storage.readTraffic({ ...ALL, to: TODAY - 28 })), 0);
        assert.equal(await storage.keepTrafficSums(untilMs), 3);
        await assertTrafficSums(storage);
      }));

    it('knows the first and the last day that have something', () =>
      withStorage(open, async (storage) => {
        assert.equal(await storage.readActiveDays('demand', ALL), undefined);
        assert.equal(await storage.readActiveDays('traffic', ALL), undefined);
        const days = [TODAY - 9, TODAY - 5, TODAY - 2];
        await storage.recordActivity(
          slice('one', 1, {
            demand: days.map((day) => demand({ day })),
            traffic: days.map((day) => traffic([1], { fromMs: day * DAY_MS + MINUTE_MS })),
          }),
        );
        await storage.rollUpTraffic((TODAY - 4) * DAY_MS, 9);
        for (const what of ['demand', 'traffic'] as const) {
          assert.deepEqual(await storage.readActiveDays(what, ALL), { from: TODAY - 9, to: TODAY - 2 });
          const range = { from: TODAY - 8, to: TODAY - 3 };
          assert.deepEqual(await storage.readActiveDays(what, range), { from: TODAY - 5, to: TODAY - 5 });
        }
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

/** By operation and code, of all days and of each range of them, as over the rows. */
async function assertTrafficSums(storage: Storage): Promise<void> {
  for (const range of [
    ALL,
    { ...ALL, to: TODAY - 28 },
    { ...ALL, from: TODAY - 29 },
    { from: TODAY - 27, to: TODAY - 27 },
  ]) {
    const rows = (await storage.readTraffic(range)).map((row) => ({
      ...row,
      day: Math.floor(row.fromMs / DAY_MS),
    }));
    for (const by of [['operation', 'code'], ['code'], ['day', 'code'], ['operation']] as const) {
      const keyOf = (row: Partial<(typeof rows)[0]>): string =>
        by.map((name: keyof typeof row) => row[name]).join(' ');
      const sums = new Map<string, number[]>();
      for (const row of rows) {
        const sum = sums.get(keyOf(row)) ?? row.durations.map(() => 0);
        sums.set(
          keyOf(row),
          sum.map((count, bucket) => count + row.durations[bucket]!),
        );
      }
      const found = await storage.sumTraffic(by, range);
      assert.deepEqual(
        found.map((row): [string, readonly number[]] => [keyOf(row), row.durations]).toSorted(),
        [...sums].toSorted(),
        by.join(),
      );
    }
  }
}

async function assertPartnerDays(storage: Storage, written: readonly TrafficRow[]): Promise<void> {
  const dayOf = ({ fromMs }: TrafficRow): number => Math.floor(fromMs / DAY_MS);
  for (const range of [ALL, { from: TODAY - 6, to: TODAY }]) {
    const within = written.filter((row) => dayOf(row) >= range.from && dayOf(row) <= range.to);
    const counted = [...Map.groupBy(within, (row) => `${dayOf(row)} ${row.partnerId}`).values()];
    const found = await storage.sumPartnerDays({ from: range.from, to: range.to });
    const keyed = (rows: readonly (readonly unknown[])[]) => rows.map((row) => row.join(' ')).toSorted();
    assert.deepEqual(
      keyed(found.map((row) => [row.day, row.partnerId, row.answers, row.refusals, row.lastMs])),
      keyed(
        counted.map((rows) => {
          const refused = rows.filter(({ code }) => code !== '');
          const lastMs = Math.max(...rows.map(({ fromMs }) => fromMs));
          return [dayOf(rows[0]!), rows[0]!.partnerId, sumOf(rows), sumOf(refused), lastMs];
        }),
      ),
    );
  }
}

/** Of three days, cities, countries and partners each. */
function manyDemandRows(): readonly DemandRow[] {
  return Array.from({ length: 81 }, (_, index) => {
    const [one, two, three, four] = [1, 3, 9, 27].map((step) => Math.floor(index / step) % 3);
    return demand({
      day: TODAY - one!,
      city: `c${two}`,
      country: ['IT', 'FR', 'ES'][three!]!,
      partnerId: 'abc'[four!]!,
      arrivalWeek: `2026-W5${one}`,
      nights: `${two}`,
      guests: `${three}`,
      searches: index + 1,
      empty: index % 7,
      looks: index % 5,
    });
  });
}

function addUp(rows: readonly DemandRow[], by: readonly DemandName[]): object[] {
  const groups = Map.groupBy(rows, (row) => JSON.stringify(by.map((name) => row[name])));
  return [...groups.values()].map((group) => {
    const sum = (name: 'searches' | 'empty' | 'looks') => group.reduce((all, row) => all + row[name], 0);
    const names = Object.fromEntries(by.map((name) => [name, group[0]![name]]));
    return { ...names, searches: sum('searches'), empty: sum('empty'), looks: sum('looks') };
  });
}

function sorted(rows: readonly object[]): string[] {
  return rows.map((row) => JSON.stringify(row)).toSorted();
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
