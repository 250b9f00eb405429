import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { dayOf, makeDiscount } from '../../../test/kit/property-fixtures.ts';
import { openTemporaryStorage, type TemporaryStorage } from '../../../test/kit/temporary-storage.ts';
import type { CalendarEntry } from '../../domain/calendar.ts';
import { FIELDS, rowOf } from '../../domain/calendar-fields.ts';
import type { Property } from '../../domain/property.ts';
import { type ExplainDeps, explainQuote } from './explain-quote.ts';
import { bridgeHotel, december, HORIZON_NIGHTS, NOW_MS } from '../../../test/kit/quote-fixtures.ts';

const SET_AT = new Date(NOW_MS).toISOString();
let database: TemporaryStorage;
before(async () => {
  database = await openTemporaryStorage(() => NOW_MS);
});
after(() => database.close());

const stay = (checkIn: string, checkOut: string, guests = 2) => ({
  propertyId: 'hotel-ponte',
  checkIn: dayOf(checkIn),
  checkOut: dayOf(checkOut),
  guests,
});
const deps = (): ExplainDeps => ({
  storage: database.storage,
  horizonNights: HORIZON_NIGHTS,
  clock: () => NOW_MS,
});
async function explain(
  entries: readonly (readonly CalendarEntry[])[],
  request: ReturnType<typeof stay>,
  changes: Partial<Property> = {},
) {
  await database.storage.writeProperties([bridgeHotel(changes, entries)]);
  const explanation = await explainQuote(deps(), request);
  assert.ok(explanation);
  return explanation;
}

