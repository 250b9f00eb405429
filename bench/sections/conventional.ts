/** The dated search against what a user would build: a conventional route over rows or ranges in a database. */
import { join } from 'node:path';
import { loadPostgresNights, loadPostgresRanges } from '../contestants/conventional/load-postgres.ts';
import { loadSqliteNights } from '../contestants/conventional/load-sqlite.ts';
import { startPostgres } from '../contestants/conventional/postgres-server.ts';
import { rowsOf } from '../contestants/conventional/rows.ts';
import type { Keeping } from '../contestants/conventional/search.ts';
import { startOnCity } from './city-service.ts';
import type { Context } from '../context.ts';
import type { CityDatabase } from '../catalogue/city-database.ts';
import { drawRequests, drawSearch } from '../load/city-requests.ts';
import { formatRequest, recordAnswers, type RequestParts } from '../load/recorded-answer.ts';
import { startChild } from '../machine/child.ts';
import type { Usage } from '../machine/diagnostics.ts';
import { alternate, type Contestant, type Pace, ratio, type Standing } from '../measure/alternate.ts';
import { seedRandom } from '../measure/random.ts';
import type { Figure, Section } from '../section.ts';
import { SEED } from '../seed.ts';

const REQUEST_COUNT = 2000;
const COMPARED = 300;
const COMPARED_QUICK = 60;
const PACE: Pace = { rounds: 3, warmUpSeconds: 1, seconds: 3, connections: 50 };
const PACE_QUICK: Pace = { rounds: 1, warmUpSeconds: 1, seconds: 2, connections: 50 };

const NAMES: Readonly<Record<Keeping, string>> = {
  'postgres-nights': 'PostgreSQL, a row per night',
  'postgres-ranges': 'PostgreSQL, datemultirange and GiST',
  'sqlite-nights': 'SQLite, a row per night',
};
/** How many times faster the search has to be. */
const BARS: Partial<Record<Keeping, number>> = { 'postgres-nights': 50 };

export const conventional: Section = {
  name: 'conventional',
  title: 'The dated search against a conventional Fastify route',
  seconds: { full: 90, quick: 30 },
  async run(context) {
    const city = await context.cityDatabase();
    const ours = await startOnCity(context, city);
    const requests = drawRequests(seedRandom(SEED), city, drawSearch, REQUEST_COUNT);
    const texts = requests.map(formatRequest);
    const stayport: Contestant = { name: 'stayport', port: ours.port, requests: texts, usage: ours.usage };
    const contestants = await startContestants(context, city, texts);
    const compared = context.options.isQuick ? COMPARED_QUICK : COMPARED;
    for (const { name, port } of contestants) {
      await assertSameAnswers(name, requests.slice(0, compared), ours.port, port);
    }
    const pace = context.options.isQuick ? PACE_QUICK : PACE;
    const [first, ...others] = await alternate(context.load, [stayport, ...contestants], pace);
    await ours.stop();
    for (const { name, answersPerSecond } of [first!, ...others]) {
      context.say(`  ${name}: ${answersPerSecond.toFixed(1)}/s`);
    }
    return {
      figures: [...rateFigures(first!), ...others.flatMap((other) => figuresOf(first!, other))],
      notes: [
        `Items and total were the same in all of ${compared} compared searches, for each of them.`,
        'A database server shares the core of the route that asks it.',
      ],
      details: [first, ...others],
    };
  },
};

async function startContestants(
  context: Context,
  city: CityDatabase,
  requests: readonly string[],
): Promise<Contestant[]> {
  const rows = rowsOf(city);
  const postgres = await startPostgres(context.folder);
  context.onEnd(() => postgres.stop());
  const nights = await postgres.createDatabase('nights');
  await loadPostgresNights(nights, rows);
  const ranges = await postgres.createDatabase('ranges');
  await loadPostgresRanges(ranges, rows);
  await postgres.pin();
  const path = join(context.folder, 'nights.db');
  loadSqliteNights(path, rows);
  context.say('  conventional databases loaded');
  const databases: readonly [Keeping, string][] = [
    ['postgres-nights', nights],
    ['postgres-ranges', ranges],
    ['sqlite-nights', path],
  ];
  return Promise.all(
    databases.map(async ([keeping, database]) => {
      const child = startChild({
        role: 'server',
        name: NAMES[keeping],
        args: [join(import.meta.dirname, '..', 'contestants', 'conventional', 'server-process.ts')],
      });
      context.onEnd(() => child.stop());
      const port = await child.ask<number>('serve', { keeping, database, tokens: city.tokens });
      const usage = keeping === 'sqlite-nights' ? { usage: () => child.ask<Usage>('usage') } : {};
      return { name: NAMES[keeping], port, requests, ...usage };
    }),
  );
}

/** A contestant that answers something else is not faster or slower, but wrong. */
async function assertSameAnswers(
  name: string,
  requests: readonly RequestParts[],
  ourPort: number,
  port: number,
): Promise<void> {
  const expected = await recordAnswers(ourPort, requests);
  const given = await recordAnswers(port, requests);
  for (const [index, request] of requests.entries()) {
    const [ours, theirs] = [expected[index]!, given[index]!].map(({ body }) =>
      JSON.stringify(JSON.parse(Buffer.from(body).toString('utf8'))),
    );
    if (ours !== theirs)
      throw new Error(`${name} differs on ${request.path}:\n${theirs}\ninstead of\n${ours}`);
  }
}

function rateFigures({ answersPerSecond, latencies }: Standing): Figure[] {
  return [
    { what: 'Stayport, any dated search', value: answersPerSecond, unit: 'requests/s' },
    { what: 'Stayport, p99 at full load', value: latencies.p99Ms, unit: 'ms' },
  ];
}

function figuresOf(ours: Standing, other: Standing): Figure[] {
  const keeping = (Object.keys(NAMES) as Keeping[]).find((key) => NAMES[key] === other.name)!;
  const bar = BARS[keeping];
  return [
    { what: other.name, value: other.answersPerSecond, unit: 'requests/s' },
    { what: `${other.name}, p99 at full load`, value: other.latencies.p99Ms, unit: 'ms' },
    {
      what: `Stayport against ${other.name}`,
      value: ratio(ours, other, (round) => round.answersPerSecond),
      unit: 'ratio',
      ...(bar === undefined ? {} : { bar: { is: 'at least', value: bar } as const }),
    },
  ];
}
