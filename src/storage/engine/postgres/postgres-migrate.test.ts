import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Client } from 'pg';
import type { KnownSchema, Migration } from '../migrations.ts';
import { SchemaMismatch } from '../../storage.ts';
import { NOW_MS } from '../../../../test/suites/storage/fixture.ts';
import { sampleOperatorToken } from '../../../../test/suites/storage/sample-rows.ts';
import { migrateSchema, POSTGRES_SCHEMA, readSchemaState } from './migrate.ts';
import { describePostgres, openPostgres } from '../../../../test/suites/storage/postgres-fixture.ts';

const [first] = POSTGRES_SCHEMA.migrations;
const only = (...migrations: readonly Migration[]): KnownSchema => ({ migrations, contractions: [] });

describePostgres('The schema of PostgreSQL', (server) => {
  async function withClient(url: string, body: (client: Client) => Promise<void>): Promise<void> {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      await body(client);
    } finally {
      await client.end();
    }
  }

  it('is upgraded wholly or not at all', async () =>
    withClient(await server().createDatabase(), async (client) => {
      assert.ok(first);
      const broken = {
        version: 2,
        name: '002-broken.sql',
        needs: 0,
        sql: 'CREATE TABLE half (id int); SELECT 1/0',
      };
      await assert.rejects(migrateSchema(client, NOW_MS, only(first, broken)), /division by zero/);
      assert.equal((await readSchemaState(client)).version, 1);
      const { rows } = await client.query(`SELECT to_regclass('half') AS half`);
      assert.deepEqual(rows, [{ half: null }]);
      const fixed = { ...broken, sql: 'CREATE TABLE half (id int)' };
      assert.deepEqual(await migrateSchema(client, NOW_MS, only(first, fixed)), {
        version: 2,
        latest: 2,
        isBehind: false,
      });
      assert.deepEqual(await migrateSchema(client, NOW_MS, only(first)), {
        version: 2,
        latest: 1,
        isBehind: false,
      });
    }));

  it('the schema after all migrations is what the program needs, and orders ids by bytes', async () => {
    const url = await server().createDatabase();
    const storage = await openPostgres(url, () => NOW_MS);
    assert.equal((await storage.migrate()).version, POSTGRES_SCHEMA.migrations.at(-1)?.version);
    await storage.close();
    const { rows } = await server().query(
      `SELECT column_name FROM information_schema.columns
       WHERE table_schema = 'public' AND column_name LIKE '%\\_id' AND collation_name IS DISTINCT FROM 'C'
         AND table_name IN ('properties', 'inventory_types', 'partners', 'credentials')`,
      url,
    );
    assert.deepEqual(rows, []);
  });

  it('leaves the operator tokens of version 1 every right that there was', async () => {
    const url = await server().createDatabase();
    await withClient(url, async (client) => {
      assert.ok(first);
      await migrateSchema(client, NOW_MS, only(first));
      await client.query(`INSERT INTO operator_tokens VALUES ('ot_1', 1, 'web', 'hash', ${NOW_MS})`);
    });
    const storage = await openPostgres(url, () => NOW_MS);
    await storage.migrate();
    const { operatorTokens } = await storage.readAccess();
    await storage.close();
    assert.deepEqual(operatorTokens, [
      sampleOperatorToken('ot_1', {
        name: 'web',
        tokenHash: 'hash',
        scopes: ['handoff:resolve', 'supply:read', 'supply:write'],
        revision: 1,
      }),
    ]);
  });

  it('needs a database that can hold every character', async () => {
    await server().query(
      `CREATE DATABASE latin OWNER stayport ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0`,
    );
    const url = (await server().createDatabase()).replace(/[^/]+$/, 'latin');
    const storage = await openPostgres(url, () => NOW_MS);
    await assert.rejects(storage.migrate(), SchemaMismatch);
    await storage.close();
  });
});
