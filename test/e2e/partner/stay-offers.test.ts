/** One stay, whole, over HTTP: in each language, in the sandbox, and on bad nights. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { StayOffer } from '../../../src/contract/partner/offer-schemas.ts';
import type { StayConflictProblem } from '../../../src/contract/partner/problem-schemas.ts';
import { ALL_SCOPE_NAMES } from '../../../src/contract/partner/scopes.ts';
import { DAY_MS, formatLocalDate, localToday } from '../../../src/domain/local-date.ts';
import { HOTEL_PONTE, hotelWith, type Line, nights } from '../../kit/catalogue-lines.ts';
import { until } from '../../kit/command-line.ts';
import { type Installation, NOW_MS, openInstallation, type Served } from '../../kit/installation.ts';
import { type Answer, PartnerClient, type Query } from '../../kit/partner-client.ts';

const TODAY = localToday('Europe/Rome', NOW_MS);
const day = (ahead: number): string => formatLocalDate(TODAY + ahead);
const OPEN = nights(day(0), day(400), { availability: 1, rate: '100.00' });
const DECEMBER = { checkIn: '2026-12-01', checkOut: '2026-12-04' };

const TERMS: Line = {
  cancellation: [
    { daysBefore: 30, refundPercent: '100' },
    { daysBefore: 7, refundPercent: '50' },
    { daysBefore: 0, refundPercent: '12.5' },
  ],
  payment: [
    { due: 'booking', percent: '30' },
    { due: 'daysBefore', daysBefore: 14, percent: '20' },
    { due: 'daysBefore', daysBefore: 3, percent: '20' },
    { due: 'arrival', percent: '30' },
  ],
};

/** The hotel of the manual with all of its terms, its city tax paid on the spot. */
const PONTE: Line = {
  ...HOTEL_PONTE,
  ...TERMS,
  taxes: [
    {
      code: 'city-tax',
      kind: 'city_tax',
      logic: 'per_person_per_night',
      amount: '4.00',
      maxNights: 5,
      due: 'arrival',
    },
    { code: 'iva', kind: 'tax', logic: 'percent', percent: '10', inclusive: true },
    { code: 'linen_fee', kind: 'fee', logic: 'per_booking', amount: '15.00' },
  ],
  checkIn: { from: '15:00', until: null },
  checkOut: { until: '10:30' },
  houseRules: { 'it-IT': 'Niente feste.', 'en-GB': 'No parties.' },
  registrationNumber: 'IT027042A1B2C3D4E5',
};

/** Cancelled for nothing until the day before check-in. */
const zoned = (propertyId: string, timezone: string): Line =>
  hotelWith(propertyId, [OPEN], { timezone, cancellation: [{ daysBefore: 1, refundPercent: '100' }] });

const THIRDS = {
  payment: [
    { due: 'booking', percent: '33.33' },
    { due: 'daysBefore', daysBefore: 3, percent: '33.33' },
    { due: 'arrival', percent: '33.34' },
  ],
  cancellation: [{ daysBefore: 3, refundPercent: '33.33' }],
};

const LINES: readonly Line[] = [
  PONTE,
  hotelWith('closed', [OPEN, { dateFrom: day(30), dateTo: day(30), stopSell: true }]),
  hotelWith('no-rate', [OPEN, { dateFrom: day(30), dateTo: day(30), rate: null }]),
  hotelWith('hidden', [OPEN, { dateFrom: day(30), dateTo: day(30), stopSell: true }], {
    visibleTo: ['others'],
  }),
  hotelWith('bare', [OPEN]),
  hotelWith('terms', [OPEN], TERMS),
  hotelWith('yen', [nights(day(0), day(60), { availability: 1, rate: '100.00' })], {
    ...THIRDS,
    currency: 'JPY',
  }),
  hotelWith('dinar', [nights(day(0), day(60), { availability: 1, rate: '33.67' })], {
    ...THIRDS,
    currency: 'KWD',
  }),
  zoned('rome', 'Europe/Rome'),
  zoned('cairo', 'Africa/Cairo'),
  zoned('havana', 'America/Havana'),
  zoned('kiritimati', 'Pacific/Kiritimati'),
  zoned('pago-pago', 'Pacific/Pago_Pago'),
];

