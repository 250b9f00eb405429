/** Searches by total over the wire: what they do to other searches, and the same totals computed in SQL. */
import pg from 'pg';
import { foldPlaceName } from '../../src/domain/place-name.ts';
import type { CityDatabase } from '../catalogue/city-database.ts';
import { loadPostgresNights } from '../contestants/conventional/load-postgres.ts';
import { startPostgres } from '../contestants/conventional/postgres-server.ts';
import { rowsOf } from '../contestants/conventional/rows.ts';
import { readSql } from '../contestants/conventional/sql-files.ts';
import type { RunningStayport } from '../contestants/stayport.ts';
import type { Context } from '../context.ts';
import { drawDearTotals, drawRequests, drawSearch, drawTotals } from '../load/city-requests.ts';
import type { LoadReport } from '../load/load-orders.ts';
import { formatRequest, recordAnswers, type RequestParts } from '../load/recorded-answer.ts';
import { median } from '../measure/statistics.ts';
import { seedRandom } from '../measure/random.ts';
import type { Figure, Section } from '../section.ts';
import { SEED } from '../seed.ts';
import { startOnCity } from './city-service.ts';

const SEARCHES_PER_SECOND = 500;
const CONNECTIONS = 50;
const FEW = 2;
const MANY = 50;
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
    const rounds = await measureBeside(context, city, ours, size);
    const stays = drawRequests(seedRandom(SEED), city, drawTotals, size.compared);
    const against = await compareWithSql(context, city, ours.port, stays);
    await ours.stop();
    return {
      figures: [
        ...besideFigures(rounds, `${FEW} clients`, 'fewSearches', 'fewTotals'),
        ...besideFigures(rounds, `${MANY} clients`, 'manySearches', 'manyTotals'),
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
        `${SEARCHES_PER_SECOND} searches a second; the clients beside them ask without pause, ${FEW} for 7 nights by total, ${MANY} for 60.`,
        `Properties and totals were the same in all of ${size.compared} compared stays. Stayport's time has HTTP in it, that of PostgreSQL has not.`,
      ],
      details: { rounds, against },
    };
  },
};

/** Clients beside the searches. */
const NEIGHBOURS = {
  fewSearches: { clients: FEW, draw: drawSearch },
  fewTotals: { clients: FEW, draw: drawTotals },
  manySearches: { clients: MANY, draw: drawSearch },
  manyTotals: { clients: MANY, draw: drawDearTotals },
};
type Neighbour = keyof typeof NEIGHBOURS;
type Round = Readonly<Record<Neighbour, LoadReport>>;

function besideFigures(
  rounds: readonly Round[],
  clients: string,
  searches: Neighbour,
  byTotal: Neighbour,
): Figure[] {
  const p99Of = (round: Round, who: Neighbour) => round[who].latencies.p99Ms;
  const medianOf = (who: Neighbour) => median(rounds.map((round) => p99Of(round, who)));
  return [
    { what: `search p99, beside ${clients} that search`, value: medianOf(searches), unit: 'ms' },
    { what: `search p99, beside ${clients} that search by total`, value: medianOf(byTotal), unit: 'ms' },
    {
      what: 'the one against the other',
      value: median(rounds.map((round) => p99Of(round, byTotal) / p99Of(round, searches))),
      unit: 'ratio',
      bar: { is: 'at most', value: GROWTH_MAX },
    },
  ];
}

/** With each neighbour by turns. */
async function measureBeside(
  { load }: Context,
  city: CityDatabase,
  { port }: RunningStayport,
  { seconds, rounds }: typeof FULL,
): Promise<readonly Round[]> {
  const random = seedRandom(SEED);
  const textsOf = (draw: typeof drawSearch) => drawRequests(random, city, draw, REQUESTS).map(formatRequest);
  const searches = textsOf(drawSearch);
  const target = { port, warmUpSeconds: 1, seconds };
  const searchBeside = async (who: Neighbour): Promise<LoadReport> => {
    const { clients, draw } = NEIGHBOURS[who];
    const [report] = await Promise.all([
      load.run({
        ...target,
        requests: searches,
        connections: CONNECTIONS,
        requestsPerSecond: SEARCHES_PER_SECOND,
      }),
      load.run({
        ...target,
        requests: textsOf(draw),
        connections: clients,
        requestsPerSecond: 'asFastAsPossible',
      }),
    ]);
    return report;
  };
  const measured: Round[] = [];
  for (let round = 0; round < rounds; round += 1) {
    measured.push({
      fewSearches: await searchBeside('fewSearches'),
      fewTotals: await searchBeside('fewTotals'),
      manySearches: await searchBeside('manySearches'),
      manyTotals: await searchBeside('manyTotals'),
    });
  }
  return measured;
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
  const sql = rows.map(({ property_id: id, total }) => `${id} ${(total / 100).toFixed(2)}`);
  if (ours.join() !== sql.slice(0, ours.length).join())
    throw new Error(`PostgreSQL differs on ${path}:\n${sql.join()}\ninstead of\n${ours.join()}`);
}
