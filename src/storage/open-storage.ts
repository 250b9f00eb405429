/**
 * Opens the database that `DATABASE_URL` names.
 */
import type { Clock } from '../clock.ts';
import { openSqliteStorage } from './sqlite/open-sqlite-storage.ts';
import type { Storage } from './storage.ts';

/** The URL names no database that this program can open; the message says why, without the URL's secrets. */
export class DatabaseUrlInvalid extends Error {
  override readonly name = 'DatabaseUrlInvalid';
}

/**
 * `sqlite:<path>` opens a file (relative paths are relative to the working directory, the folder is created).
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

function parseSqlitePath(databaseUrl: string): string {
  const [scheme = '', ...rest] = databaseUrl.split(':');
  if (scheme === 'postgres' || scheme === 'postgresql') {
    throw new DatabaseUrlInvalid('PostgreSQL is not supported by this version; use sqlite:data/stayport.db');
  }
  const path = rest.join(':').replace(/^\/\/(?=\/)/, '');
  if (scheme !== 'sqlite' || path === '') {
    throw new DatabaseUrlInvalid('a database URL looks like sqlite:data/stayport.db');
  }
  return path;
}
