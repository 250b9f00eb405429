/** The service on the generated catalogue, shared by the sections that need it large. */
import { type RunningStayport, startStayport } from '../contestants/stayport.ts';
import type { Context } from '../context.ts';
import type { WorldDatabase } from '../catalogue/world-database.ts';
import { makeWorld, type World } from '../catalogue/world.ts';

const READY_WITHIN_SECONDS = 240;

export interface WorldService {
  readonly database: WorldDatabase;
  readonly world: World;
  readonly service: RunningStayport;
}

const started = new WeakMap<Context, Promise<WorldService>>();

/** Started at the first call, ended with the context. */
export function worldService(context: Context): Promise<WorldService> {
  let service = started.get(context);
  if (service === undefined) {
    service = start(context);
    started.set(context, service);
  }
  return service;
}

async function start(context: Context): Promise<WorldService> {
  const database = await context.worldDatabase();
  const service = await startOnWorld(context, database);
  return { database, world: makeWorld(database.today, database.cities), service };
}

/** One for each call; it starts from the file that the one before has saved at its stop. */
export async function startOnWorld(
  context: Context,
  { databaseUrl }: Pick<WorldDatabase, 'databaseUrl'>,
  { workers = 1, readyWithinSeconds = READY_WITHIN_SECONDS } = {},
): Promise<RunningStayport> {
  const service = await startStayport({
    databaseUrl,
    folder: context.folder,
    readyWithinSeconds,
    workers,
    environment: { CATALOGUE_FILE: catalogueFileOf({ databaseUrl }) },
  });
  context.onEnd(() => service.stop());
  return service;
}

export function catalogueFileOf({ databaseUrl }: Pick<WorldDatabase, 'databaseUrl'>): string {
  return `${databaseUrl.replace('sqlite:', '')}.cache`;
}
