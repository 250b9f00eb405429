/** Searches by total over the wire: what they do to other searches, and the same totals computed in SQL. */
import pg from 'pg';
import { formatMoney } from '../../src/domain/money.ts';
import { foldPlaceName } from '../../src/domain/place-name.ts';
import type { CityDatabase } from '../catalogue/city-database.ts';
import { loadPostgresNights } from '../contestants/conventional/load-postgres.ts';
import { startPostgres } from '../contestants/conventional/postgres-server.ts';
import { rowsOf } from '../contestants/conventional/rows.ts';
import { readSql } from '../contestants/conventional/sql-files.ts';
import type { RunningStayport } from '../contestants/stayport.ts';
import type { Context } from '../context.ts';
import { type Draw, drawDearTotals, drawRequests, drawSearch, drawTotals } from '../load/city-requests.ts';
import type { LoadReport } from '../load/load-orders.ts';
import { formatRequest, recordAnswers, type RequestParts } from '../load/recorded-answer.ts';
import { median } from '../measure/statistics.ts';
import { seedRandom } from '../measure/random.ts';
import type { Figure, Section } from '../section.ts';
import { SEED } from '../seed.ts';
import { startOnCity } from './city-service.ts';

const SEARCHES_PER_SECOND = 500;
const CONNECTIONS = 50;
const REQUESTS = 2_000;
const FULL = { seconds: 8, rounds: 3, compared: 200 };
const QUICK = { seconds: 3, rounds: 1, compared: 60 };
const GROWTH_MAX = 1.5;
const AGAINST_SQL_MIN = 200;

export const totals: Section = {
  name: 'totals',
  title: 'Searches by total: beside other searches, and against SQL',
  seconds: { full: 100, quick: 40 },
  async run(context) {
    const size = context.options.isQuick ? QUICK : FULL;
    const city = await context.cityDatabase();
    const ours = await startOnCity(context, city);
    const crowds: MeasuredCrowd[] = [];
    for (const crowd of CROWDS) crowds.push(await measureBeside(context, city, ours, { ...size, crowd }));
    const stays = drawRequests(seedRandom(SEED), city, drawTotals, size.compared);
    const against = await compareWithSql(context, city, ours.port, stays);
    await ours.stop();
    return {
      figures: [
        ...crowds.flatMap(figuresOf),
        { what: 'first page by total, one after the other', value: median(against.ours), unit: 'ms' },
        { what: 'the same totals in PostgreSQL', value: median(against.sql), unit: 'ms' },
        {
          what: 'faster than PostgreSQL',
          value: median(against.sql) / median(against.ours),
          unit: 'ratio',
          bar: { is: 'at least', value: AGAINST_SQL_MIN },
        },
      ],
      notes: [
        `${SEARCHES_PER_SECOND} searches a second; the clients beside them ask without pause.`,
        `Properties and totals were the same in all of ${size.compared} compared stays. Stayport's time has HTTP in it, that of PostgreSQL has not.`,
      ],
      details: { crowds, against },
    };
  },
};

/** Clients beside the searches: they search in the same way, or by total. */
interface Crowd {
  readonly clients: number;
  readonly nights: number;
  readonly draw: Draw;
}

const CROWDS: readonly Crowd[] = [
  { clients: 2, nights: 7, draw: drawTotals },
  { clients: 50, nights: 60, draw: drawDearTotals },
];

interface Round {
  readonly searches: LoadReport;
  readonly totals: LoadReport;
}

interface MeasuredCrowd {
  readonly crowd: Crowd;
  readonly rounds: readonly Round[];
}

function figuresOf({ crowd: { clients, nights }, rounds }: MeasuredCrowd): Figure[] {
  const p99Of = (how: keyof Round) => median(rounds.map((round) => round[how].latencies.p99Ms));
  const byTotal = `${clients} clients that search by total, ${nights} nights`;
  return [
    { what: `search p99, beside ${clients} clients that search`, value: p99Of('searches'), unit: 'ms' },
    { what: `search p99, beside ${byTotal}`, value: p99Of('totals'), unit: 'ms' },
    {
      what: 'the one against the other',
      value: median(rounds.map((round) => round.totals.latencies.p99Ms / round.searches.latencies.p99Ms)),
      unit: 'ratio',
      bar: { is: 'at most', value: GROWTH_MAX },
    },
  ];
}

