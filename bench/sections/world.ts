/** Catalogues of one and of three million properties, and the line through both to ten million. */
import { access, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { prepareWorldDatabase, type WorldDatabase } from '../catalogue/world-database.ts';
import { makeWorld } from '../catalogue/world.ts';
import type { Context } from '../context.ts';
import type { RunningStayport } from '../contestants/stayport.ts';
import type { LoadReport } from '../load/load-orders.ts';
import { drawWorldSearches } from '../load/world-requests.ts';
import { startChild } from '../machine/child.ts';
import { percentile } from '../measure/statistics.ts';
import type { Figure, Section, Unit } from '../section.ts';
import type { FreshnessOrder, FreshnessReport } from './freshness-process.ts';
import { catalogueFileOf, startOnWorld } from './world-service.ts';

const SIZES = [1_000_000, 3_000_000] as const;
const SIZES_QUICK = [20_000, 60_000] as const;
/** Where the line is drawn to, in times of the smaller size. */
const TIMES_DRAWN = 10;
const PROPERTIES_PER_CITY = 200;
const SEARCHES_PER_SECOND = 500;
const CHANGES_PER_SECOND = 200;
const REQUEST_COUNT = 20_000;
const READY_WITHIN_SECONDS = 1_800;

interface Measure {
  readonly what: string;
  readonly unit: Unit;
  readonly value: number;
}

export const world: Section = {
  name: 'world',
  title: 'One and three million properties, and the line to ten million',
  seconds: { full: 900, quick: 90 },
  isOnDemand: true,
  async run(context) {
    const sizes = context.options.isQuick ? SIZES_QUICK : SIZES;
    const measured: Measure[][] = [];
    for (const size of sizes) measured.push(await measure(context, size));
    const [small, large] = measured as [Measure[], Measure[]];
    const drawn = TIMES_DRAWN * sizes[0];
    return {
      figures: small.flatMap((one, index) => figuresOf(one, large[index]!, [...sizes, drawn])),
      notes: [
        `The line to ${drawn.toLocaleString('en')} goes through both sizes; nothing was measured there.`,
        'Ready from the file is missing where the file was not whole when the service had to be gone.',
      ],
      details: measured,
    };
  },
};

function figuresOf({ what, unit, value }: Measure, other: Measure, sizes: readonly number[]): Figure[] {
  const [small, large, drawn] = sizes as [number, number, number];
  const slope = (other.value - value) / (large - small);
  return [value, other.value, value + slope * (drawn - small)].map((of, index) => ({
    what: `${what}, ${sizes[index]!.toLocaleString('en')} properties${index === 2 ? ' by the line' : ''}`,
    value: of,
    unit,
  }));
}

async function measure(context: Context, properties: number): Promise<Measure[]> {
  const size = { properties, cities: properties / PROPERTIES_PER_CITY };
  const database = await prepareWorldDatabase(context, { name: `world-${properties}`, size });
  const start = () => startOnWorld(context, database, { readyWithinSeconds: READY_WITHIN_SECONDS });
  const service = await start();
  context.say(`  ready in ${service.readySeconds.toFixed(1)} s`);
  const { residentBytes } = await service.usage();
  const { searched, changed } = await ask(context, database, service);
  const stoppedAtMs = performance.now();
  await service.stop();
  const stopSeconds = (performance.now() - stoppedAtMs) / 1000;
  const isSaved = await access(catalogueFileOf(database)).then(
    () => true,
    () => false,
  );
  context.say(`  stopped in ${stopSeconds.toFixed(1)} s, ${isSaved ? 'saved' : 'not saved'}`);
  const again = isSaved ? await start() : undefined;
  const readyFromFile = again?.readySeconds ?? Number.NaN;
  const residentFromFile = (await again?.usage())?.residentBytes ?? Number.NaN;
  await again?.stop();
  await removeFiles(database);
  const visible = (percent: number): number => percentile(changed.visibleAfterMs, percent);
  return [
    { what: 'database file', unit: 'GiB', value: database.fileBytes / 2 ** 30 },
    { what: 'ready from the database', unit: 's', value: service.readySeconds },
    { what: 'ready from the file', unit: 's', value: readyFromFile },
    { what: 'saved and stopped', unit: 's', value: stopSeconds },
    { what: 'resident when ready, from the database', unit: 'GiB', value: residentBytes / 2 ** 30 },
    { what: 'resident when ready, from the file', unit: 'GiB', value: residentFromFile / 2 ** 30 },
    { what: 'search p50', unit: 'ms', value: searched.latencies.p50Ms },
    { what: 'search p99', unit: 'ms', value: searched.latencies.p99Ms },
    { what: 'change to visible, p50', unit: 'ms', value: visible(50) },
    { what: 'change to visible, p99', unit: 'ms', value: visible(99) },
  ];
}

/** Searches alone, then changes alone: what each takes by itself. */
async function ask(
  context: Context,
  database: WorldDatabase,
  { port }: RunningStayport,
): Promise<{ readonly searched: LoadReport; readonly changed: FreshnessReport }> {
  const seconds = context.options.isQuick ? 5 : 20;
  const { databaseUrl, today, cities, properties, tokens } = database;
  const searched = await context.load.run({
    port,
    requests: drawWorldSearches(makeWorld(today, cities), database, REQUEST_COUNT),
    connections: 50,
    warmUpSeconds: 3,
    seconds,
    requestsPerSecond: SEARCHES_PER_SECOND,
  });
  const changes = startChild({
    role: 'load',
    name: 'changes',
    args: [join(import.meta.dirname, 'freshness-process.ts')],
  });
  const order: FreshnessOrder = {
    databaseUrl,
    today,
    cities,
    properties,
    seconds,
    port,
    token: tokens[0]!,
    changesPerSecond: CHANGES_PER_SECOND,
  };
  const changed = await changes.ask<FreshnessReport>('run', order);
  await changes.stop();
  return { searched, changed };
}

/** Some gigabytes, before the next size needs its own. */
async function removeFiles(database: WorldDatabase): Promise<void> {
  const path = database.databaseUrl.replace('sqlite:', '');
  for (const file of [path, `${path}-wal`, `${path}-shm`, catalogueFileOf(database)])
    await rm(file, { force: true });
}
