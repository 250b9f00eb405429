import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { naiveQuote, type NaiveWorld } from '../../../../test/kit/naive-model.ts';
import { FIRST_DAY, familyArbitrary, worldArbitrary } from '../../../../test/kit/property-arbitraries.ts';
import { RUN_SEED } from '../../../../test/kit/seeds.ts';
import { makeInventoryType, makeProperty, makeTaxRule } from '../../../../test/kit/property-fixtures.ts';
import type { Property } from '../../../domain/property.ts';
import { buildCalendar } from '../../../domain/calendar.ts';
import { encodeNights, encodeRates } from '../../../domain/calendar-codec.ts';
import { buildLowestRates } from '../../../domain/lowest-rates.ts';
import { encodePrices, leastPrice, type PriceHead, readTerms } from './price-record.ts';

/** Nights before the first span, in one of several spans, and behind the last one. */
const FIRST_NIGHTS = [FIRST_DAY, FIRST_DAY + 20, FIRST_DAY - 45, FIRST_DAY - 32 * 24 - 20];

function headOf({ property, entries, horizonNights }: NaiveWorld, firstNight: number): PriceHead {
  const calendars = entries.map(buildCalendar);
  const { bytes } = encodePrices(
    {
      property,
      revision: 1,
      lowestRates: buildLowestRates(calendars, horizonNights),
      nights: calendars.map(encodeNights),
      rates: calendars.map(encodeRates),
    },
    firstNight,
  );
  return { data: new DataView(bytes.buffer, bytes.byteOffset), start: 0 };
}

describe('The lower bound of a price', () => {
  it('is never above the price, and near it where stays differ in little', () => {
    const seen = { priced: 0, near: 0 };
    const night = fc.constantFrom(...FIRST_NIGHTS);
    fc.assert(
      fc.property(worldArbitrary, familyArbitrary, night, (world, stay, firstNight) => {
        const quote = naiveQuote(world, stay);
        if (quote.outcome !== 'priced') return;
        const least = leastPrice(headOf(world, firstNight), stay);
        const total = Number(quote.price.total);
        assert.ok(least <= total, `${least} ${total}`);
        seen.priced++;
        if (least > 0.8 * total - 100) seen.near++;
      }),
      { ...RUN_SEED, numRuns: 3000 },
    );
    assert.ok(seen.priced > 500 && seen.near > seen.priced / 5, JSON.stringify(seen));
  });

  it('is below the highest amounts that a document can have', () => {
    const entries = [{ from: FIRST_DAY, to: FIRST_DAY + 70, set: { availability: 1, rate: 10 ** 12 - 1 } }];
    const type = makeInventoryType({
      guestsMax: 30,
      includedGuests: 0,
      extraGuestRate: '9999999999.99',
    });
    const world = {
      today: FIRST_DAY,
      horizonNights: 90,
      entries: [entries],
      property: makeProperty({
        cleaningFee: '9999999999.99',
        inventoryTypes: [type],
        taxes: Array.from({ length: 30 }, (_, index) =>
          makeTaxRule({ code: `t${index}`, logic: 'cumulative_percent', percent: '9999999999' }),
        ),
      }),
    };
    const stay = { checkIn: FIRST_DAY, checkOut: FIRST_DAY + 60, guests: 30 };
    const quote = naiveQuote(world, stay);
    assert.ok(quote.outcome === 'priced');
    assert.ok(leastPrice(headOf(world, FIRST_DAY), stay) <= Number(quote.price.total));
  });

  it('counts what children pay, where all types have the same bands', () => {
    const entries = [{ from: FIRST_DAY, to: FIRST_DAY + 31, set: { availability: 1, rate: 100_00 } }];
    const type = makeInventoryType({ guestsMax: 6, includedGuests: 2, extraGuestRate: '30.00' });
    const ageBands = [
      { untilAge: 2, occupies: false },
      { untilAge: 12, rate: '15.00' },
    ];
    const leastOf = (more: Partial<Property>, childAges?: number[]): number => {
      const property = makeProperty({ inventoryTypes: [type], ...more });
      const world = { today: FIRST_DAY, horizonNights: 90, entries: [entries, entries], property };
      const stay = { checkIn: FIRST_DAY, checkOut: FIRST_DAY + 2, guests: 4, childAges };
      // A unit for the rounding of each night that a stay may have.
      return Math.round((leastPrice(headOf(world, FIRST_DAY), stay) + 60) / 100);
    };
    const many = { ...type, guestsMax: 10_000, includedGuests: 257 };
    assert.equal(leastOf({ inventoryTypes: [many] }), 200);
    assert.equal(leastOf({}), 320);
    assert.equal(leastOf({}, [1, 8]), 320);
    assert.equal(leastOf({ ageBands }, [1, 8]), 230);
    assert.equal(leastOf({ ageBands }, [1, 2]), 230);
    assert.equal(leastOf({ ageBands }, [8, 13]), 290);
    const differing = [type, { ...type, inventoryTypeId: 'other', ageBands: [] }];
    assert.equal(leastOf({ ageBands, inventoryTypes: differing }, [1, 8]), 200);
  });

  it('follows the span of the nights: a dear season is not taken for a cheap one', () => {
    const first = FIRST_DAY - (FIRST_DAY % 32);
    const entries = [
      { from: first, to: first + 31, set: { availability: 1, rate: 100_00 } },
      { from: first + 32, to: first + 63, set: { availability: 1, rate: 300_00 } },
    ];
    const world = { today: first, horizonNights: 90, entries: [entries], property: makeProperty() };
    const head = headOf(world, first);
    const leastOf = (checkIn: number): number =>
      Math.round(leastPrice(head, { checkIn, checkOut: checkIn + 4, guests: 1 }) / 100);
    assert.deepEqual([first, first + 30, first + 32].map(leastOf), [400 - 1, 800 - 1, 1200 - 1]);
  });
});

describe('The terms of a price', () => {
  const calendar = buildCalendar([]);
  const recordOf = (currency: string): Buffer => {
    const property = makeProperty({ currency, inventoryTypes: [makeInventoryType({})] });
    const calendars = { nights: [encodeNights(calendar)], rates: [encodeRates(calendar)] };
    const lowestRates = buildLowestRates([calendar], 90);
    const prices = encodePrices({ property, revision: 1, lowestRates, ...calendars }, FIRST_DAY);
    return Buffer.from(prices.bytes.subarray(prices.startOf(1, 0)));
  };
  const currencyIn = (bytes: Buffer): string => {
    const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return readTerms({ bytes, data, start: 0 }).currency;
  };

  it('are those of the whole digest, also where all of its words but one are those of other terms', () => {
    const digest = recordOf('EUR').subarray(0, 12);
    for (const [currency, word] of [
      ['SEK', 0],
      ['NOK', 1],
      ['DKK', 2],
    ] as const) {
      assert.equal(currencyIn(recordOf('EUR')), 'EUR');
      const other = recordOf(currency);
      const own = Buffer.from(other.subarray(4 * word, 4 * word + 4));
      other.set(digest);
      other.set(own, 4 * word);
      assert.equal(currencyIn(other), currency, `word ${word} is another`);
    }
  });
});
