/** What is remembered of supply messages: confirmations, the list of messages, and for how long. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatMessageId } from '../../../src/storage/supply/message-id.ts';
import { CHANGES_KEPT_BYTES_MAX, type SupplyWork } from '../../../src/domain/ledger/message.ts';
import { traceProperty } from '../../../src/domain/ledger/trace-property.ts';
import { NOW_MS, type OpenFixture, withStorage } from './fixture.ts';
import { FIRST_NIGHT, OPEN, calendarWork, nightEntry, send, suppliedWrite } from './supply-samples.ts';

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

    it('keeps at most 64 KB of what a message says, merged, and nothing of one that changes nothing', () =>
      withStorage(open, async (storage) => {
        await storage.writeProperties([suppliedWrite('a', [[OPEN]]), suppliedWrite('b', [[OPEN]])]);
        const sizeOf = async (propertyId: string): Promise<readonly number[]> => {
          const history = await storage.listSourceHistory(propertyId, 10);
          return history.map(({ change }) => Buffer.byteLength(change));
        };
        const oneNight = Array.from({ length: 20_000 }, (_, index) =>
          nightEntry(0, 0, { availability: 1 + (index % 7) }),
        );
        // Its memory goes with it.
        const repeated = () => calendarWork([{ propertyId: 'a', entries: oneNight }]);
        await send(storage, 'pms', repeated());
        const [bytes = 0, ...others] = await sizeOf('a');
        assert.ok(bytes < 500, String(bytes));
        assert.equal(others.length, 0);
        await send(storage, 'pms', repeated());
        assert.equal((await sizeOf('a')).length, 1);

        const manyNights = Array.from({ length: 700 }, (_, index) =>
          nightEntry(index, index, {
            availability: 2 + (index % 2),
            minStayArrival: 1 + (index % 3),
            rate: 10_000 + index,
          }),
        );
        const large = ['a', 'b'].map((propertyId) => ({ propertyId, entries: manyNights }));
        await send(storage, 'pms', calendarWork(large));
        const [whole = 0] = await sizeOf('a');
        const [cut] = await storage.listSourceHistory('b', 1);
        assert.ok(whole > 32_768 && whole < CHANGES_KEPT_BYTES_MAX, String(whole));
        assert.equal(cut?.change, '{"types":[],"isCut":true}');
      }));

    it('keeps nothing of a message that clears nights and sets them as they were', () =>
      withStorage(open, async (storage) => {
        await storage.writeProperties([suppliedWrite('a', [[OPEN]])]);
        const entries = [nightEntry(3, 5, { availability: 2 })];
        const clears = { from: FIRST_NIGHT, to: FIRST_NIGHT + 30 };
        const fullSync = () => calendarWork([{ propertyId: 'a', clears, entries }]);
        await send(storage, 'channel', fullSync());
        await send(storage, 'channel', fullSync());
        assert.equal((await storage.listSourceHistory('a', 10)).length, 1);
      }));

    it('names the source of a night, and no older message, where what a message said is cut', () =>
      withStorage(open, async (storage) => {
        await storage.writeProperties([suppliedWrite('a', [[OPEN]]), suppliedWrite('b', [[OPEN]])]);
        const night = nightEntry(0, 0, { availability: 2 });
        let count = 0;
        const sendNext = (work: SupplyWork) =>
          send(storage, 'pms', work, { messageId: formatMessageId(NOW_MS + count++, 'x') });
        await sendNext(calendarWork([{ propertyId: 'b', entries: [night] }]));
        // The nights of the first property leave no room for what is said of the second.
        for (const availability of [3, 2]) {
          const entries = Array.from({ length: 700 }, (_, index) =>
            nightEntry(index, index, {
              availability: availability + (index % 2),
              rate: 10_000 * availability + index,
              minStayArrival: 1 + (index % 3),
            }),
          );
          const changes = ['a', 'b'].map((propertyId) => ({ propertyId, entries }));
          await sendNext(calendarWork(changes));
        }
        const [cut] = await storage.listSourceHistory('b', 1);
        assert.match(cut?.change ?? '', /"isCut":true/);
        const layered = await storage.findLayers('b');
        assert.ok(layered);
        const [trace] = traceProperty(layered, await storage.listSourceHistory('b', 10));
        const first = trace?.find(({ from, to }) => from <= FIRST_NIGHT && FIRST_NIGHT <= to);
        const setting = first?.settings.find(
          ({ field, source }) => field === 'availability' && source === 'pms',
        );
        assert.equal(setting?.value, 2);
        assert.equal(setting.messageId, null);
      }));

    it('keeps as many of the newest messages as it is told to', () =>
      withStorage(open, async (storage) => {
        await storage.writeProperties([suppliedWrite('a', [[OPEN]])]);
        for (let index = 0; index < 5; index++) {
          const entries = [nightEntry(0, 0, { availability: index + 2 })];
          const messageId = formatMessageId(NOW_MS + index, 'x');
          await send(storage, 'pms', calendarWork([{ propertyId: 'a', entries }]), { messageId });
        }
        const before = { messagesMs: 0, messagesMax: 2, keysMs: 0, limit: 100 };
        assert.equal(await storage.deleteSupplyHistory(before), 3);
        const kept = await storage.listSupplyMessages({ limit: 10 });
        assert.deepEqual(
          kept.map(({ messageId }) => messageId),
          [4, 3].map((index) => formatMessageId(NOW_MS + index, 'x')),
        );
        assert.equal(await storage.deleteSupplyHistory(before), 0);
      }));

    it('loses old messages and keys, a few at a time', () =>
      withStorage(open, async (storage) => {
        await storage.writeProperties([suppliedWrite('a', [[OPEN]])]);
        for (let index = 0; index < 5; index++) {
          const entries = [nightEntry(0, 0, { availability: index + 2 })];
          const work = calendarWork([{ propertyId: 'a', entries }]);
          const receivedAtMs = NOW_MS + index;
          await send(storage, 'pms', work, {
            receivedAtMs,
            messageId: formatMessageId(receivedAtMs, 'x'),
            idempotency: { key: `k${index}`, bodyHash: '' },
          });
        }
        const before = { messagesMs: NOW_MS + 3, messagesMax: 0, keysMs: NOW_MS + 1, limit: 2 };
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
