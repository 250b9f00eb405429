/** What a source has left behind, and what is read page by page. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Storage } from '../../../src/storage/storage.ts';
import { SOURCES_LISTED_MAX } from '../../../src/storage/supply/store.ts';
import { listSources } from '../../../src/supply/sources/list-sources.ts';
import { messageIdsOf } from '../../../src/storage/supply/message-id.ts';
import { NOW_MS, type OpenFixture, withStorage } from './fixture.ts';
import { sampleType } from './sample-rows.ts';
import {
  calendarWork,
  isClosed,
  nightEntry,
  OPEN,
  send,
  suppliedWrite,
  supplyMessage,
} from './supply-samples.ts';

const CLOSED = nightEntry(0, 2, { stopSell: 1 });
const CLOSED_LATER = nightEntry(5, 5, { stopSell: 1 });

async function close(storage: Storage, source: string, propertyId: string): Promise<void> {
  await send(storage, source, calendarWork([{ propertyId, entries: [CLOSED] }]));
}

const idsOf = (rows: readonly { readonly propertyId: string }[]): string[] =>
  rows.map(({ propertyId }) => propertyId);

/** Rows of SQL, each with a number `i`. */
function numbers(from: number, to: number): string {
  return `WITH RECURSIVE numbers (i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM numbers WHERE i < ${to})`;
}

