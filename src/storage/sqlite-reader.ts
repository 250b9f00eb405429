/**
 * The connection that the main thread reads with. A read takes microseconds and waits for no writer; where SQLite
 * should find the file locked for readers too, the read is refused at once.
 */
import { prepareCatalogueQueries } from './catalogue/sqlite-queries.ts';
import { PropertyCache } from './catalogue/property-cache.ts';
import { openReader } from './engine/sqlite/connection.ts';
import { SQLITE_SCHEMA_VERSION } from './engine/sqlite/migrate.ts';
import { QUOTE_BY_ID } from './quotes/sqlite.ts';
import { openSession } from './engine/sqlite/session.ts';
import { prepareFreshnessQueries } from './supply/sqlite-freshness.ts';
import { prepareSupplyQueries } from './supply/sqlite-queries.ts';

/** Looking the file up takes longer than many a read; a follower asks no more often. */
export const FILE_CACHED_MS = 50;

export function openReaderSession(path: string) {
  return openSession({
    open: () => openReader(path),
    prepare: (database) => {
      const catalogue = prepareCatalogueQueries(database);
      return {
        ...catalogue,
        cache: new PropertyCache(catalogue),
        quote: database.prepare(QUOTE_BY_ID),
        supply: prepareSupplyQueries(database),
        freshness: prepareFreshnessQueries(database),
      };
    },
    schemaVersion: SQLITE_SCHEMA_VERSION,
    path,
    fileCachedMs: FILE_CACHED_MS,
  });
}
