/** What a supply message may change, and that it is applied wholly or not at all. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { valueAt } from '../../../src/domain/night-runs.ts';
import { formatMessageId } from '../../../src/storage/supply/message-id.ts';
import { NOW_MS, type OpenFixture, withStorage } from './fixture.ts';
import { sampleType } from './sample-rows.ts';
import {
  FIRST_NIGHT,
  OPEN,
  calendarWork,
  effectiveCalendar,
  nightEntry,
  send,
  suppliedWrite,
  unitsOf,
} from './supply-samples.ts';

export function describeSupplyMessages(open: OpenFixture): void {
  describe('a supply message', () => {
    it('is applied wholly or not at all, and names what is refused by its place', () =>
      withStorage(open, async (storage) => {
        await storage.writeProperties([suppliedWrite('a', [[OPEN]])]);
        const changes = [
          { propertyId: 'a', entries: [nightEntry(0, 0, { availability: 1 })] },
          { propertyId: 'b', entries: [nightEntry(0, 0, { availability: 1 }), nightEntry(1, 1, {})] },
          { propertyId: 'a', inventoryTypeId: 'suite', entries: [nightEntry(0, 0, { availability: 1 })] },
        ];
        const refused = await send(storage, 'pms', calendarWork(changes));
        assert.deepEqual(
          [refused.verdict, refused.revision, refused.changed, refused.refused],
          ['refused', 1, 0, 3],
        );
        assert.deepEqual(
          refused.refusals.map(({ reason, positions }) => [reason, positions]),
          [
            ['type-unknown', [3]],
            ['property-unknown', [1, 2]],
          ],
        );
        assert.deepEqual(await unitsOf(storage, 'a'), Array(10).fill(5));
        const partial = await send(storage, 'pms', calendarWork(changes, { isPartial: true }));
        assert.deepEqual([partial.verdict, partial.changed, partial.refused], ['partial', 1, 3]);
        assert.deepEqual(await unitsOf(storage, 'a'), [1, 5, 5, 5, 5, 5, 5, 5, 5, 5]);
      }));

    it('sets prices only where its source is the price source', () =>
      withStorage(open, async (storage) => {
        const types = {
          inventoryTypes: [{ ...sampleType('double'), priceSource: 'channel' }, sampleType('single')],
        };
        await storage.writeProperties([suppliedWrite('a', [[], [OPEN]], types)]);
        const priced = nightEntry(0, 0, { rate: 7_000 });
        const refused = await send(storage, 'pms', calendarWork([{ propertyId: 'a', entries: [priced] }]));
        assert.deepEqual(
          [refused.verdict, refused.refused, refused.refusals],
          [
            'refused',
            1,
            [
              {
                reason: 'price-refused',
                propertyId: 'a',
                inventoryTypeId: 'double',
                owner: 'channel',
                positions: [0],
              },
            ],
          ],
        );
        const taken = await send(storage, 'channel', calendarWork([{ propertyId: 'a', entries: [priced] }]));
        assert.equal(taken.changed, 1);
        assert.equal(valueAt((await effectiveCalendar(storage, 'a', 0)).rate, FIRST_NIGHT), 7_000);
        assert.equal(valueAt((await effectiveCalendar(storage, 'a', 1)).rate, FIRST_NIGHT), 10_000);
        // Another price source: the prices that it has count from now on.
        const own = { inventoryTypes: [sampleType('double'), sampleType('single')] };
        await storage.writeProperties([suppliedWrite('a', [undefined, undefined], own)]);
        assert.equal(valueAt((await effectiveCalendar(storage, 'a', 0)).rate, FIRST_NIGHT), undefined);
      }));

    it('brings a document only from the source that owns the property', () =>
      withStorage(open, async (storage) => {
        const write = suppliedWrite('a', [[OPEN]]);
        const created = await send(storage, 'pms', { kind: 'document', write });
        assert.deepEqual([created.isCreated, created.changed, created.revision], [true, 1, 1]);
        const same = await send(storage, 'pms', { kind: 'document', write });
        assert.deepEqual([same.isCreated, same.changed, same.unchanged, same.revision], [false, 0, 1, 1]);
        const foreign = await send(storage, 'other', {
          kind: 'document',
          write: { ...write, source: 'other' },
        });
        assert.deepEqual([foreign.verdict, foreign.refusals[0]?.owner], ['refused', 'pms']);
        const withdrawal = await send(storage, 'other', { kind: 'withdrawal', propertyId: 'a' });
        assert.equal(withdrawal.refusals[0]?.reason, 'source-mismatch');
      }));

    it('leaves no trace when it can not be remembered', () =>
      withStorage(open, async (storage) => {
        await storage.writeProperties([suppliedWrite('a', [[OPEN]]), suppliedWrite('b', [[OPEN]])]);
        const workOf = (propertyId: string, units: number) =>
          calendarWork([{ propertyId, entries: [nightEntry(0, 0, { availability: units })] }]);
        const messageId = formatMessageId(NOW_MS, 'same');
        await send(storage, 'channel', workOf('a', 1), { messageId });
        const revision = await storage.readRevision();
        const idempotency = { key: 'k', bodyHash: '' };
        await assert.rejects(send(storage, 'channel', workOf('b', 2), { messageId, idempotency }));
        await assert.rejects(send(storage, 'pms', { kind: 'withdrawal', propertyId: 'b' }, { messageId }));
        assert.deepEqual(await unitsOf(storage, 'b'), Array(10).fill(5));
        assert.equal(await storage.readRevision(), revision);
        const { confirmations } = (await storage.findLayers('b'))!;
        assert.deepEqual(
          confirmations.map(({ source }) => source),
          ['pms'],
        );
        assert.equal(await storage.findSupplyKey('channel', 'k'), undefined);
        assert.deepEqual(await storage.listSourceHistory('b', 10), []);
        // Nor do those that were on their way together with it lose anything.
        const together = await Promise.allSettled([
          send(storage, 'channel', workOf('b', 3)),
          send(storage, 'channel', workOf('b', 4), { messageId }),
          send(storage, 'channel', workOf('a', 2)),
        ]);
        assert.deepEqual(
          together.map(({ status }) => status),
          ['fulfilled', 'rejected', 'fulfilled'],
        );
        assert.deepEqual([(await unitsOf(storage, 'a'))[0], (await unitsOf(storage, 'b'))[0]], [2, 3]);
      }));
  });
}
