/**
 * How near each operation comes to the limit of the wire: a bare `node:http` that writes the same answers.
 */
import { startBareHttp, type BareHttp } from '../contestants/bare-http.ts';
import type { RunningStayport } from '../contestants/stayport.ts';
import { startOnCity } from './city-service.ts';
import type { Context } from '../context.ts';
import type { CityDatabase } from '../catalogue/city-database.ts';
import { LOAD_BUSY_MAX } from '../load/load.ts';
import { formatRequest } from '../load/recorded-answer.ts';
import {
  MEASURED_OPERATIONS,
  type MeasuredOperation,
  type OperationName,
  recordWanted,
} from '../load/wanted-requests.ts';
import { alternate, type Pace, ratio, ratios, type Round, type Standing } from '../measure/alternate.ts';
import { median } from '../measure/statistics.ts';
import { findCommit, prepareRevision } from '../contestants/revision.ts';
import type { Figure, Section, SectionResult } from '../section.ts';

interface Wanted {
  readonly title: string;
  /** Rate against bare `node:http`. */
  readonly ratio: number;
}

const WANTED: Readonly<Record<OperationName, Wanted>> = {
  search: { title: 'dated search, 20 items', ratio: 0.6 },
  property: { title: 'one property', ratio: 0.6 },
  availability: { title: 'availability', ratio: 0.6 },
  quote: { title: 'quote', ratio: 0.1 },
  totals: { title: 'first page by total, 7 nights', ratio: 0.25 },
};

const PACE: Pace = { rounds: 5, warmUpSeconds: 0.3, seconds: 1.5, connections: 50 };
const PACE_QUICK: Pace = { rounds: 2, warmUpSeconds: 0.3, seconds: 0.7, connections: 50 };
/** Before the first round, for each contestant: the compiler takes its time. */
const COMPILE_SECONDS = 3;
const COMPILE_SECONDS_QUICK = 1.5;

