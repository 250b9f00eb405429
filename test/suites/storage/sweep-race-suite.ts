import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createMessageIds } from '../../../src/storage/supply/message-id.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import type { SupplyWork } from '../../../src/domain/ledger/message.ts';
import { closeSilentSlice, type SliceResult } from '../../../src/supply/freshness/close-silent.ts';
import { NOW_MS, type OpenFixture, withStorage } from './fixture.ts';
import {
  calendarWork,
  HORIZON_NIGHTS,
  HOUR_MS,
  isClosed,
  nightEntry,
  OPEN,
  send,
  suppliedWrite,
} from './supply-samples.ts';

const newMessageId = createMessageIds(() => String(process.pid));

/** Looks as often as it is called; between what it reads and what it writes, `meanwhile` happens. */
function sweepBeside(storage: Storage, nowMs: number, meanwhile: () => Promise<unknown>) {
  const beside: Pick<Storage, 'listSupplyAgeLimits' | 'findProperty' | 'applySupply'> = {
    listSupplyAgeLimits: (afterId, limit) => storage.listSupplyAgeLimits(afterId, limit),
    findProperty: (propertyId) => storage.findProperty(propertyId),
    async applySupply(message) {
      await meanwhile();
      return storage.applySupply(message);
    },
  };
  const deps = { storage: beside, clock: () => nowMs, newMessageId, horizonNights: HORIZON_NIGHTS };
  return closeSilentSlice(deps, '');
}

function idsOf({ closedIds, openedIds, closedCount }: SliceResult) {
  return { closedIds, openedIds, closedCount };
}

export function describeSweepRace(open: OpenFixture): void {
  describe('what lands between the look of the freshness sweep and its write', () => {
    const limit = { maxSupplyAgeHours: 6 };
    const silentMs = NOW_MS + 7 * HOUR_MS;
    const at = { receivedAtMs: silentMs };

    /** A property `a` that `meanwhile` speaks of, and `b` that nobody speaks of; both silent since they were written. */
    const withSilent = (body: (storage: Storage, setClock: (ms: number) => void) => Promise<void>) => {
      let nowMs = NOW_MS;
      return withStorage(
        open,
        async (storage) => {
          await storage.writeProperties(['a', 'b'].map((id) => suppliedWrite(id, [[OPEN]], limit)));
          await body(storage, (ms) => (nowMs = ms));
        },
        () => nowMs,
      );
    };

    const works: Readonly<Record<string, SupplyWork>> = {
      'a message': calendarWork([{ propertyId: 'a', entries: [nightEntry(1, 1, { availability: 1 })] }]),
      'a message that repeats what is there': calendarWork([{ propertyId: 'a', entries: [OPEN] }]),
      'a document': { kind: 'document', write: suppliedWrite('a', [[OPEN]], limit) },
      'a document without the limit': { kind: 'document', write: suppliedWrite('a', [[OPEN]]) },
    };
    for (const [name, work] of Object.entries(works)) {
      it(`keeps the property open: ${name}`, () =>
        withSilent(async (storage) => {
          const swept = await sweepBeside(storage, silentMs, () => send(storage, 'pms', work, at));
          assert.equal(await isClosed(storage, 'a'), false);
          assert.ok(await isClosed(storage, 'b'));
          assert.deepEqual(idsOf(swept), { closedIds: ['b'], openedIds: [], closedCount: 1 });
          const [message] = await storage.listSupplyMessages({ limit: 1 });
          assert.deepEqual([message?.kind, message?.verdict], ['supply-age', 'partial']);
        }));
    }

    it('keeps all properties of a source open: a word for all of them', () =>
      withSilent(async (storage) => {
        const word = () => send(storage, 'pms', { kind: 'confirmation' }, at);
        assert.deepEqual(idsOf(await sweepBeside(storage, silentMs, word)), {
          closedIds: [],
          openedIds: [],
          closedCount: 0,
        });
        assert.equal(await isClosed(storage, 'b'), false);
      }));

    it('keeps the property open: an import that changes nothing', () =>
      withSilent(async (storage, setClock) => {
        setClock(silentMs);
        const importing = async () => {
          const outcomes = await storage.writeProperties([suppliedWrite('a', [[OPEN]], limit)]);
          assert.deepEqual(outcomes, ['unchanged']);
        };
        await sweepBeside(storage, silentMs, importing);
        assert.deepEqual([await isClosed(storage, 'a'), await isClosed(storage, 'b')], [false, true]);
      }));

    it('does not keep it open: a manual override, which confirms no supply', () =>
      withSilent(async (storage) => {
        const override = calendarWork([{ propertyId: 'a', entries: [nightEntry(5, 5, { stopSell: 1 })] }]);
        await sweepBeside(storage, silentMs, () => send(storage, 'manual', override, at));
        assert.ok(await isClosed(storage, 'a'));
      }));

    it('is one batch with the sweep, and the property stays open', () =>
      withSilent(async (storage) => {
        const work = calendarWork([{ propertyId: 'a', entries: [OPEN] }]);
        const nothing = calendarWork([]);
        let sent: Promise<unknown> = Promise.resolve();
        // Not awaited: behind a message that is under way it waits together with the message of the sweep.
        const alongside = async () =>
          void (sent = Promise.all([send(storage, 'other', nothing, at), send(storage, 'pms', work, at)]));
        await sweepBeside(storage, silentMs, alongside);
        await sent;
        assert.equal(await isClosed(storage, 'a'), false);
      }));

    it('loses nothing: any words and sweeps at once end with what was said last', () =>
      withSilent(async (storage) => {
        const work = calendarWork([{ propertyId: 'a', entries: [OPEN] }]);
        for (let round = 1; round <= 5; round++) {
          const nowMs = NOW_MS + round * 7 * HOUR_MS;
          await Promise.all([
            sweepBeside(storage, nowMs, async () => undefined),
            send(storage, 'pms', work, { receivedAtMs: nowMs }),
            sweepBeside(storage, nowMs, async () => undefined),
          ]);
          assert.equal(await isClosed(storage, 'a'), false, `round ${round}`);
          assert.ok(await isClosed(storage, 'b'));
        }
      }));
  });
}
