/** Idempotency keys of supply messages. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NOW_MS, type OpenFixture, withStorage } from './fixture.ts';
import {
  OPEN,
  calendarWork,
  nightEntry,
  send,
  suppliedWrite,
  supplyMessage,
  unitsOf,
} from './supply-samples.ts';

const DAY_MS = 86_400_000;

export function describeSupplyKeys(open: OpenFixture): void {
  describe('the idempotency key of a supply message', () => {
    it('brings the same answer once more, and is refused with another body', () =>
      withStorage(open, async (storage) => {
        await storage.writeProperties([suppliedWrite('a', [[OPEN]])]);
        const idempotency = { key: 'k', bodyHash: 'one' };
        const work = calendarWork([{ propertyId: 'a', entries: [nightEntry(0, 0, { availability: 1 })] }]);
        const first = await send(storage, 'pms', work, { idempotency, note: '["warned"]' });
        await storage.writeProperties([suppliedWrite('a', [[OPEN]])]);
        const again = await storage.applySupply(supplyMessage('pms', work, { idempotency }));
        assert.deepEqual(again, { kind: 'done', outcome: first, isReplayed: true });
        assert.deepEqual(await unitsOf(storage, 'a'), Array(10).fill(5), 'it was not applied again');
        assert.deepEqual((await storage.findSupplyKey('pms', 'k'))?.outcome, first);
        const other = { key: 'k', bodyHash: 'two' };
        const reused = await storage.applySupply(supplyMessage('pms', work, { idempotency: other }));
        assert.equal(reused.kind, 'key-reused');
        await send(storage, 'channel', work, { idempotency: other });
        const later = NOW_MS + DAY_MS;
        await send(storage, 'pms', work, { idempotency: other, receivedAtMs: later });
        assert.deepEqual(await unitsOf(storage, 'a'), [1, 5, 5, 5, 5, 5, 5, 5, 5, 5]);
      }));

    it('lets one of several messages at once be applied', () =>
      withStorage(open, async (storage, { openAnother }) => {
        await storage.writeProperties([suppliedWrite('a', [[OPEN]])]);
        const other = await openAnother();
        const idempotency = { key: 'k', bodyHash: 'one' };
        const work = calendarWork([{ propertyId: 'a', entries: [nightEntry(0, 0, { availability: 1 })] }]);
        const answers = await Promise.all(
          [storage, storage, other, other].map((one) =>
            one.applySupply(supplyMessage('pms', work, { idempotency })),
          ),
        );
        assert.equal(answers.filter((answer) => answer.kind === 'done' && !answer.isReplayed).length, 1);
        assert.equal((await storage.listSupplyMessages({ limit: 10 })).length, 1);
      }));
  });
}
