/** Counts, stores and reports what happened, inside one process: memory, processor time, bytes, and times of reports. */
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { type Activity, startActivity } from '../../src/activity/activity.ts';
import type { AnsweredRequest } from '../../src/activity/answered-request.ts';
import {
  DEMAND_COLUMNS,
  DEMAND_SUM_COLUMNS,
  reportDemand,
  reportDemandByDay,
  reportDemandSums,
  reportUnknownPlaces,
  UNKNOWN_COLUMNS,
} from '../../src/activity/demand-report.ts';
import {
  reportTraffic,
  reportTrafficSums,
  TRAFFIC_COLUMNS,
  TRAFFIC_SUM_COLUMNS,
} from '../../src/activity/traffic-report.ts';
import { formatCsv, formatCsvRows } from '../../src/cli/terminal/csv.ts';
import { formatTable } from '../../src/cli/terminal/readable.ts';
import { formatLocalDate } from '../../src/domain/local-date.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { systemRandom } from '../../src/runtime/random.ts';
import { activityPathOf } from '../../src/storage/activity/activity-path.ts';
import type { DemandName, TrafficName } from '../../src/storage/activity/store.ts';
import { openStorage } from '../../src/storage/open.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { floodActivity } from '../../test/kit/activity-flood.ts';
import { obeyOrders } from '../machine/channel.ts';
import { median } from '../measure/statistics.ts';
import { DAYS, fillActivity } from './activity-rows.ts';

const DAY_MS = 86_400_000;
const LAST_DAY = 20_780;
/** Days become sums when they are three days old. */
const LAST_KEPT_DAY = LAST_DAY - 3;
const CITIES = 100;
const WEEKS = 20;
const PARTNERS = 5;
/** Cities, weeks and partners, that is 10,000 kinds of searches. */
const KEYS = CITIES * WEEKS * PARTNERS;
/** Has no divisor in common with KEYS. */
const STRIDE = 7919;
/** Five million in all that count. */
const COUNTS_A_TURN = 1_000_000;
const COUNT_TURNS = 7;
/** For the compiler. */
const COUNT_TURNS_LEFT_OUT = 2;
const REPORT_TURNS = 3;
/** As many as a command puts together. */
const ROWS_MAX = 200_001;
const BYTES_PER_MB = 1e6;

/** Nanoseconds of processor time of a search that is counted, of several turns. */
export interface CountNs {
  readonly median: number;
  readonly lowest: number;
  readonly highest: number;
}

/** A whole command, from an empty process on: medians of several. */
export interface TimedCommand {
  readonly command: string;
  readonly wallMs: number;
  /** Of all its threads. */
  readonly cpuMs: number;
}

export interface TimedReport {
  readonly report: string;
  readonly rows: number;
  /** Until the rows are there: the median of several. */
  readonly readMs: number;
  /** Until the text is there as well, in the slowest of its three forms. */
  readonly slowestFormMs: number;
  /** Processor time of this process until the rows are there: the median of several. */
  readonly readCpuMs: number;
}

export interface EveryRow {
  readonly rows: number;
  readonly bytes: number;
  readonly firstMs: number;
  readonly allMs: number;
}

type Line = Readonly<Record<string, string | number | null>>;

/** Preloaded into a command; its threads load it too. */
const CPU_AT_EXIT = `data:text/javascript,${encodeURIComponent(`
  import { isMainThread } from 'node:worker_threads';
  if (isMainThread) process.on('exit', () => {
    const { user, system } = process.cpuUsage();
    process.stderr.write('\\ncpu us: ' + (user + system) + '\\n');
  });`)}`;
/** A day long before the first row. */
const NO_ROWS = '2000-01-01';

const STAYPORT = join(import.meta.dirname, '../../bin/stayport');

