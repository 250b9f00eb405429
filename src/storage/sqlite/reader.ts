/**
 * The connection that the main thread reads with. A read takes microseconds and waits for no writer; where SQLite
 * should find the file locked for readers too, the read is refused at once.
 */
import { ACCESS_MARK } from '../access-mark.ts';
import { prepareCatalogueQueries } from './catalogue-queries.ts';
import { KeptProperties } from './kept-properties.ts';
import { openReader } from './connection.ts';
import { SQLITE_SCHEMA_VERSION } from './migrate.ts';
import { QUOTE_BY_ID } from './quote-queries.ts';
import { makeSession } from './session.ts';
import { prepareFeedQueries } from './supply/feeds.ts';

import { prepareFreshnessQueries } from './supply/freshness-queries.ts';
import { prepareSupplyQueries } from './supply-queries.ts';

export type ReaderSession = ReturnType<typeof makeReaderSession>;

export function makeReaderSession(path: string) {
  return makeSession({
    open: () => openReader(path),
    prepare: (database) => {
      const catalogue = prepareCatalogueQueries(database);
      return {
        ...catalogue,
        kept: new KeptProperties(catalogue),
        quote: database.prepare(QUOTE_BY_ID),
        accessMark: database.prepare(ACCESS_MARK),
        supply: prepareSupplyQueries(database),
        feeds: prepareFeedQueries(database),

        freshness: prepareFreshnessQueries(database),
      };
    },
    schemaVersion: SQLITE_SCHEMA_VERSION,
  });
}
