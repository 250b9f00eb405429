/** Several senders that speak of one property at the same time. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { valueAt } from '../../../src/domain/night-runs.ts';
import { type OpenFixture, withStorage } from './fixture.ts';
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

export function describeSenderRace(open: OpenFixture): void {
  describe('senders that speak of one property at once', () => {
    it('lose no night', () =>
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

    it('may withdraw and return it: their messages are applied one after the other', () =>
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
