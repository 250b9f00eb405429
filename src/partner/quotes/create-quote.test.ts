import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import * as fc from 'fast-check';
import { dayOf, makeDiscount } from '../../../test/kit/property-fixtures.ts';
import { openTemporaryStorage, type TemporaryStorage } from '../../../test/kit/temporary-storage.ts';
import { Catalogue } from '../../read-model/catalogue/catalogue.ts';
import { formatLocalDate } from '../../domain/local-date.ts';
import { parseMoney } from '../../domain/money.ts';
import type { Discount } from '../../domain/property.ts';
import { openHandoff } from '../../handoff/handoff-value.ts';
import type { PropertyWrite } from '../../domain/ledger/stored-write.ts';
import type { Storage } from '../../storage/storage.ts';
import { createQuote } from './create-quote.ts';
import {
  bridgeHotel,
  december,
  HORIZON_NIGHTS,
  makeKeyring,
  NOW_MS,
  quoteDeps,
  quoteRequest,
  QUOTE_TTL_SECONDS,
} from '../../../test/kit/quote-fixtures.ts';
import { findShownQuote } from './shown-quote.ts';

let database: TemporaryStorage;
before(async () => {
  database = await openTemporaryStorage(() => NOW_MS);
});
after(() => database.close());
beforeEach(() => write(bridgeHotel()));

const write = (...writes: PropertyWrite[]) => database.storage.writeProperties(writes);
const minorUnits = (text: string): bigint => {
  const parsed = parseMoney(text);
  assert.ok(parsed !== undefined, text);
  return parsed;
};

async function quoted(changes: Parameters<typeof quoteRequest>[0] = {}) {
  const created = await createQuote(quoteDeps(database.storage), quoteRequest(changes));
  assert.equal(created.refusal, undefined);
  return created as Exclude<typeof created, { refusal: string }>;
}
async function refusal(changes: Parameters<typeof quoteRequest>[0] = {}) {
  return (await createQuote(quoteDeps(database.storage), quoteRequest(changes))).refusal;
}

const refusalOf = (checkIn: number, checkOut: number) => refusal({ checkIn, checkOut });
const nightAt120 = (date: string) => ({
  date,
  rate: '120.00',
  extraGuests: '0.00',
  discount: '0.00',
  price: '120.00',
});

