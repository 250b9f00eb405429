import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PROCESS_SEEN_MS, type RunningProcess } from '../../../src/storage/processes/store.ts';
import { SchemaMismatch, StorageUnavailable } from '../../../src/storage/storage.ts';
import { NOW_MS, type OpenFixture, withNewStorage, withStorage } from './fixture.ts';

const RUNNING: RunningProcess = { processId: 'p1', machine: 'app-1', pid: 4711, startedAtMs: NOW_MS };

/** A process of a release that knows only the migrations up to 6. */
const OLDER = `INSERT INTO running_processes (process_id, release, knows, machine, pid, started_at_ms, seen_at_ms)
  VALUES ('old', '0.9.0', 6, 'app-2', 12, ${NOW_MS}, ${NOW_MS})`;

export function describeProcesses(open: OpenFixture): void {
  describe('processes', () => {
    it('are seen once each, however many threads register, until they are forgotten', () =>
      withStorage(open, async (storage) => {
        await storage.registerProcess(RUNNING, NOW_MS);
        await storage.registerProcess({ ...RUNNING, processId: 'p2' }, NOW_MS + 1);
        await storage.registerProcess({ ...RUNNING, processId: 'p3', pid: 4712 }, NOW_MS + 2);
        await storage.registerProcess(RUNNING, NOW_MS + 3);
        const seen = await storage.readProcesses(NOW_MS + 4);
        assert.deepEqual(
          seen.map(({ where, seenAtMs }) => [where, seenAtMs]),
          [
            ['app-1, process 4711', NOW_MS + 3],
            ['app-1, process 4712', NOW_MS + 2],
          ],
        );
        assert.equal(seen[0]?.knows, (await storage.schemaState()).latest);
        for (const processId of ['p1', 'p2', 'p3']) await storage.forgetProcess(processId);
        assert.deepEqual(await storage.readProcesses(NOW_MS + 4), []);
        assert.equal(await storage.readRevision(), 0);
      }));

    it('that were killed do not count for ever', () =>
      withStorage(open, async (storage) => {
        await storage.registerProcess(RUNNING, NOW_MS);
        assert.equal((await storage.readProcesses(NOW_MS + PROCESS_SEEN_MS)).length, 1);
        assert.deepEqual(await storage.readProcesses(NOW_MS + PROCESS_SEEN_MS + 1), []);
      }));

    it('of an older release keep the schema from being contracted, and nothing else does', () =>
      withStorage(open, async (storage, { execute }) => {
        await storage.registerProcess(RUNNING, NOW_MS);
        const { latest } = await storage.schemaState();
        assert.deepEqual(await storage.contract(NOW_MS), { ok: true, version: latest, contracted: [] });
        await execute(OLDER);
        assert.deepEqual(await storage.contract(NOW_MS), {
          ok: false,
          older: [
            {
              release: '0.9.0',
              knows: 6,
              where: 'app-2, process 12',
              machine: 'app-2',
              seenAtMs: NOW_MS,
            },
          ],
        });
        assert.ok((await storage.contract(NOW_MS + PROCESS_SEEN_MS + 1)).ok);
      }));
  });

  describe('a schema with additions of a newer release', () => {
    const addition = (needs: number): string =>
      `INSERT INTO schema_version (version, name, applied_at_ms) VALUES (900, '900-later.sql', 0);
       INSERT INTO schema_releases (version, release, needs) VALUES (900, '9.1.0', ${needs})`;

    it('serves this program, which may start, migrate and contract on it', () =>
      withNewStorage(open, async (storage, { execute, openAnother }) => {
        await execute(addition(0));
        const other = await openAnother();
        assert.equal((await other.schemaState()).refusal, undefined);
        assert.equal(await other.readRevision(), 0);
        assert.equal((await other.migrate()).version, 900);
        assert.equal((await storage.contract(NOW_MS)).ok, true);
      }));

    it('serves it too when they need what it knows', () =>
      withNewStorage(open, async (storage, { execute, openAnother }) => {
        const { latest } = await storage.schemaState();
        await execute(addition(latest));
        assert.equal(await (await openAnother()).readRevision(), 0);
      }));

    it('keeps it from starting when they need more, and names the release to use', () =>
      withNewStorage(open, async (_storage, { execute, openAnother }) => {
        await execute(addition(899));
        const other = await openAnother();
        const named = /knows \d+: use Stayport 9\.1\.0 or newer/;
        assert.match((await other.schemaState()).refusal ?? '', named);
        for (const call of [() => other.readRevision(), () => other.migrate(), () => other.contract(NOW_MS)])
          await assert.rejects(call, (error) => error instanceof SchemaMismatch && named.test(error.message));
      }));

    it('never ends a process that has worked on it: it is unavailable, with the release to use', () =>
      withNewStorage(open, async (storage, { execute, loseConnections }) => {
        assert.equal(await storage.readRevision(), 0);
        await execute(addition(899));
        await loseConnections();
        const until = performance.now() + 5_000;
        let last: unknown;
        while (!(last instanceof StorageUnavailable && last.message.includes('use Stayport 9.1.0'))) {
          assert.ok(performance.now() < until, String(last));
          last = await storage.readRevision().catch((error: unknown) => error);
          assert.ok(!(last instanceof SchemaMismatch), String(last));
        }
        await execute('DELETE FROM schema_version WHERE version = 900');
        assert.equal(await storage.readRevision(), 0);
      }));
  });
}
