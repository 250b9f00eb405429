/** Whether a database still has what was read of it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cursorAfter } from '../../../src/storage/catalogue/change-cursor.ts';
import { STAMPS_MAX, STAMPS_PER_ROW, WHOLE_STAMPS_MAX } from '../../../src/storage/history/history.ts';
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

    const writeAt = async (
      storage: Storage,
      execute: (sql: string) => Promise<unknown>,
      revision: number,
    ) => {
      await execute(`UPDATE revision SET revision = ${revision - 1}`);
      await storage.writeProperties([sampleWrite('a', { version: revision })]);
      return storage.readHistory(NOTHING_READ);
    };

    it('knows old stamps in short: all that were read, and those of another history not', () =>
      withStorage(open, async (storage, { execute }) => {
        const marks = [await storage.readHistory(NOTHING_READ)];
        for (let count = 1; count < 2 * STAMPS_PER_ROW + 3; count += 1) {
          if (count % 7 === 0) await execute(UNSTAMPED_WRITE);
          else await storage.writeProperties([sampleWrite('a', { version: count })]);
          marks.push(await storage.readHistory(NOTHING_READ));
        }
        const last = WHOLE_STAMPS_MAX + STAMPS_PER_ROW;
        await writeAt(storage, execute, last - 1);
        assert.equal(await countContinued(storage, marks), marks.length, 'all of them are whole');
        await writeAt(storage, execute, last);
        await writeAt(storage, execute, last + STAMPS_PER_ROW);
        assert.equal(await countContinued(storage, marks), marks.length);
        const others = marks.map((mark) => ({ ...mark, stamp: '!' + mark.stamp.slice(1) }));
        assert.equal(await countContinued(storage, others), 0);
        const { continues } = await storage.readMarks({ marks: [marks[5]!, others[5]!, marks[150]!] });
        assert.deepEqual(continues, [true, false, true]);
      }));

    it(`keeps ${STAMPS_MAX} stamps; what is older is lost`, () =>
      withStorage(open, async (storage, { execute }) => {
        const first = await writeAt(storage, execute, STAMPS_PER_ROW);
        const second = await writeAt(storage, execute, STAMPS_PER_ROW + 1);
        await writeAt(storage, execute, WHOLE_STAMPS_MAX + STAMPS_PER_ROW);
        await writeAt(storage, execute, WHOLE_STAMPS_MAX + 2 * STAMPS_PER_ROW);
        await writeAt(storage, execute, STAMPS_MAX);
        assert.equal(await countContinued(storage, [first, second]), 2);
        await writeAt(storage, execute, STAMPS_MAX + STAMPS_PER_ROW);
        assert.equal(await countContinued(storage, [first]), 0);
        assert.equal(await countContinued(storage, [second]), 1, 'one past the bound');
      }));
  });
}

/** How many of the marks the database still continues. */
async function countContinued(storage: Storage, marks: readonly HistoryMark[]): Promise<number> {
  let count = 0;
  for (const mark of marks)
    count += await storage.readHistory(mark).then(
      () => 1,
      () => 0,
    );
  return count;
}
