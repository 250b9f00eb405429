import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ConnectedRoom, Connection } from '../../../src/storage/connections/store.ts';
import { CLOCKS_DIFFER_MS } from '../../../src/storage/feeds/store.ts';
import { NOW_MS, type OpenFixture, withStorage } from './fixture.ts';

export function sampleConnection(name: string, changes: Partial<Connection> = {}): Connection {
  return {
    name,
    kind: 'smoobu',
    account: `account of ${name}`,
    createdAtMs: NOW_MS,
    key: { key: 'k', secret: 's' },
    tokens: {},
    keyEndsAtMs: null,
    settings: {},
    allowed: [],
    everySeconds: 900,
    maxAgeSeconds: 86_400,
    calls: { sinceMs: 0, used: 0, notBeforeMs: 0 },
    comparison: null,
    nextPollAtMs: NOW_MS,
    polledAtMs: null,
    readAtMs: null,
    failureCount: 0,
    failure: null,
    failureWrong: null,
    isRefused: false,
    rooms: [],
    roomsAtMs: null,
    ...changes,
  };
}

export function sampleRoom(name: string, room: string, changes: Partial<ConnectedRoom> = {}): ConnectedRoom {
  return {
    name,
    room,
    source: `connection:${name}`,
    propertyId: 'ponte',
    inventoryTypeId: 'double',
    mappedAtMs: NOW_MS,
    readAtMs: null,
    held: null,
    failureWrong: null,
    unpriced: [],
    isClosed: false,
    ...changes,
  };
}

const FULL: Partial<Connection> = {
  tokens: { access: { value: 't', expiresAtMs: 5 } },
  keyEndsAtMs: NOW_MS + 7,
  settings: { minStay: 'arrival' },
  allowed: ['multiplier'],
  calls: { sinceMs: 1, used: 2, notBeforeMs: 3 },
  polledAtMs: NOW_MS + 1,
  readAtMs: NOW_MS + 2,
  failureCount: 3,
  failure: 'away, è',
  failureWrong: { code: 'connectionFailedWith', values: { code: 'ENOTFOUND' } },
  isRefused: true,
  rooms: [
    {
      room: '12',
      name: 'Attico "è"',
      guests: null,
      currency: 'EUR',
      timezone: null,
      property: { id: '12', name: 'Attico' },
      byHand: ['taxes'],
      terms: { a: [1] },
    },
  ],
  roomsAtMs: NOW_MS + 4,
};

export function describeConnections(open: OpenFixture): void {
  describe('Connections', () => {
    it('are kept as they are, with the state, calls, tokens and comparison that were saved last', () =>
      withStorage(open, async (storage) => {
        const first = sampleConnection('b');
        await storage.insertConnection(first);
        assert.deepEqual(await storage.findConnection('b'), first);
        const full = sampleConnection('b', FULL);
        assert.equal(await storage.updateConnection(full), true);
        assert.deepEqual(await storage.findConnection('b'), full);
        const state = { ...first, nextPollAtMs: NOW_MS + 9 };
        assert.equal(await storage.saveConnectionState('b', state), true);
        await storage.saveConnectionRooms('b', [], NOW_MS + 5);
        await storage.saveConnectionCalls('b', { sinceMs: 4, used: 5, notBeforeMs: 6 });
        await storage.saveConnectionTokens('b', { other: { value: 'u', expiresAtMs: 8 } });
        await storage.saveComparison('b', '{"at":1}');
        assert.deepEqual(await storage.findConnection('b'), {
          ...full,
          nextPollAtMs: NOW_MS + 9,
          polledAtMs: null,
          readAtMs: null,
          failureCount: 0,
          failure: null,
          failureWrong: null,
          isRefused: false,
          rooms: [],
          roomsAtMs: NOW_MS + 5,
          calls: { sinceMs: 4, used: 5, notBeforeMs: 6 },
          tokens: { other: { value: 'u', expiresAtMs: 8 } },
          comparison: '{"at":1}',
        });
        assert.equal(await storage.saveConnectionState('other', state), false);
        assert.equal(await storage.updateConnection(sampleConnection('other')), false);
        await assert.rejects(storage.insertConnection(first));
      }));

    it('are due by their next poll, the longest waiting first, and where a clock was far ahead', () =>
      withStorage(open, async (storage) => {
        await storage.insertConnection(sampleConnection('later', { nextPollAtMs: NOW_MS + 1 }));
        await storage.insertConnection(sampleConnection('due', { nextPollAtMs: NOW_MS }));
        await storage.insertConnection(sampleConnection('long', { nextPollAtMs: NOW_MS - 9 }));
        const ahead = { nextPollAtMs: NOW_MS + 99, polledAtMs: NOW_MS + CLOCKS_DIFFER_MS + 1 };
        await storage.insertConnection(sampleConnection('ahead', ahead));
        const names = async (limit: number) =>
          (await storage.listDueConnections(NOW_MS, limit)).map(({ name }) => name);
        assert.deepEqual(await names(9), ['long', 'due', 'ahead']);
        assert.deepEqual(await names(1), ['long']);
        const listed = (await storage.listConnections()).map(({ name }) => name);
        assert.deepEqual(listed, ['ahead', 'due', 'later', 'long']);
      }));

    it('have rooms, which are replaced by name and room, and go with their mappings', () =>
      withStorage(open, async (storage) => {
        await storage.insertConnection(sampleConnection('a'));
        await storage.insertConnection(sampleConnection('b'));
        const held = {
          nights: 'AA==',
          rates: '',
          opens: true,
          cheapens: false,
          notBeforeMs: 7,
        };
        const full = sampleRoom('a', '2', {
          readAtMs: NOW_MS,
          held,
          failureWrong: { code: 'roomGone', values: {} },
          unpriced: [{ reason: 'multiplier', nights: 3, isUsed: true }],
          isClosed: true,
        });
        await storage.putConnectedRooms([sampleRoom('a', '2'), sampleRoom('a', '1'), sampleRoom('b', '1')]);
        await storage.putConnectedRooms([full]);
        assert.deepEqual(await storage.listConnectedRooms('a'), [sampleRoom('a', '1'), full]);
        assert.equal((await storage.listConnectedRooms()).length, 3);
        const mapping = { externalKey: '1', propertyId: 'ponte', inventoryTypeId: 'double' };
        await storage.putSupplyMappings([
          { source: 'connection:a', ...mapping },
          { source: 'connection:b', ...mapping },
        ]);
        const sums = (await storage.summarizeConnections()).map(
          ({ name, types, held: waiting, oldestReadAtMs }) => [name, types, waiting, oldestReadAtMs],
        );
        assert.deepEqual(sums, [
          ['a', 2, 1, NOW_MS],
          ['b', 1, 0, NOW_MS],
        ]);
        await storage.deleteConnectedRooms('a', ['1']);
        assert.deepEqual(await storage.listConnectedRooms('a'), [full]);
        assert.equal(await storage.deleteConnection('a', ['connection:a']), true);
        assert.equal(await storage.deleteConnection('a', ['connection:a']), false);
        assert.deepEqual(await storage.listConnectedRooms(), [sampleRoom('b', '1')]);
        const left = (await storage.listSupplyMappings()).map(({ source }) => source);
        assert.deepEqual(left, ['connection:b']);
      }));
  });
}
