import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SchemaState } from '../../storage/storage.ts';
import { CommandFailure } from './failure.ts';
import { prepareSchema } from './session.ts';

describe('The schema, before any command but migrate and serve', () => {
  it('is created in an empty database', async () => {
    assert.deepEqual(await migrationsWith({ version: 0, latest: 3 }), 1);
  });

  it('is left alone when it is the newest', async () => {
    assert.deepEqual(await migrationsWith({ version: 3, latest: 3 }), 0);
  });

  it('is left alone when it is older, and the command says what to run', async () => {
    await assert.rejects(migrationsWith({ version: 2, latest: 3 }), (error) => {
      assert.ok(error instanceof CommandFailure);
      assert.match(error.message, /schema 2 .* needs 3: run "stayport migrate"/);
      return true;
    });
  });

  it('is left alone when it is newer than the program', async () => {
    await assert.rejects(migrationsWith({ version: 4, latest: 3 }), /newer than this program/);
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
