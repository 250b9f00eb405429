/** Whether a database still has what was read of it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cursorAfter } from '../../../src/storage/catalogue/change-cursor.ts';
import { STAMPS_KEPT_MAX, STAMPS_PER_PRUNING } from '../../../src/storage/history/history.ts';
import { type HistoryMark, NOTHING_READ } from '../../../src/storage/history/revision.ts';
import { HistoryLost, type Storage } from '../../../src/storage/storage.ts';
import { type OpenFixture, withStorage } from './fixture.ts';
import { sampleCredential, sampleWrite } from './sample-rows.ts';

/** What the release before does, which writes no stamps. */
const UNSTAMPED_WRITE = 'UPDATE revision SET revision = revision + 1';
const OTHER_STAMPS = `UPDATE revision_stamps SET stamp = 'of another history'`;

async function assertLost(storage: Storage, known: HistoryMark): Promise<void> {
  await assert.rejects(storage.readHistory(known), HistoryLost);
  await assert.rejects(storage.readAccessMark(known), HistoryLost);
  await assert.rejects(storage.readPropertyChanges(cursorAfter(known), 10), HistoryLost);
  await assert.rejects(storage.openSnapshot(known), HistoryLost);
}

async function assertContinued(storage: Storage, known: HistoryMark): Promise<void> {
  const newest = await storage.readHistory(known);
  assert.deepEqual((await storage.readAccessMark(known)).history, newest);
  assert.deepEqual((await storage.readAccessState()).history, newest);
  assert.deepEqual((await storage.readPropertyChanges(cursorAfter(known), 10)).cursor.history, newest);
  const snapshot = await storage.openSnapshot(known);
  assert.deepEqual(snapshot.history, newest);
  await snapshot.close();
}

export function describeHistory(open: OpenFixture): void {
  describe('history', () => {
    it('has a stamp of its own from the start, and another one with each write', () =>
      withStorage(open, async (storage) => {
        const marks = [await storage.readHistory(NOTHING_READ)];
        await storage.writeProperties([sampleWrite('a')]);
        marks.push(await storage.readHistory(NOTHING_READ));
        await storage.putCredentials([sampleCredential('c')]);
        marks.push(await storage.readHistory(NOTHING_READ));
        await storage.withdrawProperties(['a']);
        marks.push(await storage.readHistory(NOTHING_READ));
        assert.deepEqual(
          marks.map(({ revision }) => revision),
          [0, 1, 2, 3],
        );
        assert.equal(new Set(marks.map(({ stamp }) => stamp)).size, 4);
        for (const mark of [NOTHING_READ, ...marks]) await assertContinued(storage, mark);
      }));

    it('goes on through writes of the release before, which have no stamp', () =>
      withStorage(open, async (storage, { execute }) => {
        await storage.writeProperties([sampleWrite('a')]);
        const stamped = await storage.readHistory(NOTHING_READ);
        await execute(UNSTAMPED_WRITE);
        const unstamped = await storage.readHistory(stamped);
        assert.deepEqual(unstamped, { revision: 2, stamp: stamped.stamp });
        await execute(UNSTAMPED_WRITE);
        await storage.writeProperties([sampleWrite('b')]);
        for (const mark of [stamped, unstamped]) await assertContinued(storage, mark);
        assert.notEqual((await storage.readHistory(unstamped)).stamp, stamped.stamp);
      }));

    it('is lost when the counter is lower, the stamp another one, or there is one where there was none', () =>
      withStorage(open, async (storage, { execute }) => {
        await storage.writeProperties([sampleWrite('a')]);
        await execute(UNSTAMPED_WRITE);
        const known = await storage.readHistory(NOTHING_READ);
        await execute('UPDATE revision SET revision = 1');
        await assertLost(storage, known);
        await storage.writeProperties([sampleWrite('b')]);
        await assertLost(storage, known);
        const now = await storage.readHistory(NOTHING_READ);
        await assertContinued(storage, now);
        await execute(OTHER_STAMPS);
        await assertLost(storage, now);
        await assertContinued(storage, await storage.readHistory(NOTHING_READ));
        await storage.writeProperties([sampleWrite('c')]);
      }));

    it(`keeps ${STAMPS_KEPT_MAX} stamps; what is older is lost`, () =>
      withStorage(open, async (storage, { execute }) => {
        const first = await storage.readHistory(NOTHING_READ);
        const isKept = (mark: HistoryMark) =>
          storage.readHistory(mark).then(
            () => true,
            () => false,
          );
        await execute(`UPDATE revision SET revision = ${STAMPS_KEPT_MAX}`);
        await storage.writeProperties([sampleWrite('a', { version: 1 })]);
        assert.ok(await isKept(first), 'deleted a few at a time');
        const before = await storage.readHistory(first);
        await execute(`UPDATE revision SET revision = ${STAMPS_KEPT_MAX + STAMPS_PER_PRUNING - 1}`);
        await storage.writeProperties([sampleWrite('a', { version: 2 })]);
        assert.ok(!(await isKept(first)));
        assert.ok(await isKept(before));
        const last = STAMPS_KEPT_MAX + STAMPS_KEPT_MAX;
        await execute(`UPDATE revision SET revision = ${last - 1}`);
        await storage.writeProperties([sampleWrite('a', { version: 3 })]);
        assert.ok(await isKept(before), 'one past the bound');
        await execute(`UPDATE revision SET revision = ${last + STAMPS_PER_PRUNING - 1}`);
        await storage.writeProperties([sampleWrite('a', { version: 4 })]);
        assert.ok(!(await isKept(before)));
      }));
  });
}
