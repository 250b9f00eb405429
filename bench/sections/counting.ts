/**
 * The service that counts against the same service without, in turn: many short rounds, medians of the rounds' ratios.
 * What a listener writes down for the counting stays; `activity.ts` is what is left out.
 */
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../src/runtime/clock.ts';
import { openStorage } from '../../src/storage/open.ts';
import type { CityDatabase } from '../catalogue/city-database.ts';
import type { RunningStayport } from '../contestants/stayport.ts';
import type { Context } from '../context.ts';
import { drawRequests, drawSearch } from '../load/city-requests.ts';
import type { LoadReport } from '../load/load-orders.ts';
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

const UNCOUNTED = new URL('../contestants/uncounted-preload.ts', import.meta.url).href;
const CONNECTIONS = 50;
/** In each turn both are asked once. */
const FULL = { turns: 15, besideTurns: 5, besideSeconds: 2 };
const QUICK = { turns: 3, besideTurns: 1, besideSeconds: 2 };
const WARM_UP_SECONDS = 0.3;
const ROUND_SECONDS = 0.7;
const SETTLE_SECONDS = 0.5;
const RATE = 1_000;
const BESIDE_REQUESTS = 5_000;
const ALL_DAYS = { from: 0, to: 100_000, rowsMax: 10 };

interface Contestant {
  readonly name: string;
  readonly databaseUrl: string;
  readonly service: RunningStayport;
  readonly target: SupplyTarget;
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
  const counted = await startContestant(context, city, 'counted', {});
  const uncounted = await startContestant(context, city, 'uncounted', { preload: UNCOUNTED });
  const both = [counted, uncounted];
  const standings = await searchInTurn(context, city, both, size.turns);
  const beside = await searchBesideChanges(context, city, both, size);
  for (const { service } of both) await service.stop();
  await assertCounting(counted, true);
  await assertCounting(uncounted, false);
  return {
    figures: [...searchFigures(standings), ...besideFigures(beside)],
    searchMicros: standings[0]!.cpuMicrosPerAnswer ?? Number.NaN,
    details: { standings, beside },
  };
}

/** On a copy of the city's database: each writes its own. */
async function startContestant(
  context: Context,
  city: CityDatabase,
  name: string,
  options: { readonly preload?: string },
): Promise<Contestant> {
  const path = join(context.folder, `${name}.db`);
  await copyFile(city.databaseUrl.replace('sqlite:', ''), path);
  const databaseUrl = `sqlite:${path}`;
  const service = await startOnCity(context, { databaseUrl }, options);
  return { name, databaseUrl, service, target: await targetOf(city, databaseUrl, service) };
}

async function searchInTurn(
  context: Context,
  city: CityDatabase,
  both: readonly Contestant[],
  turns: number,
): Promise<readonly Standing[]> {
  const search = MEASURED_OPERATIONS.find(({ name }) => name === 'search')!;
  const asked: Asked[] = [];
  for (const { name, service } of both) {
    const { port, usage } = service;
    // The same requests of both: each is asked for them, so that both are equally warm.
    const { requests } = await recordWanted(city, search, port);
    asked.push({ name, port, usage, requests: requests.map(formatRequest) });
  }
  const pace: Pace = {
    ...{ rounds: turns, warmUpSeconds: WARM_UP_SECONDS, seconds: ROUND_SECONDS, connections: CONNECTIONS },
  };
  // The first turn is for the compiler.
  await alternate(context.load, asked, { ...pace, rounds: 1, seconds: 2 });
  return alternate(context.load, asked, pace);
}

/** Of each contestant, one report a turn. */
async function searchBesideChanges(
  context: Context,
  city: CityDatabase,
  both: readonly Contestant[],
  { besideTurns, besideSeconds }: typeof FULL,
): Promise<readonly (readonly LoadReport[])[]> {
  const senders = startSenders(context);
  const requests = drawRequests(seedRandom(SEED), city, drawSearch, BESIDE_REQUESTS).map(formatRequest);
  const reports: LoadReport[][] = both.map(() => []);
  // The first turn is for the compiler.
  for (let turn = 0; turn <= besideTurns; turn++) {
    for (const [index, contestant] of both.entries()) {
      const changing = change(senders, contestant, SETTLE_SECONDS + besideSeconds);
      const report = await context.load.run({
        ...{ port: contestant.service.port, requests, connections: CONNECTIONS, requestsPerSecond: RATE },
        ...{ warmUpSeconds: SETTLE_SECONDS, seconds: besideSeconds },
      });
      await changing;
      if (report.refusals > 0) throw new Error(`${contestant.name} refused ${report.refusals} searches`);
      if (turn > 0) reports[index]!.push(report);
    }
  }
  await senders.stop();
  return reports;
}

async function change(senders: Child, { name, target }: Contestant, seconds: number): Promise<void> {
  const order: ChangesOrder = { ...target, changesPerSecond: RATE, seconds };
  const { refused } = await senders.ask<ChangesReport>('changes', order);
  if (refused > 0) throw new Error(`${name} refused ${refused} changes`);
}

/** So that nobody compares a service with itself. */
async function assertCounting({ name, databaseUrl }: Contestant, isExpected: boolean): Promise<void> {
  const storage = await openStorage(databaseUrl, { clock: systemClock });
  const rows = await storage.readTraffic(ALL_DAYS);
  await storage.close();
  if (rows.length > 0 !== isExpected) throw new Error(`${name} has ${rows.length} rows of traffic`);
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
    ),
    ...withSpread(
      `${what}: more processor time`,
      cpus.map((cpu) => 100 * (cpu - 1)),
      '%',
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
function withSpread(what: string, values: readonly number[], unit: Unit): readonly Figure[] {
  return [
    { what, value: median(values), unit },
    { what: 'the same, lower quartile of the turns', value: percentile(values, 25), unit },
    { what: 'the same, upper quartile of the turns', value: percentile(values, 75), unit },
  ];
}