/** In both ways by turns. */
async function measureBeside(
  { load }: Context,
  city: CityDatabase,
  { port }: RunningStayport,
  { seconds, rounds, crowd }: typeof FULL & { readonly crowd: Crowd },
): Promise<MeasuredCrowd> {
  const random = seedRandom(SEED);
  const textsOf = (draw: Draw) => drawRequests(random, city, draw, REQUESTS).map(formatRequest);
  const requests = textsOf(drawSearch);
  const pages = { searches: textsOf(drawSearch), totals: textsOf(crowd.draw) };
  const target = { port, warmUpSeconds: 1, seconds };
  const even = { requests, connections: CONNECTIONS, requestsPerSecond: SEARCHES_PER_SECOND };
  const searchBeside = async (how: keyof Round): Promise<LoadReport> => {
    const asking = { connections: crowd.clients, requestsPerSecond: 'asFastAsPossible' } as const;
    const [report] = await Promise.all([
      load.run({ ...target, ...even }),
      load.run({ ...target, ...asking, requests: pages[how] }),
    ]);
    return report;
  };
  const measured: Round[] = [];
  for (let round = 0; round < rounds; round += 1) {
    measured.push({ searches: await searchBeside('searches'), totals: await searchBeside('totals') });
  }
  return { crowd, rounds: measured };
}

interface Total {
  readonly property_id: string;
  readonly total: number;
}

/** Milliseconds of each stay. Throws where the two differ. */
async function compareWithSql(
  context: Context,
  city: CityDatabase,
  port: number,
  stays: readonly RequestParts[],
): Promise<{ readonly ours: number[]; readonly sql: number[] }> {
  const server = await startPostgres(context.folder);
  context.onEnd(() => server.stop());
  const url = await server.createDatabase('totals');
  await loadPostgresNights(url, rowsOf(city));
  await server.pin();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const statement = { name: 'totals', text: readSql('postgres-totals') };
  const times = { ours: [] as number[], sql: [] as number[] };
  try {
    for (const stay of stays) {
      const startedAtMs = performance.now();
      const [answer] = await recordAnswers(port, [stay]);
      const askedAtMs = performance.now();
      const { rows } = await client.query<Total>({ ...statement, values: valuesOf(stay) });
      times.ours.push(askedAtMs - startedAtMs);
      times.sql.push(performance.now() - askedAtMs);
      assertSame(stay, answer!.body, rows);
    }
  } finally {
    await client.end();
  }
  return times;
}

const DAY_MS = 86_400_000;

function valuesOf({ path }: RequestParts): unknown[] {
  const query = new URL(path, 'http://bench').searchParams;
  const [checkIn, checkOut] = [query.get('checkIn')!, query.get('checkOut')!];
  const nights = (Date.parse(checkOut) - Date.parse(checkIn)) / DAY_MS;
  const city = foldPlaceName(query.get('city')!);
  return [city, checkIn, checkOut, nights, Number(query.get('guests')), Number(query.get('pageSize'))];
}

function assertSame({ path }: RequestParts, body: Uint8Array, rows: readonly Total[]): void {
  const { items } = JSON.parse(Buffer.from(body).toString('utf8')) as {
    readonly items: readonly {
      readonly propertyId: string;
      readonly pricing: { readonly total: string } | null;
    }[];
  };
  const ours = items.flatMap(({ propertyId, pricing }) =>
    pricing === null ? [] : [`${propertyId} ${pricing.total}`],
  );
  const sql = rows.map(({ property_id: id, total }) => `${id} ${formatMoney(total)}`);
  if (ours.join() !== sql.join())
    throw new Error(`PostgreSQL differs on ${path}:\n${sql.join()}\ninstead of\n${ours.join()}`);
}
