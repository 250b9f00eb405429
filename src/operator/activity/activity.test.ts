/** Tables of fixed size count exactly, including rows without room. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { EPOCH_DAY_MAX, EPOCH_DAY_MIN } from '../../domain/local-date.ts';
import { type ActivitySlice, OTHER } from '../../storage/activity/store.ts';
import { startActivity } from './activity.ts';
import { CountTable } from './count-table.ts';
import {
  DEMAND_PARTNERS_MAX,
  DEMAND_ROWS_MAX,
  DemandTable,
  UNKNOWN_PLACES_MAX,
  UNMET_AGES_MAX,
} from './demand-table.ts';
import { REQUESTS_WAITING_MAX, RequestLog, SAMPLE_ONE_IN } from './recent-requests.ts';
import { bucketOf, TRAFFIC_ROWS_MAX, TrafficTable } from './traffic-table.ts';
import { estimateUs } from './traffic-report.ts';

const MEMORY_BYTES_MAX = 8 * 1024 * 1024;
const VENEZIA = { key: 'IT VENEZIA', country: 'IT', city: 'Venezia' };
const STAY = { partnerId: 'acme', checkIn: 20_000, checkOut: 20_003, guests: 2 };
const ACME = { partnerId: 'acme', credentialId: 'c1' };

describe('A table of counters', () => {
  it('counts as a map does, and what has no room in one row', () => {
    const key = fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: -3, max: 30 }));
    fc.assert(
      fc.property(fc.array(fc.oneof(key, fc.constant(undefined)), { maxLength: 300 }), (steps) => {
        const table = new CountTable({ rowsMax: 64, width: 2 });
        const book = new Map<string, number>();
        const known = new Set<string>();
        const compare = (): void => {
          const found = new Map<string, number>();
          table.drain((first, second, counts) => found.set(`${first} ${second}`, counts[1]!));
          assert.deepEqual(found, book);
          book.clear();
        };
        for (const step of steps) {
          if (step === undefined) {
            compare();
            continue;
          }
          const hasRoom = known.has(step.join(' ')) || known.size < 64;
          if (hasRoom) known.add(step.join(' '));
          const name = hasRoom ? step.join(' ') : '-1 -1';
          book.set(name, (book.get(name) ?? 0) + 1);
          const row = table.rowOf(...step);
          assert.equal(row === table.otherRow, !hasRoom);
          table.counts[row * 2 + 1]! += 1;
        }
        compare();
      }),
      { seed: 3, numRuns: 300 },
    );
  });
});

describe('Traffic and demand', () => {
  it('take little memory', () => {
    assert.ok(new TrafficTable().bytes + new DemandTable().bytes < MEMORY_BYTES_MAX / 2);
  });

  it('count credentials, partners and places beyond their bounds as others', () => {
    const traffic = new TrafficTable();
    for (let index = 0; index < TRAFFIC_ROWS_MAX + 5; index += 1)
      traffic.count({ partnerId: 'p', credentialId: `c${index}` }, 'op', '', 70);
    const rows = traffic.drain(0);
    assert.equal(rows.length, TRAFFIC_ROWS_MAX + 1);
    assert.deepEqual(rows.at(-1)!.durations.slice(0, 3), [0, 5, 0]);
    assert.equal(rows.at(-1)!.credentialId, OTHER);

    const demand = new DemandTable();
    for (let index = 0; index < DEMAND_PARTNERS_MAX + 7; index += 1)
      demand.countLook({ ...STAY, partnerId: `p${index}` }, VENEZIA);
    const nowhere = { total: 0, askedName: 'Place', markets: [], isKnownElsewhere: false };
    for (let index = 0; index < UNKNOWN_PLACES_MAX + 9; index += 1)
      demand.countSearch(STAY, { ...nowhere, cityName: `PLACE ${index}` }, undefined);
    const looks = demand.drain(1);
    assert.equal(looks.length, DEMAND_PARTNERS_MAX + 1);
    assert.deepEqual([looks.at(-1)!.city, looks.at(-1)!.looks], [OTHER, 7]);
    assert.deepEqual(demand.drainUnknownPlaces(1).at(-1), { day: 1, place: OTHER, searches: 9 });
    assert.deepEqual(demand.drainUnknownPlaces(1), []);
  });

  it('keep sums exact when there are more kinds of searches than rows', () => {
    const demand = new DemandTable();
    const count = DEMAND_ROWS_MAX + 1_000;
    for (let index = 0; index < count; index += 1)
      demand.countLook({ ...STAY, checkIn: index * 7, checkOut: index * 7 + 1 }, VENEZIA);
    const rows = demand.drain(1);
    assert.equal(rows.length, DEMAND_ROWS_MAX + 1);
    assert.equal(
      rows.reduce((sum, row) => sum + row.looks, 0),
      count,
    );
    demand.clear();
    demand.countLook(STAY, VENEZIA);
    assert.equal(demand.drain(2)[0]!.city, 'Venezia', 'the next day has room again');
  });

  it('take every date that a request can name', () => {
    const demand = new DemandTable();
    for (const [checkIn, arrivalWeek] of [
      [EPOCH_DAY_MIN, '0001-W01'],
      [-4, '1969-W52'],
      [-3, '1970-W01'],
      [EPOCH_DAY_MAX - 1, '9999-W52'],
    ] as const) {
      demand.countLook({ ...STAY, checkIn, checkOut: checkIn + 1 }, VENEZIA);
      const rows = demand.drain(1).map((row) => [row.arrivalWeek, row.nights, row.guests, row.looks]);
      assert.deepEqual(rows, [[arrivalWeek, '1', '1-2', 1]]);
    }
  });

  it('keep the ages of a family that found nothing, with every date, while there is room', () => {
    const demand = new DemandTable();
    const markets = [{ market: VENEZIA, count: 0 }];
    const found = { total: 0, askedName: 'Venezia', cityName: 'VENEZIA', markets, isKnownElsewhere: false };
    const search = (checkIn: number, childAges?: readonly number[]) =>
      demand.countSearch({ ...STAY, checkIn, checkOut: checkIn + 3, guests: 4, childAges }, found, undefined);
    const drained = () => demand.drainUnmet(9).map((row) => [row.checkIn, row.childAges, row.searches]);
    for (const checkIn of [EPOCH_DAY_MIN, -3, 20_000, EPOCH_DAY_MAX - 3])
      for (const childAges of [undefined, [4, 9], [4], [4, 9]]) search(checkIn, childAges);
    assert.deepEqual(
      drained(),
      [EPOCH_DAY_MIN, -3, 20_000, EPOCH_DAY_MAX - 3].flatMap((checkIn) => [
        [checkIn, '', 1],
        [checkIn, '4,9', 2],
        [checkIn, '4', 1],
      ]),
    );
    demand.clear();
    const ages = Array.from({ length: UNMET_AGES_MAX + 1 }, (_, index) => [
      Math.floor(index / 16),
      index % 16,
    ]);
    for (const childAges of ages) search(20_000, childAges);
    search(20_000);
    const rows = drained();
    assert.equal(rows.length, UNMET_AGES_MAX + 2);
    assert.deepEqual(rows.at(-2), [20_000, '', 1], 'adults have room');
    assert.deepEqual(rows.at(-1), [0, '', 1], 'the row of other stays');
    assert.deepEqual(rows[UNMET_AGES_MAX - 1], [20_000, ages[UNMET_AGES_MAX - 1]!.join(), 1]);
  });

  it('count two markets of one country once, in the one that has the name', () => {
    const demand = new DemandTable();
    const como = { key: 'IT COMO', country: 'IT', city: 'Como' };
    const bellagio = { key: 'IT BELLAGIO', country: 'IT', city: 'Bellagio' };
    const lugano = { key: 'CH COMO', country: 'CH', city: 'Como' };
    const markets = [
      { market: bellagio, count: 2 },
      { market: lugano, count: 0 },
      { market: como, count: 0 },
    ];
    demand.countSearch(
      STAY,
      { total: 2, askedName: 'Como', cityName: 'COMO', markets, isKnownElsewhere: false },
      undefined,
    );
    const rows = demand
      .drain(1)
      .map(({ city, country, searches, empty }) => [city, country, searches, empty]);
    assert.deepEqual(rows, [
      ['Como', 'IT', 1, 0],
      ['Como', 'CH', 1, 1],
    ]);
  });

  it('know how long answers took within a factor of two', () => {
    for (const [durationUs, bucket] of [
      [0, 0],
      [49.9, 0],
      [50, 1],
      [99, 1],
      [100, 2],
      [819_200, 15],
      [1e9, 15],
    ] as const)
      assert.equal(bucketOf(durationUs), bucket);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 50, max: 800_000 }), { minLength: 1 }), (durations) => {
        const counts = Array.from({ length: 16 }, () => 0);
        for (const duration of durations) counts[bucketOf(duration)]! += 1;
        for (const quantile of [0.5, 0.99]) {
          const sorted = durations.toSorted((one, other) => one - other);
          const exact = sorted[Math.ceil(sorted.length * quantile) - 1]!;
          const ratio = estimateUs(counts, quantile) / exact;
          assert.ok(ratio >= 0.5 && ratio <= 2.01, `${ratio}`);
        }
      }),
      { seed: 11, numRuns: 300 },
    );
  });
});

describe('The log of requests', () => {
  it('takes refusals and quotes, none of a limit, and one in a hundred of the rest', () => {
    const log = new RequestLog(() => Uint8Array.of(1, 2, 3, 4));
    for (const [status, isWanted] of [
      [400, true],
      [404, true],
      [503, true],
      [201, true],
      [429, false],
    ] as const)
      assert.equal(log.isWanted(status), isWanted);
    const sampled = Array.from({ length: 100_000 }, () => log.isWanted(200)).filter(Boolean).length;
    assert.ok(Math.abs(sampled - 100_000 / SAMPLE_ONE_IN) < 150, `${sampled}`);
  });
});

describe('Activity', () => {
  const written: ActivitySlice[] = [];
  const start = (overrides: object = {}) => {
    written.length = 0;
    const time = { nowMs: Date.UTC(2026, 10, 20, 23, 59, 58) };
    const storage = { recordActivity: async (slice: ActivitySlice) => written.push(slice) > 0 };
    const activity = startActivity({
      storage,
      clock: () => time.nowMs,
      random: () => Uint8Array.of(9, 9, 9, 9),

      logger: { warn: () => undefined, error: () => undefined },
      marketOf: () => VENEZIA,
      keepsRequests: true,
      keepsDemand: true,
      ...overrides,
    });
    return { activity, time };
  };
  const request = {
    correlationId: 'x',
    operationName: 'getPartnerPropertyAvailability',
    subject: { propertyId: 'p', stay: STAY, guests: 2 },
  };

  it('belongs to the minute and day in which the answer was given', async () => {
    const { activity, time } = start();
    activity.answered(request, ACME, 200, '', 1);
    time.nowMs += 3_000;
    activity.answered(request, ACME, 200, '', 1);
    activity.answered(request, ACME, 200, '', 1);
    await activity.close();
    const minutes = written.flatMap(({ traffic }) =>
      traffic.map(({ fromMs }) => new Date(fromMs).toISOString()),
    );
    assert.deepEqual(minutes, ['2026-11-20T23:59:00.000Z', '2026-11-21T00:00:00.000Z']);
    assert.deepEqual(
      written.flatMap(({ demand }) => demand.map(({ looks }) => looks)),
      [1, 2],
    );
    assert.deepEqual(
      written.map(({ number }) => number),
      [1, 2],
    );
  });

  it('counts a look for each property that one request asks about', async () => {
    const { activity } = start();
    const subject = { ...request.subject, propertyIds: ['p', 'q', 'r'] };
    activity.answered({ ...request, operationName: 'priceStays', subject }, ACME, 200, '', 1);
    await activity.close();
    assert.deepEqual(
      written.flatMap(({ demand }) => demand.map(({ looks }) => looks)),
      [3],
    );
  });

  it('has each answer once, by minute and among the last ones, whenever it is asked', async () => {
    const step = fc.oneof(
      { weight: 40, arbitrary: fc.record({ status: fc.constantFrom(200, 404), afterMs: fc.nat(900) }) },
      { weight: 1, arbitrary: fc.constant('recent' as const) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 400, size: 'max' }), async (steps) => {
        const { activity, time } = start();
        const minutes = new Map<number, number>();
        const answers: { atMs: number; correlationId: string; status: number }[] = [];
        const compare = (): void => {
          const recent = activity.recent({ limit: 1_000 });
          assert.deepEqual(
            recent.map(({ atMs, correlationId, status }) => ({ atMs, correlationId, status })),
            answers.toReversed(),
          );
        };
        for (const asked of steps) {
          if (asked === 'recent') {
            compare();
            continue;
          }
          const { status, afterMs } = asked;
          time.nowMs += afterMs;
          const fromMs = Math.floor(time.nowMs / 60_000) * 60_000;
          minutes.set(fromMs, (minutes.get(fromMs) ?? 0) + 1);
          const correlationId = `id-${answers.length}`;
          answers.push({ atMs: time.nowMs, correlationId, status });
          activity.answered({ ...request, correlationId }, ACME, status, status === 200 ? '' : 'X', 1);
        }
        compare();
        await activity.close();
        const found = new Map<number, number>();
        for (const { fromMs, durations } of written.flatMap(({ traffic }) => traffic))
          found.set(fromMs, (found.get(fromMs) ?? 0) + durations.reduce((sum, count) => sum + count));
        assert.deepEqual(found, minutes);
        const looks = written.flatMap(({ demand }) => demand).reduce((sum, row) => sum + row.looks, 0);
        assert.equal(looks, answers.filter(({ status }) => status === 200).length);
      }),
      { seed: 17, numRuns: 30 },
    );
  });

  it('keeps neither requests nor demand where the settings say so', async () => {
    const { activity } = start({ keepsRequests: false, keepsDemand: false });
    activity.answered(request, ACME, 404, 'PROPERTY_NOT_FOUND', 1);
    activity.answered(request, ACME, 200, '', 1);
    await activity.close();
    assert.deepEqual(
      written.map(({ requests, demand, traffic }) => [requests, demand, traffic.length]),
      [[[], [], 2]],
    );
  });

  it('keeps a city as every database can store it', async () => {
    const { activity } = start();
    const city = 'Ro\0ma \ud800';
    const found = { total: 0, askedName: city, cityName: 'ROMA', markets: [], isKnownElsewhere: false };
    for (const subject of [{ city }, { city, found }])
      activity.answered({ ...request, subject }, ACME, 404, 'X', 1);
    await activity.close();
    assert.deepEqual(
      written.flatMap(({ requests }) => requests.map((row) => row.city)),
      ['Roma \ufffd', 'Roma \ufffd'],
    );
  });

  it('drops requests beyond its bound, and counts them', async () => {
    const { activity } = start();
    for (let index = 0; index < REQUESTS_WAITING_MAX + 3; index += 1)
      activity.answered(request, ACME, 404, 'PROPERTY_NOT_FOUND', 1);
    await activity.close();
    assert.equal(activity.meter.rowsDropped, 3);
    assert.equal(
      written.reduce((sum, { requests }) => sum + requests.length, 0),
      REQUESTS_WAITING_MAX,
    );
  });
});
