/**
 * What a stay costs (SPEC 4.4): accommodation, cleaning fee and taxes from lines of a catalogue, over HTTP.
 *
 * Most cases are priced for three guests and the nights of 1, 2 and 3 December: rates of 100.00, 110.00 and 90.00
 * and 15.00 for the third guest, so the nights cost 115.00, 125.00 and 105.00: 345.00; the cleaning fee is 40.00.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { PartnerPricing } from '../../../src/contract/partner/quote-schemas.ts';
import { december, double, hotel, hotelWith, type Line, nights } from '../../kit/catalogue-lines.ts';
import { type Running, startInstallation } from '../../kit/installation.ts';
import { quoteBody } from '../../kit/partner-client.ts';

const CALENDAR = [
  nights('2026-12-01', '2026-12-31', { availability: 2, rate: '100.00' }),
  nights('2026-12-02', '2026-12-02', { rate: '110.00' }),
  nights('2026-12-03', '2026-12-03', { rate: '90.00' }),
];
const SUITE = {
  inventoryTypeId: 'suite',
  name: 'Suite',
  guestsMax: 4,
  includedGuests: 2,
  extraGuestRate: '15.00',
  calendar: CALENDAR,
};
const CLEANING_FEE = '40.00';

const tax = (logic: string, value: string, options: Line = {}): Line => ({
  code: 'x',
  kind: 'tax',
  logic,
  [logic.endsWith('percent') ? 'percent' : 'amount']: value,
  ...options,
});
const BOTH = { base: ['accommodation', 'cleaningFee'] };
const OF_FEE = { base: ['cleaningFee'] };

/** Taxes of the stay described above. */
const TAX_CASES: readonly (readonly [name: string, rules: readonly Line[], taxes: string])[] = [
  ['none', [], '0.00'],
  ['per_booking: once', [tax('per_booking', '10.00')], '10.00'],
  ['per_room: once, for there is one room', [tax('per_room', '10.00')], '10.00'],
  ['per_night: three times', [tax('per_night', '10.00')], '30.00'],
  ['per_room_per_night: three times', [tax('per_room_per_night', '10.00')], '30.00'],
  ['per_person: three times', [tax('per_person', '10.00')], '30.00'],
  ['per_person_per_night: nine times', [tax('per_person_per_night', '10.00')], '90.00'],
  ['percent: of the accommodation, extra guests included', [tax('percent', '10')], '34.50'],
  ['percent of accommodation and cleaning fee', [tax('percent', '10', BOTH)], '38.50'],
  ['percent of the cleaning fee', [tax('percent', '10', OF_FEE)], '4.00'],
  ['cumulative_percent alone: of its base', [tax('cumulative_percent', '10')], '34.50'],
  [
    'cumulative_percent: of its base and the amounts before it',
    [tax('per_booking', '10.00'), tax('cumulative_percent', '10')],
    '45.50',
  ],
  [
    'percent: of its base only, whatever came before',
    [tax('per_booking', '10.00'), tax('percent', '10')],
    '44.50',
  ],
  [
    'cumulative_percent on cumulative_percent',
    [tax('cumulative_percent', '10'), tax('cumulative_percent', '10')],
    '72.45',
  ],
  [
    'order decides what comes before',
    [tax('cumulative_percent', '10', { order: 2 }), tax('per_booking', '10.00', { order: 1 })],
    '45.50',
  ],
  [
    'order may be negative, and is 0 unless given',
    [tax('cumulative_percent', '10'), tax('per_booking', '10.00', { order: -1 })],
    '45.50',
  ],
  [
    'the position decides between equal orders',
    [tax('cumulative_percent', '10', { order: 1 }), tax('per_booking', '10.00', { order: 1 })],
    '44.50',
  ],
  ['maxNights: the first two', [tax('per_night', '10.00', { maxNights: 2 })], '20.00'],
  ['maxNights above the nights of the stay', [tax('per_night', '10.00', { maxNights: 9 })], '30.00'],
  ['skipNights: all but the first', [tax('per_night', '10.00', { skipNights: 1 })], '20.00'],
  ['skipNights beyond the stay', [tax('per_night', '10.00', { skipNights: 9 })], '0.00'],
  [
    'skipNights before maxNights',
    [tax('per_person_per_night', '10.00', { skipNights: 1, maxNights: 1 })],
    '30.00',
  ],
  ['percent of the first two nights', [tax('percent', '10', { maxNights: 2 })], '24.00'],
  ['percent of all but the first night', [tax('percent', '10', { skipNights: 1 })], '23.00'],
  ['percent of the second night', [tax('percent', '10', { skipNights: 1, maxNights: 1 })], '12.50'],
  ['percent of one night and the whole fee', [tax('percent', '10', { maxNights: 1, ...BOTH })], '15.50'],
  ['per-stay logics ignore skipNights', [tax('per_booking', '10.00', { skipNights: 9 })], '10.00'],
  [
    'per-stay logics ignore maxNights',
    [tax('per_person', '10.00', { skipNights: 3, maxNights: 1 })],
    '30.00',
  ],
  ['validFrom: nights from then on', [tax('per_night', '10.00', { validFrom: '2026-12-02' })], '20.00'],
  ['validTo: nights up to then, included', [tax('per_night', '10.00', { validTo: '2026-12-02' })], '20.00'],
  [
    'validity of one night',
    [tax('percent', '10', { validFrom: '2026-12-02', validTo: '2026-12-02' })],
    '12.50',
  ],
  ['validity that is over', [tax('per_night', '10.00', { validTo: '2026-11-30' })], '0.00'],
  [
    'validity that begins on the check-out date',
    [tax('per_night', '9.00', { validFrom: '2026-12-04' })],
    '0.00',
  ],
  [
    'nights are counted within the validity',
    [tax('per_night', '10.00', { validFrom: '2026-12-02', skipNights: 1 })],
    '10.00',
  ],
  [
    'per-stay logics apply when the check-in night is valid',
    [tax('per_booking', '10.00', { validTo: '2026-12-01' })],
    '10.00',
  ],
  [
    'per-stay logics do not apply when the check-in night is not valid',
    [tax('per_room', '10.00', { validFrom: '2026-12-02' })],
    '0.00',
  ],
  ['half a cent is rounded up', [tax('per_booking', '0.005')], '0.01'],
  ['less than half a cent is rounded down', [tax('per_booking', '0.00499999')], '0.00'],
  ['each rule is rounded by itself', [tax('per_booking', '0.005'), tax('per_booking', '0.005')], '0.02'],
  ['a rule is rounded once, not night by night', [tax('per_night', '0.005')], '0.02'],
  ['a percentage is rounded half up: 0.345', [tax('percent', '0.1')], '0.35'],
  ['a percentage is exact: 345.00 x 7.1 % = 24.495', [tax('percent', '7.1')], '24.50'],
  ['inclusive adds nothing', [tax('percent', '10', { inclusive: true })], '0.00'],
  [
    'inclusive adds nothing to a later base',
    [tax('per_booking', '100.00', { inclusive: true }), tax('cumulative_percent', '10')],
    '34.50',
  ],
  [
    'a mandatory fee counts into taxes',
    [tax('per_booking', '5.00', { kind: 'fee' }), tax('per_night', '2.00', { kind: 'city_tax' })],
    '11.00',
  ],
];

