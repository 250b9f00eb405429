/**
 * What it costs to keep what happened of each search: the counting alone, in a loop, and a service that counts against
 * itself while it does not. Two processes of the same program differ by more than counting costs, so one is switched
 * off and on, in many short rounds. What a listener writes down for the counting stays.
 */
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../src/runtime/clock.ts';
import { openStorage } from '../../src/storage/open.ts';
import type { Context } from '../context.ts';
import { formatRequest } from '../load/recorded-answer.ts';
import { MEASURED_OPERATIONS, recordWanted } from '../load/wanted-requests.ts';
import { startChild } from '../machine/child.ts';
import { alternate, type Contestant, type Pace, ratios, type Standing } from '../measure/alternate.ts';
import { median, percentile } from '../measure/statistics.ts';
import type { Figure, Section } from '../section.ts';
import type { CountNs } from './activity-process.ts';
import { startOnCity } from './city-service.ts';

const PRELOAD = new URL('../contestants/switched-preload.ts', import.meta.url).href;
const PERCENT_MAX = 1;
/** The number of rounds is even, so that each is the first one as often as the other. */
const PACE: Pace = { rounds: 44, warmUpSeconds: 0.3, seconds: 0.7, connections: 50 };
const ROUNDS_QUICK = 8;
/** Not counted, for the compiler. */
const COMPILE = { rounds: 1, seconds: 3 };
const ALL_DAYS = { from: 0, to: 100_000, rowsMax: 10_000 };

export const activity: Section = {
  name: 'activity',
  title: 'What is kept of each search',
  seconds: { full: 110, quick: 45 },
  async run(context) {
    const countNs = await countAlone(context);
    const [counted, uncounted] = await searchInTurn(context);
    const searchMicros = counted!.cpuMicrosPerAnswer ?? Number.NaN;
    const countMicros = countNs.median / 1000;
    return {
      figures: [
        { what: 'counting a dated search, processor time', value: countMicros, unit: 'us' },
        { what: 'a dated search of the service, processor time', value: searchMicros, unit: 'us' },
        {
          what: 'share of counting in a dated search',
          value: (100 * countMicros) / searchMicros,
          unit: '%',
          bar: { is: 'at most', value: PERCENT_MAX },
        },
        ...inTurnFigures(counted!, uncounted!),
      ],
      notes: ['Counting alone: five million calls in five turns of one process.'],
      details: { countNs, counted, uncounted },
    };
  },
};

async function countAlone(context: Context): Promise<CountNs> {
  const child = startChild({
    role: 'server',
    name: 'counting',
    args: [join(import.meta.dirname, 'activity-process.ts')],
  });
  context.onEnd(() => child.stop());
  const counted = await child.ask<CountNs>('count');
  await child.stop();
  return counted;
}

/** On a copy of the city's database, because it writes there. */
async function searchInTurn(context: Context): Promise<readonly Standing[]> {
  const city = await context.cityDatabase();
  const path = join(context.folder, 'counted.db');
  await copyFile(city.databaseUrl.replace('sqlite:', ''), path);
  const databaseUrl = `sqlite:${path}`;
  const service = await startOnCity(context, { databaseUrl }, { preload: PRELOAD });
  const { port, usage } = service;
  const switchCounting = (isOn: boolean): Promise<void> => service.child.ask('switchCounting', isOn);
  await switchCounting(false);
  const search = MEASURED_OPERATIONS.find(({ name }) => name === 'search')!;
  const requests = (await recordWanted(city, search, port)).requests.map(formatRequest);
  const uncounted = { name: 'not counted', port, usage, requests };
  await alternate(context.load, [uncounted], { ...PACE, ...COMPILE });
  const contestants = [true, false].map((isOn): Contestant => ({
    ...uncounted,
    name: isOn ? 'counted' : 'not counted',
    prepare: () => switchCounting(isOn),
  }));
  const rounds = context.options.isQuick ? ROUNDS_QUICK : PACE.rounds;
  const standings = await alternate(context.load, contestants, { ...PACE, rounds });
  await service.stop();
  await assertCounted(databaseUrl, standings[0]!);
  return standings;
}

/** So that nobody compares a service with itself: all of the counted rounds are there, and none of the others. */
async function assertCounted(databaseUrl: string, { rounds }: Standing): Promise<void> {
  const storage = await openStorage(databaseUrl, { clock: systemClock });
  const rows = await storage.readTraffic(ALL_DAYS);
  await storage.close();
  const counted = sum(rows.flatMap(({ durations }) => durations));
  const answers = sum(rounds.map(({ answersInAll }) => answersInAll));
  // At the end of a round some are answered that nobody waits for any more.
  const most = answers + PACE.connections * rounds.length;
  if (counted < answers || counted > most) throw new Error(`${counted} answers were counted of ${answers}`);
}

/** The median of the rounds, and the quartiles around it: what differs by less than these is noise. */
function inTurnFigures(counted: Standing, uncounted: Standing): Figure[] {
  const rates = ratios(uncounted, counted, ({ answersPerSecond }) => answersPerSecond);
  const cpus = ratios(counted, uncounted, ({ cpuMicrosPerAnswer }) => cpuMicrosPerAnswer);
  return [['fewer answers a second', rates] as const, ['more processor time', cpus] as const].flatMap(
    ([how, values]): Figure[] => {
      const percents = values.map((value) => 100 * (value - 1));
      const what = `dated search, counted against not counted: ${how}`;
      return [
        { what, value: median(percents), unit: '%', bar: { is: 'at most', value: PERCENT_MAX } },
        { what: 'the same, lower quartile of the turns', value: percentile(percents, 25), unit: '%' },
        { what: 'the same, upper quartile of the turns', value: percentile(percents, 75), unit: '%' },
      ];
    },
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
