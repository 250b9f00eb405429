/**
 * Opens the database that `DATABASE_URL` names.
 */
import type { Clock } from '../clock.ts';
import { openSqliteStorage } from './sqlite/open-sqlite-storage.ts';
import type { Storage } from './storage.ts';

/** The URL names no database that this program can open. The message says why and never repeats the URL. */
export class DatabaseUrlInvalid extends Error {
  override readonly name = 'DatabaseUrlInvalid';
}

/**
 * `sqlite:<path>` opens a file: relative paths are relative to the working directory; folder and file are created.
 * Resolves also when the schema is missing or older: `schemaState` tells, `migrate` mends.
 *
 * Rejects with `DatabaseUrlInvalid` or `StorageUnavailable`.
 */
export async function openStorage(
  databaseUrl: string,
  { clock }: { readonly clock: Clock },
): Promise<Storage> {
  return openSqliteStorage({ path: parseSqlitePath(databaseUrl), clock });
}

/** `sqlite:data/x.db`, `sqlite:/srv/x.db`, `sqlite:///srv/x.db`, `sqlite:C:\x.db`. */
function parseSqlitePath(databaseUrl: string): string {
  const colon = databaseUrl.indexOf(':');
  const scheme = databaseUrl.slice(0, Math.max(0, colon)).toLowerCase();
  if (scheme === 'postgres' || scheme === 'postgresql') {
    throw new DatabaseUrlInvalid(
      'this version has no PostgreSQL adapter; use, for example, sqlite:data/stayport.db',
    );
  }
  const path = databaseUrl.slice(colon + 1).replace(/^\/\/(?=\/)/, '');
  if (scheme !== 'sqlite' || path === '' || path.startsWith('//') || path.startsWith(':')) {
    throw new DatabaseUrlInvalid(
      'not sqlite: followed by the path of a file, for example sqlite:data/stayport.db',
    );
  }
  return path;
}
