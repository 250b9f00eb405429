import { holdAccess } from '../held-access.ts';
import type { ServiceDeps } from '../service.ts';
import type { Settings } from '../settings.ts';
import { openStorage } from '../storage/open-storage.ts';

/** What only one process may do: the schema, and the first handoff key. */
export async function prepareDatabase(settings: Settings, deps: ServiceDeps): Promise<void> {
  const storage = await openStorage(settings.databaseUrl, { clock: deps.clock });
  try {
    const { version } = await storage.migrate();
    deps.logger.info({ version }, 'database schema is in place');
    await holdAccess(storage, settings.handoffKeys, deps);
  } finally {
    await storage.close();
  }
}
