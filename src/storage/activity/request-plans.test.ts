/** Lookups by request, by partner and by code use an index: the log may hold millions of rows. */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { Client, type ClientBase, type QueryConfig } from 'pg';
import { NOW_MS } from '../../../test/suites/storage/fixture.ts';
import { describePostgres, openPostgres } from '../../../test/suites/storage/postgres-fixture.ts';
import { makeDatabasePath } from '../../../test/suites/storage/sqlite-fixture.ts';
import { openSqliteStorage } from '../open-sqlite.ts';
import { runPostgresProgram } from '../portable-sql/postgres.ts';
import type { Program, ProgramRunner } from '../portable-sql/program.ts';
import { activityPathOf } from './activity-path.ts';
import { activityConcern } from './sql.ts';
import type { RequestFilter } from './store.ts';

/** Enough rows that PostgreSQL, free to choose, does not scan them all. */
const ROWS = 20_000;
const PARTNERS = 400;
const CODES = 300;
const BEFORE = { before: { atMs: NOW_MS + 5_000, correlationId: 'id-5000' } };
/** Filters, the index that must serve each, and the condition that both engines print for it in their plans. */
const QUESTIONS: readonly (readonly [Omit<RequestFilter, 'limit'>, string, RegExp])[] = [
  [{ correlationId: 'id-77' }, 'request_log_by_correlation', /correlation_id ?=/],
  [{ partnerId: 'partner-7' }, 'request_log_by_partner', /partner_id ?=/],
  [{ partnerId: 'partner-7', sinceMs: NOW_MS + 900 }, 'request_log_by_partner', /at_ms ?>/],
  [{ partnerId: 'partner-7', statuses: [400, 499], ...BEFORE }, 'request_log_by_partner', /partner_id ?=/],
  [{ code: 'CODE_7' }, 'request_log_by_code', /code ?=/],
  [{ code: 'CODE_7', sinceMs: NOW_MS + 900, operation: 'other' }, 'request_log_by_code', /code ?=/],
];

function insertFrom(numbers: string): string {
  return `INSERT INTO request_log
    (at_ms, correlation_id, partner_id, credential_id, operation, status, code, duration_us)
    SELECT ${NOW_MS} + n, 'id-' || n, 'partner-' || n % ${PARTNERS}, 'credential', 'listPartnerProperties', 400,
      CASE WHEN n % 2 = 0 THEN 'CODE_' || n % ${CODES} END, 300 FROM ${numbers}`;
}

/** Sends the store's own statement to `explain`; finds no rows. */
async function explainReading(
  filter: Omit<RequestFilter, 'limit'>,
  explain: (program: Program<unknown>) => Promise<unknown>,
): Promise<void> {
  const read = async <T>(program: Program<T>): Promise<T> => (await explain(program)) as T;
  const write: ProgramRunner['write'] = () => assert.fail('nothing is written');
  const store = activityConcern.store({ read, follow: read, write, daysAtOnce: Infinity, knows: 0 });
  assert.deepEqual(await store.readRequests({ ...filter, limit: 10 }), []);
}

/** The plan uses this index and its order: only rows of the same instant are sorted. */
function assertBounded(plan: readonly object[], index: string, condition: RegExp): void {
  const text = plan.flatMap((row) => Object.values(row).map(String)).join('\n');
  assert.ok(text.includes(index), text);
  assert.match(text, condition);
  assert.doesNotMatch(text, /SCAN request_log|Seq Scan|TEMP B-TREE/);
}

describe('Requests of SQLite are found by an index', () => {
  it('whatever narrows them most', async () => {
    const { path, remove } = makeDatabasePath();
    const storage = await openSqliteStorage({ path, clock: () => NOW_MS });
    await storage.migrate();
    const database = new DatabaseSync(activityPathOf(path));
    database.exec(`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${ROWS})
      ${insertFrom('numbers')}`);
    for (const [filter, index, condition] of QUESTIONS)
      await explainReading(filter, async (program) => {
        const { value: step } = program.next();
        assert.ok(typeof step === 'object' && step !== null && 'text' in step && 'values' in step);
        const { text, values } = step as { readonly text: string; readonly values: (string | number)[] };
        const plan = database.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values);
        assertBounded(plan, index, condition);
        return [];
      });
    database.close();
    await storage.close();
    remove();
  });
});

describePostgres('Requests of PostgreSQL are found by an index', (server) => {
  it('where the log is large; nothing forces the planner', async () => {
    const url = await server().createDatabase();
    const storage = await openPostgres(url, () => NOW_MS);
    await storage.migrate();
    await server().query(`${insertFrom(`generate_series(1, ${ROWS}) AS n`)}; ANALYZE request_log`, url);
    const client = new Client({ connectionString: url });
    await client.connect();
    for (const [filter, index, condition] of QUESTIONS) {
      const explaining = {
        async query({ text, values }: QueryConfig) {
          const { rows } = await client.query(`EXPLAIN ${text}`, values);
          assertBounded(rows, index, condition);
          return { rows: [] };
        },
      };
      await explainReading(filter, (program) =>
        runPostgresProgram(explaining as unknown as ClientBase, program),
      );
    }
    await client.end();
    await storage.close();
  });
});
