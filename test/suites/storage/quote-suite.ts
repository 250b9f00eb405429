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

    it('keep their mark', () =>
      withStorage(open, async (storage) => {
        await storage.insertQuote(sampleQuote('live'));
        await storage.insertQuote(sampleQuote('test', { isTest: true }));
        assert.deepEqual(
          [(await storage.findQuote('live'))?.isTest, (await storage.findQuote('test'))?.isTest],
          [false, true],
        );
      }));

    it('take no revision', () =>
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
        assert.deepEqual(
          results.map(({ status }) => status),
          ['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'rejected'],
        );
        assert.equal((await storage.findQuote('taken'))?.answer, '"first"');
        assert.ok(await storage.findQuote('c'));
      }));
  });
}
