/** Four hundred days of what happened, as rows of SQLite: a million in each table, made by the database itself. */
import { DatabaseSync } from 'node:sqlite';
import type { EpochDay } from '../../src/domain/local-date.ts';
import { activityPathOf } from '../../src/storage/activity/activity-path.ts';
import { DURATION_COLUMNS } from '../../src/storage/activity/sums.ts';

const DAYS = 400;
const DAY_MS = 86_400_000;

/** Of a day: fifty cities in ten countries, five partners, ten weeks of arrival. */
const DEMAND = `INSERT INTO demand_days
  SELECT day, 'City ' || (n % 50), 'C' || (n % 10), '2026-W' || (10 + n / 250), '3-4', '1-2', 'partner-' || (n / 50 % 5),
         n % 7 + 1, n % 3, n % 5 FROM`;
/** Of a day: a hundred partners with five credentials each, five kinds of answers. */
const TRAFFIC = `INSERT INTO traffic_days
  SELECT day * ${DAY_MS}, 'partner-' || (n / 5 % 100), 'credential-' || (n / 5), 'operation', 'CODE_' || (n % 5),
         ${DURATION_COLUMNS.map((_, bucket) => `(n + ${bucket}) % 9`).join(', ')} FROM`;
const PLACES = `INSERT INTO unknown_places SELECT day, 'PLACE ' || n, n % 3 + 1 FROM`;

/** Into an empty database that has its schema. */
export function fillActivity(path: string, lastDay: EpochDay, rowsPerDay: number): void {
  const database = new DatabaseSync(activityPathOf(path));
  const series = `(WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${rowsPerDay - 1}),
                   days (day) AS (SELECT ${lastDay - DAYS + 1} UNION ALL SELECT day + 1 FROM days WHERE day < ${lastDay})
                   SELECT day, n FROM days, numbers)`;
  database.exec('PRAGMA synchronous = OFF; BEGIN');
  for (const text of [DEMAND, TRAFFIC, PLACES]) database.exec(`${text} ${series}`);
  database.exec('COMMIT');
  database.close();
}
