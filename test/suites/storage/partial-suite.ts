import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildCalendar } from '../../../src/domain/calendar.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { NOW_MS, type OpenFixture, withStorage } from './fixture.ts';
import { sampleType } from './sample-rows.ts';
import {
  calendarWork,
  type Change,
  effectiveCalendar,
  nightEntry,
  OPEN,
  send,
  suppliedWrite,
} from './supply-samples.ts';

const UNITS = nightEntry(1, 1, { availability: 1 });
const PRICED = nightEntry(2, 2, { availability: 1, rate: 7_000 });
const PARTIAL = { isPartial: true };

async function confirmedAt(storage: Storage, source: string): Promise<number | undefined> {
  const { confirmations } = (await storage.findLayers('a'))!;
  const found = confirmations.find((one) => one.source === source);
  return found && found.confirmedAtMs - NOW_MS;
}

export function describePartialMessages(open: OpenFixture): void {
  describe('a partial message', () => {
    const withProperty = (body: (storage: Storage) => Promise<void>) =>
      withStorage(open, async (storage) => {
        await storage.writeProperties([suppliedWrite('a', [[OPEN]])]);
        await body(storage);
      });

    it('confirms no property of which everything was refused', () =>
      withProperty(async (storage) => {
        const at = (ms: number) => ({ receivedAtMs: NOW_MS + ms });
        const refused: readonly (readonly Change[])[] = [
          [{ propertyId: 'a', entries: [PRICED] }],
          [{ propertyId: 'a', inventoryTypeId: 'suite', entries: [UNITS] }],
          [
            { propertyId: 'a', entries: [PRICED] },
            { propertyId: 'a', inventoryTypeId: 'suite', entries: [UNITS] },
          ],
          [{ propertyId: 'a', replaces: true, entries: [PRICED] }],
        ];
        for (const changes of refused) {
          const outcome = await send(storage, 'channel', calendarWork(changes, PARTIAL), at(1_000));
          assert.deepEqual([outcome.verdict, outcome.changed], ['partial', 0]);
          assert.equal(await confirmedAt(storage, 'channel'), undefined);
        }
        const half = [{ propertyId: 'a', entries: [PRICED, UNITS] }];
        await send(storage, 'channel', calendarWork(half, PARTIAL), at(2_000));
        assert.equal(await confirmedAt(storage, 'channel'), 2_000);
        await send(storage, 'channel', calendarWork(refused[0]!, PARTIAL), at(3_000));
        assert.equal(await confirmedAt(storage, 'channel'), 2_000);
        // The same entries again change nothing and confirm.
        await send(storage, 'channel', calendarWork(half, PARTIAL), at(4_000));
        assert.equal(await confirmedAt(storage, 'channel'), 4_000);
      }));

    it('leaves a layer that it was to replace as it is when all that should replace it is refused', () =>
      withProperty(async (storage) => {
        await send(storage, 'channel', calendarWork([{ propertyId: 'a', entries: [UNITS] }]));
        const replacing = { propertyId: 'a', replaces: true, entries: [PRICED] };
        await send(storage, 'channel', calendarWork([replacing], PARTIAL));
        assert.deepEqual(await effectiveCalendar(storage, 'a'), buildCalendar([OPEN, UNITS]));
        await send(storage, 'channel', calendarWork([{ ...replacing, entries: [] }], PARTIAL));
        assert.deepEqual(await effectiveCalendar(storage, 'a'), buildCalendar([OPEN]));
      }));

    it('is remembered by what was applied of it', () =>
      withProperty(async (storage) => {
        const inventoryTypes = [sampleType('double'), sampleType('single')];
        await storage.writeProperties([suppliedWrite('a', [[OPEN], [OPEN]], { inventoryTypes })]);
        const changes = [
          { propertyId: 'a', entries: [PRICED, UNITS] },
          { propertyId: 'a', inventoryTypeId: 'single', entries: [PRICED] },
          { propertyId: 'a', inventoryTypeId: 'suite', entries: [UNITS] },
        ];
        await send(storage, 'channel', calendarWork(changes, PARTIAL));
        const [entry] = await storage.listSourceHistory('a', 10);
        const { types } = JSON.parse(entry!.change) as { types: object[] };
        assert.deepEqual(types, [{ inventoryTypeId: 'double', replaces: false, entries: [UNITS] }]);
      }));
  });
}
