import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SchemaMismatch } from '../../../src/storage/storage.ts';
import { NOW_MS, type OpenFixture, withNewStorage, withStorage } from './fixture.ts';
import { sampleQuote, sampleWrite } from './sample-rows.ts';

export function describeSchema(open: OpenFixture): void {
  describe('schema', () => {
    it('is at version 0 in an empty database, and every access to data says so', async () => {
      const { storage, close } = await open({ clock: () => NOW_MS });
      try {
        const { version, latest } = await storage.schemaState();
        assert.equal(version, 0);
        assert.ok(latest >= 1);
        await assert.rejects(storage.readRevision(), SchemaMismatch);
        await assert.rejects(storage.findProperty('a'), SchemaMismatch);
        await assert.rejects(storage.openSnapshot(), SchemaMismatch);
        await assert.rejects(storage.writeProperties([sampleWrite('a')]), SchemaMismatch);
        await assert.rejects(storage.insertQuote(sampleQuote('q')), SchemaMismatch);
        await storage.migrate();
        assert.equal(await storage.readRevision(), 0, 'the same Storage works after the migration');
      } finally {
        await close();
      }
    });

    it('is migrated once: the second time changes nothing and keeps the data', () =>
      withStorage(open, async (storage) => {
        await storage.writeProperties([sampleWrite('a')]);
        const state = await storage.migrate();
        assert.deepEqual(state, await storage.schemaState());
        assert.equal(state.version, state.latest);
        assert.equal((await storage.findProperty('a'))?.revision, 1);
      }));

    it('is migrated by several openers at once without harm', async () => {
      const fixture = await open({ clock: () => NOW_MS });
      try {
        const others = await Promise.all([
          fixture.openAnother(),
          fixture.openAnother(),
          fixture.openAnother(),
        ]);
        const states = await Promise.all([fixture.storage, ...others].map((storage) => storage.migrate()));
        for (const { version, latest } of states) assert.equal(version, latest);
        for (const other of others) assert.equal(await other.readRevision(), 0);
      } finally {
        await fixture.close();
      }
    });

    it('is named when it is older, and left alone', () =>
      withNewStorage(open, async (storage, { openAnother, execute }) => {
        const { latest } = await storage.schemaState();
        await execute(`DELETE FROM schema_version WHERE version = ${latest}`);
        const other = await openAnother();
        const { version, ...state } = await other.schemaState();
        assert.ok(version < latest);
        assert.deepEqual(state, { latest, isBehind: true });
        await assert.rejects(other.readRevision(), SchemaMismatch);
        await assert.rejects(other.writeProperties([sampleWrite('a')]), SchemaMismatch);
      }));

    it('is refused when it is newer, by migrate too', () =>
      withNewStorage(open, async (storage, { openAnother, pretendSchemaVersion }) => {
        const { latest } = await storage.schemaState();
        await pretendSchemaVersion(latest + 1);
        const other = await openAnother();
        assert.match((await other.schemaState()).refusal ?? '', /use a newer program$/);
        await assert.rejects(other.migrate(), SchemaMismatch);
        await assert.rejects(other.readRevision(), SchemaMismatch);
        await assert.rejects(other.insertQuote(sampleQuote('q')), SchemaMismatch);
      }));
  });
}
