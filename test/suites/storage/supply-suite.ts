import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeCalendar } from '../../../src/domain/calendar-codec.ts';
import { buildCalendar } from '../../../src/domain/calendar.ts';
import { lowestRateAt } from '../../../src/domain/lowest-rates.ts';
import { valueAt } from '../../../src/domain/night-runs.ts';
import { formatMessageId } from '../../../src/storage/message-id.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { NOW_MS, type OpenFixture, withStorage } from './fixture.ts';
import { sampleType } from './sample-rows.ts';
import {
  calendarWork,
  effectiveCalendar,
  FIRST_NIGHT,
  nightEntry,
  OPEN,
  send,
  suppliedWrite,
  supplyMessage,
} from './supply-samples.ts';

const DAY_MS = 86_400_000;

async function unitsOf(storage: Storage, propertyId: string): Promise<(number | undefined)[]> {
  const { availability } = await effectiveCalendar(storage, propertyId);
  return Array.from({ length: 10 }, (_, night) => valueAt(availability, FIRST_NIGHT + night));
}

export function describeSupply(open: OpenFixture): void {
  describe('supply', () => {
    it('lays entries over the layer of their source and rewrites what partners see', () =>
      withStorage(open, async (storage) => {
        await storage.writeProperties([suppliedWrite('a', [[OPEN]])]);
        const change = nightEntry(2, 3, { availability: 1, rate: 9_000 });
        const work = calendarWork([{ propertyId: 'a', entries: [change] }]);
        const outcome = await send(storage, 'pms', work);
        assert.deepEqual(
          [outcome.verdict, outcome.revision, outcome.changed, outcome.unchanged],
          ['applied', 2, 1, 0],
        );
        assert.deepEqual(await effectiveCalendar(storage, 'a'), buildCalendar([OPEN, change]));
        const stored = await storage.findProperty('a');
        assert.equal(stored?.revision, 2);
        assert.equal(lowestRateAt(stored.lowestRates, FIRST_NIGHT), 9_000);
        const again = await send(storage, 'pms', work);
        assert.deepEqual([again.revision, again.changed, again.unchanged], [2, 0, 1]);
      }));

    it('combines the layers of several sources to the strictest, in whatever order they speak', () =>
      withStorage(open, async (storage) => {
        const channel = nightEntry(1, 4, { availability: 2, minStayArrival: 3 });
        const manual = nightEntry(3, 3, { stopSell: 1 });
        for (const [id, sources] of [
          ['a', ['channel', 'manual'] as const],
          ['b', ['manual', 'channel'] as const],
        ] as const) {
          await storage.writeProperties([suppliedWrite(id, [[OPEN]])]);
          for (const source of sources) {
            const entries = [source === 'channel' ? channel : manual];
            await send(storage, source, calendarWork([{ propertyId: id, entries }]));
          }
          const calendar = await effectiveCalendar(storage, id);
          assert.deepEqual(calendar, buildCalendar([OPEN, channel, manual]));
          const layers = (await storage.findLayers(id))?.layers ?? [];
          assert.deepEqual(
            layers.map((layer) => [layer.source, decodeCalendar(layer.nights, layer.rates)]),
            [
              ['channel', buildCalendar([channel])],
              ['manual', buildCalendar([manual])],
              ['pms', buildCalendar([OPEN])],
            ],
          );
        }
        // A source that takes back what it set leaves nothing behind.
        const taken = nightEntry(3, 3, { stopSell: null });
        await send(storage, 'manual', calendarWork([{ propertyId: 'a', entries: [taken] }]));
        assert.deepEqual(await effectiveCalendar(storage, 'a'), buildCalendar([OPEN, channel]));
        await send(storage, 'channel', calendarWork([{ propertyId: 'a', replaces: true, entries: [] }]));
        assert.deepEqual(await effectiveCalendar(storage, 'a'), buildCalendar([OPEN]));
        assert.equal((await storage.findLayers('a'))?.layers.length, 1);
      }));

    it('writes the layer of its own source with a document, and leaves the others', () =>
      withStorage(open, async (storage) => {
        await storage.writeProperties([suppliedWrite('a', [[OPEN]])]);
        const closed = nightEntry(5, 6, { availability: 0 });
        await send(storage, 'channel', calendarWork([{ propertyId: 'a', entries: [closed] }]));
        const reopened = [nightEntry(0, 9, { availability: 9, rate: 8_000 })];
        const write = suppliedWrite('a', [reopened]);
        assert.deepEqual(await storage.compareProperties([write]), ['changed']);
        assert.deepEqual(await storage.writeProperties([write]), ['changed']);
        assert.deepEqual(await storage.writeProperties([write]), ['unchanged']);
        assert.deepEqual(await effectiveCalendar(storage, 'a'), buildCalendar([...reopened, closed]));
        // A document without a calendar says nothing of it.
        const { quoting: _quoting, ...property } = write.property;
        const silent = suppliedWrite('a', [undefined], { ...property, quoting: false });
        assert.deepEqual(await storage.writeProperties([silent]), ['changed']);
        assert.deepEqual(await effectiveCalendar(storage, 'a'), buildCalendar([...reopened, closed]));
      }));

    it('keeps the only layer that a document without a calendar says nothing of', () =>
      withStorage(open, async (storage) => {
        await storage.writeProperties([suppliedWrite('a', [[OPEN]])]);
        const outcomes = await storage.writeProperties([suppliedWrite('a', [undefined])]);
        assert.deepEqual(outcomes, ['unchanged']);
        const types = { inventoryTypes: [sampleType('double'), sampleType('single')] };
        await storage.writeProperties([suppliedWrite('a', [undefined, undefined], types)]);
        assert.deepEqual(await effectiveCalendar(storage, 'a', 0), buildCalendar([OPEN]));
        assert.deepEqual(await effectiveCalendar(storage, 'a', 1), buildCalendar([]));
      }));

    it('forgets what its source said of a type that the document no longer names, however many have layers', () =>
      withStorage(open, async (storage) => {
        const both = { inventoryTypes: [sampleType('double'), sampleType('single')] };
        for (const id of ['a', 'b'])
          await storage.writeProperties([suppliedWrite(id, [[OPEN], [OPEN]], both)]);
        const closed = nightEntry(1, 1, { stopSell: 1 });
        const place = { propertyId: 'b', inventoryTypeId: 'single', entries: [closed] };
        await send(storage, 'manual', calendarWork([place]));
        for (const id of ['a', 'b']) {
          await storage.writeProperties([suppliedWrite(id, [[OPEN]])]);
          await storage.writeProperties([suppliedWrite(id, [undefined, undefined], both)]);
        }
        assert.deepEqual(await effectiveCalendar(storage, 'a', 1), buildCalendar([]));
        assert.deepEqual(await effectiveCalendar(storage, 'b', 1), buildCalendar([closed]));
      }));

    it('drops the layer of a former source when another one takes the document over', () =>
      withStorage(open, async (storage) => {
        await storage.writeProperties([suppliedWrite('a', [[OPEN]])]);
        const closed = nightEntry(1, 1, { availability: 0 });
        await send(storage, 'channel', calendarWork([{ propertyId: 'a', entries: [closed] }]));
        const wide = nightEntry(0, 20, { availability: 7, rate: 5_000 });
        await storage.writeProperties([suppliedWrite('a', [[wide]], { source: 'other' })]);
        assert.deepEqual(await effectiveCalendar(storage, 'a'), buildCalendar([wide, closed]));
        const { layers, confirmations } = (await storage.findLayers('a'))!;
        assert.deepEqual(
          layers.map(({ source }) => source),
          ['channel', 'other'],
        );
        assert.deepEqual(
          confirmations.map(({ source }) => source),
          ['channel', 'other'],
        );
      }));

    it('keeps what another source closed when a property is withdrawn and comes back', () =>
      withStorage(open, async (storage) => {
        await storage.writeProperties([suppliedWrite('a', [[OPEN]])]);
        const closed = nightEntry(1, 1, { availability: 0 });
        await send(storage, 'manual', calendarWork([{ propertyId: 'a', entries: [closed] }]));
        const withdrawn = await send(storage, 'pms', { kind: 'withdrawal', propertyId: 'a' });
        assert.deepEqual([withdrawn.verdict, withdrawn.changed, withdrawn.revision], ['applied', 1, 3]);
        assert.equal(await storage.findProperty('a'), undefined);
        assert.equal(await storage.findLayers('a'), undefined);
        const refused = await send(storage, 'pms', { kind: 'withdrawal', propertyId: 'a' });
        assert.equal(refused.refusals[0]?.reason, 'property-unknown');
        assert.deepEqual(await storage.writeProperties([suppliedWrite('a', [[OPEN]])]), ['created']);
        assert.deepEqual(await effectiveCalendar(storage, 'a'), buildCalendar([OPEN, closed]));
      }));

    it('takes prices from one source only', () =>
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

    it('is whole or nothing, and names what is refused by its place', () =>
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

    it('leaves no trace of a message that can not be remembered', () =>
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
        assert.deepEqual(await storage.listSaidOfProperty('b', 10), []);
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

    it('takes a document from the source that owns the property only', () =>
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

    it('answers the same message under the same key once more, and refuses another body', () =>
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

    it('applies one of two messages at once that have the same key', () =>
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

    it('remembers when each source last confirmed a property, also with nothing new', async () => {
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
        const [said] = await storage.listSaidOfProperty('a', 10);
        assert.deepEqual([said?.messageId, said?.source], [ids[0], 'pms']);
        assert.match(said?.said ?? '', /"availability":1/);
      }));

    it('deletes old messages and keys, a few at a time', () =>
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
        assert.equal((await storage.listSaidOfProperty('a', 10)).length, 2);
        assert.equal(await storage.findSupplyKey('pms', 'k0'), undefined);
        assert.ok(await storage.findSupplyKey('pms', 'k1'));
      }));

    it('keeps where the names of other systems lead', () =>
      withStorage(open, async (storage) => {
        const to = (source: string, externalKey: string, propertyId: string) => ({
          source,
          externalKey,
          propertyId,
          inventoryTypeId: 'double',
        });
        await storage.putSupplyMappings([
          to('pms', 'r2', 'a'),
          to('pms', 'r1', 'a'),
          to('channel', 'r1', 'b'),
        ]);
        await storage.putSupplyMappings([to('pms', 'r2', 'c'), to('pms', 'r2', 'd')]);
        const all = [to('channel', 'r1', 'b'), to('pms', 'r1', 'a'), to('pms', 'r2', 'd')];
        assert.deepEqual(await storage.listSupplyMappings(), all);
        assert.deepEqual(await storage.listSupplyMappings('pms'), all.slice(1));
        const found = await storage.findSupplyMappings('pms', ['r2', 'none']);
        assert.deepEqual(found, [to('pms', 'r2', 'd')]);
      }));

    it('loses no night when two senders speak of the same property at once', () =>
      withStorage(open, async (storage, { openAnother }) => {
        const nights = 60;
        await storage.writeProperties([suppliedWrite('a', [[nightEntry(0, nights, { availability: 9 })]])]);
        const senders = [storage, await openAnother(), await openAnother()];
        await Promise.all(
          senders.flatMap((sender, index) =>
            Array.from({ length: nights / 3 }, (_, step) => {
              const night = step * 3 + index;
              const entries = [nightEntry(night, night, { availability: night % 7 })];
              const source = index === 2 ? 'channel' : 'pms';
              return send(sender, source, calendarWork([{ propertyId: 'a', entries }]));
            }),
          ),
        );
        const { availability } = await effectiveCalendar(storage, 'a');
        for (let night = 0; night < nights; night++) {
          assert.equal(valueAt(availability, FIRST_NIGHT + night), night % 7);
        }
      }));

    it('takes messages that withdraw and return a property at the same time, one after the other', () =>
      withStorage(open, async (storage) => {
        await storage.writeProperties([suppliedWrite('a', [[OPEN]])]);
        const write = suppliedWrite('a', [[nightEntry(0, 9, { availability: 2 })]]);
        const outcomes = await Promise.all([
          send(storage, 'pms', { kind: 'withdrawal', propertyId: 'a' }),
          send(storage, 'pms', { kind: 'document', write }),
          send(
            storage,
            'pms',
            calendarWork([{ propertyId: 'a', entries: [nightEntry(0, 0, { availability: 1 })] }]),
          ),
        ]);
        assert.deepEqual(
          outcomes.map(({ verdict }) => verdict),
          ['applied', 'applied', 'applied'],
        );
        assert.deepEqual(await unitsOf(storage, 'a'), [1, 2, 2, 2, 2, 2, 2, 2, 2, 2]);
      }));
  });
}
