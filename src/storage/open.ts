/**
 * Opens the database that `DATABASE_URL` names.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Clock } from '../runtime/clock.ts';
import type { PostgresTarget } from './engine/postgres/postgres-url.ts';
import type { DatabaseInspection } from './inspection/inspection.ts';
import { holdNewFields } from './new-fields.ts';
import { openSqliteStorage, type SqliteOptions } from './open-sqlite.ts';
import type { Storage } from './storage.ts';
import type { TableAccess } from './copy/tables.ts';

/** This program cannot open the database that the URL names. The message says why and never repeats the URL. */
export class DatabaseUrlInvalid extends Error {
  override readonly name = 'DatabaseUrlInvalid';
}

/** PostgreSQL only needs the clock. */
export type OpenOptions = Omit<SqliteOptions, 'path' | 'pageCountMax'>;

/**
 * `sqlite:<path>` opens a file: relative paths are relative to the working directory; folder and file are created.
 * `postgres://USER:PASSWORD@HOST:PORT/DATABASE` (or `postgresql:`) connects to a server, with `?sslmode=...`.
 * Resolves also when the schema is missing or older: `schemaState` reports it, `migrate` fixes it.
 *
 * Rejects with `DatabaseUrlInvalid` or `StorageUnavailable`.
 */
export async function openStorage(databaseUrl: string, options: OpenOptions): Promise<Storage> {
  return holdNewFields(await openAdapter(databaseUrl, options), options.clock);
}

async function openAdapter(databaseUrl: string, options: OpenOptions): Promise<Storage> {
  if (!isPostgresUrl(databaseUrl)) {
    return openSqliteStorage({ ...options, path: parseSqlitePath(databaseUrl) });
  }
  const target = await parsePostgresTarget(databaseUrl);
  // Loaded when needed: the driver costs every short command of a SQLite database some start time.
  const { openPostgresStorage } = await import('./open-postgres.ts');
  return openPostgresStorage({ databaseUrl, target, clock: options.clock });
}

/** Describes the database and its contents; creates and changes nothing. Rejects as `openStorage` does. */
export async function inspectDatabase(databaseUrl: string, clock: Clock): Promise<DatabaseInspection> {
  if (!isPostgresUrl(databaseUrl)) {
    const { inspectSqlite } = await import('./inspection/sqlite.ts');
    return inspectSqlite(resolve(parseSqlitePath(databaseUrl)), clock());
  }
  const target = await parsePostgresTarget(databaseUrl);
  const { inspectPostgres } = await import('./inspection/postgres.ts');
  return inspectPostgres(target, clock);
}

/** The same database as rows, for copying it; nothing is opened yet. Rejects with `DatabaseUrlInvalid`. */
export async function accessTables(
  databaseUrl: string,
  { clock }: { readonly clock: Clock },
): Promise<TableAccess> {
  if (!isPostgresUrl(databaseUrl)) {
    const { openSqliteTables } = await import('./copy/sqlite-tables.ts');
    return openSqliteTables(parseSqlitePath(databaseUrl), clock);
  }
  const target = await parsePostgresTarget(databaseUrl);
  const { openPostgresTables } = await import('./copy/postgres-tables.ts');
  return openPostgresTables(target, clock);
}

/** The database's name without credentials and, for SQLite, its file. */
export function databasePlace(databaseUrl: string): { readonly name: string; readonly file?: string } {
  if (isPostgresUrl(databaseUrl)) {
    const { host, pathname } = new URL(databaseUrl);
    return { name: `${host}${pathname}` };
  }
  const file = resolve(parseSqlitePath(databaseUrl));
  return { name: file, file };
}

/** Whether there can be data: not in a SQLite file that is yet to be created. Throws `DatabaseUrlInvalid`. */
export function mayHaveData(databaseUrl: string): boolean {
  return isPostgresUrl(databaseUrl) || existsSync(parseSqlitePath(databaseUrl));
}

function isPostgresUrl(databaseUrl: string): boolean {
  return /^postgres(?:ql)?:/i.test(databaseUrl);
}

async function parsePostgresTarget(databaseUrl: string): Promise<PostgresTarget> {
  const { parsePostgresUrl } = await import('./engine/postgres/postgres-url.ts');
  const parsed = parsePostgresUrl(databaseUrl);
  if (!parsed.ok) throw new DatabaseUrlInvalid(`the URL ${parsed.problem}`);
  return parsed.target;
}

/** `sqlite:data/x.db`, `sqlite:/srv/x.db`, `sqlite:///srv/x.db`, `sqlite:C:\x.db`. */
function parseSqlitePath(databaseUrl: string): string {
  const colon = databaseUrl.indexOf(':');
  const scheme = databaseUrl.slice(0, Math.max(0, colon)).toLowerCase();
  const path = databaseUrl.slice(colon + 1).replace(/^\/\/(?=\/)/, '');
  if (scheme !== 'sqlite' || path === '' || path.startsWith('//') || path.startsWith(':')) {
    throw new DatabaseUrlInvalid(
      'neither sqlite:PATH nor postgres://USER:PASSWORD@HOST/DATABASE; use, for example, sqlite:data/stayport.db',
    );
  }
  return path;
}
