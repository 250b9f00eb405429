/**
 * Starts of the service on a large catalogue: from the database with one worker, then from the file with several and
 * with one. Each stop saves the file that the next start goes on from.
 */
import { prepareWorldDatabase, type WorldDatabase } from '../catalogue/world-database.ts';
import type { Context } from '../context.ts';
import type { Figure } from '../section.ts';
import { startOnWorld } from './world-service.ts';

const WORKER_COUNTS = [2, 4] as const;
const MEMORY_GIB_MAX = 2.6;
/** What more workers cost where the catalogue is small beside them. */
const SMALLER = {
  full: { properties: 200_000, cities: 1000 },
  quick: { properties: 6_000, cities: 100 },
  timesMax: 1.3,
};

interface Start {
  readonly readySeconds: number;
  readonly residentBytes: number;
}

interface Starts {
  readonly fromDatabase: Start;
  /** From the file, in the order of `WORKER_COUNTS`. */
  readonly ofSeveral: readonly Start[];
}

/** What they save is there when it resolves: the next start of one worker goes on from it. */
export async function measureStarts(context: Context, database: WorldDatabase): Promise<Starts> {
  const fromDatabase = await startOnce(context, database, 1);
  const ofSeveral: Start[] = [];
  for (const workers of WORKER_COUNTS) ofSeveral.push(await startOnce(context, database, workers));
  return { fromDatabase, ofSeveral };
}

async function startOnce(context: Context, database: WorldDatabase, workers: number): Promise<Start> {
  const service = await startOnWorld(context, database, { workers });
  const { readySeconds } = service;
  const { residentBytes } = await service.usage();
  await service.stop();
  context.say(
    `  ${workers} workers: ready in ${readySeconds.toFixed(1)} s, ${(residentBytes / 2 ** 30).toFixed(2)} GiB`,
  );
  return { readySeconds, residentBytes };
}

/** Four workers against one, on a smaller catalogue. */
export async function measureSmaller(context: Context): Promise<Figure> {
  const size = context.options.isQuick ? SMALLER.quick : SMALLER.full;
  const database = await prepareWorldDatabase(context, { name: 'smaller', size });
  // The first one saves the file that both others start from.
  await startOnce(context, database, 1);
  const four = await startOnce(context, database, 4);
  const one = await startOnce(context, database, 1);
  return {
    what: `with ${size.properties.toLocaleString('en-GB')} properties: memory with 4 workers against one`,
    value: four.residentBytes / one.residentBytes,
    unit: 'ratio',
    bar: { is: 'at most', value: SMALLER.timesMax },
  };
}

/** `ofOne` started from the file. */
export function startFigures({ fromDatabase, ofSeveral }: Starts, ofOne: Start): Figure[] {
  return [
    {
      what: 'ready after start',
      value: fromDatabase.readySeconds,
      unit: 's',
      bar: { is: 'at most', value: 60 },
    },
    { what: 'ready after start from the file', value: ofOne.readySeconds, unit: 's' },
    {
      what: 'resident memory when ready',
      value: fromDatabase.residentBytes / 2 ** 30,
      unit: 'GiB',
      bar: { is: 'at most', value: MEMORY_GIB_MAX },
    },
    { what: 'resident memory when ready from the file', value: ofOne.residentBytes / 2 ** 30, unit: 'GiB' },
    ...ofSeveral.map(({ residentBytes }, index): Figure => ({
      what: `the same with ${WORKER_COUNTS[index]} workers against one`,
      value: residentBytes / ofOne.residentBytes,
      unit: 'ratio',
      ...(WORKER_COUNTS[index] === 4 ? { bar: { is: 'at most', value: 1.2 } } : {}),
    })),
  ];
}
