/**
 * Two worker threads against one, on two cores, load not counted.
 *
 * With three cores and more, two workers have cores 0 and 1 and the load has the last one: their rate is what is asked
 * for. With two cores the load would take from them what they would use, and leave its data in their caches. There both
 * contestants get core 0, and the load has core 1, as everywhere else in this benchmark: what two workers and their
 * primary thread answer with the time of one core, twice, against what one answers. That has everything which a second
 * worker costs (counting in shared memory, another copy of the catalogue in the same caches, taking turns), and leaves
 * out what two cores cost each other at the memory.
 *
 * Requests come with the tokens of many credentials that have the default quota, and of few that have a high one.
 */
import type { CityDatabase } from '../catalogue/city-database.ts';
import type { RunningStayport } from '../contestants/stayport.ts';
import { startOnCity } from './city-service.ts';
import type { Context } from '../context.ts';
import { formatRequest } from '../load/recorded-answer.ts';
import { MEASURED_OPERATIONS, recordWanted } from '../load/wanted-requests.ts';
import { isLoadApart, isPinningPossible } from '../machine/pinning.ts';
import { median } from '../measure/statistics.ts';
import type { Figure, Section } from '../section.ts';

const CORES = 2;
const CONNECTIONS = 50;
const TIMES_MIN = 1.7;
const OPERATIONS: readonly Operation[] = [
  { name: 'search', title: 'dated search, 20 items', quota: 'default' },
  { name: 'property', title: 'one property', quota: 'default' },
  { name: 'property', title: 'one property, high quotas', quota: 'high' },
];
/** Warm-up for each worker: code is compiled in each of them, by the share of the requests that it gets. */
const PACE = { rounds: 7, seconds: 1.5, warmUpSeconds: 6 };
const PACE_QUICK = { rounds: 2, seconds: 1, warmUpSeconds: 2 };

interface Operation {
  readonly name: 'search' | 'property';
  readonly title: string;
  readonly quota: 'default' | 'high';
}

interface Contestant {
  readonly workers: 1 | 2;
  readonly service: RunningStayport;
}

interface Round {
  readonly answersPerSecond: number;
  /** Processor seconds per second. */
  readonly serviceCores: number;
  readonly cpuMicrosPerAnswer: number;
  /** On as many cores as it has processes. */
  readonly capacityPerSecond: number;
}

export const workers: Section = {
  name: 'workers',
  title: 'WORKERS=2 against WORKERS=1 on two cores, load not counted',
  seconds: { full: 140, quick: 45 },
  async run(context) {
    if (!isPinningPossible) throw new Error('this needs two cores and taskset');
    const city = await context.cityDatabase();
    const one: Contestant = { workers: 1, service: await start(context, city, 1) };
    const two: Contestant = { workers: 2, service: await start(context, city, 2) };
    const figures: Figure[] = [];
    const details: Record<string, unknown> = {};
    for (const operation of OPERATIONS) {
      const rounds = await duel(context, city, operation, [one, two]);
      figures.push(...figuresOf(operation, ...rounds));
      details[`${operation.name}, ${operation.quota} quota`] = { one: rounds[0], two: rounds[1] };
    }
    for (const { service } of [one, two]) await service.stop();
    return {
      figures,
      notes: [
        isLoadApart
          ? 'Two workers have cores 0 and 1, the load has the last one.'
          : 'There are two cores only: two workers and their primary thread share core 0 here, and their rate is counted twice.',
      ],
      details,
    };
  },
};

async function start(context: Context, city: CityDatabase, count: 1 | 2): Promise<RunningStayport> {
  const role = count === 2 && isLoadApart ? 'both' : 'server';
  return startOnCity(context, city, { workers: count, role });
}

/** In turn, after a round of each that is not counted. */
async function duel(
  context: Context,
  city: CityDatabase,
  { name, quota }: Operation,
  [one, two]: readonly [Contestant, Contestant],
): Promise<[Round[], Round[]]> {
  const operation = MEASURED_OPERATIONS.find((measured) => measured.name === name)!;
  const { requests } = await recordWanted(city, operation, one.service.port);
  const texts =
    quota === 'high'
      ? requests.map(formatRequest)
      : city.manyTokens.map((token, index) =>
          formatRequest({ ...requests[index % requests.length]!, token }),
        );
  const { rounds, seconds, warmUpSeconds } = context.options.isQuick ? PACE_QUICK : PACE;
  for (const contestant of [one, two])
    await runRound(context, contestant, texts, warmUpSeconds * contestant.workers);
  const ofOne: Round[] = [];
  const ofTwo: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    ofOne.push(await runRound(context, one, texts, seconds));
    ofTwo.push(await runRound(context, two, texts, seconds));
    context.say(`  ${name}, ${quota} quota: ${formatRound(ofOne[round]!)} | ${formatRound(ofTwo[round]!)}`);
  }
  return [ofOne, ofTwo];
}

async function runRound(
  { load }: Context,
  { workers: count, service }: Contestant,
  requests: readonly string[],
  seconds: number,
): Promise<Round> {
  const before = await service.usage();
  const { answersInAll, refusals } = await load.run({
    port: service.port,
    requests,
    connections: CONNECTIONS,
    warmUpSeconds: 0,
    seconds,
    requestsPerSecond: 'asFastAsPossible',
  });
  const after = await service.usage();
  if (refusals > 0) throw new Error(`WORKERS=${count} refused ${refusals} of ${answersInAll} requests`);
  const tookSeconds = after.uptimeSeconds - before.uptimeSeconds;
  const answersPerSecond = answersInAll / tookSeconds;
  const serviceSeconds = after.cpuSeconds - before.cpuSeconds;
  return {
    answersPerSecond,
    serviceCores: serviceSeconds / tookSeconds,
    cpuMicrosPerAnswer: (serviceSeconds * 1e6) / answersInAll,
    capacityPerSecond: count === 2 && !isLoadApart ? answersPerSecond * CORES : answersPerSecond,
  };
}

function figuresOf({ title }: Operation, one: readonly Round[], two: readonly Round[]): Figure[] {
  return [
    {
      what: `${title}: WORKERS=1`,
      value: median(one.map((round) => round.capacityPerSecond)),
      unit: 'requests/s',
    },
    {
      what: `${title}: WORKERS=2`,
      value: median(two.map((round) => round.capacityPerSecond)),
      unit: 'requests/s',
    },
    {
      what: `${title}: two against one`,
      value: median(two.map((round, index) => round.capacityPerSecond / one[index]!.capacityPerSecond)),
      unit: 'ratio',
      bar: { is: 'at least', value: TIMES_MIN },
    },
    {
      what: `${title}: the same by processor time`,
      value: median(
        two.map((round, index) => (CORES * one[index]!.cpuMicrosPerAnswer) / round.cpuMicrosPerAnswer),
      ),
      unit: 'ratio',
    },
  ];
}

function formatRound(round: Round): string {
  const { answersPerSecond, serviceCores, cpuMicrosPerAnswer, capacityPerSecond } = round;
  return (
    `${Math.round(answersPerSecond)}/s with ${serviceCores.toFixed(2)} cores, ` +
    `${cpuMicrosPerAnswer.toFixed(1)} us each, capacity ${Math.round(capacityPerSecond)}/s`
  );
}
