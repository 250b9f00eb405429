/** What is remembered of supply messages: confirmations, the list of messages, and for how long. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatMessageId } from '../../../src/storage/supply/message-id.ts';
import { NOW_MS, type OpenFixture, withStorage } from './fixture.ts';
import { OPEN, calendarWork, nightEntry, send, suppliedWrite } from './supply-samples.ts';

export function describeSupplyHistory(open: OpenFixture): void {
  describe('the history of supply', () => {
    it('has when each source last confirmed a property, also with nothing new', async () => {
      let nowMs = NOW_MS;
      const clock = () => nowMs;
      await withStorage(
        open,
        async (storage) => {
          await storage.writeProperties([suppliedWrite('a', [[OPEN]])]);
          const work = calendarWork([{ propertyId: 'a', entries: [nightEntry(0, 0, { availability: 1 })] }]);
          await send(storage, 'channel', work, { receivedAtMs: NOW_MS + 1_000 });
          await send(storage, 'channel', work, { receivedAtMs: NOW_MS + 2_000 });
          nowMs += 3_000;
          await storage.writeProperties([suppliedWrite('a', [[OPEN]])]);
          const confirmations = async () =>
            (await storage.findLayers('a'))?.confirmations.map((one) => [
              one.source,
              one.confirmedAtMs - NOW_MS,
            ]);
          assert.deepEqual(await confirmations(), [
            ['channel', 2_000],
            ['pms', 3_000],
          ]);
          const revision = await storage.readRevision();
          // A word for everything that the source has confirmed before.
          await send(storage, 'channel', { kind: 'confirmation' }, { receivedAtMs: NOW_MS + 9_000 });
          await send(storage, 'stranger', { kind: 'confirmation' }, { receivedAtMs: NOW_MS + 9_000 });
          assert.deepEqual(await confirmations(), [
            ['channel', 9_000],
            ['pms', 3_000],
          ]);
          assert.equal(await storage.readRevision(), revision);
        },
        clock,
      );
    });

    it('lists messages with their verdicts, newest first, and what they said of a property', () =>
      withStorage(open, async (storage) => {
        await storage.writeProperties([suppliedWrite('a', [[OPEN]]), suppliedWrite('b', [[OPEN]])]);
        const entries = [nightEntry(0, 0, { availability: 1 })];
        const ids = ['1', '2', '3', '4'].map((unique, index) => formatMessageId(NOW_MS + index, unique));
        const at = (index: number) => ({ messageId: ids[index]!, receivedAtMs: NOW_MS + index });
        await send(storage, 'pms', calendarWork([{ propertyId: 'a', entries }]), at(0));
        await send(storage, 'channel', calendarWork([{ propertyId: 'b', entries }]), at(1));
        await send(storage, 'pms', calendarWork([{ propertyId: 'none', entries }]), at(2));
        await send(
          storage,
          'pms',
          { kind: 'record', verdict: 'applied', changed: 3, unchanged: 4 },
          { ...at(3), kind: 'import', note: '{"rejected":1}' },
        );
        const listed = async (filter: object) =>
          (await storage.listSupplyMessages({ limit: 10, ...filter })).map(({ messageId }) => messageId);
        assert.deepEqual(await listed({}), ids.toReversed());
        assert.deepEqual(await listed({ limit: 2 }), [ids[3], ids[2]]);
        assert.deepEqual(await listed({ source: 'pms' }), [ids[3], ids[2], ids[0]]);
        assert.deepEqual(await listed({ propertyId: 'b' }), [ids[1]]);
        assert.deepEqual(await listed({ propertyId: 'b', source: 'pms' }), []);
        const [imported, refused] = await storage.listSupplyMessages({ limit: 2 });
        assert.deepEqual([imported?.kind, imported?.changed, imported?.unchanged], ['import', 3, 4]);
        assert.deepEqual(JSON.parse(imported?.detail ?? ''), {
          note: { rejected: 1 },
          refused: 0,
          refusals: [],
        });
        assert.equal(refused?.verdict, 'refused');
        const [entry] = await storage.listSourceHistory('a', 10);
        assert.deepEqual([entry?.messageId, entry?.source], [ids[0], 'pms']);
        assert.match(entry?.change ?? '', /"availability":1/);
      }));

    it('loses old messages and keys, a few at a time', () =>
      withStorage(open, async (storage) => {
        await storage.writeProperties([suppliedWrite('a', [[OPEN]])]);
        const work = calendarWork([{ propertyId: 'a', entries: [nightEntry(0, 0, { availability: 1 })] }]);
        for (let index = 0; index < 5; index++) {
          const receivedAtMs = NOW_MS + index;
          await send(storage, 'pms', work, {
            receivedAtMs,
            messageId: formatMessageId(receivedAtMs, 'x'),
            idempotency: { key: `k${index}`, bodyHash: '' },
          });
        }
        const before = { messagesMs: NOW_MS + 3, keysMs: NOW_MS + 1, limit: 2 };
        assert.equal(await storage.deleteSupplyHistory(before), 3);
        assert.equal(await storage.deleteSupplyHistory(before), 1);
        assert.equal(await storage.deleteSupplyHistory(before), 0);
        assert.equal((await storage.listSupplyMessages({ limit: 10 })).length, 2);
        assert.equal((await storage.listSourceHistory('a', 10)).length, 2);
        assert.equal(await storage.findSupplyKey('pms', 'k0'), undefined);
        assert.ok(await storage.findSupplyKey('pms', 'k1'));
      }));
  });
}
