import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type OpenFixture, withStorage } from './fixture.ts';
import { sampleQuote, sampleWrite } from './sample-rows.ts';

export function describeQuotes(open: OpenFixture): void {
  describe('quotes', () => {
    it('are found as they were stored, by every opener', () =>
      withStorage(open, async (storage, { openAnother }) => {
        const quote = sampleQuote('q', { locale: 'en-GB', expiresAtMs: 2 ** 53 - 1 });
        await storage.insertQuote(quote);
        assert.deepEqual(await storage.findQuote('q'), quote);
        assert.deepEqual(await (await openAnother()).findQuote('q'), quote);
        assert.equal(await storage.findQuote('Q'), undefined);
      }));

    it('are found as test quotes when they were stored as such', () =>
      withStorage(open, async (storage) => {
        await storage.insertQuote(sampleQuote('live'));
        await storage.insertQuote(sampleQuote('test', { isTest: true }));
        assert.deepEqual(
          [(await storage.findQuote('live'))?.isTest, (await storage.findQuote('test'))?.isTest],
          [false, true],
        );
      }));

    it('are stored without a new revision', () =>
      withStorage(open, async (storage) => {
        await storage.insertQuote(sampleQuote('q'));
        assert.equal(await storage.readRevision(), 0);
      }));

    it('are all stored when many arrive at once, from several openers and beside an import', () =>
      withStorage(open, async (storage, { openAnother }) => {
        const other = await openAnother();
        const ids = Array.from({ length: 400 }, (_, index) => `q${index}`);
        const inserts = ids.map((id, index) =>
          (index % 2 === 0 ? storage : other).insertQuote(sampleQuote(id)),
        );
        const imports = ids.slice(0, 20).map((id) => other.writeProperties([sampleWrite(id)]));
        await Promise.all([...inserts, ...imports]);
        for (const id of ids) assert.equal((await storage.findQuote(id))?.quoteId, id);
      }));

    it('are deleted when they expired before an instant, the oldest first, so many at a time', () =>
      withStorage(open, async (storage) => {
        const ids = ['e', 'a', 'd', 'b', 'c'];
        for (const id of ids) await storage.insertQuote(sampleQuote(id, { expiresAtMs: id.charCodeAt(0) }));
        const stored = async () => {
          const found = await Promise.all(ids.map((id) => storage.findQuote(id)));
          return found
            .flatMap((quote) => quote?.quoteId ?? [])
            .toSorted()
            .join('');
        };
        assert.equal(await storage.deleteExpiredQuotes('a'.charCodeAt(0), 10), 0);
        assert.equal(await storage.deleteExpiredQuotes('d'.charCodeAt(0), 2), 2);
        assert.equal(await stored(), 'cde');
        assert.equal(await storage.deleteExpiredQuotes('d'.charCodeAt(0), 2), 1);
        assert.equal(await stored(), 'de');
        assert.equal(await storage.readRevision(), 0);
      }));

    it('with an id used twice fail alone; those that arrive with them are stored', () =>
      withStorage(open, async (storage) => {
        await storage.insertQuote(sampleQuote('taken', { answer: '"first"' }));
        const results = await Promise.allSettled(
          ['a', 'taken', 'b', 'c', 'a'].map((id) => storage.insertQuote(sampleQuote(id))),
        );
        const statuses = results.map(({ status }) => status);
        assert.deepEqual(statuses.slice(1, 4), ['rejected', 'fulfilled', 'fulfilled']);
        // Two batches may be under way at once: either of the two with one id is the first.
        assert.deepEqual([statuses[0], statuses[4]].sort(), ['fulfilled', 'rejected']);
        assert.equal((await storage.findQuote('taken'))?.answer, '"first"');
        assert.ok(await storage.findQuote('c'));
      }));

    it('are deleted when nobody opened them, in the order of their expiry, from a place on', () =>
      withStorage(open, async (storage) => {
        const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
        // The second and the third expire together.
        const expiresAtMs = { a: 1, b: 2, c: 2, d: 3, e: 4, f: 5 } as Readonly<Record<string, number>>;
        for (const id of ids) await storage.insertQuote(sampleQuote(id, { expiresAtMs: expiresAtMs[id]! }));
        const visit = {
          openedCount: 0,
          firstOpenedAtMs: null,
          outcome: null,
          priceChangePerMille: null,
          continuedAtMs: null,
        };
        await storage.recordVisits(['b', 'd'].map((quoteId) => ({ quoteId, ...visit })));
        const report = await storage.readAttribution(0, 1e6);
        const stored = async () => {
          const found = await Promise.all(ids.map((id) => storage.findQuote(id)));
          return found.flatMap((quote) => quote?.quoteId ?? []).join('');
        };
        const first = { expiresAtMs: Number.MIN_SAFE_INTEGER, quoteId: '' };
        const two = await storage.deleteUnopenedQuotes({ after: first, expiredBeforeMs: 5, limit: 2 });
        assert.deepEqual(two, { looked: 2, deleted: 1, last: { expiresAtMs: 2, quoteId: 'b' } });
        assert.equal(await stored(), 'bcdef');
        const rest = await storage.deleteUnopenedQuotes({ after: two.last, expiredBeforeMs: 5, limit: 9 });
        assert.deepEqual(rest, { looked: 3, deleted: 2, last: { expiresAtMs: 4, quoteId: 'e' } });
        assert.equal(await stored(), 'bdf');
        const none = await storage.deleteUnopenedQuotes({ after: rest.last, expiredBeforeMs: 5, limit: 9 });
        assert.deepEqual(none, { looked: 0, deleted: 0, last: rest.last });
        assert.deepEqual(await storage.readAttribution(0, 1e6), report);
      }));

    it('are counted by credential and day over all openers, for two days', () =>
      withStorage(open, async (storage, { openAnother }) => {
        const other = await openAnother();
        assert.deepEqual(await storage.addQuoteCounts(10, [{ credentialId: 'a', quotes: 2 }]), [
          { credentialId: 'a', quotes: 2 },
        ]);
        const both = await other.addQuoteCounts(10, [
          { credentialId: 'b', quotes: 1 },
          { credentialId: 'a', quotes: 3 },
        ]);
        const byId = both.map(({ credentialId, quotes }) => `${credentialId}${quotes}`).toSorted();
        assert.deepEqual(byId, ['a5', 'b1']);
        assert.equal((await storage.addQuoteCounts(11, [{ credentialId: 'a', quotes: 1 }]))[0]?.quotes, 1);
        // A process that is a day behind still finds its day, and no earlier one.
        assert.equal((await other.addQuoteCounts(10, [{ credentialId: 'a', quotes: 1 }]))[0]?.quotes, 6);
        await storage.addQuoteCounts(12, [{ credentialId: 'a', quotes: 1 }]);
        assert.equal((await other.addQuoteCounts(10, [{ credentialId: 'a', quotes: 1 }]))[0]?.quotes, 1);
        assert.deepEqual(await storage.addQuoteCounts(12, []), []);
      }));
  });
}
