import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { HandoffVisit } from '../../../src/storage/attribution/store.ts';
import { NOW_MS, type OpenFixture, withStorage } from './fixture.ts';
import { sampleQuote } from './sample-rows.ts';

const MS_PER_DAY = 86_400_000;
const TODAY = Math.floor(NOW_MS / MS_PER_DAY);
const NOTHING = {
  quotes: 0,
  opened: 0,
  continued: 0,
  unchanged: 0,
  priceChanged: 0,
  unavailable: 0,
  expired: 0,
};

function visit(quoteId: string, override: Partial<HandoffVisit> = {}): HandoffVisit {
  return {
    quoteId,
    openedCount: 1,
    firstOpenedAtMs: NOW_MS,
    outcome: 'unchanged',
    priceChangePerMille: null,
    continuedAtMs: null,
    ...override,
  };
}

export function describeAttribution(open: OpenFixture): void {
  describe('attribution', () => {
    it('counts quotes by the day of the quote and by partner, and what became of them', () =>
      withStorage(open, async (storage) => {
        const yesterday = NOW_MS - MS_PER_DAY;
        await storage.insertQuote(sampleQuote('a', { partnerId: 'b' }));
        await storage.insertQuote(sampleQuote('b', { partnerId: 'b' }));
        await storage.insertQuote(sampleQuote('c', { partnerId: 'Z' }));
        await storage.insertQuote(sampleQuote('d', { partnerId: 'b', createdAtMs: yesterday }));
        await storage.recordVisits([
          visit('a', { continuedAtMs: NOW_MS }),
          visit('c', { outcome: null }),
          visit('d', { outcome: 'expired', firstOpenedAtMs: NOW_MS }),
        ]);
        assert.deepEqual(await storage.readAttribution(TODAY - 1, TODAY), [
          { ...NOTHING, day: TODAY - 1, partnerId: 'b', quotes: 1, opened: 1, expired: 1 },
          { ...NOTHING, day: TODAY, partnerId: 'Z', quotes: 1, opened: 1 },
          { ...NOTHING, day: TODAY, partnerId: 'b', quotes: 2, opened: 1, continued: 1, unchanged: 1 },
        ]);
        assert.deepEqual(await storage.readAttribution(TODAY + 1, TODAY + 9), []);
        assert.equal((await storage.readAttribution(TODAY, TODAY)).length, 2);
      }));

    it('leaves quotes of the sandbox out, before and after they are deleted', () =>
      withStorage(open, async (storage) => {
        await storage.insertQuote(sampleQuote('live'));
        await storage.insertQuote(sampleQuote('test', { isTest: true }));
        await storage.recordVisits([visit('live'), visit('test')]);
        const report = [{ ...NOTHING, day: TODAY, partnerId: 'partner', quotes: 1, opened: 1, unchanged: 1 }];
        assert.deepEqual(await storage.readAttribution(TODAY, TODAY), report);
        assert.equal(await storage.deleteExpiredQuotes(Number.MAX_SAFE_INTEGER, 9), 2);
        assert.deepEqual(await storage.readAttribution(TODAY, TODAY), report);
      }));

    it('keeps the first outcome of a quote, however often it is opened and by whichever process', () =>
      withStorage(open, async (storage, { openAnother }) => {
        const other = await openAnother();
        await storage.insertQuote(sampleQuote('a'));
        await storage.recordVisits([visit('a', { outcome: null })]);
        await other.recordVisits([visit('a', { outcome: 'price_changed', openedCount: 3 })]);
        await storage.recordVisits([
          visit('a', { outcome: 'expired', openedCount: 0, firstOpenedAtMs: null, continuedAtMs: 1 }),
        ]);
        const first = visit('a', { outcome: 'price_changed', openedCount: 4, continuedAtMs: 1 });
        assert.deepEqual(await storage.findVisit('a'), first);
        assert.equal(await storage.findVisit('unknown'), undefined);
        assert.deepEqual(await storage.readAttribution(TODAY, TODAY), [
          {
            ...NOTHING,
            day: TODAY,
            partnerId: 'partner',
            quotes: 1,
            opened: 1,
            continued: 1,
            priceChanged: 1,
          },
        ]);
      }));

    it('knows how far prices had moved, by the age of the quote at its first opening', () =>
      withStorage(open, async (storage, { openAnother }) => {
        const HOUR_MS = MS_PER_DAY / 24;
        const openings: readonly (readonly [age: number, change: number | null])[] = [
          [0, null] as const,
          [HOUR_MS - 1, 40] as const,
          [HOUR_MS, 100] as const,

          [MS_PER_DAY, -30] as const,
          [3 * MS_PER_DAY - 1, -10] as const,
          [3 * MS_PER_DAY, null] as const,
          [7 * MS_PER_DAY, 1000] as const,
        ];
        for (const [index, [ageMs, priceChangePerMille]] of openings.entries()) {
          const id = `q${index}`;
          await storage.insertQuote(
            sampleQuote(id, { createdAtMs: NOW_MS, partnerId: index === 0 ? 'b' : 'a' }),
          );
          const outcome = priceChangePerMille === null ? 'unchanged' : 'price_changed';
          await storage.recordVisits([
            visit(id, { firstOpenedAtMs: NOW_MS + ageMs, outcome, priceChangePerMille }),
          ]);
        }
        // Neither what could not be compared, nor the sandbox; a second opening changes nothing.
        await storage.insertQuote(sampleQuote('expired'));
        await storage.insertQuote(sampleQuote('test', { isTest: true }));
        await storage.recordVisits([visit('expired', { outcome: 'expired' }), visit('test')]);
        const other = await openAnother();
        await other.recordVisits([visit('q0', { outcome: 'price_changed', priceChangePerMille: 7 })]);
        await other.recordVisits([visit('q1', { outcome: 'unchanged' })]);
        const row = (age: string, compared: number, changes: readonly number[]) => {
          const changePerMille = changes.reduce((sum, change) => sum + change, 0);
          return { age, compared, priceChanged: changes.length, measured: changes.length, changePerMille };
        };
        const read = async (partnerId?: string, day = TODAY) =>
          (await storage.readPriceDrift(day, day, partnerId)).toSorted((one, two) =>
            one.age < two.age ? -1 : 1,
          );
        assert.deepEqual(await read(), [
          row('0-1h', 2, [40]),
          row('1-24h', 1, [100]),
          row('1-3d', 2, [-30, -10]),
          row('3-7d', 1, []),
          row('7d+', 1, [1000]),
        ]);
        assert.deepEqual(await read('b'), [row('0-1h', 1, [])]);
        assert.deepEqual(await read('a', TODAY + 1), []);
        const earlier = NOW_MS - MS_PER_DAY;
        await storage.insertQuote(sampleQuote('earlier', { createdAtMs: earlier }));
        await storage.recordVisits([
          visit('earlier', { firstOpenedAtMs: earlier, outcome: 'price_changed', priceChangePerMille: 60 }),
        ]);
        const both = await storage.readPriceDrift(TODAY - 9, TODAY, undefined);
        assert.equal(both.length, 5);
        assert.deepEqual(
          both.find(({ age }) => age === '0-1h'),
          row('0-1h', 3, [40, 60]),
        );
      }));

    it('keeps the change of price that belongs to the outcome', () =>
      withStorage(open, async (storage) => {
        await storage.insertQuote(sampleQuote('a'));
        await storage.recordVisits([visit('a', { outcome: null })]);
        await storage.recordVisits([visit('a', { outcome: 'price_changed', priceChangePerMille: 25 })]);
        await storage.recordVisits([visit('a', { outcome: 'price_changed', priceChangePerMille: 99 })]);
        const [row] = await storage.readPriceDrift(TODAY, TODAY, undefined);
        assert.deepEqual([row?.compared, row?.changePerMille], [1, 25]);
      }));

    it('takes visits of the same quotes from several openers at once', () =>
      withStorage(open, async (storage, { openAnother }) => {
        const other = await openAnother();
        const ids = Array.from({ length: 100 }, (_, index) => `q${index}`);
        for (const id of ids) await storage.insertQuote(sampleQuote(id));
        const rounds = Array.from({ length: 5 }, () => [
          storage.recordVisits(ids.map((id) => visit(id))),
          other.recordVisits(ids.toReversed().map((id) => visit(id))),
        ]);
        await Promise.all(rounds.flat());
        const [row] = await storage.readAttribution(TODAY, TODAY);
        assert.deepEqual([row?.quotes, row?.opened, row?.unchanged], [100, 100, 100]);
      }));

    it('passes over quotes that are not stored', () =>
      withStorage(open, async (storage) => {
        await storage.recordVisits([visit('gone')]);
        await storage.recordVisits([]);
        assert.deepEqual(await storage.readAttribution(0, TODAY), []);
      }));

    it('keeps the totals of quotes that are deleted', () =>
      withStorage(open, async (storage) => {
        for (const id of ['a', 'b', 'c']) {
          await storage.insertQuote(sampleQuote(id, { expiresAtMs: NOW_MS + id.charCodeAt(0) }));
        }
        await storage.recordVisits([visit('a', { continuedAtMs: NOW_MS }), visit('c')]);
        const before = await storage.readAttribution(TODAY, TODAY);
        assert.equal(before[0]?.quotes, 3);
        // Two steps, so that the second adds to the totals of the first.
        assert.equal(await storage.deleteExpiredQuotes(NOW_MS + 1_000, 1), 1);
        assert.deepEqual(await storage.readAttribution(TODAY, TODAY), before);
        assert.equal(await storage.deleteExpiredQuotes(NOW_MS + 1_000, 9), 2);
        assert.deepEqual(await storage.readAttribution(TODAY, TODAY), before);
        await storage.recordVisits([visit('a', { outcome: 'expired' })]);
        assert.deepEqual(await storage.readAttribution(TODAY, TODAY), before);
      }));

    it('loses no visit and counts none twice while quotes that nobody opened are deleted', () =>
      withStorage(open, async (storage, { openAnother }) => {
        const other = await openAnother();
        const ids = Array.from({ length: 120 }, (_, index) => `q${String(index).padStart(3, '0')}`);
        for (const id of ids) await storage.insertQuote(sampleQuote(id, { expiresAtMs: 1 }));
        const visited = ids
          .filter((_, index) => index % 2 === 0)
          .map((id) => other.recordVisits([visit(id)]));
        let after = { expiresAtMs: 0, quoteId: '' };
        for (let looked = 1; looked > 0;) {
          const slice = await storage.deleteUnopenedQuotes({ after, expiredBeforeMs: 2, limit: 7 });
          ({ looked, last: after } = slice);
        }
        await Promise.all(visited);
        const kept = await Promise.all(ids.map((id) => storage.findQuote(id)));
        const keptCount = kept.filter((quote) => quote !== undefined).length;
        const [row] = await storage.readAttribution(TODAY, TODAY);
        // A visit that came too late for its quote is passed over; every other one has its quote beside it.
        assert.deepEqual([row?.quotes, row?.opened], [ids.length, keptCount]);
        // What is kept is deleted in the end, and its visits with it.
        assert.equal(await storage.deleteExpiredQuotes(2, 1_000), keptCount);
        assert.deepEqual(await storage.readAttribution(TODAY, TODAY), [row]);
      }));
  });
}
