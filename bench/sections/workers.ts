/**
 * Two processes against one, on two cores, load not counted.
 *
 * One process has core 0 for itself and the load has core 1: what comes out is what one core can answer, R1. Two
 * processes have both cores, and so has the load, which takes from them what they would use: when it took `l` of the
 * two cores for R answers a second, the processes had 2 - l, and with both cores they would have answered R x 2 / (2 - l).
 *
 * `l` is all processor time of the load, also that in which it looked for answers in vain: the processes did not have it.
 *
 * Example: 40,000/s while the load took half a core were answered with 1.5 cores; two are worth 53,300/s. Time in
 * which a core did nothing counts against the two processes, because nothing says who could have used it. Their
 * primary process, which counts requests for both, has no core of its own and is paid from the same two.
 */
import type { CityDatabase } from '../catalogue/city-database.ts';
import { startStayport, type RunningStayport } from '../contestants/stayport.ts';
import type { Context } from '../context.ts';
import { type Load, startLoad } from '../load/load.ts';
import { formatRequest } from '../load/recorded-answer.ts';
import { MEASURED_OPERATIONS, recordWanted } from '../load/wanted-requests.ts';
import { isPinningPossible } from '../machine/pinning.ts';
import { median } from '../measure/statistics.ts';
import type { Figure, Section } from '../section.ts';

const CORES = 2;
const CONNECTIONS = 50;
const TIMES_MIN = 1.7;
const OPERATIONS: readonly Operation[] = [
  { name: 'search', title: 'dated search, 20 items' },
  { name: 'property', title: 'one property' },
];
/** Warm-up for each process: code is compiled in each of them, by the share of the requests that it gets. */
const PACE = { rounds: 5, seconds: 1.5, warmUpSeconds: 3 };
const PACE_QUICK = { rounds: 2, seconds: 1, warmUpSeconds: 2 };
const READY_WITHIN_SECONDS = 30;

interface Operation {
  readonly name: 'search' | 'property';
  readonly title: string;
}

/** A service with the load that asks it. */
interface Contestant {
  readonly workers: 1 | 2;
  readonly service: RunningStayport;
  readonly load: Load;
}

interface Round {
  readonly answersPerSecond: number;
  /** Processor seconds per second. */
  readonly loadCores: number;
  readonly serviceCores: number;
  readonly cpuMicrosPerAnswer: number;
  /** What it would answer if the load were on another machine. */
  readonly capacityPerSecond: number;
}

export const workers: Section = {
  name: 'workers',
  title: 'WORKERS=2 against WORKERS=1 on two cores, load not counted',
  seconds: { full: 55, quick: 30 },
  async run(context) {
    if (!isPinningPossible) throw new Error('this needs two cores and taskset');
    const city = await context.cityDatabase();
    const one: Contestant = { workers: 1, service: await start(context, city, 1), load: context.load };
    const load = startLoad('both');
    context.onEnd(() => load.stop());
    const two: Contestant = { workers: 2, service: await start(context, city, 2), load };
    const figures: Figure[] = [];
    const details: Record<string, unknown> = {};
    for (const operation of OPERATIONS) {
      const rounds = await duel(context, city, operation, one, two);
      figures.push(...figuresOf(operation, ...rounds));
      details[operation.name] = { one: rounds[0], two: rounds[1] };
    }
    for (const ended of [one.service, two.service, load]) await ended.stop();
    return {
      figures,
      notes: [
        'One process is measured on a core of its own, with the load on the other one. Two processes share both cores with the load; ' +
          'their rate is that under load x 2 / (2 - cores that the load took). Their primary process is paid from the same two cores.',
      ],
      details,
    };
  },
};

async function start(context: Context, city: CityDatabase, count: 1 | 2): Promise<RunningStayport> {
  const service = await startStayport({
    databaseUrl: city.databaseUrl,
    folder: context.folder,
    readyWithinSeconds: READY_WITHIN_SECONDS,
    workers: count,
    role: count === 1 ? 'server' : 'both',
  });
  context.onEnd(() => service.stop());
  return service;
}

/** In turn, after a round of each that is not counted. */
async function duel(
  context: Context,
  city: CityDatabase,
  { name }: Operation,
  one: Contestant,
  two: Contestant,
): Promise<[Round[], Round[]]> {
  const operation = MEASURED_OPERATIONS.find((measured) => measured.name === name)!;
  const { requests } = await recordWanted(city, operation, one.service.port);
  const texts = requests.map(formatRequest);
  const { rounds, seconds, warmUpSeconds } = context.options.isQuick ? PACE_QUICK : PACE;
  for (const contestant of [one, two]) await runRound(contestant, texts, warmUpSeconds * contestant.workers);
  const ofOne: Round[] = [];
  const ofTwo: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    ofOne.push(await runRound(one, texts, seconds));
    ofTwo.push(await runRound(two, texts, seconds));
    context.say(`  ${name}: ${formatRound(ofOne[round]!)} | ${formatRound(ofTwo[round]!)}`);
  }
  return [ofOne, ofTwo];
}

async function runRound(
  { workers: count, service, load }: Contestant,
  requests: readonly string[],
  seconds: number,
): Promise<Round> {
  const [serviceBefore, loadBefore] = [await service.usage(), await load.usage()];
  const { answersInAll, refusals } = await load.run({
    port: service.port,
    requests,
    connections: CONNECTIONS,
    warmUpSeconds: 0,
    seconds,
    requestsPerSecond: 'asFastAsPossible',
  });
  const [loadAfter, serviceAfter] = [await load.usage(), await service.usage()];
  if (refusals > 0) throw new Error(`WORKERS=${count} refused ${refusals} of ${answersInAll} requests`);
  const tookSeconds = loadAfter.uptimeSeconds - loadBefore.uptimeSeconds;
  const answersPerSecond = answersInAll / tookSeconds;
  const loadCores = (loadAfter.cpuSeconds - loadBefore.cpuSeconds) / tookSeconds;
  const serviceSeconds = serviceAfter.cpuSeconds - serviceBefore.cpuSeconds;
  return {
    answersPerSecond,
    loadCores,
    serviceCores: serviceSeconds / tookSeconds,
    cpuMicrosPerAnswer: (serviceSeconds * 1e6) / answersInAll,
    capacityPerSecond: count === 1 ? answersPerSecond : (answersPerSecond * CORES) / (CORES - loadCores),
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
      what: `${title}: WORKERS=2, load not counted`,
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
  const { answersPerSecond, loadCores, serviceCores, cpuMicrosPerAnswer, capacityPerSecond } = round;
  return (
    `${Math.round(answersPerSecond)}/s, load ${loadCores.toFixed(2)}, service ${serviceCores.toFixed(2)} cores, ` +
    `${cpuMicrosPerAnswer.toFixed(1)} us each, capacity ${Math.round(capacityPerSecond)}/s`
  );
}
