import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeInventoryType } from '../../test/kit/property-fixtures.ts';
import { nightEntry as nights } from '../../test/suites/storage/supply-samples.ts';
import { buildCalendar } from './calendar.ts';
import { hiddenOf, hiddenOfType, makeSeenChange, withoutHiddenRates } from './hidden-values.ts';

/** A price for two guests on nights 0 to 4. */
const BY_GUESTS = nights(0, 4, { ratesByGuests: [{ guests: 2, rate: 9_000 }] });
const CLOSED = nights(3, 3, { stopSell: 1 });

describe('Hidden values', () => {
  it('of a type are rates on one night of many that has rates by guests', () => {
    const type = makeInventoryType();
    const rates = [nights(4, 4, { rate: 8_000 }), nights(8, 9, { rate: 7_000 })];
    assert.deepEqual(hiddenOfType(type, buildCalendar([BY_GUESTS, ...rates])), [
      { field: 'rate', by: 'ratesByGuests' },
    ]);
    assert.deepEqual(hiddenOfType(type, buildCalendar([BY_GUESTS, rates[1]!])), []);
    assert.deepEqual(hiddenOfType(type, buildCalendar(rates)), []);
  });

  for (const [what, type, isHidden] of [
    ['beyond those included', { includedGuests: 2, guestsMax: 3, extraGuestRate: '10.00' }, true],
    ['that costs nothing', { includedGuests: 2, guestsMax: 3, extraGuestRate: '0.00' }, false],
    ['that no type takes', { includedGuests: 3, guestsMax: 3, extraGuestRate: '10.00' }, false],
    ['without a price', { includedGuests: 2, guestsMax: 3 }, false],
  ] as const)
    it(`of a type are ${isHidden ? '' : 'not '}the price of a guest ${what}`, () => {
      const hidden = isHidden ? [{ field: 'extraGuestRate', by: 'ratesByGuests' }] : [];
      assert.deepEqual(hiddenOfType(makeInventoryType(type), buildCalendar([BY_GUESTS])), hidden);
    });

  for (const [what, entry, hidden] of [
    ['a rate on a night with rates by guests', nights(4, 6, { rate: 1 }), ['rate by ratesByGuests']],
    ['a rate behind them', nights(5, 6, { rate: 1 }), []],
    ['units on a night that is closed', nights(0, 3, { availability: 1 }), ['availability by stopSell']],
    ['no units there', nights(0, 3, { availability: 0 }), []],
    ['units with the closing itself', nights(3, 3, { availability: 1, stopSell: 1 }), []],
    ['units before it', nights(0, 2, { availability: 1 }), []],
    [
      'what people closed',
      nights(8, 8, { availability: 2, rate: 1, ratesByGuests: [{ guests: 1, rate: 1 }] }),
      ['availability by closedManually', 'rate by closedManually', 'ratesByGuests by closedManually'],
    ],
    ['nothing to sell there', nights(8, 8, { availability: 0, rate: null, ratesByGuests: null }), []],
  ] as const)
    it(`of an entry, ${what}: ${hidden.join(', ') || 'none'}`, () => {
      const manual = buildCalendar([nights(8, 8, { stopSell: 1 })]);
      const found = hiddenOf(buildCalendar([BY_GUESTS, CLOSED]), entry, manual);
      assert.deepEqual(
        found.map(({ field, by }) => `${field} by ${by}`),
        hidden,
      );
    });

  it('are not a change that somebody sees', () => {
    const before = buildCalendar([BY_GUESTS, CLOSED]);
    const entries = [
      nights(2, 2, { rate: 5 }),
      nights(3, 3, { availability: 4 }),
      nights(2, 3, { minStayArrival: 2 }),
    ];
    const isSeen = makeSeenChange(before, buildCalendar([BY_GUESTS, CLOSED, ...entries]));
    assert.deepEqual(entries.map(isSeen), [false, false, true]);
    assert.equal(isSeen(nights(4, 9, { minStayArrival: 2 })), false);
  });

  it('are left out of rates where rates by guests stand, and nowhere else', () => {
    const calendar = buildCalendar([BY_GUESTS, nights(3, 6, { rate: 8_000 })]);
    assert.deepEqual(withoutHiddenRates(calendar).rate, buildCalendar([nights(5, 6, { rate: 8_000 })]).rate);
    assert.deepEqual(withoutHiddenRates(calendar).ratesByGuests, calendar.ratesByGuests);
  });
});
