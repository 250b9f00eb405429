/**
 * A service that counts against itself while it does not, in turn: many short rounds, medians of the rounds' ratios.
 * Two processes of the same program differ by more than what counting costs. What a listener writes down for the
 * counting stays; what `activity.ts` does with it is switched off and on.
 */
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../src/runtime/clock.ts';
import { openStorage } from '../../src/storage/open.ts';
import type { CityDatabase } from '../catalogue/city-database.ts';
import type { RunningStayport } from '../contestants/stayport.ts';
import type { Context } from '../context.ts';
import { drawRequests, drawSearch } from '../load/city-requests.ts';
import type { LoadOrder, LoadReport } from '../load/load-orders.ts';
import { formatRequest } from '../load/recorded-answer.ts';
import { MEASURED_OPERATIONS, recordWanted } from '../load/wanted-requests.ts';
import type { Child } from '../machine/child.ts';
import {
  alternate,
  type Contestant as Asked,
  type Pace,
  ratios,
  type Standing,
} from '../measure/alternate.ts';
import { median, percentile } from '../measure/statistics.ts';
import { seedRandom } from '../measure/random.ts';
import type { Figure, Unit } from '../section.ts';
import { SEED } from '../seed.ts';
import { startOnCity } from './city-service.ts';
import { startSenders, targetOf } from './senders.ts';
import type { ChangesOrder, ChangesReport, SupplyTarget } from './supply-process.ts';

const PRELOAD = new URL('../contestants/switched-preload.ts', import.meta.url).href;
const CONNECTIONS = 50;
/** In each turn both are asked once; their number is even, so that each is the first one as often as the other. */
const FULL = { turns: 44, besideTurns: 10, besideSeconds: 2 };
const QUICK = { turns: 8, besideTurns: 2, besideSeconds: 2 };
const PERCENT_MAX = 1;
const WARM_UP_SECONDS = 0.3;
const ROUND_SECONDS = 0.7;
const SETTLE_SECONDS = 0.5;
const RATE = 1_000;
const BESIDE_REQUESTS = 5_000;
const ALL_DAYS = { from: 0, to: 100_000, rowsMax: 10_000 };

interface Counting {
  readonly service: RunningStayport;
  readonly databaseUrl: string;
  readonly target: SupplyTarget;
  readonly switch: (isOn: boolean) => Promise<void>;
}

export interface CountingReport {
  readonly figures: readonly Figure[];
  /** Processor time of the service for a dated search, counted. */
  readonly searchMicros: number;
  readonly details: unknown;
}

export async function measureCounting(context: Context): Promise<CountingReport> {
  const size = context.options.isQuick ? QUICK : FULL;
  const city = await context.cityDatabase();
  const counting = await start(context, city);
  const standings = await searchInTurn(context, city, counting, size.turns);
  const beside = await searchBesideChanges(context, city, counting, size);
  await counting.service.stop();
  const counted = [...standings[0]!.rounds, ...beside[0]!];
  await assertCounted(counting, sum(counted.map(({ answersInAll }) => answersInAll)), size);
  return {
    figures: [...searchFigures(standings), ...besideFigures(beside)],
    searchMicros: standings[0]!.cpuMicrosPerAnswer ?? Number.NaN,
    details: { standings, beside },
  };
}

/** On a copy of the city's database, because it writes there. */
async function start(context: Context, city: CityDatabase): Promise<Counting> {
  const path = join(context.folder, 'counted.db');
  await copyFile(city.databaseUrl.replace('sqlite:', ''), path);
  const databaseUrl = `sqlite:${path}`;
  const service = await startOnCity(context, { databaseUrl }, { preload: PRELOAD });
  return {
    service,
    databaseUrl,
    target: await targetOf(city, databaseUrl, service),
    switch: (isOn) => service.child.ask('switchCounting', isOn),
  };
}

async function searchInTurn(
  context: Context,
  city: CityDatabase,
  { service: { port, usage }, switch: switchCounting }: Counting,
  turns: number,
): Promise<readonly Standing[]> {
  const search = MEASURED_OPERATIONS.find(({ name }) => name === 'search')!;
  await switchCounting(false);
  const { requests } = await recordWanted(city, search, port);
  const warmUp: LoadOrder = {
    port,
    requests: requests.map(formatRequest),
    connections: CONNECTIONS,
    requestsPerSecond: 'asFastAsPossible',
    warmUpSeconds: 0,
    seconds: 4,
  };
  // For the compiler; not counted, as nothing outside of the turns is.
  await context.load.run(warmUp);
  const asked = [true, false].map((isOn): Asked => ({
    name: isOn ? 'counted' : 'not counted',
    port,
    usage,
    requests: warmUp.requests,
    prepare: () => switchCounting(isOn),
  }));
  const pace: Pace = {
    rounds: turns,
    warmUpSeconds: WARM_UP_SECONDS,
    seconds: ROUND_SECONDS,
    connections: CONNECTIONS,
  };
  return alternate(context.load, asked, pace);
}

