/** Everything that a database holds, as text to search in: its files on SQLite, its tables on PostgreSQL. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SharedPostgres } from './postgres-server.ts';

/** Every file written beside the database, also its logs of changes, byte for byte. */
export function readStoreFiles(folder: string): string {
  const names = globSync('*.db*', { cwd: folder });
  assert.ok(
    names.some((name) => name.includes('-activity')),
    names.join(' '),
  );
  return names.map((name) => readFileSync(join(folder, name), 'latin1')).join('\n');
}

export async function dumpTables(server: SharedPostgres, url: string): Promise<string> {
  const tables = await server.query(`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`, url);
  const names = tables.rows.map(({ tablename }) => String(tablename));
  assert.ok(names.includes('request_log') && names.includes('quotes'), names.join(' '));
  const rows = await Promise.all(
    names.map((name) =>
      server.query(`SELECT string_agg(stored::text, chr(10)) AS text FROM ${name} AS stored`, url),
    ),
  );
  return rows.map(({ rows: [row] }) => String(row.text)).join('\n');
}

export function assertWithout(text: string, secrets: readonly string[]): void {
  for (const secret of secrets) assert.ok(!text.includes(secret), `${secret.slice(0, 12)}... is in it`);
}
