import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cursorAfter } from '../../../src/storage/catalogue/change-cursor.ts';
import type { ChangeCursor, PropertyChanges } from '../../../src/storage/catalogue/store.ts';
import { NOTHING_READ } from '../../../src/storage/history/revision.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { type OpenFixture, withStorage } from './fixture.ts';
import { sampleCredential, sampleType, sampleWrite } from './sample-rows.ts';

const START = cursorAfter(NOTHING_READ);

type Change = PropertyChanges['changes'][number];

/** The id, with what happened: `a` is written, `-a` withdrawn. */
function label(change: Change): string {
  return 'property' in change ? change.property.propertyId : `-${change.propertyId}`;
}

async function followToEnd(storage: Storage, after: ChangeCursor, limit: number) {
  const changes: Change[] = [];
  let page: PropertyChanges;
  let cursor = after;
  do {
    page = await storage.readPropertyChanges(cursor, limit);
    assert.ok(page.changes.length <= limit);
    assert.ok(page.complete || page.changes.length > 0);
    changes.push(...page.changes);
    cursor = page.cursor;
  } while (!page.complete);
  return { changes, cursor };
}

export function formatChanges(open: OpenFixture): void {
  describe('changes', () => {
    it('come in the order of revisions, then of ids, the newest state of each', () =>
      withStorage(open, async (storage) => {
        await storage.writeProperties(['b', 'a', '~', 'Z'].map((id) => sampleWrite(id)));
        await storage.writeProperties([sampleWrite('a', { version: 2 })]);
        await storage.withdrawProperties(['b']);
        for (const limit of [1, 2, 3, 4, 100]) {
          const { changes } = await followToEnd(storage, START, limit);
          assert.deepEqual(changes.map(label), ['Z', '~', 'a', '-b']);
          assert.deepEqual(
            changes.map((change) => change.revision),
            [1, 1, 2, 3],
          );
        }
      }));

    it('bring nights and rates of every type in the order of the types', () =>
      withStorage(open, async (storage) => {
        const write = sampleWrite('a', { inventoryTypes: ['c', 'a', 'b'].map(sampleType) });
        await storage.writeProperties([write]);
        const { changes } = await storage.readPropertyChanges(START, 10);
        const followed = {
          property: write.property,
          revision: 1,
          lowestRates: write.lowestRates,
          nights: write.calendars.map((calendar) => calendar.nights),
          rates: write.calendars.map((calendar) => calendar.rates),
        };
        assert.deepEqual(changes, [followed]);
      }));

    it('end with a cursor behind everything seen, also when only access has changed', () =>
      withStorage(open, async (storage) => {
        assert.deepEqual((await storage.readPropertyChanges(START, 10)).changes, []);
        await storage.writeProperties([sampleWrite('a')]);
        const { cursor } = await followToEnd(storage, START, 1);
        assert.equal(cursor.revision, 1);
        await storage.putCredentials([sampleCredential('c')]);
        const next = await storage.readPropertyChanges(cursor, 10);
        assert.deepEqual(next.changes, []);
        assert.equal(next.complete, true);
        assert.equal(next.cursor.revision, 2);
        await storage.writeProperties([sampleWrite('0')]);
        const last = await storage.readPropertyChanges(next.cursor, 10);
        assert.deepEqual(last.changes.map(label), ['0']);
      }));

    it('page through one big revision without loss or duplicate while writers go on', () =>
      withStorage(open, async (storage, { openAnother }) => {
        const other = await openAnother();
        const ids = Array.from({ length: 300 }, (_, index) => `p${String(index).padStart(3, '0')}`);
        await storage.writeProperties(ids.map((id) => sampleWrite(id)));
        const seen = new Map<string, number>();
        let cursor = START;
        let step = 0;
        for (let complete = false; !complete; step++) {
          const page = await storage.readPropertyChanges(cursor, 7);
          for (const change of page.changes) {
            const key = `${label(change)}@${change.revision}`;
            assert.ok(!seen.has(key), `${key} came twice`);
            seen.set(key, change.revision);
          }
          ({ cursor, complete } = page);
          if (step >= 30) continue;
          // One far ahead, one far behind, one in the page that was just read, and a withdrawal.
          const touched = [ids[299 - step], ids[step], ids[(step * 7) % 300]].map((id) => String(id));
          await other.writeProperties(touched.map((id) => sampleWrite(id, { version: 10 + step })));
          await other.withdrawProperties([String(ids[(step * 11 + 150) % 300])]);
        }
        await assertFollowed(storage, ids, seen);
      }));
  });
}

/** What was seen last of each property is what the database holds now. */
async function assertFollowed(storage: Storage, ids: readonly string[], seen: ReadonlyMap<string, number>) {
  for (const id of ids) {
    const stored = await storage.findProperty(id);
    const seenWritten = newestRevision(seen, `${id}@`);
    const seenWithdrawn = newestRevision(seen, `-${id}@`);
    if (stored === undefined) assert.ok(seenWithdrawn > seenWritten, `${id} is withdrawn`);
    else assert.equal(seenWritten, stored.revision, id);
  }
}

function newestRevision(seen: ReadonlyMap<string, number>, prefix: string): number {
  return Math.max(0, ...[...seen].filter(([key]) => key.startsWith(prefix)).map(([, revision]) => revision));
}