describe('createQuote', () => {
  it('answers the cheapest type with all parts of its price', async () => {
    const { quote, body } = await quoted();
    const { quoteId, handoffUrl, ...rest } = quote;
    assert.match(quoteId, /^qt_[0-9A-Za-z]{24}$/);
    assert.match(handoffUrl, /^https:\/\/stay\.example\/handoff\?handoff=[A-Za-z0-9_.-]+$/);
    assert.deepEqual(rest, {
      propertyId: 'hotel-ponte',
      stay: { checkIn: '2026-12-01', checkOut: '2026-12-04', nights: 3, guests: 2, timezone: 'Europe/Rome' },
      pricing: {
        mode: 'indicative',
        accommodation: '360.00',
        cleaningFee: '40.00',
        // City tax 2 x 3 x 4.00 and 10 % of 400.00.
        taxes: '64.00',
        total: '464.00',
        pricePreservedInHandoff: false,
      },
      currency: 'EUR',
      expiresAt: '2026-11-20T11:30:00.000Z',
    });
    assert.deepEqual(JSON.parse(body), quote);
  });

  it('has stored the quote, with its breakdown, when it answers', async () => {
    const { quote } = await quoted({ locale: 'en-GB' });
    assert.deepEqual(await findShownQuote(database.storage, quote.quoteId), {
      ...quote,
      partnerId: 'acme',
      locale: 'en-GB',
      createdAt: '2026-11-20T11:00:00.000Z',
      inventoryTypeId: 'double',
      discount: null,
      nights: [nightAt120('2026-12-01'), nightAt120('2026-12-02'), nightAt120('2026-12-03')],
      taxes: [
        {
          code: 'city-tax',
          kind: 'city_tax',
          logic: 'per_person_per_night',
          inclusive: false,
          due: 'booking',
          nightCount: 3,
          quantity: 6,
          taxable: null,
          amount: '24.00',
          included: null,
        },
        {
          code: 'vat',
          kind: 'tax',
          logic: 'percent',
          inclusive: false,
          due: 'booking',
          nightCount: 3,
          quantity: null,
          taxable: '400.00',
          amount: '40.00',
          included: null,
        },
      ],
    });
    const row = await database.storage.findQuote(quote.quoteId);
    assert.equal(row?.credentialId, 'cr_1');
    assert.equal(row.answer, JSON.stringify(quote));
  });

  it('shows a quote of a version that did not know what is included', async () => {
    const created = await createQuote(quoteDeps(database.storage), quoteRequest());
    assert.ok(created.refusal === undefined);
    const row = await database.storage.findQuote(created.quote.quoteId);
    const old = { ...row!, quoteId: 'qt_old', breakdown: row!.breakdown.replaceAll(/,"included":null/g, '') };
    assert.notEqual(old.breakdown, row!.breakdown);
    await database.storage.insertQuote(old);
    const shown = await findShownQuote(database.storage, 'qt_old');
    assert.deepEqual(
      shown?.taxes.map(({ included }) => included),
      [null, null],
    );
  });

  it('has no quote to show for an id that was never given', async () => {
    assert.equal(await findShownQuote(database.storage, 'qt_unknown'), undefined);
  });

  it('seals what the quote binds into the handoff URL', async () => {
    const keyring = makeKeyring('hk_1', 'hk_2');
    const deps = quoteDeps(database.storage, { handoffKeys: () => keyring });
    const created = await createQuote(deps, quoteRequest({ guests: 1 }));
    assert.ok(created.refusal === undefined);
    const value = new URL(created.quote.handoffUrl).searchParams.get('handoff');
    assert.deepEqual(await openHandoff(keyring, value ?? '', NOW_MS), {
      ok: true,
      keyId: 'hk_2',
      handoff: {
        quoteId: created.quote.quoteId,
        propertyId: 'hotel-ponte',
        checkIn: dayOf('2026-12-01'),
        checkOut: dayOf('2026-12-04'),
        guests: 1,
        locale: 'it-IT',
        partnerId: 'acme',
        total: created.quote.pricing.total,
        currency: 'EUR',
        expiresAtMs: NOW_MS + QUOTE_TTL_SECONDS * 1000,
      },
    });
  });

  it('gives a retry another quote', async () => {
    assert.notEqual((await quoted()).quote.quoteId, (await quoted()).quote.quoteId);
  });

  it('takes the larger type, with extra guests, when the cheaper one is too small', async () => {
    const { quote } = await quoted({ guests: 4 });
    // 3 x (200.00 + 2 x 15.00)
    assert.equal(quote.pricing.accommodation, '690.00');
    const shown = await findShownQuote(database.storage, quote.quoteId);
    assert.equal(shown?.inventoryTypeId, 'suite');
    assert.deepEqual(shown.nights[0], {
      date: '2026-12-01',
      rate: '200.00',
      extraGuests: '30.00',
      discount: '0.00',
      price: '230.00',
    });
  });

  it('decides by the newest committed calendar', async () => {
    assert.equal((await quoted()).quote.pricing.accommodation, '360.00');
    await write(bridgeHotel({}, [[december({ rate: 13_000 })], []]));
    assert.equal((await quoted()).quote.pricing.accommodation, '390.00');
  });

  it('keeps the parts, the nights and the taxes summing to the total, to the cent', async () => {
    const rate = fc.integer({ min: 0, max: 999_999 });
    const percent = fc.integer({ min: 0, max: 3000 }).map((value) => (value / 100).toFixed(2));
    await fc.assert(
      fc.asyncProperty(
        fc.array(rate, { minLength: 1, maxLength: 28 }),
        percent,
        percent,
        fc.integer({ min: 1, max: 10_000 }).map((value) => (value / 100).toFixed(2)),
        async (rates, first, second, off) => {
          const [cityTax, vat] = bridgeHotel().property.taxes;
          assert.ok(cityTax && vat);
          const taxes = [
            cityTax,
            { ...vat, percent: first },
            { ...vat, logic: 'cumulative_percent' as const, percent: second },
          ];
          const entries = rates.map((value, index) => {
            const night = dayOf('2026-12-01') + index;
            return { from: night, to: night, set: { availability: 1, rate: value } };
          });
          const discounts = [makeDiscount({ percent: off, minNights: 7 })];
          await write(bridgeHotel({ taxes, discounts, cleaningFee: '33.33' }, [entries, []]));
          const { quote } = await quoted({ checkOut: dayOf('2026-12-01') + rates.length });
          const shown = await findShownQuote(database.storage, quote.quoteId);
          assert.ok(shown);
          const sum = (texts: readonly string[]) =>
            texts.reduce((total, text) => total + minorUnits(text), 0n);
          const { pricing } = shown;
          assert.equal(sum(shown.nights.map((night) => night.price)), minorUnits(pricing.accommodation));
          assert.equal(sum(shown.taxes.map((tax) => tax.amount)), minorUnits(pricing.taxes));
          assert.equal(
            sum([pricing.accommodation, pricing.cleaningFee, pricing.taxes]),
            minorUnits(pricing.total),
          );
          for (const night of shown.nights)
            assert.equal(sum([night.rate, night.extraGuests]), sum([night.price, night.discount]));
          assert.equal(shown.discount === null, rates.length < 7);
          assert.equal(
            sum(shown.nights.map((night) => night.discount)),
            minorUnits(shown.discount?.amount ?? '0.00'),
          );
        },
      ),
      { seed: 20261120, numRuns: 40 },
    );
  });
});

