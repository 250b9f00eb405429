import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createMessageIds } from '../../../src/storage/supply/message-id.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { closeSilentSlice } from '../../../src/supply/freshness/close-silent.ts';
import { NOW_MS, type OpenFixture, withStorage } from './fixture.ts';
import {
  calendarWork,
  effectiveCalendar,
  HORIZON_NIGHTS,
  HOUR_MS,
  isClosed,
  nightEntry,
  OPEN,
  send,
  suppliedWrite,
} from './supply-samples.ts';

const ONE_UNIT = nightEntry(1, 1, { availability: 1 });

export function describeFreshness(open: OpenFixture): void {
  describe('freshness', () => {
    const newMessageId = createMessageIds(() => String(process.pid));
    const sweep = (storage: Storage, nowMs: number) =>
      closeSilentSlice({ storage, clock: () => nowMs, newMessageId, horizonNights: HORIZON_NIGHTS }, '');

    it('lists confirmations of properties that are there, slice by slice', () =>
      withStorage(open, async (storage) => {
        const writes = ['a', 'b', 'c'].map((id) => suppliedWrite(id, [[OPEN]]));
        await storage.writeProperties(writes);
        const work = calendarWork([{ propertyId: 'a', entries: [ONE_UNIT] }]);
        await send(storage, 'channel', work, { receivedAtMs: NOW_MS + 1 });
        await send(storage, 'channel', { kind: 'confirmation' }, { receivedAtMs: NOW_MS + 5 });
        await storage.withdrawProperties(['b']);
        const all = [
          { propertyId: 'a', source: 'channel', confirmedAtMs: NOW_MS + 5 },
          { propertyId: 'a', source: 'pms', confirmedAtMs: NOW_MS },
          { propertyId: 'c', source: 'pms', confirmedAtMs: NOW_MS },
        ];
        assert.deepEqual(await storage.listConfirmations({ propertyId: '', source: '' }, 10), all);
        assert.deepEqual(await storage.listConfirmations({ propertyId: '', source: '' }, 1), all.slice(0, 1));
        assert.deepEqual(await storage.listConfirmations(all[0]!, 10), all.slice(1));
      }));

    it('looks through properties for age limits, slice by slice', () =>
      withStorage(open, async (storage) => {
        await storage.writeProperties([
          suppliedWrite('a', [[OPEN]], { name: 'has "maxSupplyAgeHours": 3 in its name' }),
          suppliedWrite('b', [[OPEN]], { maxSupplyAgeHours: 6 }),
          suppliedWrite('c', [[OPEN]], { maxSupplyAgeHours: 24 }),
        ]);
        const b = { propertyId: 'b', maxSupplyAgeHours: 6, confirmedAtMs: NOW_MS, isClosed: false };
        assert.deepEqual(await storage.listSupplyAgeLimits('', 2), { limits: [b], lastId: 'b' });
        const rest = await storage.listSupplyAgeLimits('b', 2);
        assert.deepEqual(
          [rest.limits.map(({ maxSupplyAgeHours }) => maxSupplyAgeHours), rest.lastId],
          [[24], undefined],
        );
      }));

    it('closes a property whose sources are silent, and opens it with whatever confirms it', () =>
      withStorage(open, async (storage) => {
        const write = suppliedWrite('a', [[OPEN]], { maxSupplyAgeHours: 6 });
        await storage.writeProperties([write, suppliedWrite('b', [[OPEN]])]);
        const before = await effectiveCalendar(storage, 'a');
        let nowMs = NOW_MS + 6 * HOUR_MS - 1;
        assert.deepEqual((await sweep(storage, nowMs)).closedIds, []);
        const close = async (): Promise<void> => {
          nowMs += 7 * HOUR_MS;
          const { closedIds, closedCount } = await sweep(storage, nowMs);
          assert.deepEqual([closedIds, closedCount], [['a'], 1]);
          assert.ok(await isClosed(storage, 'a'));
          const revision = await storage.readRevision();
          assert.deepEqual((await sweep(storage, nowMs)).closedIds, [], 'closed once');
          assert.equal(await storage.readRevision(), revision);
        };
        await close();
        assert.equal(await isClosed(storage, 'b'), false, 'no limit');

        // A manual override closes a night of a property that nobody confirms.
        const closing = { propertyId: 'a', entries: [nightEntry(5, 5, { stopSell: 1 })] };
        await send(storage, 'manual', calendarWork([closing]), { receivedAtMs: nowMs });
        assert.ok(await isClosed(storage, 'a'));
        const { closedIds, openedIds } = await sweep(storage, nowMs);
        assert.deepEqual([closedIds, openedIds], [[], []]);
        const opening = { propertyId: 'a', entries: [nightEntry(5, 5, { stopSell: null })] };
        await send(storage, 'manual', calendarWork([opening]), { receivedAtMs: nowMs });

        // A message with news, the same again, and one that repeats the document's own calendar: open at once.
        const said = calendarWork([{ propertyId: 'a', entries: [ONE_UNIT] }]);
        for (const source of ['channel', 'channel']) {
          await send(storage, source, said, { receivedAtMs: nowMs });
          assert.equal(await isClosed(storage, 'a'), false);
          await close();
        }
        const own = calendarWork([{ propertyId: 'a', entries: [OPEN] }]);
        assert.equal((await send(storage, 'pms', own, { receivedAtMs: nowMs })).changed, 0);
        assert.equal(await isClosed(storage, 'a'), false);
        await close();

        // A word for all properties of a source: the next sweep opens.
        await send(storage, 'pms', { kind: 'confirmation' }, { receivedAtMs: nowMs });
        assert.deepEqual((await sweep(storage, nowMs)).openedIds, ['a']);
        assert.equal(await isClosed(storage, 'a'), false);
        await send(storage, 'channel', calendarWork([{ propertyId: 'a', entries: [], replaces: true }]));
        assert.deepEqual(await effectiveCalendar(storage, 'a'), before);
      }));

    it('opens a closed property with its document, also where that takes the limit away', async () => {
      let nowMs = NOW_MS;
      await withStorage(
        open,
        async (storage) => {
          const limited = suppliedWrite('a', [[OPEN]], { maxSupplyAgeHours: 1 });
          await storage.writeProperties([limited]);
          for (const write of [limited, suppliedWrite('a', [[OPEN]])]) {
            nowMs += HOUR_MS;
            await sweep(storage, nowMs);
            assert.ok(await isClosed(storage, 'a'));
            await storage.writeProperties([write]);
            assert.equal(await isClosed(storage, 'a'), false);
          }
          nowMs += 99 * HOUR_MS;
          assert.deepEqual((await sweep(storage, nowMs)).closedIds, []);
        },
        () => nowMs,
      );
    });
  });
}