export function describeSources(open: OpenFixture): void {
  describe('a source', () => {
    it('is retired: its layers are gone, those of others apply again, and it has confirmed nothing', () =>
      withStorage(open, async (storage) => {
        await storage.writeProperties(['a', 'b'].map((id) => suppliedWrite(id, [[OPEN]])));
        await close(storage, 'mistyped', 'a');
        await close(storage, 'mistyped', 'b');
        await close(storage, 'channel', 'b');
        await send(storage, 'mistyped', { kind: 'confirmation' });
        const before = await storage.readRevision();
        const propertyIds = idsOf(await storage.listSourceProperties('mistyped', '', 10));
        assert.deepEqual(propertyIds, ['a', 'b']);
        const outcome = await send(storage, 'mistyped', { kind: 'retirement', propertyIds, isLast: true });
        assert.deepEqual([outcome.verdict, outcome.changed, outcome.unchanged], ['applied', 2, 0]);
        assert.ok(outcome.revision > before);
        assert.deepEqual([await isClosed(storage, 'a'), await isClosed(storage, 'b')], [false, true]);
        const confirmed = await storage.listConfirmations({ propertyId: '', source: '' }, 10);
        assert.deepEqual(
          confirmed.map(({ propertyId, source }) => `${propertyId} ${source}`),
          ['a pms', 'b channel', 'b pms'],
        );
        assert.deepEqual(await storage.listLayerSources(), ['channel', 'pms']);
        const said = await storage.listSourceHistory('a', 1);
        assert.equal(said[0]?.source, 'mistyped', 'the message is listed with the property');
        const again = await send(storage, 'mistyped', { kind: 'retirement', propertyIds, isLast: true });
        assert.deepEqual([again.changed, again.revision], [0, outcome.revision]);
      }));

    it(`is one of ${SOURCES_LISTED_MAX} that a list names at most`, () =>
      withStorage(open, async (storage, { execute }) => {
        await storage.writeProperties([suppliedWrite('a', [[OPEN]])]);
        // Beside "pms", which owns the property.
        await execute(`
          INSERT INTO supply_confirmations (property_id, source, confirmed_at_ms)
          ${numbers(1, SOURCES_LISTED_MAX - 1)} SELECT 'a', 's' || i, 1 FROM numbers`);
        assert.equal((await listSources(storage)).length, SOURCES_LISTED_MAX);
        assert.deepEqual(await storage.listLayerSources(), []);
        await close(storage, 'channel', 'a');
        assert.equal((await listSources(storage)).length, SOURCES_LISTED_MAX, 'one more is left out');

        await execute(`
          INSERT INTO calendar_layers (property_id, inventory_type_id, source, changed_at_ms, nights, rates)
          ${numbers(3, SOURCES_LISTED_MAX + 1)}
          SELECT property_id, inventory_type_id, 's' || i, changed_at_ms, nights, rates
          FROM calendar_layers, numbers WHERE source = 'channel'`);
        const { length } = await storage.listLayerSources();
        assert.equal(length, SOURCES_LISTED_MAX, '"channel" and "pms" are two of one too many');
        await execute(`DELETE FROM calendar_layers WHERE source = 's3'`);
        assert.equal((await storage.listLayerSources()).length, SOURCES_LISTED_MAX);
        await execute(`DELETE FROM calendar_layers WHERE source = 's4'`);
        assert.equal((await storage.listLayerSources()).length, SOURCES_LISTED_MAX - 1);
      }));

    it('that is back in the same batch speaks again, and no more than that', () =>
      withStorage(open, async (storage) => {
        await storage.writeProperties([suppliedWrite('a', [[OPEN]])]);
        await close(storage, 'channel', 'a');
        const retirement = { kind: 'retirement', propertyIds: ['a'], isLast: true } as const;
        const again = calendarWork([{ propertyId: 'a', entries: [CLOSED] }]);
        const works = [retirement, again];
        await Promise.all(works.map((work) => storage.applySupply(supplyMessage('channel', work))));
        assert.equal(await isClosed(storage, 'a'), true);
        const reversed = works.toReversed();
        await Promise.all(reversed.map((work) => storage.applySupply(supplyMessage('channel', work))));
        assert.equal(await isClosed(storage, 'a'), false);
        assert.deepEqual(await storage.listSourceProperties('channel', '', 10), []);
      }));

    it('that owns a document is not retired, neither is any other property of the message', () =>
      withStorage(open, async (storage) => {
        await storage.writeProperties([
          suppliedWrite('own', [[OPEN]]),
          suppliedWrite('other', [[OPEN]], { source: 'file' }),
        ]);
        await close(storage, 'pms', 'other');
        const propertyIds = ['other', 'own'];
        const outcome = await send(storage, 'pms', { kind: 'retirement', propertyIds, isLast: true });
        assert.equal(outcome.verdict, 'refused');
        assert.deepEqual(
          outcome.refusals.map(({ reason, propertyId, owner }) => [reason, propertyId, owner]),
          [['owns-document', 'own', 'pms']],
        );
        assert.equal(await isClosed(storage, 'other'), true);
        const spoken = await storage.listSourceProperties('pms', '', 10);
        assert.deepEqual(
          spoken.map(({ propertyId, ownsDocument, layers }) => [propertyId, ownsDocument, layers.length]),
          [
            ['other', false, 1],
            ['own', true, 0],
          ],
        );
      }));

    it('leaves no layer behind at a property that was withdrawn', () =>
      withStorage(open, async (storage) => {
        const write = suppliedWrite('a', [[OPEN]]);
        await storage.writeProperties([write]);
        await close(storage, 'mistyped', 'a');
        await storage.withdrawProperties(['a']);
        assert.deepEqual(idsOf(await storage.listSourceProperties('mistyped', '', 10)), ['a']);
        await send(storage, 'mistyped', { kind: 'retirement', propertyIds: ['a'], isLast: true });
        assert.deepEqual(await storage.listSourceProperties('mistyped', '', 10), []);
        await storage.writeProperties([write]);
        assert.equal(await isClosed(storage, 'a'), false);
      }));

    it('is read page by page, each property once with its layers', () =>
      withStorage(open, async (storage) => {
        const inventoryTypes = ['double', 'single'].map((id) => sampleType(id));
        const ids = ['a', 'b', 'c', 'd'];
        await storage.writeProperties(
          ids.map((id) => suppliedWrite(id, [[OPEN], [OPEN]], { inventoryTypes })),
        );
        for (const id of ids) {
          const entries = [CLOSED];
          await send(
            storage,
            'channel',
            calendarWork(
              ['double', 'single'].map((type) => ({ propertyId: id, inventoryTypeId: type, entries })),
            ),
          );
        }
        const first = await storage.listSourceProperties('channel', '', 3);
        assert.deepEqual(idsOf(first), ['a', 'b', 'c']);
        assert.deepEqual(
          first.map(({ layers }) => layers.map(({ inventoryTypeId }) => inventoryTypeId)),
          [1, 2, 3].map(() => ['double', 'single']),
        );
        assert.deepEqual(idsOf(await storage.listSourceProperties('channel', 'c', 3)), ['d']);
        assert.deepEqual(await storage.listSourceProperties('channel', 'd', 3), []);
      }));
  });

  describe('nights that a message clears', () => {
    it('are of its source only, lose every field, and say so when there is no entry', () =>
      withStorage(open, async (storage) => {
        await storage.writeProperties([suppliedWrite('a', [[OPEN]])]);
        await send(storage, 'channel', calendarWork([{ propertyId: 'a', entries: [CLOSED, CLOSED_LATER] }]));
        const clears = { from: CLOSED.from, to: CLOSED.to };
        const work = calendarWork([{ propertyId: 'a', clears, entries: [] }]);
        const outcome = await send(storage, 'channel', work);
        assert.deepEqual([outcome.changed, outcome.unchanged], [1, 0]);
        assert.equal(await isClosed(storage, 'a'), false);
        const { layers = [] } = (await storage.findLayers('a')) ?? {};
        assert.deepEqual(layers.map(({ source }) => source).toSorted(), ['channel', 'pms']);
        assert.equal((await send(storage, 'channel', work)).changed, 0);
      }));
  });

  describe('pages', () => {
    it('of properties are by id, without those that were withdrawn, and of one source', () =>
      withStorage(open, async (storage) => {
        await storage.writeProperties(['B', 'a', 'c'].map((id) => suppliedWrite(id, [[OPEN]])));
        await storage.writeProperties([suppliedWrite('d', [[OPEN]], { source: 'file' })]);
        await storage.withdrawProperties(['a']);
        const all = await storage.listProperties('', 1_000);
        for (const max of [1, all.length - 1, all.length, 1_000])
          assert.equal(await storage.countProperties(max), Math.min(max, all.length));
        const page = await storage.listProperties('', 2);
        assert.deepEqual(
          page.map(({ property, source, changedAtMs }) => [property.propertyId, source, changedAtMs]),
          [
            ['B', 'pms', NOW_MS],
            ['c', 'pms', NOW_MS],
          ],
        );
        const idsOfPage = async (after: string, source?: string): Promise<string[]> =>
          (await storage.listProperties(after, 10, source)).map(({ property }) => property.propertyId);
        assert.deepEqual(await idsOfPage('c'), ['d']);
        assert.deepEqual(await idsOfPage('', 'file'), ['d']);
        assert.deepEqual(await idsOfPage('', 'none'), []);
      }));

    it('of mappings are by source and key, and one is deleted once', () =>
      withStorage(open, async (storage) => {
        const place = { propertyId: 'a', inventoryTypeId: 'double' };
        const keys = [
          ['one', 'b'],
          ['one', 'a'],
          ['two', 'a'],
        ] as const;
        await storage.putSupplyMappings(
          keys.map(([source, externalKey]) => ({ source, externalKey, ...place })),
        );
        const page = async (source: string, externalKey: string, limit: number, of?: string) =>
          (await storage.pageSupplyMappings({ source, externalKey }, limit, of)).map((row) => [
            row.source,
            row.externalKey,
          ]);
        assert.deepEqual(await page('', '', 2), [
          ['one', 'a'],
          ['one', 'b'],
        ]);
        assert.deepEqual(await page('one', 'b', 2), [['two', 'a']]);
        assert.deepEqual(await page('', '', 9, 'two'), [['two', 'a']]);
        assert.equal(await storage.deleteSupplyMapping('one', 'a'), true);
        assert.equal(await storage.deleteSupplyMapping('one', 'a'), false);
        assert.deepEqual(await page('', '', 9, 'one'), [['one', 'b']]);
      }));

    it('of messages are of a span of time, by all, by source and by property, with their entries aside', () =>
      withStorage(open, async (storage) => {
        await storage.writeProperties([suppliedWrite('a', [[OPEN]])]);
        const instants = [NOW_MS - 10, NOW_MS, NOW_MS + 10];
        for (const [index, receivedAtMs] of instants.entries()) {
          const entries = [nightEntry(0, 0, { availability: index + 2 })];
          const work = calendarWork([{ propertyId: 'a', entries }]);
          const messageId = `${messageIdsOf({ sinceMs: receivedAtMs })[0]}000x`;
          await send(storage, 'channel', work, { messageId, receivedAtMs, entries: `[${receivedAtMs}]` });
        }
        await send(storage, 'pms', { kind: 'confirmation' });
        for (const of of [
          { source: 'channel' },
          { propertyId: 'a' },
          { source: 'channel', propertyId: 'a' },
        ]) {
          const read = async (span: { sinceMs?: number; untilMs?: number }): Promise<number[]> =>
            (await storage.listSupplyMessages({ ...of, ...span, limit: 10 })).map((row) => row.receivedAtMs);
          assert.deepEqual(await read({}), instants.toReversed());
          assert.deepEqual(await read({ sinceMs: NOW_MS }), [NOW_MS + 10, NOW_MS]);
          assert.deepEqual(await read({ untilMs: NOW_MS }), [NOW_MS - 10]);
          assert.deepEqual(await read({ sinceMs: NOW_MS, untilMs: NOW_MS + 1 }), [NOW_MS]);
        }
        const all = await storage.listSupplyMessages({ sinceMs: 0, untilMs: 8e15, limit: 10 });
        assert.equal(all.length, 4);
        const entries = await storage.readMessageEntries([...all.map((row) => row.messageId), 'sm_none']);
        assert.deepEqual([...entries.values()].toSorted(), instants.map((ms) => `[${ms}]`).toSorted());
      }));
  });
}
