import assert from 'node:assert/strict';
import { it } from 'node:test';
import { reportPriceDrift } from './price-drift.ts';

it('Price drift has a row for each age, with the average of the changes that are known', async () => {
  const asked: unknown[] = [];
  const storage = {
    async readPriceDrift(...question: unknown[]) {
      asked.push(question);
      return [
        { age: '7d+', compared: 9, priceChanged: 4, measured: 0, changePerMille: 0 },
        { age: '1-24h', compared: 8, priceChanged: 4, measured: 3, changePerMille: -100 },
      ] as const;
    },
  };
  const none = { compared: 0, priceChanged: 0, averageChangePercent: null };
  assert.deepEqual(await reportPriceDrift(storage, { from: 1, to: 2, partnerId: 'acme' }), [
    { age: '0-1h', ...none },
    { age: '1-24h', compared: 8, priceChanged: 4, averageChangePercent: -3.3 },
    { age: '1-3d', ...none },
    { age: '3-7d', ...none },
    { age: '7d+', compared: 9, priceChanged: 4, averageChangePercent: null },
  ]);
  assert.deepEqual(asked, [[1, 2, 'acme']]);
});
