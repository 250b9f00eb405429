/** A support case names a request by its correlation id: the log may hold millions, and is not read for one of them. */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { Client, type ClientBase, type QueryConfig } from 'pg';
import { NOW_MS } from '../../../test/suites/storage/fixture.ts';
import { describePostgres, openPostgres } from '../../../test/suites/storage/postgres-fixture.ts';
import { makeDatabasePath } from '../../../test/suites/storage/sqlite-fixture.ts';
import { openSqliteStorage } from '../open-sqlite.ts';
import { runPostgresProgram } from '../programs/postgres.ts';
import type { Program, ProgramRunner } from '../programs/program.ts';
import { activityPathOf } from './activity-path.ts';
import { activityStore } from './sql.ts';

/** So many that PostgreSQL, left to choose, does not read them all. */
const ROWS = 20_000;
const INDEX = /request_log_by_correlation/;
const FILTER = { correlationId: 'id-77', limit: 100 };

function insertFrom(numbers: string): string {
  return `INSERT INTO request_log
    (at_ms, correlation_id, partner_id, credential_id, operation, status, duration_us)
    SELECT ${NOW_MS} + n, 'id-' || n, 'partner', 'credential', 'listPartnerProperties', 400, 300 FROM ${numbers}`;
}

/** The statement that the store reads with goes to `explain`, and finds nothing. */
async function explainReading(explain: (program: Program<unknown>) => Promise<unknown>): Promise<void> {
  const read = async <T>(program: Program<T>): Promise<T> => (await explain(program)) as T;
  const write: ProgramRunner['write'] = () => assert.fail('nothing is written');
  assert.deepEqual(await activityStore({ read, follow: read, write }).readRequests(FILTER), []);
}

describe('Requests by correlation id on SQLite', () => {
  it('are found by their index', async () => {
    const { path, remove } = makeDatabasePath();
    const storage = await openSqliteStorage({ path, clock: () => NOW_MS });
    await storage.migrate();
    await storage.readRequests(FILTER);
    const database = new DatabaseSync(activityPathOf(path));
    database.exec(`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${ROWS})
      ${insertFrom('numbers')}`);
    await explainReading(async (program) => {
      const { value: step } = program.next();
      assert.ok(typeof step === 'object' && step !== null && 'text' in step && 'values' in step);
      const { text, values } = step as { readonly text: string; readonly values: (string | number)[] };
      const plan = database.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values);
      assert.match(JSON.stringify(plan), INDEX);
      return [];
    });
    database.close();
    await storage.close();
    remove();
  });
});

describePostgres('Requests by correlation id on PostgreSQL', (server) => {
  it('are found by their index where the log is large; nothing forces the planner', async () => {
    const url = await server().createDatabase();
    const storage = await openPostgres(url, () => NOW_MS);
    await storage.migrate();
    await server().query(`${insertFrom(`generate_series(1, ${ROWS}) AS n`)}; ANALYZE request_log`, url);
    const client = new Client({ connectionString: url });
    await client.connect();
    const explaining = {
      async query({ text, values }: QueryConfig) {
        const { rows } = await client.query(`EXPLAIN ${text}`, values);
        assert.match(JSON.stringify(rows), INDEX);
        return { rows: [] };
      },
    };
    await explainReading((program) => runPostgresProgram(explaining as unknown as ClientBase, program));
    await client.end();
    await storage.close();
  });
});
