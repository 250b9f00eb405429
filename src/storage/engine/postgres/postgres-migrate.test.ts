import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Client } from 'pg';
import type { KnownSchema, Migration } from '../migrations.ts';
import { SchemaMismatch } from '../../storage.ts';
import { NOW_MS } from '../../../../test/suites/storage/fixture.ts';
import { migrateSchema, POSTGRES_SCHEMA, readSchemaState } from './migrate.ts';
import { describePostgres, openPostgres } from '../../../../test/suites/storage/postgres-fixture.ts';

const [first] = POSTGRES_SCHEMA.migrations;
const only = (...migrations: readonly Migration[]): KnownSchema => ({
  ...POSTGRES_SCHEMA,
  migrations,
});

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
        version: 901,
        name: '901-broken.sql',
        needs: 0,
        sql: 'CREATE TABLE half (id int); SELECT 1/0',
      };
      await assert.rejects(
        migrateSchema(client, { nowMs: NOW_MS, known: only(first, broken) }),
        /division by zero/,
      );
      assert.equal((await readSchemaState(client)).version, first.version);
      const { rows } = await client.query(`SELECT to_regclass('half') AS half`);
      assert.deepEqual(rows, [{ half: null }]);
      const fixed = { ...broken, sql: 'CREATE TABLE half (id int)' };
      assert.deepEqual(await migrateSchema(client, { nowMs: NOW_MS, known: only(first, fixed) }), {
        version: 901,
        latest: 901,
        isBehind: false,
      });
      assert.deepEqual(await migrateSchema(client, { nowMs: NOW_MS, known: only(first) }), {
        version: 901,
        latest: first.version,
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
