import { holdAccess } from '../service/held-access.ts';
import type { ServiceDeps } from '../service/parts.ts';
import type { Settings } from '../settings/settings.ts';
import { openStorage } from '../storage/open/open-storage.ts';

/** What only one thread may do: the schema, and the first handoff key. */
export async function prepareDatabase(settings: Settings, deps: ServiceDeps): Promise<void> {
  const { clock, logger } = deps;
  const onWarning = (message: string): void => logger.warn(message);
  const storage = await openStorage(settings.databaseUrl, { clock, onWarning });
  try {
    const { version } = await storage.migrate();
    logger.info({ version }, 'database schema is in place');
    await holdAccess(storage, settings, deps);
  } finally {
    await storage.close();
  }
}
