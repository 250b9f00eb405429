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
import type { Context } from '../context.ts';
import { formatRequest } from '../load/recorded-answer.ts';
import { MEASURED_OPERATIONS, recordWanted } from '../load/wanted-requests.ts';
import { isLoadApart, isPinningPossible } from '../machine/pinning.ts';
import { alternate, type Pace, ratio, type Standing } from '../measure/alternate.ts';
import type { Figure, Section } from '../section.ts';
import { startOnCity } from './city-service.ts';

const CORES = 2;
const TIMES_MIN = 1.7;
const OPERATIONS = [
  { name: 'search', title: 'dated search, 20 items', quota: 'default' },
  { name: 'property', title: 'one property', quota: 'default' },
  { name: 'property', title: 'one property, high quotas', quota: 'high' },
] as const;
/** Once before the rounds: code is compiled in each worker, by the share of the requests that it gets. */
const FULL = { compileSeconds: 12, pace: { rounds: 7, seconds: 1.5, warmUpSeconds: 0.3, connections: 50 } };
const QUICK = { compileSeconds: 4, pace: { rounds: 2, seconds: 1, warmUpSeconds: 0.3, connections: 50 } };

type Operation = (typeof OPERATIONS)[number];

export const workers: Section = {
  name: 'workers',
  title: 'WORKERS=2 against WORKERS=1 on two cores, load not counted',
  seconds: { full: 160, quick: 55 },
  async run(context) {
    if (!isPinningPossible) throw new Error('this needs two cores and taskset');
    const city = await context.cityDatabase();
    const one = await startOnCity(context, city);
    const two = await startOnCity(context, city, { workers: 2, role: isLoadApart ? 'both' : 'server' });
    const figures: Figure[] = [];
    const details: Record<string, unknown> = {};
    for (const operation of OPERATIONS) {
      const standings = await duel(context, city, operation, { one, two });
      figures.push(...figuresOf(operation, ...standings));
      details[operation.title] = standings;
    }
    for (const service of [one, two]) await service.stop();
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

/** In turn, after a round of each that is not counted. */
async function duel(
  context: Context,
  city: CityDatabase,
  operation: Operation,
  { one, two }: { readonly one: RunningStayport; readonly two: RunningStayport },
): Promise<readonly [Standing, Standing]> {
  const requests = await drawOf(city, operation, one.port);
  const contestants = [
    { name: 'WORKERS=1', port: one.port, usage: one.usage, requests },
    { name: 'WORKERS=2', port: two.port, usage: two.usage, requests },
  ];
  const { pace, compileSeconds } = context.options.isQuick ? QUICK : FULL;
  const compiling: Pace = { ...pace, rounds: 1, seconds: compileSeconds };
  await alternate(context.load, contestants, compiling);
  const [ofOne, ofTwo] = await alternate(context.load, contestants, pace);
  return [ofOne!, ofTwo!];
}

async function drawOf(city: CityDatabase, { name, quota }: Operation, port: number): Promise<string[]> {
  const operation = MEASURED_OPERATIONS.find((measured) => measured.name === name)!;
  const { requests } = await recordWanted(city, operation, port);
  if (quota === 'high') return requests.map(formatRequest);
  return city.manyTokens.map((token, index) =>
    formatRequest({ ...requests[index % requests.length]!, token }),
  );
}

function figuresOf({ title }: Operation, one: Standing, two: Standing): Figure[] {
  const cores = isLoadApart ? 1 : CORES;
  return [
    { what: `${title}: WORKERS=1`, value: one.answersPerSecond, unit: 'requests/s' },
    { what: `${title}: WORKERS=2`, value: cores * two.answersPerSecond, unit: 'requests/s' },
    {
      what: `${title}: two against one`,
      value: cores * ratio(two, one, (round) => round.answersPerSecond),
      unit: 'ratio',
      bar: { is: 'at least', value: TIMES_MIN },
    },
    {
      what: `${title}: the same by processor time`,
      value: CORES / ratio(two, one, (round) => round.cpuMicrosPerAnswer),
      unit: 'ratio',
    },
  ];
}