describe('explainQuote', () => {
  it('shows the type that a quote is for, with its nights and price', async () => {
    const explanation = await explain([[december({ rate: 12_000 })], []], stay('2026-12-30', '2027-01-01'));
    const { inventoryTypes, ...about } = explanation;
    assert.deepEqual(about, {
      propertyId: 'hotel-ponte',
      stay: { checkIn: '2026-12-30', checkOut: '2027-01-01', nights: 2, guests: 2, timezone: 'Europe/Rome' },
      currency: 'EUR',
      visibleTo: 'all',
      quoting: true,
      offered: { firstNight: '2026-11-20', lastNight: '2028-11-18' },
      outcome: 'priced',
      reasons: [],
      inventoryTypeId: 'double',
    });
    const [double, suite] = inventoryTypes;
    assert.equal(double?.eligible, true);
    assert.deepEqual(double.refusals, []);
    assert.equal(double.pricing?.accommodation, '240.00');
    const unset = FIELDS.map((field) => [field, rowOf(field).shape === 'flag' ? false : null]);
    assert.deepEqual(double.nights[1], {
      ...Object.fromEntries(unset),
      date: '2026-12-31',
      open: true,
      availability: 3,
      rate: '120.00',
      extraGuests: '0.00',
      price: '120.00',
      setBy: [
        { field: 'availability', value: 3, source: 'catalogue', at: SET_AT, messageId: null, decides: true },
        { field: 'rate', value: '120.00', source: 'catalogue', at: SET_AT, messageId: null, decides: true },
      ],
    });
    assert.equal(suite?.eligible, false);
    assert.equal(suite.pricing, null);
    assert.equal(suite.name, 'Suite grande');
  });

  it('names the discount of each type, also of one that is not eligible', async () => {
    const discounts = [
      makeDiscount({ code: 'suites', percent: '20', inventoryTypeIds: ['suite'] }),
      makeDiscount({ code: 'early-bird', percent: '12.5', minAdvanceDays: 11 }),
    ];
    const entries = [[december({ rate: 12_000 })], [december({ rate: 20_000, stopSell: 1 })]];
    const explained = await explain(entries, stay('2026-12-01', '2026-12-03'), { discounts });
    assert.deepEqual(
      explained.inventoryTypes.map(({ eligible, discount, pricing }) => [
        eligible,
        discount,
        pricing?.accommodation,
      ]),
      [
        [true, { code: 'early-bird', percent: '12.5', amount: '30.00' }, '210.00'],
        [false, { code: 'suites', percent: '20', amount: '80.00' }, '320.00'],
      ],
    );
    const late = await explain(entries, stay('2026-11-30', '2026-12-01'), { discounts });
    assert.deepEqual(
      late.inventoryTypes.map(({ discount }) => discount),
      [null, null],
    );
  });

  it('names every rule that refuses, with its date, its value and a sentence', async () => {
    const restricted = december({ minStayArrival: 3, minStayThrough: 4, maxStay: 1, closedToArrival: 1 });
    const closed = {
      from: dayOf('2026-12-12'),
      to: dayOf('2026-12-12'),
      set: { closedToDeparture: 1, stopSell: 1 },
    };
    const soldOut = {
      from: dayOf('2026-12-11'),
      to: dayOf('2026-12-11'),
      set: { availability: 0, stopSell: 1 },
    };
    const explanation = await explain(
      [[restricted, closed, soldOut], []],
      stay('2026-12-10', '2026-12-12', 3),
    );
    assert.equal(explanation.outcome, 'STAY_UNAVAILABLE');
    assert.equal(explanation.inventoryTypeId, null);
    assert.deepEqual(
      explanation.inventoryTypes[0]?.refusals.map(({ rule, date, value, detail }) => [
        rule,
        date,
        value,
        detail,
      ]),
      [
        ['guestsMax', null, 2, 'hosts at most 2 guests, not 3'],
        ['availability', '2026-12-11', 0, 'no unit is left on 2026-12-11'],
        ['stopSell', '2026-12-11', 1, 'sale is stopped on 2026-12-11'],
        ['closedToArrival', '2026-12-10', 1, 'closed to arrival on 2026-12-10'],
        ['closedToDeparture', '2026-12-12', 1, 'closed to departure on 2026-12-12'],
        ['minStayArrival', '2026-12-10', 3, 'arriving on 2026-12-10 takes at least 3 nights, not 2'],
        ['minStayThrough', '2026-12-10', 4, 'staying on 2026-12-10 takes at least 4 nights, not 2'],
        ['minStayThrough', '2026-12-11', 4, 'staying on 2026-12-11 takes at least 4 nights, not 2'],
        ['maxStay', '2026-12-10', 1, 'arriving on 2026-12-10 allows at most 1 nights, not 2'],
      ],
    );
    assert.deepEqual(
      explanation.inventoryTypes[0]?.nights.map((night) => night.open),
      [true, false],
    );
  });

  it('tells the past and the nights beyond the horizon', async () => {
    const always = { from: dayOf('2020-01-01'), to: dayOf('2035-01-01'), set: { availability: 1 } };
    const past = await explain([[always], []], stay('2026-11-19', '2026-11-21'));
    assert.deepEqual(past.inventoryTypes[0]?.refusals, [
      {
        rule: 'today',
        date: '2026-11-19',
        value: '2026-11-20',
        detail: '2026-11-19 is before today (2026-11-20) at the property',
      },
    ]);
    const beyond = await explain([[always], []], stay('2028-11-18', '2028-11-20'));
    assert.deepEqual(beyond.inventoryTypes[0]?.refusals, [
      {
        rule: 'horizon',
        date: '2028-11-19',
        value: '2028-11-18',
        detail: '2028-11-19 is beyond the last night offered (2028-11-18)',
      },
    ]);
  });

  it('tells an eligible stay without a price from one that is not available', async () => {
    const explanation = await explain([[december()], []], stay('2026-12-01', '2026-12-02'));
    assert.equal(explanation.outcome, 'QUOTE_UNAVAILABLE');
    assert.equal(explanation.inventoryTypes[0]?.eligible, true);
    assert.equal(explanation.inventoryTypes[0].pricing, null);
  });

  it('has nothing to say about an unknown property', async () => {
    assert.equal(
      await explainQuote(deps(), { ...stay('2026-12-01', '2026-12-02'), propertyId: 'nowhere' }),
      undefined,
    );
  });
});
