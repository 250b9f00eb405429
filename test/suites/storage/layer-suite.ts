/** Each source has a layer of its own in a calendar; partners see the strictest of all. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeCalendar } from '../../../src/domain/calendar-codec.ts';
import { buildCalendar } from '../../../src/domain/calendar.ts';
import { lowestRateAt } from '../../../src/domain/lowest-rates.ts';
import { type OpenFixture, withStorage } from './fixture.ts';
import { sampleType } from './sample-rows.ts';
import {
  FIRST_NIGHT,
  OPEN,
  calendarWork,
  effectiveCalendar,
  nightEntry,
  send,
  suppliedWrite,
} from './supply-samples.ts';

export function describeLayers(open: OpenFixture): void {
  describe('the layers of a calendar', () => {
    it('take entries over what their own source said before, and partners see the result', () =>
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

    it('of several sources combine to the strictest, in whatever order they speak', () =>
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

    it('of one source follow its document, and the others stay', () =>
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

    it('stay when a document without a calendar says nothing of them', () =>
      withStorage(open, async (storage) => {
        await storage.writeProperties([suppliedWrite('a', [[OPEN]])]);
        const outcomes = await storage.writeProperties([suppliedWrite('a', [undefined])]);
        assert.deepEqual(outcomes, ['unchanged']);
        const types = { inventoryTypes: [sampleType('double'), sampleType('single')] };
        await storage.writeProperties([suppliedWrite('a', [undefined, undefined], types)]);
        assert.deepEqual(await effectiveCalendar(storage, 'a', 0), buildCalendar([OPEN]));
        assert.deepEqual(await effectiveCalendar(storage, 'a', 1), buildCalendar([]));
      }));

    it('forget what the source of the document said of a type that it no longer names', () =>
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

    it('lose that of a former source when another one takes the document over', () =>
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

    it('keep what another source closed when a property is withdrawn and comes back', () =>
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
  });
}
