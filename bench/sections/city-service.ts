/** The service on the city's database, or on a copy of it. */
import type { CityDatabase } from '../catalogue/city-database.ts';
import { type RunningStayport, startStayport, type StayportOptions } from '../contestants/stayport.ts';
import type { Context } from '../context.ts';

const READY_WITHIN_SECONDS = 30;

/** One for each call; ended with the context unless before. */
export async function startOnCity(
  context: Context,
  { databaseUrl }: Pick<CityDatabase, 'databaseUrl'>,
  options: Pick<StayportOptions, 'workers' | 'role' | 'preload' | 'environment'> = {},
  start = startStayport,
): Promise<RunningStayport> {
  const { folder } = context;
  const service = await start({
    ...options,
    databaseUrl,
    folder,
    readyWithinSeconds: READY_WITHIN_SECONDS,
  });
  context.onEnd(() => service.stop());
  return service;
}