describe('createQuote with discounts', () => {
  it('answers the reduced price, and has stored which discount took off how much', async () => {
    const discounts = [
      makeDiscount({ code: 'long-stay', percent: '20', minNights: 4 }),
      makeDiscount({ code: 'early-bird', percent: '12.5', minAdvanceDays: 11 }),
    ];
    await write(bridgeHotel({ discounts }));
    const { quote, body } = await quoted();
    // 360.00 less 45.00, the fee, and city tax 24.00 and 10 % of 355.00.
    assert.deepEqual(quote.pricing, {
      mode: 'indicative',
      accommodation: '315.00',
      cleaningFee: '40.00',
      taxes: '59.50',
      total: '414.50',
      pricePreservedInHandoff: false,
    });
    assert.doesNotMatch(body, /discount|early/);
    const shown = await findShownQuote(database.storage, quote.quoteId);
    assert.deepEqual(shown?.discount, { code: 'early-bird', percent: '12.5', amount: '45.00' });
    assert.deepEqual(shown.nights[0], {
      ...nightAt120('2026-12-01'),
      discount: '15.00',
      price: '105.00',
    });
    assert.equal(shown.taxes[1]?.taxable, '355.00');
  });

  it('takes what extra guests pay as part of the night', async () => {
    await write(bridgeHotel({ discounts: [makeDiscount({ percent: '10' })] }));
    const { quote } = await quoted({ guests: 4 });
    // 3 x (200.00 + 2 x 15.00) less 10 %.
    assert.equal(quote.pricing.accommodation, '621.00');
    const shown = await findShownQuote(database.storage, quote.quoteId);
    assert.equal(shown?.discount?.amount, '69.00');
  });

  it('is for the type that is the cheapest after discounts', async () => {
    const discounts = [makeDiscount({ percent: '45', inventoryTypeIds: ['suite'] })];
    await write(bridgeHotel({ discounts }));
    const { quote } = await quoted();
    assert.equal(quote.pricing.accommodation, '330.00');
    assert.equal((await findShownQuote(database.storage, quote.quoteId))?.inventoryTypeId, 'suite');
  });

  /** The last instant before a local day; the next one begins it. */
  const midnights: readonly [timezone: string, day: string, last: string][] = [
    ['Europe/Rome', '2026-11-20', '2026-11-19T22:59:59.999Z'],
    // Clocks go forward on this day, and back on the other one: it has 23 hours, and 25.
    ['Europe/Rome', '2026-03-29', '2026-03-28T22:59:59.999Z'],
    ['Europe/Rome', '2026-03-30', '2026-03-29T21:59:59.999Z'],
    ['Europe/Rome', '2026-10-26', '2026-10-25T22:59:59.999Z'],
    // The day begins at 01:00: there is no midnight.
    ['America/Santiago', '2026-09-06', '2026-09-06T03:59:59.999Z'],
    ['Pacific/Kiritimati', '2026-11-20', '2026-11-19T09:59:59.999Z'],
    ['Etc/GMT+12', '2026-11-20', '2026-11-20T11:59:59.999Z'],
    ['Asia/Kathmandu', '2026-11-20', '2026-11-19T18:14:59.999Z'],
  ];
  for (const [timezone, day, last] of midnights) {
    it(`begins on ${day}, and ends the day before, at midnight of ${timezone}`, async () => {
      const dayBefore = formatLocalDate(dayOf(day) - 1);
      const ahead = dayOf('2026-12-01') - dayOf(day);
      const discountAt = async (atMs: number, discounts: readonly Discount[]) => {
        await write(bridgeHotel({ timezone, discounts }));
        const deps = quoteDeps(database.storage, { clock: () => atMs });
        const created = await createQuote(deps, quoteRequest());
        assert.ok(created.refusal === undefined);
        return (await findShownQuote(database.storage, created.quote.quoteId))?.discount?.code;
      };
      const lastMs = Date.parse(last);
      const begins = [makeDiscount({ code: 'begins', bookFrom: day })];
      const ends = [makeDiscount({ code: 'ends', bookTo: dayBefore })];
      const nearer = [makeDiscount({ code: 'nearer', maxAdvanceDays: ahead })];
      const farther = [makeDiscount({ code: 'farther', minAdvanceDays: ahead + 1 })];
      for (const rule of [begins, nearer]) {
        assert.equal(await discountAt(lastMs, rule), undefined);
        assert.equal(await discountAt(lastMs + 1, rule), rule[0]!.code);
      }
      for (const rule of [ends, farther]) {
        assert.equal(await discountAt(lastMs, rule), rule[0]!.code);
        assert.equal(await discountAt(lastMs + 1, rule), undefined);
      }
    });
  }
});

