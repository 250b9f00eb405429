import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PublishedCalendar } from '../../../src/storage/published/store.ts';
import { NOW_MS, type OpenFixture, withStorage } from './fixture.ts';

function calendar(propertyId: string, inventoryTypeId = 'double', secretHash = 'a1') {
  return { propertyId, inventoryTypeId, secretHash, publishedAtMs: NOW_MS };
}

const NOTHING = { propertyId: '', inventoryTypeId: '' };
const namesOf = (rows: readonly PublishedCalendar[]): string[] =>
  rows.map(({ propertyId, inventoryTypeId, secretHash }) => `${propertyId} ${inventoryTypeId} ${secretHash}`);

export function describePublished(open: OpenFixture): void {
  describe('published calendars', () => {
    it('are one for each type, each with a revision of its own', () =>
      withStorage(open, async (storage) => {
        assert.equal(await storage.publishCalendar(calendar('b')), false);
        assert.equal(await storage.publishCalendar(calendar('a', 'single', 'c3')), false);
        assert.equal(await storage.publishCalendar(calendar('b', 'double', 'b2')), true);
        assert.equal(await storage.readRevision(), 3);
        const listed = await storage.listPublishedCalendars(NOTHING, 10);
        assert.deepEqual(listed, [
          { ...calendar('a', 'single', 'c3'), revision: 2 },
          { ...calendar('b', 'double', 'b2'), revision: 3 },
        ]);
        assert.deepEqual(namesOf(await storage.listPublishedCalendars(NOTHING, 1)), ['a single c3']);
        assert.deepEqual(namesOf(await storage.listPublishedCalendars(listed[0]!, 10)), ['b double b2']);
      }));

    it('are seen to go by those who follow, and end once', () =>
      withStorage(open, async (storage) => {
        for (const id of ['a', 'b', 'c']) await storage.publishCalendar(calendar(id));
        assert.equal(await storage.unpublishCalendar(calendar('a')), true);
        assert.equal(await storage.unpublishCalendar(calendar('a')), false);
        assert.equal(await storage.unpublishCalendar(calendar('a', 'none')), false);
        assert.equal(await storage.readRevision(), 4, 'what changes nothing takes no revision');
        assert.deepEqual(namesOf(await storage.listPublishedCalendars(NOTHING, 10)), [
          'b double a1',
          'c double a1',
        ]);
        assert.deepEqual(namesOf(await storage.readPublishedChanges(2, 10)), [
          'c double a1',
          'a double null',
        ]);
        assert.deepEqual(namesOf(await storage.readPublishedChanges(0, 1)), ['b double a1']);
        assert.equal(await storage.publishCalendar(calendar('a', 'double', 'd4')), false);
        assert.deepEqual(namesOf(await storage.readPublishedChanges(4, 10)), ['a double d4']);
      }));
  });
}