describe('An offer', () => {
  let installation: Installation;
  let service: Served;
  let token: string;
  let client: PartnerClient;
  let test: PartnerClient;

  before(async () => {
    installation = await openInstallation();
    const { rejections } = await installation.importLines(LINES);
    assert.deepEqual(rejections, []);
    ({ token } = await installation.issue({ scopes: ALL_SCOPE_NAMES }));
    const tested = await installation.issue({ scopes: ALL_SCOPE_NAMES, isTest: true });
    service = await installation.serve({ WEB_NAME: 'Erbe Hotels' });
    client = new PartnerClient(service.partnerUrl, token);
    test = new PartnerClient(service.partnerUrl, tested.token);
  });
  after(() => installation.close());

  const ask = (propertyId: string, query: Query, by = client): Promise<Answer<StayOffer>> => {
    const parameters =
      typeof query === 'string' ? query : new URLSearchParams(query as Record<string, string>);
    return by.ask('getStayOffer', {
      path: `/prices/v1/properties/${propertyId}/offer?${parameters.toString()}`,
    });
  };
  const stayOf = (from: number, to: number, guests = 2) => ({
    checkIn: day(from),
    checkOut: day(to),
    guests: `${guests}`,
  });
  const conflictOf = async (...asked: Parameters<typeof ask>): Promise<StayConflictProblem> => {
    const answer = await ask(...asked);
    assert.equal(answer.status, 409, answer.text);
    return answer.problem as unknown as StayConflictProblem;
  };

  it('has the price in all parts, and the terms as dates and amounts', async () => {
    const { asOf, ...offer } = (await ask('hotel-ponte', { ...DECEMBER, locale: 'en-GB' })).success;
    assert.equal(asOf, new Date(NOW_MS).toISOString());
    assert.deepEqual(offer, {
      propertyId: 'hotel-ponte',
      stay: { ...DECEMBER, nights: 3, guests: 2, timezone: 'Europe/Rome' },
      currency: 'EUR',
      pricing: {
        accommodation: '360.00',
        cleaningFee: '40.00',
        taxes: '39.00',
        total: '439.00',
        discount: null,
      },
      nights: ['2026-12-01', '2026-12-02', '2026-12-03'].map((date) => ({ date, amount: '120.00' })),
      charges: [
        {
          code: 'cleaning-fee',
          name: 'Cleaning fee',
          kind: 'cleaning',
          amount: '40.00',
          included: null,
          due: 'booking',
        },
        {
          code: 'city-tax',
          name: 'City tax',
          kind: 'city_tax',
          amount: '24.00',
          included: null,
          due: 'arrival',
        },
        { code: 'iva', name: 'VAT', kind: 'tax', amount: '0.00', included: '32.73', due: 'booking' },
        {
          code: 'linen_fee',
          name: 'Linen fee',
          kind: 'fee',
          amount: '15.00',
          included: null,
          due: 'booking',
        },
      ],
      // The thirtieth day before was 1 November.
      refundability: 'partially_refundable',
      cancellation: [
        { until: '2026-11-24T23:59:59+01:00', refundPercent: '50', refundAmount: '207.50' },
        { until: '2026-12-01T23:59:59+01:00', refundPercent: '12.5', refundAmount: '51.88' },
      ],
      // The fourteenth was 17 November: its step is due at booking.
      payment: [
        { due: 'booking', date: null, amount: '207.50' },
        { due: 'daysBefore', date: '2026-11-28', amount: '83.00' },
        { due: 'arrival', date: null, amount: '124.50' },
        { due: 'arrival', date: null, amount: '24.00' },
      ],
      checkIn: { from: '15:00', until: null },
      checkOut: { until: '10:30' },
      houseRules: 'No parties.',
      registrationNumber: 'IT027042A1B2C3D4E5',
      seller: 'Erbe Hotels',
    });
  });

  it('has its texts in the locale, Italian unless another is asked for', async () => {
    for (const query of [DECEMBER, { ...DECEMBER, locale: 'it-IT' }]) {
      const { charges, houseRules } = (await ask('hotel-ponte', query)).success;
      assert.equal(houseRules, 'Niente feste.');
      const names = charges.map(({ name }) => name);
      assert.deepEqual(names, ['Pulizia finale', 'Imposta di soggiorno', 'IVA', 'Linen fee']);
    }
  });

  it('says nothing where the operator says nothing', async () => {
    const offer = (await ask('bare', stayOf(10, 12))).success;
    const {
      charges,
      refundability,
      cancellation,
      payment,
      checkIn,
      checkOut,
      houseRules,
      registrationNumber,
    } = offer;
    assert.deepEqual(
      [charges, refundability, cancellation, payment, checkIn, checkOut, houseRules, registrationNumber],
      [[], null, null, null, null, null, null, null],
    );
    assert.equal(offer.seller, 'Erbe Hotels');
  });

  it('is refundable while the first step is left, then partly, then not', async () => {
    for (const [from, refundability, percents] of [
      [30, 'refundable', ['100', '50', '12.5']],
      [29, 'partially_refundable', ['50', '12.5']],
      [7, 'partially_refundable', ['50', '12.5']],
      [6, 'partially_refundable', ['12.5']],
      [0, 'partially_refundable', ['12.5']],
    ] as const) {
      const offer = (await ask('terms', stayOf(from, from + 2))).success;
      const left = offer.cancellation?.map(({ refundPercent }) => refundPercent);
      assert.deepEqual([offer.refundability, left], [refundability, percents], `${from}`);
    }
    assert.deepEqual((await ask('yen', stayOf(1, 3))).success.cancellation, []);
    assert.equal((await ask('yen', stayOf(1, 3))).success.refundability, 'non_refundable');
  });

  it('splits yen and dinars in three to what can be paid', async () => {
    const splitOf = async (propertyId: string) => {
      const { payment, cancellation, pricing } = (await ask(propertyId, stayOf(10, 13))).success;
      return [pricing.total, payment?.map(({ amount }) => amount), cancellation?.[0]?.refundAmount];
    };
    assert.deepEqual(await splitOf('yen'), ['300.00', ['100.00', '100.00', '100.00'], '100.00']);
    assert.deepEqual(await splitOf('dinar'), ['101.01', ['33.67', '33.66', '33.68'], '33.67']);
  });

  it('ends refunds with the day of the property, where clocks change and beyond the date line', async () => {
    const untilOf = async (propertyId: string, checkIn: string, nowMs = NOW_MS) => {
      installation.time.nowMs = nowMs;
      const checkOut = formatLocalDate(Date.parse(checkIn) / DAY_MS + 1);
      const { cancellation } = (await ask(propertyId, { checkIn, checkOut })).success;
      installation.time.nowMs = NOW_MS;
      return cancellation?.map(({ until: end }) => end)[0];
    };
    for (const [propertyId, checkIn, end] of [
      ['rome', '2027-03-28', '2027-03-27T23:59:59+01:00'],
      ['rome', '2027-03-29', '2027-03-28T23:59:59+02:00'],
      ['rome', '2027-11-01', '2027-10-31T23:59:59+01:00'],
      // Midnight is skipped; the last hour is repeated.
      ['cairo', '2027-04-30', '2027-04-29T23:59:59+02:00'],
      ['cairo', '2027-10-29', '2027-10-28T23:59:59+02:00'],
      ['havana', '2027-03-14', '2027-03-13T23:59:59-05:00'],
      ['havana', '2027-11-08', '2027-11-07T23:59:59-05:00'],
      ['kiritimati', '2026-12-02', '2026-12-01T23:59:59+14:00'],
      ['pago-pago', '2026-12-02', '2026-12-01T23:59:59-11:00'],
    ] as const)
      assert.equal(await untilOf(propertyId, checkIn), end, propertyId);
    // The last second of the last day, and the next one.
    const end = Date.parse('2026-12-01T23:59:59-11:00');
    assert.equal(await untilOf('pago-pago', '2026-12-02', end), '2026-12-01T23:59:59-11:00');
    assert.equal(await untilOf('pago-pago', '2026-12-02', end + 1_000), undefined);
  });

  it('is refused with reasons and other stays: closed, without a price, past, far ahead, crowded', async () => {
    const closed = await conflictOf('closed', stayOf(30, 32));
    assert.deepEqual(
      [closed.code, closed.reasons],
      ['STAY_UNAVAILABLE', [{ code: 'NIGHTS_CLOSED', dates: [day(30)] }]],
    );
    assert.deepEqual(
      closed.instead.map(({ checkIn, nights: count, total }) => [checkIn, count, total]),
      // Each one that begins on the thirtieth day has the closed night.
      [
        [day(31), 2, '200.00'],
        [day(28), 2, '200.00'],
        [day(32), 2, '200.00'],
      ],
    );
    const unpriced = await conflictOf('no-rate', stayOf(30, 32));
    assert.deepEqual(
      [unpriced.code, unpriced.reasons],
      ['QUOTE_UNAVAILABLE', [{ code: 'NO_PRICE', dates: [day(30)] }]],
    );
    assert.deepEqual(unpriced.instead[0], { checkIn: day(29), checkOut: day(31), nights: 2, total: null });
    const past = await conflictOf('closed', stayOf(-3, -1));
    assert.deepEqual(past.reasons, [{ code: 'PAST', date: day(0) }]);
    assert.match(past.detail, /in the past/);
    const beyond = await conflictOf('closed', stayOf(800, 802));
    assert.deepEqual(beyond.reasons, [{ code: 'BEYOND_HORIZON', date: day(729) }]);
    assert.match(beyond.detail, /after the last night/);
    const crowd = await conflictOf('closed', stayOf(40, 42, 30));
    assert.deepEqual([crowd.reasons, crowd.instead], [[{ code: 'CAPACITY', guestsMax: 2 }], []]);
  });

  it('names what is wrong with the request, all at once', async () => {
    assert.deepEqual((await ask('bare', 'guests=31&locale=fr-FR&page=1')).issues.toSorted(), [
      'checkIn REQUIRED',
      'checkOut REQUIRED',
      'guests OUT_OF_RANGE',
      'locale NOT_ALLOWED',
      'page UNKNOWN_PARAMETER',
    ]);
    assert.deepEqual((await ask('bare', `checkIn=${day(3)}&checkOut=${day(3)}`)).issues, [
      'checkOut DATE_ORDER_INVALID',
    ]);
    assert.deepEqual((await ask('bare', stayOf(1, 62))).issues, ['checkOut STAY_TOO_LONG']);
  });

  it('tells nothing of a hidden property that it does not tell of an unknown one', async () => {
    const textOf = async (propertyId: string, query: Query): Promise<string> => {
      const answer = await ask(propertyId, query);
      assert.equal(answer.outcome, '404 PROPERTY_NOT_FOUND');
      const { correlationId } = answer.problem;
      return answer.text.replace(correlationId, '').replaceAll(propertyId, 'ID');
    };
    for (const query of [
      stayOf(30, 32),
      stayOf(40, 42),
      stayOf(-3, -1),
      stayOf(800, 802),
      stayOf(40, 42, 30),
    ])
      for (const propertyId of ['hidden', 'test-gap'])
        assert.equal(await textOf(propertyId, query), await textOf('nobody', query));
  });

  it('keeps the reasons back where the operator does, and the stays instead not', async () => {
    const quiet = await installation.serve({ PARTNER_REASONS: 'off' });
    const by = new PartnerClient(quiet.partnerUrl, token);
    await until(async () => (await ask('bare', stayOf(10, 12), by)).status === 200);
    const told = await conflictOf('closed', stayOf(30, 32));
    const { reasons, instead } = await conflictOf('closed', stayOf(30, 32), by);
    assert.equal(reasons, null);
    assert.deepEqual(instead, told.instead);
    await quiet.close();
  });

  it('is answered from the sandbox for test credentials', async () => {
    const { pricing, charges, cancellation, payment, seller } = (
      await ask('test-always', stayOf(20, 22), test)
    ).success;
    assert.deepEqual([pricing.total, seller], ['234.00', 'Erbe Hotels']);
    assert.deepEqual(
      charges.map(({ code, amount }) => [code, amount]),
      [
        ['cleaning-fee', '20.00'],
        ['city-tax', '14.00'],
      ],
    );
    assert.deepEqual(
      cancellation?.map(({ refundAmount }) => refundAmount),
      ['234.00', '117.00'],
    );
    assert.deepEqual(
      payment?.map(({ due, amount }) => [due, amount]),
      [
        ['booking', '70.20'],
        ['arrival', '163.80'],
      ],
    );
    const bare = (await ask('test-timezone', stayOf(20, 22), test)).success;
    assert.match(bare.cancellation?.[0]?.until ?? '', /T23:59:59\+14:00$/);

    const friday = Array.from({ length: 7 }, (_, index) => 21 + index).find(
      (ahead) => new Date((TODAY + ahead) * DAY_MS).getUTCDay() === 5,
    )!;
    const reasonsOf = async (id: string, from: number, to: number) => {
      const { code, reasons } = await conflictOf(id, stayOf(from, to), test);
      return [code, reasons];
    };
    assert.deepEqual(await reasonsOf('test-weekend', friday, friday + 1), [
      'STAY_UNAVAILABLE',
      [{ code: 'MIN_STAY', nights: 2 }],
    ]);
    assert.deepEqual(await reasonsOf('test-gap', 9, 12), [
      'STAY_UNAVAILABLE',
      [{ code: 'NIGHTS_CLOSED', dates: [day(10), day(11)] }],
    ]);
    assert.deepEqual(await reasonsOf('test-sold-out', 9, 10), [
      'STAY_UNAVAILABLE',
      [{ code: 'NIGHTS_CLOSED', dates: [day(9)] }],
    ]);
    assert.deepEqual(await reasonsOf('test-quote-unavailable', 9, 10), [
      'QUOTE_UNAVAILABLE',
      [{ code: 'NO_PRICE', dates: [] }],
    ]);
    assert.equal((await ask('bare', stayOf(10, 12), test)).outcome, '404 PROPERTY_NOT_FOUND');
  });

  it('has the terms of its price while the property changes', async () => {
    const version = (rate: string): Line =>
      hotelWith('changing', [nights(day(0), day(60), { availability: 1, rate })], { houseRules: rate });
    const rates = ['100.00', '250.00'];
    await installation.importLines([version(rates[0]!)]);
    await until(async () => (await ask('changing', stayOf(10, 11))).status === 200);
    let isDone = false;
    const changing = (async () => {
      for (let turn = 1; turn <= 60; turn += 1) await installation.importLines([version(rates[turn % 2]!)]);
    })().finally(() => (isDone = true));
    const seen = new Set<string>();
    while (!isDone) {
      const answer = await ask('changing', stayOf(10, 11));
      // Rather no answer than one of two states.
      if (answer.status === 503) continue;
      const { pricing, houseRules } = answer.success;
      assert.equal(houseRules, pricing.total);
      seen.add(pricing.total);
    }
    await changing;
    assert.deepEqual([...seen].toSorted(), rates);
    service.takeErrors();
  });
});
