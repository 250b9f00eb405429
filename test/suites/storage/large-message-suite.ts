/** Messages of more properties than one thread takes in a moment: whole or nothing, in turn with everybody else's. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildCalendar } from '../../../src/domain/calendar.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { type OpenFixture, withStorage } from './fixture.ts';
import { calendarWork, effectiveCalendar, nightEntry, OPEN, send, suppliedWrite } from './supply-samples.ts';

/** Above SMALL_PROPERTIES_MAX of the PostgreSQL adapter. */
const PROPERTY_COUNT = 150;
const ids = Array.from({ length: PROPERTY_COUNT }, (_, index) => `p${String(index).padStart(3, '0')}`);

async function fill(storage: Storage): Promise<void> {
  await storage.writeProperties(ids.map((propertyId) => suppliedWrite(propertyId, [[OPEN]])));
}

export function describeLargeMessages(open: OpenFixture): void {
  describe('large messages', () => {
    it('are applied as a whole, and answered the same when they are repeated', () =>
      withStorage(open, async (storage) => {
        await fill(storage);
        const entry = nightEntry(2, 3, { availability: 1 });
        const work = () => calendarWork(ids.map((propertyId) => ({ propertyId, entries: [entry] })));
        const override = { idempotency: { key: 'large', bodyHash: 'h' } };
        const outcome = await send(storage, 'pms', work(), override);
        assert.deepEqual([outcome.verdict, outcome.changed], ['applied', PROPERTY_COUNT]);
        for (const propertyId of ids) {
          assert.deepEqual(await effectiveCalendar(storage, propertyId), buildCalendar([OPEN, entry]));
        }
        assert.deepEqual(await send(storage, 'pms', work(), override), outcome);
      }));

    it('change nothing when one of their entries is refused, and name it', () =>
      withStorage(open, async (storage) => {
        await fill(storage);
        const entry = nightEntry(2, 3, { availability: 1 });
        const named = [...ids, 'nobody'];
        const outcome = await send(
          storage,
          'pms',
          calendarWork(named.map((propertyId) => ({ propertyId, entries: [entry] }))),
        );
        assert.equal(outcome.verdict, 'refused');
        assert.match(JSON.stringify(outcome), /nobody/);
        for (const propertyId of ids) {
          assert.deepEqual(await effectiveCalendar(storage, propertyId), buildCalendar([OPEN]));
        }
      }));

    it('lose no night of theirs, nor of small ones that come at the same time', () =>
      withStorage(open, async (storage) => {
        await fill(storage);
        const large = nightEntry(2, 3, { availability: 1 });
        const small = nightEntry(5, 5, { availability: 2 });
        const work = calendarWork(ids.map((propertyId) => ({ propertyId, entries: [large] })));
        const asked = [0, 75, 149].map((index) => ids[index]!);
        await Promise.all([
          ...asked.map((propertyId) =>
            send(storage, 'pms', calendarWork([{ propertyId, entries: [small] }])),
          ),
          send(storage, 'pms', work),
          ...asked.map((propertyId) =>
            send(storage, 'pms', calendarWork([{ propertyId, entries: [small] }])),
          ),
        ]);
        for (const propertyId of asked) {
          assert.deepEqual(await effectiveCalendar(storage, propertyId), buildCalendar([OPEN, large, small]));
        }
      }));
  });
}
