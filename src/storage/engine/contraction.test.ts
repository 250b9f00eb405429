/** Removing what only older releases need, with a contraction that is prepared for the test. */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { Client } from 'pg';
import { describePostgres } from '../../../test/suites/storage/postgres-fixture.ts';
import { RELEASE } from '../../runtime/release.ts';
import { type AppliedMigration, judgeSchema, type KnownSchema, type Migration } from './migrations.ts';
import * as postgres from './postgres/migrate.ts';
import * as sqlite from './sqlite/migrate.ts';
import type { Contraction, SeenProcess } from './state.ts';

const NOW_MS = Date.UTC(2026, 10, 22);
const NEEDS = 900;
/** Brings what replaces the old things. */
const REPLACEMENT: Migration = { version: NEEDS, name: '900-new-things.sql', needs: 0, sql: '' };
const CONTRACTION: Migration = {
  version: 901,
  name: '901-drop-old-things.sql',
  needs: NEEDS,
  sql: 'DROP TABLE old_things; DROP TABLE other_things',
};
const OLDER: SeenProcess = {
  release: '0.9.0',
  knows: NEEDS - 1,
  where: 'app-2, process 12',
  machine: 'app-2',
  seenAtMs: NOW_MS,
};

interface Database {
  readonly known: KnownSchema;
  execute(sql: string): Promise<readonly unknown[]>;
  contract(known: KnownSchema, findOlder: (needs: number) => readonly SeenProcess[]): Promise<Contraction>;
  readApplied(): Promise<readonly AppliedMigration[]>;
}

function describeContraction(open: () => Promise<Database & { close(): Promise<void> }>): void {
  const withDatabase = (body: (database: Database) => Promise<void>) => async () => {
    const database = await open();
    try {
      await body(database);
    } finally {
      await database.close();
    }
  };
  const prepared = ({ known }: Database): KnownSchema => ({ ...known, contractions: [CONTRACTION] });
  const things = (database: Database) => database.execute('SELECT * FROM old_things');

  it(
    'removes nothing while a process is seen that needs it, and asks for those that do not know what replaced it',
    withDatabase(async (database) => {
      const asked: number[] = [];
      const refused = await database.contract(prepared(database), (needs) => {
        asked.push(needs);
        return [OLDER];
      });
      assert.deepEqual([refused, asked], [{ ok: false, older: [OLDER] }, [NEEDS]]);
      await things(database);
    }),
  );

  it(
    'removes it once nobody needs it, and then finds nothing to remove',
    withDatabase(async (database) => {
      const known = prepared(database);
      const expected = { ok: true, version: CONTRACTION.version };
      assert.deepEqual(await database.contract(known, () => []), {
        ...expected,
        contracted: [CONTRACTION.name],
      });
      await assert.rejects(things(database));
      assert.deepEqual(await database.contract(known, () => []), { ...expected, contracted: [] });
    }),
  );

  it(
    'removes all or nothing',
    withDatabase(async (database) => {
      await database.execute('DROP TABLE other_things');
      await assert.rejects(database.contract(prepared(database), () => []));
      await things(database);
      assert.deepEqual(judgeSchema(await database.readApplied(), database.known).refusal, undefined);
    }),
  );

  it(
    'keeps out releases that need it',
    withDatabase(async (database) => {
      await database.contract(prepared(database), () => []);
      const applied = await database.readApplied();
      assert.equal(
        judgeSchema(applied, database.known).refusal,
        undefined,
        'a program that knows what replaced it',
      );
      const migrations = database.known.migrations.filter(({ version }) => version < NEEDS);
      assert.match(
        judgeSchema(applied, { ...database.known, migrations }).refusal ?? '',
        new RegExp(`schema version 901.* use Stayport ${RELEASE} or newer`),
      );
    }),
  );
}

const PREPARE = 'CREATE TABLE old_things (a text); CREATE TABLE other_things (a text)';

function withReplacement(known: KnownSchema): KnownSchema {
  return { ...known, migrations: [...known.migrations, REPLACEMENT] };
}

describe('Contracting a SQLite file', () =>
  describeContraction(async () => {
    const database = new DatabaseSync(':memory:');
    const known = withReplacement(sqlite.SQLITE_SCHEMA);
    sqlite.migrateSchema(database, { nowMs: NOW_MS, known });
    database.exec(PREPARE);
    return {
      known,
      execute: async (sql) => database.prepare(sql).all(),
      contract: async (known, findOlder) => sqlite.contractSchema(database, NOW_MS, findOlder, known),
      readApplied: async () => sqlite.readApplied(database),
      close: async () => database.close(),
    };
  }));

describePostgres('Contracting a PostgreSQL database', (server) =>
  describeContraction(async () => {
    const client = new Client({ connectionString: await server().createDatabase() });
    await client.connect();
    const known = withReplacement(postgres.POSTGRES_SCHEMA);
    await postgres.migrateSchema(client, { nowMs: NOW_MS, known });
    await client.query(PREPARE);
    return {
      known,
      execute: async (sql) => (await client.query(sql)).rows as unknown[],
      contract: (known, findOlder) =>
        postgres.contractSchema(client, NOW_MS, async (needs) => findOlder(needs), known),
      readApplied: () => postgres.readApplied(client),
      close: () => client.end(),
    };
  }),
);