describe('createQuote refuses', () => {
  it('an unknown property', async () => {
    assert.equal(await refusal({ propertyId: 'nowhere' }), 'PROPERTY_NOT_FOUND');
  });

  it('a withdrawn property', async () => {
    await write(bridgeHotel({ propertyId: 'gone' }));
    await database.storage.withdrawProperties(['gone']);
    assert.equal(await refusal({ propertyId: 'gone' }), 'PROPERTY_NOT_FOUND');
  });

  it('a property that this partner may not see, exactly like an unknown one', async () => {
    await write(bridgeHotel({ visibleTo: ['beta'] }));
    assert.equal(await refusal(), 'PROPERTY_NOT_FOUND');
    assert.equal(
      await refusal({ checkIn: dayOf('2020-01-01'), checkOut: dayOf('2020-01-02') }),
      'PROPERTY_NOT_FOUND',
    );
    assert.equal(await refusal({ partnerId: 'beta' }), undefined);
  });

  it('a hidden property without reading any more than for an unknown one', async () => {
    const hidden = bridgeHotel({ visibleTo: ['beta'] });
    const catalogue = new Catalogue({ clock: () => NOW_MS, horizonNights: HORIZON_NIGHTS });
    const nights = hidden.calendars.map((calendar) => calendar.nights);
    const rates = hidden.calendars.map((calendar) => calendar.rates);
    catalogue.apply({ ...hidden, nights, rates, revision: 1 });
    await write(hidden);
    const readsFor = async (changes: Parameters<typeof quoteRequest>[0]): Promise<number> => {
      let reads = 0;
      const storage: Storage = {
        ...database.storage,
        findProperty: (propertyId) => {
          reads++;
          return database.storage.findProperty(propertyId);
        },
      };
      const isVisible = catalogue.isVisible.bind(catalogue);
      await createQuote(quoteDeps(storage, { isVisible }), quoteRequest(changes));
      return reads;
    };
    assert.equal(await readsFor({ propertyId: 'nowhere' }), 0);
    assert.equal(await readsFor({}), 0);
    assert.equal(await readsFor({ partnerId: 'beta' }), 1);
  });

  it('a stay that no single type hosts', async () => {
    const first = { from: dayOf('2026-12-01'), to: dayOf('2026-12-02'), set: { availability: 1, rate: 100 } };
    const last = { from: dayOf('2026-12-03'), to: dayOf('2026-12-03'), set: { availability: 1, rate: 100 } };
    await write(bridgeHotel({}, [[first], [last]]));
    assert.equal(await refusal(), 'STAY_UNAVAILABLE');
    assert.equal(await refusal({ checkOut: dayOf('2026-12-03') }), undefined);
  });

  it('a stay of the past, and one beyond the horizon', async () => {
    const always = {
      from: dayOf('2020-01-01'),
      to: dayOf('2035-01-01'),
      set: { availability: 1, rate: 100 },
    };
    await write(bridgeHotel({}, [[always], []]));
    const today = dayOf('2026-11-20');
    assert.equal(await refusalOf(today - 1, today + 1), 'STAY_UNAVAILABLE');
    assert.equal(await refusalOf(today, today + 1), undefined);
    assert.equal(await refusalOf(today + HORIZON_NIGHTS - 1, today + HORIZON_NIGHTS), undefined);
    assert.equal(await refusalOf(today + HORIZON_NIGHTS - 1, today + HORIZON_NIGHTS + 1), 'STAY_UNAVAILABLE');
  });

  it('what would be priced only in a type that is not eligible', async () => {
    await write(bridgeHotel({}, [[december()], [december({ rate: 1, availability: 0 })]]));
    assert.equal(await refusal(), 'QUOTE_UNAVAILABLE');
  });

  it('an available stay with a night that has no rate', async () => {
    const gap = { from: dayOf('2026-12-02'), to: dayOf('2026-12-02'), set: { rate: null } };
    await write(bridgeHotel({}, [[december({ rate: 12_000 }), gap], []]));
    assert.equal(await refusal(), 'QUOTE_UNAVAILABLE');
    assert.equal(await refusal({ checkIn: dayOf('2026-12-03') }), undefined);
  });

  it('a property that does not quote, but decides first whether the stay is available', async () => {
    await write(bridgeHotel({ quoting: false }));
    assert.equal(await refusal(), 'QUOTE_UNAVAILABLE');
    await write(bridgeHotel({ quoting: false }, [[december({ stopSell: 1 })], []]));
    assert.equal(await refusal(), 'STAY_UNAVAILABLE');
  });
});