obeyOrders({
  // The first of its process, so that nothing earlier is collected meanwhile; compiled code counts as well.
  flood: (count: number) => floodActivity(count),
  async count(): Promise<CountNs> {
    const activity = start({ recordActivity: async () => true }, systemClock);
    const turns = Array.from({ length: COUNT_TURNS }, () => {
      const before = process.threadCpuUsage();
      for (let index = 0; index < COUNTS_A_TURN; index += 1) search(activity, index);
      const { user, system } = process.threadCpuUsage(before);
      return ((user + system) * 1000) / COUNTS_A_TURN;
    });
    await activity.close();
    const kept = turns.slice(COUNT_TURNS_LEFT_OUT);
    return { median: median(kept), lowest: Math.min(...kept), highest: Math.max(...kept) };
  },
  /** Megabytes that a day of searches takes in the database. */
  async storeDay({
    url,
    searches,
    writes,
  }: {
    url: string;
    searches: number;
    writes: number;
  }): Promise<number> {
    await dontWaitForDisk(url);
    return withStorage(url, async (storage) => {
      const each = Math.ceil(searches / writes);
      for (let write = 0; write < writes; write += 1) {
        const nowMs = LAST_DAY * DAY_MS + (write * DAY_MS) / writes;
        const activity = start(storage, () => nowMs);
        for (let index = 0; index < each; index += 1) search(activity, write * each + index);
        await activity.close();
        const { rowsDropped } = activity.meter;
        // Of what is kept one by one there are too many for one write; counts are all there.
        if (rowsDropped > each / 100) throw new Error(`${rowsDropped} rows were dropped`);
      }
      const stored = await storage.readDemand({ from: LAST_DAY, to: LAST_DAY, rowsMax: ROWS_MAX });
      const sum = stored.reduce((total, row) => total + row.searches, 0);
      if (stored.length !== KEYS || sum !== each * writes)
        throw new Error(`${stored.length} rows, ${sum} searches`);
      return (await storedBytes(url)) / BYTES_PER_MB;
    });
  },
  /** Tables with `rowsPerDay` rows for each of 400 days, and the sums that a running service keeps of them. */
  async fill({ url, rowsPerDay }: { url: string; rowsPerDay: number }): Promise<void> {
    await withStorage(url, async (storage) => {
      await fillActivity(url, LAST_DAY, rowsPerDay);
      while ((await storage.keepTrafficSums(LAST_KEPT_DAY * DAY_MS)) > 0);
    });
  },
  /** Every row of demand as lines of a file, none of which is kept. These and the following read what `fill` wrote. */
  everyRow: ({ url }: { url: string }): Promise<EveryRow> =>
    withStorage(url, async (storage) => {
      const startedAtMs = performance.now();
      let firstMs: number | undefined;
      let rows = 0;
      let bytes = 0;
      for await (const part of reportDemandByDay(storage, { from: LAST_DAY - DAYS + 1, to: LAST_DAY })) {
        bytes += Buffer.byteLength(formatCsvRows(DEMAND_COLUMNS, part));
        rows += part.length;
        firstMs ??= performance.now() - startedAtMs;
      }
      return { rows, bytes, firstMs: firstMs!, allMs: performance.now() - startedAtMs };
    }),
  commands({ url }: { url: string }): readonly TimedCommand[] {
    const all = ['--from', formatLocalDate(LAST_DAY - DAYS + 1), '--to', formatLocalDate(LAST_DAY)];
    return [
      timeCommand(url, 'demand of a day without rows', ['demand', '--from', NO_ROWS, '--to', NO_ROWS]),
      timeCommand(url, 'demand', ['demand', ...all]),
      timeCommand(url, 'demand --by city,week', ['demand', '--by', 'city,week', ...all]),
      timeCommand(url, 'traffic', ['traffic', ...all]),
      timeCommand(url, 'traffic --by operation,code', ['traffic', '--by', 'operation,code', ...all]),
    ];
  },
  reports({ url }: { url: string }): Promise<readonly TimedReport[]> {
    return withStorage(url, async (storage) => {
      const days = { from: LAST_DAY - DAYS + 1, to: LAST_DAY, rowsMax: ROWS_MAX };
      const demand = (filter: object) => () => reportDemand(storage, { ...days, ...filter });
      const demandBy = (name: string, ...by: readonly DemandName[]) =>
        time<Line, string>(`demand --by ${name}`, [...by, ...DEMAND_SUM_COLUMNS], () =>
          reportDemandSums(storage, by, days),
        );
      const trafficBy = (name: string, ...by: readonly TrafficName[]) =>
        time<Line, string>(`traffic --by ${name}`, [...by, ...TRAFFIC_SUM_COLUMNS], () =>
          reportTrafficSums(storage, by, days),
        );
      return [
        await demandBy('city', 'city', 'country'),
        await demandBy('partner', 'partnerId'),
        await demandBy('city,week', 'city', 'country', 'arrivalWeek'),
        await trafficBy('partner', 'partnerId'),
        await trafficBy('operation,code', 'operation', 'code'),
        await time('demand of one city', DEMAND_COLUMNS, demand({ city: 'city 7' })),
        await time('demand of one country', DEMAND_COLUMNS, demand({ country: 'C7' })),
        await time('demand --unknown', UNKNOWN_COLUMNS, () => reportUnknownPlaces(storage, days)),
        await time('traffic of one partner', TRAFFIC_COLUMNS, () =>
          reportTraffic(storage, { ...days, partnerId: 'partner-7' }),
        ),
      ];
    });
  },
});