const idOf = (index: number) => `tax-${index}`;
const LINES: readonly Line[] = [
  ...TAX_CASES.map(([, taxes], index) =>
    hotel(idOf(index), { taxes, cleaningFee: CLEANING_FEE, inventoryTypes: [SUITE] }),
  ),
  hotel('plain'),
  hotel('guests', {
    inventoryTypes: [
      { ...SUITE, includedGuests: undefined },
      { ...SUITE, inventoryTypeId: 'z', guestsMax: 30 },
    ],
  }),
  hotel('cheapest', {
    inventoryTypes: [
      double({ inventoryTypeId: 'a-dear', calendar: [december({ rate: '300.00' })] }),
      double({ inventoryTypeId: 'z-cheap', calendar: [december({ rate: '80.00' })] }),
      double({ inventoryTypeId: 'b-sold-out', calendar: [december({ rate: '1.00', availability: 0 })] }),
    ],
  }),
  hotel('tie', {
    inventoryTypes: ['c', 'B', 'a', 'aa'].map((inventoryTypeId) => double({ inventoryTypeId })),
  }),
  hotel('total-decides', {
    taxes: [],
    inventoryTypes: [
      double({ inventoryTypeId: 'low-rate', guestsMax: 3, includedGuests: 1, extraGuestRate: '100.00' }),
      double({ inventoryTypeId: 'low-total', guestsMax: 3, calendar: [december({ rate: '200.00' })] }),
    ],
  }),
  hotel('one-unpriced', {
    inventoryTypes: [
      double({
        inventoryTypeId: 'a',
        calendar: [december(), nights('2026-12-02', '2026-12-02', { rate: null })],
      }),
      double({ inventoryTypeId: 'b', calendar: [december({ rate: '500.00' })] }),
    ],
  }),
  hotelWith('unpriced', [december({ rate: null })]),
  hotelWith('half-priced', [december(), nights('2026-12-02', '2026-12-02', { rate: null })]),
  hotel('not-quoting', { quoting: false }),
  hotel('free', {
    inventoryTypes: [double({ calendar: [december({ rate: '0.00' })] })],
    cleaningFee: '0.00',
  }),
  hotel('dear', {
    inventoryTypes: [double({ calendar: [december({ rate: '9999999999.99' })] })],
    cleaningFee: '9999999999.99',
    taxes: [tax('percent', '100', BOTH)],
  }),
  hotel('yen', { currency: 'JPY' }),
];

