import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SchemaState } from '../../../storage/storage.ts';
import { CommandFailure } from './failure.ts';
import { prepareSchema } from './session.ts';

describe('The schema, before any command but migrate and serve', () => {
  it('is created in an empty database', async () => {
    assert.deepEqual(await migrationsWith({ version: 0, latest: 3, isBehind: true }), 1);
  });

  it('is left alone when it is the newest', async () => {
    assert.deepEqual(await migrationsWith({ version: 3, latest: 3, isBehind: false }), 0);
  });

  it('is left alone when it is older, and the command says what to run', async () => {
    await assert.rejects(migrationsWith({ version: 2, latest: 3, isBehind: true }), (error) => {
      assert.ok(error instanceof CommandFailure);
      assert.match(error.message, /schema 2 .* needs 3: run "stayport migrate"/);
      return true;
    });
  });

  it('is left alone when it has additions that this program does not know', async () => {
    assert.deepEqual(await migrationsWith({ version: 4, latest: 3, isBehind: false }), 0);
  });

  it('is left alone when it is too new for the program, and the command says which release to use', async () => {
    const refusal = 'the database has schema version 4, this program knows 3: use Stayport 2.0.0 or newer';
    await assert.rejects(
      migrationsWith({ version: 4, latest: 3, isBehind: true, refusal }),
      /use Stayport 2.0.0/,
    );
  });
});

/** How often the schema was migrated, from this state on. */
async function migrationsWith(state: SchemaState): Promise<number> {
  let migrations = 0;
  await prepareSchema({
    schemaState: async () => state,
    migrate: async () => {
      migrations += 1;
      return state;
    },
  });
  return migrations;
}
