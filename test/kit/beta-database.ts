/** The database that the last beta, 1.0.0-beta.2, has filled: see `test/fixtures/database/README.md`. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { activityPathOf } from '../../src/storage/activity/activity-path.ts';
import type { SharedPostgres } from './postgres-server.ts';

const PATH = join(import.meta.dirname, '..', 'fixtures', 'database', 'schema-23');

/** Tokens and quotes that it gave to partners and operators. */
export const GIVEN = JSON.parse(readFileSync(`${PATH}.json`, 'utf8')) as {
  readonly token: string;
  readonly operatorToken: string;
  readonly quoteId: string;
  readonly total: string;
  readonly handoff: string;
};

/** Both files of SQLite. */
export function writeBetaFiles(databasePath: string): void {
  mkdirSync(dirname(databasePath), { recursive: true });
  writeFileSync(databasePath, unpack('.db.gz'));
  writeBetaActivity(databasePath);
}

/** The file of activity alone, beside the database at this path. */
export function writeBetaActivity(databasePath: string): void {
  writeFileSync(activityPathOf(databasePath), unpack('-activity.db.gz'));
}

/** In a database of its own, at this URL; `url` names an empty one. */
export async function loadBetaDump(server: SharedPostgres, url?: string): Promise<string> {
  const database = url ?? (await server.createDatabase());
  await server.query(unpack('.sql.gz').toString('utf8'), database);
  return database;
}

function unpack(ending: string): Buffer {
  return gunzipSync(readFileSync(`${PATH}${ending}`));
}
