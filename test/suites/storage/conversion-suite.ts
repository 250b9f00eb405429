import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CONVERSIONS_PER_QUOTE_MAX, type ConversionReport } from '../../../src/storage/conversions/store.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { NOW_MS, type OpenFixture, withStorage } from './fixture.ts';
import { sampleQuote } from './sample-rows.ts';

const DAY_MS = 86_400_000;
const TODAY = Math.floor(NOW_MS / DAY_MS);
const ANSWER = '{"currency":"EUR","pricing":{"total":"240.00"}}';
const SENDERS = 8;

function booked(quoteId: string, reference: string, override: Partial<ConversionReport> = {}) {
  return {
    quoteId,
    reference,
    total: 24_000,
    currency: 'EUR',
    atMs: NOW_MS,
    status: 'booked',
    ...override,
  } as const;
}

function cancelled(quoteId: string, reference: string, override: Partial<ConversionReport> = {}) {
  return booked(quoteId, reference, { status: 'cancelled', total: null, currency: null, ...override });
}

async function storeQuotes(storage: Storage, ...ids: readonly string[]): Promise<void> {
  for (const id of ids) await storage.insertQuote(sampleQuote(id, { answer: ANSWER }));
}

export function describeConversions(open: OpenFixture): void {
  describe('conversions', () => {
    it('count each quote once and add up what its bookings come to', () =>
      withStorage(open, async (storage) => {
        await storeQuotes(storage, 'a', 'b', 'c');
        await storage.insertQuote(sampleQuote('test', { answer: ANSWER, isTest: true }));
        for (const report of [
          booked('a', 'r1'),
          booked('a', 'r2', { total: 100 }),
          booked('b', 'r3', { total: null, currency: null }),
          booked('c', 'r4'),
          cancelled('c', 'r4'),
          booked('test', 'r5'),
        ]) {
          assert.deepEqual(await storage.recordConversion(report), { kind: 'recorded' });
        }
        assert.deepEqual(await storage.readConversions(TODAY, TODAY), {
          days: [{ day: TODAY, partnerId: 'partner', converted: 3, cancelled: 1 }],
          totals: [{ day: TODAY, partnerId: 'partner', currency: 'EUR', total: 24_100 }],
        });
        assert.deepEqual(await storage.readConversions(TODAY + 1, TODAY + 9), { days: [], totals: [] });
        const at = { bookedAtMs: NOW_MS, cancelledAtMs: null, total: 24_000, currency: 'EUR' };
        assert.deepEqual(await storage.listConversions('a'), [
          { reference: 'r1', ...at },
          { reference: 'r2', ...at, total: 100 },
        ]);
        assert.deepEqual(await storage.listConversions('c'), [
          { reference: 'r4', ...at, cancelledAtMs: NOW_MS },
        ]);
        assert.deepEqual(await storage.listConversions('unknown'), []);
      }));

    it('are not changed by the same report again', () =>
      withStorage(open, async (storage) => {
        await storeQuotes(storage, 'a');
        const reports = [booked('a', 'r'), cancelled('a', 'r')];
        for (const report of reports) {
          assert.deepEqual(await storage.recordConversion(report), { kind: 'recorded' });
          assert.deepEqual(await storage.recordConversion({ ...report, atMs: NOW_MS + 9 }), {
            kind: 'known',
          });
        }
        const withTotal = cancelled('a', 'r', { total: 24_000, currency: 'EUR' });
        assert.deepEqual(await storage.recordConversion(withTotal), { kind: 'known' });
      }));

    it('refuse what contradicts an earlier report, and change nothing', () =>
      withStorage(open, async (storage) => {
        await storeQuotes(storage, 'a', 'b');
        await storage.recordConversion(booked('a', 'r'));
        await storage.recordConversion(cancelled('a', 'gone'));
        const before = await storage.readConversions(TODAY, TODAY);
        for (const [report, reason] of [
          [booked('b', 'r'), 'otherQuote'],
          [cancelled('b', 'r'), 'otherQuote'],
          [booked('a', 'r', { total: 1 }), 'otherTotal'],
          [booked('a', 'r', { total: null, currency: null }), 'otherTotal'],
          [booked('a', 'r', { currency: 'USD' }), 'otherTotal'],
          [cancelled('a', 'r', { total: 1, currency: 'EUR' }), 'otherTotal'],
          [booked('a', 'gone'), 'cancelledBefore'],
        ] as const) {
          assert.deepEqual(await storage.recordConversion(report), { kind: 'conflict', reason });
        }
        assert.deepEqual(await storage.recordConversion(booked('none', 'new')), { kind: 'quoteUnknown' });
        assert.deepEqual(await storage.recordConversion(booked('b', 'new', { currency: 'USD' })), {
          kind: 'currencyDiffers',
          currency: 'EUR',
        });
        assert.deepEqual(await storage.readConversions(TODAY, TODAY), before);
      }));

    it('of one reference count once, though several systems report it at once', () =>
      withStorage(open, async (storage, { openAnother }) => {
        const other = await openAnother();
        await storeQuotes(storage, 'a', 'b');
        const senders = Array.from({ length: SENDERS }, (_, index) => (index % 2 === 0 ? storage : other));
        const same = await Promise.all(senders.map((sender) => sender.recordConversion(booked('a', 'same'))));
        assert.deepEqual(same.map(({ kind }) => kind).sort(), [
          ...Array.from({ length: SENDERS - 1 }, () => 'known'),
          'recorded',
        ]);
        const rivals = await Promise.all(
          senders.map((sender, index) =>
            sender.recordConversion(booked(index % 2 === 0 ? 'a' : 'b', 'rival')),
          ),
        );
        assert.equal(rivals.filter(({ kind }) => kind === 'recorded').length, 1);
        assert.equal(rivals.filter(({ kind }) => kind === 'conflict').length, SENDERS / 2);
        const ends = await Promise.all(
          senders.map((sender) => sender.recordConversion(cancelled('a', 'same'))),
        );
        assert.equal(ends.filter(({ kind }) => kind === 'recorded').length, 1);
      }));

    it('are so many of one quote at most, and those go on to be known', () =>
      withStorage(open, async (storage) => {
        await storeQuotes(storage, 'a', 'b');
        for (let index = 0; index < CONVERSIONS_PER_QUOTE_MAX; index++)
          assert.deepEqual(await storage.recordConversion(booked('a', `r${index}`)), { kind: 'recorded' });
        assert.deepEqual(await storage.recordConversion(booked('a', 'more')), {
          kind: 'conflict',
          reason: 'tooMany',
        });
        assert.deepEqual(await storage.recordConversion(booked('a', 'r0')), { kind: 'known' });
        assert.deepEqual(await storage.recordConversion(cancelled('a', 'r0')), { kind: 'recorded' });
        assert.deepEqual(await storage.recordConversion(booked('b', 'more')), { kind: 'recorded' });
      }));

    it('stay when their quotes are deleted, and can still be cancelled', () =>
      withStorage(open, async (storage) => {
        await storeQuotes(storage, 'a');
        await storage.recordConversion(booked('a', 'r'));
        assert.equal(await storage.deleteExpiredQuotes(Number.MAX_SAFE_INTEGER, 9), 1);
        assert.deepEqual(await storage.recordConversion(booked('a', 'r')), { kind: 'known' });
        assert.deepEqual(await storage.recordConversion(booked('a', 'r2')), { kind: 'quoteUnknown' });
        assert.deepEqual(await storage.recordConversion(cancelled('a', 'r')), { kind: 'recorded' });
        assert.deepEqual(await storage.readConversions(TODAY, TODAY), {
          days: [{ day: TODAY, partnerId: 'partner', converted: 1, cancelled: 1 }],
          totals: [],
        });
      }));
  });
}
