import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { presentChanges } from '../../supply/manual-override/present-changes.ts';
import { formatChanges, formatNights } from './readable-changes.ts';

type Fields = Readonly<Record<string, unknown>>;

const DAY = 20_811; // 2026-12-24
function nights(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    from: DAY + index,
    to: DAY + index,
    before: { availability: 3 },
    after: { availability: 0 },
  }));
}
const change = (propertyId: string, inventoryTypeId: string, after: Fields, before: Fields = {}) => ({
  propertyId,
  inventoryTypeId,
  dateFrom: '2026-12-24',
  dateTo: '2026-12-26',
  before,
  after,
});

describe('changes of calendars', () => {
  it('are named by property, then by inventory type, with what each field was and is', () => {
    const changes = [
      change('a', 'double', { availability: 0, rate: '210.00' }, { availability: 3, rate: '120.00' }),
      { ...change('a', 'single', { stopSell: true }, { stopSell: false }), dateTo: '2026-12-24' },
      change('b', 'double', { maxStay: null, ratesByGuests: { 2: '1.00' } }),
    ];
    assert.equal(
      formatChanges({ changes, changesLeftOut: 0 }),
      [
        'a',
        '  double  2026-12-24 to 2026-12-26  availability 3 -> 0, rate 120.00 -> 210.00',
        '  single  2026-12-24  stopSell no -> yes',
        'b',
        '  double  2026-12-24 to 2026-12-26  maxStay not set -> not set, ratesByGuests not set -> {"2":"1.00"}',
      ].join('\n'),
    );
    assert.equal(formatNights({ dateFrom: '2026-12-24', dateTo: '2026-12-24' }), '2026-12-24');
  });

  it('are said to be none, or more than are named', () => {
    assert.match(formatChanges({ changes: [], changesLeftOut: 0 }), /^No night changes/);
    const lines = formatChanges({ changes: [change('a', 'x', { rate: '1.00' })], changesLeftOut: 7 });
    assert.match(lines.split('\n').at(-1)!, /\b7 more\b/);
    assert.doesNotMatch(formatChanges({ changes: [change('a', 'x', {})], changesLeftOut: 0 }), /more/);
  });

  it('are named up to 5,000, and counted beyond', () => {
    const of = (...counts: number[]) =>
      presentChanges(
        counts.map((count, index) => ({
          propertyId: `p${index}`,
          inventoryTypeId: 'x',
          nights: nights(count),
        })) as never,
      );
    assert.equal(of(5_000).changes.length, 5_000);
    assert.equal(of(5_000).changesLeftOut, 0);
    const more = of(4_999, 3);
    assert.deepEqual([more.changes.length, more.changesLeftOut], [5_000, 2]);
    assert.deepEqual(of(1).changes, [
      {
        propertyId: 'p0',
        inventoryTypeId: 'x',
        dateFrom: '2026-12-24',
        dateTo: '2026-12-24',
        before: { availability: 3 },
        after: { availability: 0 },
      },
    ]);
  });
});