function timeCommand(url: string, command: string, args: readonly string[]): TimedCommand {
  const turns = Array.from({ length: REPORT_TURNS }, () => {
    const startedAtMs = performance.now();
    const { status, stderr } = spawnSync(process.execPath, ['--import', CPU_AT_EXIT, STAYPORT, ...args], {
      env: { ...process.env, DATABASE_URL: url },
      encoding: 'utf8',
    });
    const cpuMicros = /^cpu us: (\d+)$/m.exec(stderr)?.[1];
    if (status !== 0 || cpuMicros === undefined) throw new Error(stderr);
    return { wallMs: performance.now() - startedAtMs, cpuMs: Number(cpuMicros) / 1000 };
  });
  return {
    command,
    wallMs: median(turns.map(({ wallMs }) => wallMs)),
    cpuMs: median(turns.map(({ cpuMs }) => cpuMs)),
  };
}

async function time<Row extends Readonly<Record<Column, string | number | null>>, Column extends string>(
  report: string,
  columns: readonly Column[],
  read: () => Promise<readonly Row[]>,
): Promise<TimedReport> {
  const reads: number[] = [];
  const readsCpu: number[] = [];
  const slowest: number[] = [];
  let rows: readonly Row[] = [];
  for (let turn = 0; turn < REPORT_TURNS; turn += 1) {
    const startedAtMs = performance.now();
    const cpuBefore = process.cpuUsage();
    rows = await read();
    const readMs = performance.now() - startedAtMs;
    const { user, system } = process.cpuUsage(cpuBefore);
    readsCpu.push((user + system) / 1000);
    const forms = [
      () => JSON.stringify(rows),
      () => formatCsv(columns, rows),
      () => formatTable(columns, rows, ''),
    ].map((format) => {
      const formatAtMs = performance.now();
      format();
      return performance.now() - formatAtMs;
    });
    reads.push(readMs);
    slowest.push(readMs + Math.max(...forms));
  }
  return {
    report,
    rows: rows.length,
    readMs: median(reads),
    slowestFormMs: median(slowest),
    readCpuMs: median(readsCpu),
  };
}

async function withStorage<T>(url: string, use: (storage: Storage) => Promise<T>): Promise<T> {
  const storage = await openStorage(url, { clock: systemClock });
  try {
    await storage.migrate();
    // On SQLite the second file is made when it is asked for first.
    await storage.readTraffic({ from: 0, to: 0, rowsMax: 1 });
    return await use(storage);
  } finally {
    await storage.close();
  }
}

function start(storage: Parameters<typeof startActivity>[0]['storage'], clock: () => number): Activity {
  return startActivity({
    storage,
    clock,
    random: systemRandom,
    logger: { warn: () => undefined },
    marketOf: () => undefined,
    keepsRequests: true,
    keepsDemand: true,
  });
}

const askers = Array.from({ length: PARTNERS }, (_, index) => ({
  credentialId: `credential-${index}`,
  partnerId: `partner-${index}`,
}));
const cities = Array.from({ length: CITIES }, (_, index) => {
  const city = `City ${index}`;
  const cityName = city.toUpperCase();
  return { city, cityName, market: { key: `IT ${cityName}`, country: 'IT', city } };
});
const stay = { checkIn: 0, checkOut: 0 };
const found = {
  total: 9,
  askedName: '',
  cityName: '',
  isKnownElsewhere: false,
  markets: [{ market: cities[0]!.market, count: 9 }],
};
const subject = { city: '', stay, guests: 2, page: 1, found };
/**
 * The listener has just made the request that it counts, so there is one for all: thousands that were made before would
 * show how long their way back into the processor's cache takes.
 */
const request: AnsweredRequest = {
  correlationId: 'correlation-0000',
  operationName: 'listPartnerProperties',
  subject,
};

/** All kinds in turn, neighbours far from each other. */
function search(activity: Activity, index: number): void {
  const key = ((index % KEYS) * STRIDE) % KEYS;
  const { city, cityName, market } = cities[key % CITIES]!;
  const week = Math.floor(key / CITIES) % WEEKS;
  subject.city = city;
  found.askedName = city;
  found.cityName = cityName;
  found.markets[0]!.market = market;
  stay.checkIn = LAST_DAY + week * 7;
  stay.checkOut = stay.checkIn + 3;
  activity.answered(request, askers[Math.floor(key / (CITIES * WEEKS))]!, 200, '', 0.4);
}

/** PostgreSQL would wait for it thousands of times; what is stored is the same. For connections that come later. */
async function dontWaitForDisk(url: string): Promise<void> {
  if (url.startsWith('sqlite:')) return;
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET synchronous_commit = off`);
  await client.end();
}

/** With its log of changes, and with what is free in it. */
async function storedBytes(url: string): Promise<number> {
  if (url.startsWith('sqlite:')) {
    const path = activityPathOf(url.slice('sqlite:'.length));
    return statSync(path).size + statSync(`${path}-wal`).size;
  }
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(`SELECT pg_total_relation_size('demand_days') AS bytes`);
  await client.end();
  return Number(rows[0].bytes);
}
