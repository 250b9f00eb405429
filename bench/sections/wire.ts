/**
 * How near each operation comes to the limit of the wire: a bare `node:http` that writes the same answers.
 */
import { startBareHttp, type BareHttp } from '../contestants/bare-http.ts';
import { type RunningStayport, startStayport } from '../contestants/stayport.ts';
import type { Context } from '../context.ts';
import type { CityDatabase } from '../catalogue/city-database.ts';
import {
  type Draw,
  drawAvailability,
  drawProperty,
  drawQuote,
  drawRequests,
  drawSearch,
} from '../load/city-requests.ts';
import { LOAD_BUSY_MAX } from '../load/load.ts';
import {
  formatRequest,
  type RecordedAnswer,
  recordAnswers,
  type RequestParts,
} from '../load/recorded-answer.ts';
import { alternate, type Pace, ratio, type Standing } from '../measure/alternate.ts';
import { seedRandom } from '../measure/random.ts';
import type { Figure, Section } from '../section.ts';
import { SEED } from '../seed.ts';

const PAGE_ITEMS = 20;
const DRAWN_AT_ONCE = 500;
const DRAWS_MAX = 40;

interface Operation {
  readonly name: string;
  readonly draw: Draw;
  readonly isWanted: (answer: RecordedAnswer) => boolean;
  readonly requestCount: number;
  readonly bar: number;
}

const OPERATIONS: readonly Operation[] = [
  { name: 'dated search, 20 items', draw: drawSearch, isWanted: isFullPage, requestCount: 2000, bar: 0.6 },
  { name: 'one property', draw: drawProperty, isWanted: isSuccess, requestCount: 2000, bar: 0.6 },
  { name: 'availability', draw: drawAvailability, isWanted: isSuccess, requestCount: 2000, bar: 0.6 },
  { name: 'quote', draw: drawQuote, isWanted: isSuccess, requestCount: 1000, bar: 0.1 },
];

const PACE: Pace = { rounds: 5, warmUpSeconds: 0.7, seconds: 2, connections: 50 };
const PACE_QUICK: Pace = { rounds: 2, warmUpSeconds: 0.5, seconds: 1, connections: 50 };

export const wire: Section = {
  name: 'wire',
  title: 'Each operation against bare node:http that writes the same bytes',
  seconds: { full: 150, quick: 40 },
  async run(context) {
    const city = await context.cityDatabase();
    const ours = await startStayport({
      databaseUrl: city.databaseUrl,
      folder: context.folder,
      readyWithinSeconds: 30,
    });
    context.onEnd(() => ours.stop());
    const bare = await startBareHttp();
    context.onEnd(() => bare.stop());
    const figures: Figure[] = [
      { what: 'ready after start', value: ours.readySeconds, unit: 's', bar: { is: 'at most', value: 2 } },
    ];
    const notes: string[] = [];
    const standings: Record<string, readonly Standing[]> = {};
    for (const operation of OPERATIONS) {
      const both = await duel(context, city, operation, ours, bare);
      standings[operation.name] = both;
      figures.push(...figuresOf(operation, both));
      notes.push(...notesOf(operation, both));
      context.say(`  ${operation.name}: ${formatStanding(both[0])}, bare ${formatStanding(both[1])}`);
    }
    await ours.stop();
    await bare.stop();
    return {
      figures,
      notes: [describeCity(city), ...notes],
      details: { readySeconds: ours.readySeconds, standings },
    };
  },
};

async function duel(
  context: Context,
  city: CityDatabase,
  operation: Operation,
  ours: RunningStayport,
  bare: BareHttp,
): Promise<readonly [Standing, Standing]> {
  const { requests, answers } = await recordWanted(city, operation, ours.port);
  await bare.repeat(answers);
  const texts = requests.map(formatRequest);
  const contestants = [
    { name: 'stayport', port: ours.port, requests: texts, usage: ours.usage },
    { name: 'bare node:http', port: bare.port, requests: texts, usage: bare.usage },
  ];
  const pace = context.options.isQuick ? PACE_QUICK : PACE;
  // Once without counting: code that never ran is not what is measured.
  await alternate(context.load, contestants, { ...pace, rounds: 1 });
  const [first, second] = await alternate(context.load, contestants, pace);
  return [first!, second!];
}

/** Draws until there are enough requests whose answers are what the operation is about. */
async function recordWanted(city: CityDatabase, operation: Operation, port: number) {
  const random = seedRandom(SEED);
  const requests: RequestParts[] = [];
  const answers: RecordedAnswer[] = [];
  for (let draws = 0; draws < DRAWS_MAX && requests.length < operation.requestCount; draws++) {
    const drawn = drawRequests(random, city, operation.draw, DRAWN_AT_ONCE);
    for (const [index, answer] of (await recordAnswers(port, drawn)).entries()) {
      if (!operation.isWanted(answer)) continue;
      requests.push(drawn[index]!);
      answers.push(answer);
    }
  }
  if (requests.length === 0) throw new Error(`no wanted answer for ${operation.name}`);
  return { requests, answers };
}

function isSuccess({ status }: RecordedAnswer): boolean {
  return status === 200 || status === 201;
}

function isFullPage(answer: RecordedAnswer): boolean {
  if (!isSuccess(answer)) return false;
  const { items } = JSON.parse(Buffer.from(answer.body).toString('utf8')) as { items: readonly unknown[] };
  return items.length === PAGE_ITEMS;
}

function figuresOf({ name, bar }: Operation, [ours, bare]: readonly [Standing, Standing]): Figure[] {
  const { p50Ms, p95Ms, p99Ms } = ours.latencies;
  return [
    {
      what: `${name}: rate against bare node:http`,
      value: ratio(ours, bare, (round) => round.answersPerSecond),
      unit: 'ratio',
      bar: { is: 'at least', value: bar },
    },
    {
      what: `${name}: the same by processor time`,
      value: 1 / ratio(ours, bare, (round) => round.cpuMicrosPerAnswer),
      unit: 'ratio',
    },
    { what: `${name}: rate`, value: ours.answersPerSecond, unit: 'requests/s' },
    { what: `${name}: rate of bare node:http`, value: bare.answersPerSecond, unit: 'requests/s' },
    { what: `${name}: p50 at full load`, value: p50Ms, unit: 'ms' },
    { what: `${name}: p95 at full load`, value: p95Ms, unit: 'ms' },
    { what: `${name}: p99 at full load`, value: p99Ms, unit: 'ms' },
  ];
}

function notesOf({ name }: Operation, standings: readonly Standing[]): string[] {
  return standings
    .filter(({ loadBusy }) => loadBusy > LOAD_BUSY_MAX)
    .map((standing) => `${name}: the load generator was at its own limit against ${standing.name}.`);
}

function describeCity({ properties, origin, place, loadSeconds }: CityDatabase): string {
  const what = origin === 'published' ? `${place.city} as published` : `a city generated like ${place.city}`;
  return `Data: ${what}, ${properties.length} properties, loaded in ${loadSeconds.toFixed(1)} s.`;
}

function formatStanding(standing: Standing): string {
  const cpu = standing.cpuMicrosPerAnswer?.toFixed(1) ?? '?';
  return `${Math.round(standing.answersPerSecond)}/s (${cpu} us each)`;
}
