import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRandom, mutate } from '../../../../test/kit/mutations.ts';
import { RatesReader } from '../../../supply/rates/rates-file.ts';
import { tellReason } from './reasons.ts';

const HEADER = 'propertyId inventoryTypeId dateFrom dateTo availability rate ratesByGuests weekdays stopSell maxStay';
const ROW = 'ponte|double|2026-12-01|2026-12-31|2|120.50|1:80.00|fri|false|14';
const PIECES = ['|', ',', '-', '31/12/26', 'VERO', '1:', '9999-12-31', 'x', '1e9', ' '];

describe('A reason', () => {
  it('is told in Italian with what differs, and its value', () => {
    const tell = (reason: string): string => tellReason('it-IT', reason).text;
    assert.equal(
      tell('must be a whole number from 0 to 9, not "two, not three"'),
      'deve essere un numero intero da 0 a 9, non "two, not three"',
    );
    assert.equal(tell('The property a.b has no inventory type (c)'), 'La struttura a.b non ha il tipo di alloggio (c)');
    assert.deepEqual(tellReason('it-IT', 'is something new'), { text: 'is something new', lang: 'en' });
    assert.deepEqual(tellReason('en-GB', 'is required'), { text: 'is required', lang: 'en' });
  });

  it('is told in Italian for whatever is wrong with a row of rates', () => {
    const random = createRandom(20_261_127);
    const reader = new RatesReader({ european: true });
    reader.take({ row: 1, cells: HEADER.split(' ') });
    const english = new Set<string>();
    let count = 0;
    for (let row = 2; row < 5_000; row += 1) {
      const cells = mutate(ROW, PIECES, random, 4)
        .split('|')
        .map((cell) => cell.trim());
      const read = reader.take({ row, cells });
      for (const { reason } of read?.ok === false ? read.mistakes : []) {
        count += 1;
        if (tellReason('it-IT', reason).lang === 'en') english.add(reason);
      }
    }
    assert.ok(count > 1_000, String(count));
    assert.deepEqual([...english], []);
  });
});
