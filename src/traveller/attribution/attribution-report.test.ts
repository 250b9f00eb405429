import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AttributionRow } from '../../storage/attribution/store.ts';
import { reportAttribution } from './attribution-report.ts';

const NUMBERS = { opened: 6, continued: 5, unchanged: 4, priceChanged: 3, unavailable: 2, expired: 1 };
const ROWS: readonly AttributionRow[] = [
  { day: 20_777, partnerId: 'acme', quotes: 7, ...NUMBERS },
  { day: 20_777, partnerId: 'bravo', quotes: 8, ...NUMBERS },
  { day: 20_778, partnerId: 'acme', quotes: 9, ...NUMBERS },
];
const asked: number[][] = [];
const storage = {
  recordVisits: async () => undefined,
  async readAttribution(first: number, last: number) {
    asked.push([first, last]);
    return ROWS;
  },
  readConversions: async () => ({
    days: [{ day: 20_777, partnerId: 'bravo', converted: 2, cancelled: 1 }],
    totals: [
      { day: 20_777, partnerId: 'bravo', currency: 'USD', total: 5 },
      { day: 20_777, partnerId: 'bravo', currency: 'EUR', total: 123_400 },
    ],
  }),
};
const quotesOf = async (partnerId?: string): Promise<unknown[]> =>
  (await reportAttribution(storage, { from: 20_777, to: 20_778, partnerId })).map(
    ({ day, partnerId, quotes }) => [day, partnerId, quotes],
  );

describe('the report of attribution', () => {
  it('is of all partners, or of the one that is named', async () => {
    assert.deepEqual(await quotesOf(), [
      ['2026-11-20', 'acme', 7],
      ['2026-11-20', 'bravo', 8],
      ['2026-11-21', 'acme', 9],
    ]);
    assert.deepEqual(await quotesOf('bravo'), [['2026-11-20', 'bravo', 8]]);
    assert.deepEqual(await quotesOf('nobody'), []);
    assert.deepEqual(asked[0], [20_777, 20_778]);
  });

  it('shows what was booked beside the quotes of its day and partner', async () => {
    const report = await reportAttribution(storage, { from: 20_777, to: 20_778 });
    assert.deepEqual(
      report.map(({ converted, cancelled, convertedTotals }) => [converted, cancelled, convertedTotals]),
      [
        [0, 0, {}],
        [2, 1, { EUR: '1234.00', USD: '0.05' }],
        [0, 0, {}],
      ],
    );
  });
});