/** Counted and not counted, one report a turn. */
async function searchBesideChanges(
  context: Context,
  city: CityDatabase,
  counting: Counting,
  { besideTurns, besideSeconds }: typeof FULL,
): Promise<readonly (readonly LoadReport[])[]> {
  const senders = startSenders(context);
  const requests = drawRequests(seedRandom(SEED), city, drawSearch, BESIDE_REQUESTS).map(formatRequest);
  const reports: LoadReport[][] = [[], []];
  // The first turn is for the compiler; nothing of it is counted.
  for (let turn = 0; turn <= besideTurns; turn++) {
    const inTurn = [...[true, false].entries()];
    // What the one before leaves behind meets both alike.
    if (turn % 2 === 1) inTurn.reverse();
    for (const [index, isOn] of inTurn) {
      await counting.switch(isOn && turn > 0);
      const changing = change(senders, counting.target, SETTLE_SECONDS + besideSeconds);
      const report = await context.load.run({
        port: counting.service.port,
        requests,
        connections: CONNECTIONS,
        requestsPerSecond: RATE,
        warmUpSeconds: SETTLE_SECONDS,
        seconds: besideSeconds,
      });
      await changing;
      if (report.refusals > 0) throw new Error(`${report.refusals} searches were refused`);
      if (turn > 0) reports[index]!.push(report);
    }
  }
  await senders.stop();
  return reports;
}

async function change(senders: Child, target: SupplyTarget, seconds: number): Promise<void> {
  const order: ChangesOrder = { ...target, changesPerSecond: RATE, seconds };
  const { refused } = await senders.ask<ChangesReport>('changes', order);
  if (refused > 0) throw new Error(`${refused} changes were refused`);
}

/** So that nobody compares a service with itself: all of the counted rounds are there, and none of the others. */
async function assertCounted(
  { databaseUrl }: Counting,
  answers: number,
  { turns, besideTurns }: typeof FULL,
): Promise<void> {
  const storage = await openStorage(databaseUrl, { clock: systemClock });
  const rows = await storage.readTraffic(ALL_DAYS);
  await storage.close();
  const counted = sum(rows.flatMap(({ durations }) => durations));
  // At the end of a round some are answered that nobody waits for any more.
  const most = answers + CONNECTIONS * (turns + besideTurns);
  if (counted < answers || counted > most) throw new Error(`${counted} answers were counted of ${answers}`);
}

function searchFigures([counted, uncounted]: readonly Standing[]): readonly Figure[] {
  const rates = ratios(counted!, uncounted!, ({ answersPerSecond }) => answersPerSecond);
  const cpus = ratios(counted!, uncounted!, ({ cpuMicrosPerAnswer }) => cpuMicrosPerAnswer);
  const what = 'dated search, counted against not counted';
  return [
    ...withSpread(
      `${what}: fewer answers a second`,
      rates.map((rate) => 100 * (1 - rate)),
      '%',
      PERCENT_MAX,
    ),
    ...withSpread(
      `${what}: more processor time`,
      cpus.map((cpu) => 100 * (cpu - 1)),
      '%',
      PERCENT_MAX,
    ),
  ];
}

/** Both of one run, and how much their turns differ. */
function besideFigures([counted, uncounted]: readonly (readonly LoadReport[])[]): readonly Figure[] {
  const p99 = (reports: readonly LoadReport[]): number[] => reports.map(({ latencies }) => latencies.p99Ms);
  const without = p99(uncounted!);
  const compared = p99(counted!).map((value, turn) => value / without[turn]!);
  const what = 'search p99 at 1,000/s beside 1,000 changes/s';
  return [
    ...withSpread(`${what}, counted`, p99(counted!), 'ms'),
    ...withSpread(`${what}, not counted`, without, 'ms'),
    ...withSpread(`${what}, the one to the other`, compared, 'ratio'),
  ];
}

/** The median of the turns, and the quartiles around it: what differs by less than these is noise. */
function withSpread(what: string, values: readonly number[], unit: Unit, max?: number): readonly Figure[] {
  const bar = max === undefined ? {} : { bar: { is: 'at most', value: max } as const };
  return [
    { what, value: median(values), unit, ...bar },
    { what: 'the same, lower quartile of the turns', value: percentile(values, 25), unit },
    { what: 'the same, upper quartile of the turns', value: percentile(values, 75), unit },
  ];
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
