/** Four hundred days of what happened, as rows of a database: a million in each table, made by the database itself. */
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import type { EpochDay } from '../../src/domain/local-date.ts';
import { activityPathOf } from '../../src/storage/activity/activity-path.ts';
import { DURATION_COLUMNS } from '../../src/storage/activity/sums.ts';

export const DAYS = 400;
const DAY_MS = 86_400_000;

/** Of a day: fifty cities in ten countries, five partners, ten weeks of arrival. */
const DEMAND = `INSERT INTO demand_days
  SELECT DAY, 'City ' || (n % 50), 'C' || (n % 10), '2026-W' || (10 + n / 250), '3-4', '1-2', 'partner-' || (n / 50 % 5),
         n % 7 + 1, n % 3, n % 5 FROM SERIES`;
/** Of a day: a hundred partners with five credentials each, five kinds of answers. */
const TRAFFIC = `INSERT INTO traffic_days
  SELECT DAY * CAST(${DAY_MS} AS BIGINT), 'partner-' || (n / 5 % 100), 'credential-' || (n / 5), 'operation', 'CODE_' || (n % 5),
         ${DURATION_COLUMNS.map((_, bucket) => `(n + ${bucket}) % 9`).join(', ')} FROM SERIES`;
const PLACES = `INSERT INTO unknown_places SELECT DAY, 'PLACE ' || n, n % 3 + 1 FROM SERIES`;

/** Into an empty database that has its schema. */
export async function fillActivity(
  databaseUrl: string,
  lastDay: EpochDay,
  rowsPerDay: number,
): Promise<void> {
  const texts = [DEMAND, TRAFFIC, PLACES];
  if (databaseUrl.startsWith('sqlite:')) return fillSqlite(databaseUrl.slice(7), texts, lastDay, rowsPerDay);
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const series = `(SELECT day, n FROM generate_series(${lastDay - DAYS + 1}, ${lastDay}) AS day,
                   generate_series(0, ${rowsPerDay - 1}) AS n) AS series`;
  for (const text of texts) await client.query(text.replaceAll('DAY', 'day').replace('SERIES', series));
  // What PostgreSQL does by itself within a minute.
  await client.query('ANALYZE');
  await client.end();
}

function fillSqlite(path: string, texts: readonly string[], lastDay: EpochDay, rowsPerDay: number): void {
  const database = new DatabaseSync(activityPathOf(path));
  const series = `(WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${rowsPerDay - 1}),
                   days (day) AS (SELECT ${lastDay - DAYS + 1} UNION ALL SELECT day + 1 FROM days WHERE day < ${lastDay})
                   SELECT day, n FROM days, numbers)`;
  database.exec('PRAGMA synchronous = OFF; BEGIN');
  for (const text of texts) database.exec(text.replaceAll('DAY', 'day').replace('SERIES', series));
  database.exec('COMMIT');
  database.close();
}