let running: Running;
before(async () => {
  running = await startInstallation(LINES);
});
after(() => running.installation.close());

async function quote(propertyId: string, guests = 2, checkIn = '2026-12-01', checkOut = '2026-12-04') {
  return await running.partner.quote(quoteBody(propertyId, checkIn, checkOut, guests));
}

async function price(propertyId: string, guests = 2): Promise<PartnerPricing> {
  return (await quote(propertyId, guests)).success.pricing;
}

/** The inventory type that a quote was stored for; partners are not told. */
async function quotedTypeOf(propertyId: string, guests = 2): Promise<string | undefined> {
  const { quoteId } = (await quote(propertyId, guests)).success;
  return (await running.installation.storage.findQuote(quoteId))?.inventoryTypeId;
}

describe('the taxes of a stay of 345.00 and a cleaning fee of 40.00', () => {
  for (const [index, [name, , taxes]] of TAX_CASES.entries()) {
    it(`${taxes}: ${name}`, async () => {
      const total = (345 + 40 + Number(taxes)).toFixed(2);
      assert.deepEqual(await price(idOf(index), 3), {
        mode: 'indicative',
        accommodation: '345.00',
        cleaningFee: CLEANING_FEE,
        taxes,
        total,
        pricePreservedInHandoff: false,
      });
    });
  }
});

