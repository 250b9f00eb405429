/** A conventional server in a process of its own. */
import type { AddressInfo } from 'node:net';
import { obeyOrders } from '../../machine/channel.ts';
import { DIAGNOSTICS } from '../../machine/diagnostics.ts';
import { openPostgresSearch } from './postgres-search.ts';
import { buildConventionalServer } from './route.ts';
import type { ConventionalSearch, Keeping } from './search.ts';
import { openSqliteSearch } from './sqlite-search.ts';

export interface ServeOrder {
  readonly keeping: Keeping;
  /** Connection string of PostgreSQL, or path of the SQLite file. */
  readonly database: string;
  readonly tokens: readonly string[];
}

obeyOrders({
  ...DIAGNOSTICS,
  /** Answers the port. */
  async serve({ keeping, database, tokens }: ServeOrder): Promise<number> {
    const app = buildConventionalServer(openSearch(keeping, database), tokens);
    await app.listen({ port: 0, host: '127.0.0.1' });
    return (app.server.address() as AddressInfo).port;
  },
});

function openSearch(keeping: Keeping, database: string): ConventionalSearch {
  return keeping === 'sqlite-nights' ? openSqliteSearch(database) : openPostgresSearch(database, keeping);
}