export const wire: Section = {
  name: 'wire',
  title: 'Each operation against bare node:http that writes the same bytes',
  seconds: { full: 110, quick: 40 },
  async run(context) {
    if (context.options.against !== undefined) return runAgainst(context, context.options.against);
    const city = await context.cityDatabase();
    const ours = await startOnCity(context, city);
    const bare = await startBareHttp();
    context.onEnd(() => bare.stop());
    const figures: Figure[] = [
      { what: 'ready after start', value: ours.readySeconds, unit: 's', bar: { is: 'at most', value: 2 } },
    ];
    const notes: string[] = [];
    const standings: Record<string, readonly Standing[]> = {};
    for (const operation of MEASURED_OPERATIONS) {
      const wanted = WANTED[operation.name];
      const both = await duel(context, city, operation, { ours, bare });
      standings[operation.name] = both;
      figures.push(...figuresOf(wanted, both));
      notes.push(...notesOf(wanted, both));
      context.say(`  ${wanted.title}: ${formatStanding(both[0])}, bare ${formatStanding(both[1])}`);
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

/** Revisions up to 1.0.0-beta.2 price so many searches at once, and refuse more. */
const TOTALS_AT_ONCE = 4;
/** Enough for a median that one bad round does not move. */
const PACE_AGAINST: Pace = { ...PACE, rounds: 9 };

/** Both revisions in turn, each on a database of its own with the same city. */
async function runAgainst(context: Context, against: string): Promise<SectionResult> {
  const other = await prepareRevision(await findCommit(against), context);
  const city = await context.cityDatabase();
  const ours = await startOnCity(context, city);
  const theirs = await startOnCity(context, other.city, {}, other.start);
  const figures: Figure[] = [];
  for (const operation of MEASURED_OPERATIONS) {
    const contestants = await Promise.all(
      [
        { name: 'this revision', city, service: ours },
        { name: other.name, city: other.city, service: theirs },
      ].map(async ({ name, city: its, service: { port, usage } }) => {
        const { requests } = await recordWanted(its, operation, port);
        return { name, port, requests: requests.map(formatRequest), usage };
      }),
    );
    const connections = operation.name === 'totals' ? TOTALS_AT_ONCE : PACE.connections;
    const pace = { ...(context.options.isQuick ? PACE_QUICK : PACE_AGAINST), connections };
    await alternate(context.load, contestants, { ...pace, rounds: 1, seconds: COMPILE_SECONDS });
    const [first, second] = await alternate(context.load, contestants, pace);
    const { title } = WANTED[operation.name];
    for (const [how, of] of RATIOS) {
      const values = ratios(first!, second!, of).toSorted((one, next) => one - next);
      figures.push({ what: `${title}: ${how} against ${other.name}`, value: median(values), unit: 'ratio' });
      context.say(
        `  ${title}, ${how}: ${median(values).toFixed(3)} (${values[0]!.toFixed(3)} to ${values.at(-1)!.toFixed(3)})`,
      );
    }
  }
  await ours.stop();
  await theirs.stop();
  return { figures, notes: [describeCity(city)], details: undefined };
}

/** Above 1 is faster than the other revision. */
const RATIOS: readonly (readonly [string, (round: Round) => number | undefined])[] = [
  ['rate', (round) => round.answersPerSecond],
  ['processor time', ({ cpuMicrosPerAnswer }) => cpuMicrosPerAnswer && 1 / cpuMicrosPerAnswer],
];

async function duel(
  context: Context,
  city: CityDatabase,
  operation: MeasuredOperation,
  { ours, bare }: { readonly ours: RunningStayport; readonly bare: BareHttp },
): Promise<readonly [Standing, Standing]> {
  const { requests, answers } = await recordWanted(city, operation, ours.port);
  await bare.repeat(answers);
  const texts = requests.map(formatRequest);
  const contestants = [
    { name: 'stayport', port: ours.port, requests: texts, usage: ours.usage },
    { name: 'bare node:http', port: bare.port, requests: texts, usage: bare.usage },
  ];
  const { isQuick } = context.options;
  const pace = isQuick ? PACE_QUICK : PACE;
  const seconds = isQuick ? COMPILE_SECONDS_QUICK : COMPILE_SECONDS;
  await alternate(context.load, contestants, { ...pace, rounds: 1, seconds });
  const [first, second] = await alternate(context.load, contestants, pace);
  return [first!, second!];
}

function figuresOf({ title, ratio: bar }: Wanted, [ours, bare]: readonly [Standing, Standing]): Figure[] {
  const { p50Ms, p95Ms, p99Ms } = ours.latencies;
  return [
    {
      what: `${title}: rate against bare node:http`,
      value: ratio(ours, bare, (round) => round.answersPerSecond),
      unit: 'ratio',
      bar: { is: 'at least', value: bar },
    },
    {
      what: `${title}: the same by processor time`,
      value: 1 / ratio(ours, bare, (round) => round.cpuMicrosPerAnswer),
      unit: 'ratio',
    },
    { what: `${title}: rate`, value: ours.answersPerSecond, unit: 'requests/s' },
    { what: `${title}: rate of bare node:http`, value: bare.answersPerSecond, unit: 'requests/s' },
    { what: `${title}: p50 at full load`, value: p50Ms, unit: 'ms' },
    { what: `${title}: p95 at full load`, value: p95Ms, unit: 'ms' },
    { what: `${title}: p99 at full load`, value: p99Ms, unit: 'ms' },
  ];
}

function notesOf({ title }: Wanted, standings: readonly Standing[]): string[] {
  return standings
    .filter(({ loadBusy }) => loadBusy > LOAD_BUSY_MAX)
    .map((standing) => `${title}: the load generator was at its own limit against ${standing.name}.`);
}

function describeCity({ properties, origin, place, loadSeconds }: CityDatabase): string {
  const what = origin === 'published' ? `${place.city} as published` : `a city generated like ${place.city}`;
  return `Data: ${what}, ${properties.length} properties, loaded in ${loadSeconds.toFixed(1)} s.`;
}

function formatStanding(standing: Standing): string {
  const cpu = standing.cpuMicrosPerAnswer?.toFixed(1) ?? '?';
  return `${Math.round(standing.answersPerSecond)}/s (${cpu} us each)`;
}