describe('the accommodation', () => {
  it('is the sum of the rates of the occupied nights', async () => {
    const answer = await quote('plain', 2, '2026-12-10', '2026-12-11');
    assert.equal(answer.success.pricing.accommodation, '120.00');
  });

  it('includes as many guests as the type is for, unless it says how many', async () => {
    assert.equal((await price('guests', 4)).accommodation, '300.00');
  });

  it('adds the rate of an extra guest per guest and night', async () => {
    assert.equal((await price('guests', 5)).accommodation, '435.00');
    assert.equal((await price('guests', 30)).accommodation, '1560.00');
  });

  it('may be 0.00, and so may the total', async () => {
    const { accommodation, total } = await price('free');
    assert.deepEqual([accommodation, total], ['0.00', '0.00']);
  });

  it('has every cent however large it is', async () => {
    assert.deepEqual(await price('dear'), {
      mode: 'indicative',
      accommodation: '29999999999.97',
      cleaningFee: '9999999999.99',
      taxes: '39999999999.96',
      total: '79999999999.92',
      pricePreservedInHandoff: false,
    });
  });

  it('is in the currency of the property, always with two digits', async () => {
    const { currency, pricing } = (await quote('yen')).success;
    assert.deepEqual([currency, pricing.total], ['JPY', '360.00']);
  });
});

describe('of several inventory types a quote is for', () => {
  it('the one with the lowest total', async () => {
    assert.equal((await price('cheapest')).total, '240.00');
    assert.equal(await quotedTypeOf('cheapest'), 'z-cheap');
  });

  it('the one with the lowest total, not the lowest rate', async () => {
    assert.equal(await quotedTypeOf('total-decides', 2), 'low-total');
    assert.equal(await quotedTypeOf('total-decides', 1), 'low-rate');
  });

  it('the first by its id when the totals are equal', async () => {
    assert.equal(await quotedTypeOf('tie'), 'B');
  });

  it('one that has a rate on every night', async () => {
    assert.equal((await price('one-unpriced')).total, '1500.00');
    assert.equal(
      (await quote('one-unpriced', 2, '2026-12-05', '2026-12-06')).success.pricing.total,
      '120.00',
    );
  });
});

describe('no quote', () => {
  const rows: readonly (readonly [name: string, propertyId: string, outcome: string])[] = [
    ['without any rate', 'unpriced', '409 QUOTE_UNAVAILABLE'],
    ['without the rate of one night', 'half-priced', '409 QUOTE_UNAVAILABLE'],
    ['where quotes are turned off', 'not-quoting', '409 QUOTE_UNAVAILABLE'],
  ];
  for (const [name, propertyId, outcome] of rows) {
    it(`${name}: ${outcome}, though the stay is available`, async () => {
      const stay = { checkIn: '2026-12-01', checkOut: '2026-12-04' };
      assert.equal((await running.partner.availability(propertyId, stay)).success.available, true);
      assert.equal((await quote(propertyId)).outcome, outcome);
    });

    it(`${name}, for a stay that cannot be had: STAY_UNAVAILABLE comes first`, async () => {
      assert.equal((await quote(propertyId, 3)).outcome, '409 STAY_UNAVAILABLE');
    });
  }
});

describe('a quote', () => {
  it('keeps the locale, the partner and the credential that asked, and what it answered', async () => {
    const answer = await running.partner.quote({
      ...quoteBody('plain', '2026-12-01', '2026-12-02'),
      locale: 'en-GB',
    });
    const row = await running.installation.storage.findQuote(answer.success.quoteId);
    assert.equal(row?.locale, 'en-GB');
    assert.equal(row?.partnerId, 'acme');
    assert.equal(row?.answer, answer.text);
  });

  it('has a handoff URL below 2,000 characters whose only parameter is one opaque value', async () => {
    const { handoffUrl, quoteId } = (await quote('plain')).success;
    const url = new URL(handoffUrl);
    assert.equal(url.origin + url.pathname, 'https://localhost:8443/handoff');
    assert.deepEqual([...url.searchParams.keys()], ['handoff']);
    assert.ok(handoffUrl.length < 2000);
    const value = url.searchParams.get('handoff') ?? '';
    const decoded = value.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
    for (const secret of ['acme', 'plain', quoteId, '2026', 'it-IT', '360.00']) {
      assert.ok(!handoffUrl.includes(secret) && !decoded.join().includes(secret), secret);
    }
  });
});
