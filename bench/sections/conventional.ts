/** The dated search, and the cheapest stays, against what a user would build: SQL over one row per night. */
import { join } from 'node:path';
import pg from 'pg';
import { parseLocalDate } from '../../src/domain/local-date.ts';
import { formatMoney } from '../../src/domain/money.ts';
import { foldPlaceName } from '../../src/domain/place-name.ts';
import { startPostgres } from '../contestants/conventional/postgres-server.ts';
import { loadRows } from '../contestants/conventional/rows.ts';
import { readSql } from '../contestants/conventional/sql-files.ts';
import type { Context } from '../context.ts';
import { drawRequests, drawSearch, drawTotals } from '../load/city-requests.ts';
import { formatRequest, recordAnswers, type RequestParts } from '../load/recorded-answer.ts';
import { startChild } from '../machine/child.ts';
import { alternate, type Contestant, type Pace, ratio, type Standing } from '../measure/alternate.ts';
import { seedRandom } from '../measure/random.ts';
import { median } from '../measure/statistics.ts';
import type { Figure, Section } from '../section.ts';
import { SEED } from '../seed.ts';
import { startOnCity } from './city-service.ts';

const REQUEST_COUNT = 2000;
const FULL = { rounds: 3, seconds: 3, searches: 300, totals: 200 };
const QUICK = { rounds: 1, seconds: 2, searches: 60, totals: 60 };
const NAME = 'PostgreSQL, a row per night';
/** How many times as fast. */
const SEARCH_TIMES_MIN = 400;
const TOTALS_TIMES_MIN = 200;

export const conventional: Section = {
  name: 'conventional',
  title: 'The dated search, and the cheapest stays, against SQL over one row per night',
  seconds: { full: 90, quick: 40 },
  async run(context) {
    const size = context.options.isQuick ? QUICK : FULL;
    const city = await context.cityDatabase();
    const ours = await startOnCity(context, city);
    const postgres = await startPostgres(context.folder);
    context.onEnd(() => postgres.stop());
    const connectionString = await postgres.createDatabase('conventional');
    await loadRows(connectionString, city);
    await postgres.pin();
    const requests = drawRequests(seedRandom(SEED), city, drawSearch, REQUEST_COUNT);
    const texts = requests.map(formatRequest);
    const stayport: Contestant = { name: 'stayport', port: ours.port, requests: texts };
    const other = await startRoute(context, { connectionString, tokens: city.tokens }, texts);
    await assertSameAnswers(requests.slice(0, size.searches), ours.port, other.port);
    const pace: Pace = { ...size, warmUpSeconds: 1, connections: 50 };
    const [first, second] = await alternate(context.load, [stayport, other], pace);
    const stays = drawRequests(seedRandom(SEED), city, drawTotals, size.totals);
    const totals = await timeTotals(connectionString, ours.port, stays);
    await ours.stop();
    return {
      figures: [...searchFigures(first!, second!), ...totalsFigures(totals)],
      notes: [
        `Items, order and total were the same in all of ${size.searches} searches, properties and totals in all of ${size.totals} stays.`,
        'The database shares the core of the route that asks it. For the cheapest stays the time of Stayport has HTTP in it, that of PostgreSQL has not.',
      ],
      details: { first, second, totals },
    };
  },
};

async function startRoute(
  context: Context,
  order: { readonly connectionString: string; readonly tokens: readonly string[] },
  requests: readonly string[],
): Promise<Contestant> {
  const child = startChild({
    role: 'server',
    name: NAME,
    args: [join(import.meta.dirname, '..', 'contestants', 'conventional', 'server-process.ts')],
  });
  context.onEnd(() => child.stop());
  return { name: NAME, port: await child.ask<number>('serve', order), requests };
}

/** A contestant that answers something else is not faster or slower, but wrong. */
async function assertSameAnswers(
  requests: readonly RequestParts[],
  ourPort: number,
  port: number,
): Promise<void> {
  const expected = await recordAnswers(ourPort, requests);
  const given = await recordAnswers(port, requests);
  for (const [index, { path }] of requests.entries()) {
    const [ours, theirs] = [expected[index]!, given[index]!].map(({ body }) =>
      JSON.stringify(JSON.parse(Buffer.from(body).toString('utf8'))),
    );
    if (ours !== theirs) throw new Error(`SQL differs on ${path}:\n${theirs}\ninstead of\n${ours}`);
  }
}

function searchFigures(ours: Standing, other: Standing): Figure[] {
  return [
    { what: 'Stayport, any dated search', value: ours.answersPerSecond, unit: 'requests/s' },
    { what: 'Stayport, p99 at full load', value: ours.latencies.p99Ms, unit: 'ms' },
    { what: NAME, value: other.answersPerSecond, unit: 'requests/s' },
    { what: `${NAME}, p99 at full load`, value: other.latencies.p99Ms, unit: 'ms' },
    {
      what: `Stayport against ${NAME}`,
      value: ratio(ours, other, (round) => round.answersPerSecond),
      unit: 'ratio',
      bar: { is: 'at least', value: SEARCH_TIMES_MIN },
    },
  ];
}

interface TotalsTimes {
  /** Milliseconds of each stay. */
  readonly ours: number[];
  readonly sql: number[];
}

/** One stay after the other. Throws where the two differ. */
async function timeTotals(
  connectionString: string,
  port: number,
  stays: readonly RequestParts[],
): Promise<TotalsTimes> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const statement = { name: 'totals', text: readSql('totals') };
  const times: TotalsTimes = { ours: [], sql: [] };
  try {
    for (const stay of stays) {
      const startedAtMs = performance.now();
      const [answer] = await recordAnswers(port, [stay]);
      const askedAtMs = performance.now();
      const { rows } = await client.query<Total>({ ...statement, values: valuesOf(stay) });
      times.ours.push(askedAtMs - startedAtMs);
      times.sql.push(performance.now() - askedAtMs);
      assertSameTotals(stay, answer!.body, rows);
    }
  } finally {
    await client.end();
  }
  return times;
}

interface Total {
  readonly property_id: string;
  readonly total: number;
}

function valuesOf({ path }: RequestParts): unknown[] {
  const query = new URL(path, 'http://bench').searchParams;
  const [checkIn, checkOut] = [query.get('checkIn')!, query.get('checkOut')!];
  const nights = parseLocalDate(checkOut)! - parseLocalDate(checkIn)!;
  const city = foldPlaceName(query.get('city')!);
  return [city, checkIn, checkOut, nights, Number(query.get('guests')), Number(query.get('pageSize'))];
}

function assertSameTotals({ path }: RequestParts, body: Uint8Array, rows: readonly Total[]): void {
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
    throw new Error(`SQL differs on ${path}:\n${sql.join()}\ninstead of\n${ours.join()}`);
}

function totalsFigures({ ours, sql }: TotalsTimes): Figure[] {
  return [
    { what: 'first page by total, one after the other', value: median(ours), unit: 'ms' },
    { what: 'the same totals in PostgreSQL', value: median(sql), unit: 'ms' },
    {
      what: 'faster than PostgreSQL',
      value: median(sql) / median(ours),
      unit: 'ratio',
      bar: { is: 'at least', value: TOTALS_TIMES_MIN },
    },
  ];
}
