/** The kind `smoobu` against an invented Smoobu on a socket. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { openDirectly } from '../../../../../test/kit/pms/direct-account.ts';
import {
  type FakeSmoobu,
  type SmoobuApartment,
  type SmoobuDate,
  startFakeSmoobu,
} from '../../../../../test/kit/pms/fake-smoobu.ts';
import { naiveSmoobu } from '../../../../../test/kit/pms/naive-smoobu.ts';
import { dateAfter, RANDOM_NIGHTS, randomSmoobu } from '../../../../../test/kit/pms/random-accounts.ts';
import { createRandom } from '../../../../../test/kit/mutations.ts';
import { seedOfRun } from '../../../../../test/kit/seeds.ts';
import { formatLocalDate, getLocalDate } from '../../../../domain/local-date.ts';
import { Wrong } from '../../../../domain/wrong.ts';
import type { Account, CallHeaders, Room, RoomReading } from '../connection-kind.ts';
import { ROOMS_AT_ONCE_MAX } from '../read-answer.ts';
import { CLOCKS_DIFFER_MS_MAX, SMOOBU } from './smoobu.ts';

const KEY = { key: 'key-1', secret: 'secret-1' };
const FIRST = '2026-12-01';
const NOW_MS = Date.UTC(2026, 10, 30, 12);
const CASES = 2_000;

let fake: FakeSmoobu;
let skewMs = 0;

before(async () => {
  const account = { customer: 9, ...KEY, apartments: [], callsAMinute: 1_000_000 };
  fake = await startFakeSmoobu({ account, nowMs: () => NOW_MS + skewMs });
});
after(() => fake.stop());
beforeEach(() => {
  skewMs = 0;
  fake.mischief = undefined;
  fake.calls.length = 0;
});

function open(settings: Readonly<Record<string, string>> = {}, key = KEY, origin = fake.origin): Account {
  return openDirectly(SMOOBU, { origin, key, nowMs: () => NOW_MS, settings });
}

function flat(
  id: number,
  dates: Readonly<Record<string, SmoobuDate | null>>,
  more: Partial<SmoobuApartment> = {},
) {
  return { id, name: `Flat ${id}`, guests: 4, currency: 'EUR', timeZone: 'Europe/Rome', ...more, dates };
}

function roomOf(id: number, currency: string | null = 'EUR'): Room {
  const property = { id: String(id), name: 'Flat' };
  return {
    room: String(id),
    name: 'Flat',
    guests: 4,
    currency,
    timezone: null,
    property,
    byHand: [],
    terms: null,
  };
}

const rangeOf = (nights: number) => ({ from: getLocalDate(FIRST), until: getLocalDate(FIRST) + nights });

function summary(reading: RoomReading): unknown {
  if ('failure' in reading) return reading.failure.code;
  return {
    nights: reading.nights.map(({ from, to, set }) => ({
      date: formatLocalDate(from),
      nights: to - from + 1,
      set,
    })),
    unpriced: Object.fromEntries(reading.unpriced.map(({ reason, nights }) => [reason, nights])),
  };
}

/** The fields of the first night of one flat. */
async function nightOf(said: SmoobuDate | null, settings = {}): Promise<unknown> {
  fake.account.apartments = [flat(12, { [FIRST]: said })];
  const readings = await open(settings).readNights([roomOf(12)], rangeOf(1));
  const reading = readings.get('12')!;
  return 'failure' in reading ? reading.failure.code : reading.nights[0]!.set;
}

describe('smoobu: the account', () => {
  it('is named by its own id, and nothing else of it is kept', async () => {
    assert.deepEqual(await open().identify(), { account: '9', warnings: [] });
  });

  it('has its flats as rooms, without an address', async () => {
    fake.account.apartments = [
      flat(12, {}, { city: 'Roma', country: 'IT' }),
      { id: 21, name: '', currency: 'Euro', timeZone: 'Rome', dates: {} },
    ];
    const [one, other] = await open().listRooms();
    assert.deepEqual(one, {
      room: '12',
      name: 'Flat 12',
      guests: 4,
      currency: 'EUR',
      timezone: 'Europe/Rome',
      property: { id: '12', name: 'Flat 12', city: 'Roma', country: 'IT' },
      byHand: [],
      terms: null,
    });
    assert.deepEqual(
      [other!.name, other!.guests, other!.currency, other!.timezone],
      ['21', null, null, null],
    );
    assert.deepEqual(
      fake.calls.map(({ path }) => path),
      ['/api/apartments', '/api/apartments/12', '/api/apartments/21'],
    );
  });

  it('is refused with another key or secret, and says nothing of either', async () => {
    for (const key of [
      { ...KEY, key: 'key-2' },
      { ...KEY, secret: 'secret-2' },
    ])
      await assert.rejects(open({}, key).identify(), {
        state: 'refused',
        wrong: new Wrong('connectionKeyWrong', { system: 'Smoobu' }),
      });
  });

  it('is refused for the clock where the clocks differ by more than a minute', async () => {
    skewMs = -6 * 60_000;
    await assert.rejects(open().identify(), {
      state: 'refused',
      wrong: new Wrong('connectionClockWrong', { system: 'Smoobu', seconds: 360 }),
    });
    skewMs = 4 * 60_000;
    assert.equal((await open().identify()).account, '9');
  });

  it('is refused for the key while the clocks differ by less', async () => {
    const wrongKey = { ...KEY, secret: 'secret-2' };
    skewMs = CLOCKS_DIFFER_MS_MAX;
    await assert.rejects(open({}, wrongKey).identify(), {
      wrong: new Wrong('connectionKeyWrong', { system: 'Smoobu' }),
    });
    skewMs = CLOCKS_DIFFER_MS_MAX + 1_000;
    await assert.rejects(open({}, wrongKey).identify(), {
      wrong: new Wrong('connectionClockWrong', { system: 'Smoobu', seconds: 61 }),
    });
  });

  it('never uses a nonce twice', async () => {
    const account = open();
    await account.identify();
    await account.identify();
    assert.deepEqual(
      fake.calls.map(({ status }) => status),
      [200, 200],
    );
  });
});

describe('smoobu: nights', () => {
  const both = { minStayArrival: 3, minStayThrough: 3 };
  const rows: readonly (readonly [name: string, said: SmoobuDate | null, set: object, settings?: object])[] =
    [
      ['1 unit', { price: 100, available: 1 }, { availability: 1, rate: 10_000 }],
      ['true is 1 unit', { price: 100, available: true }, { availability: 1, rate: 10_000 }],
      ['0 units keep their price', { price: 100, available: 0 }, { availability: 0, rate: 10_000 }],
      ['false is 0 units', { price: 100, available: false }, { availability: 0, rate: 10_000 }],
      ['2 units of one flat are none', { price: 100, available: 2 }, { availability: 0, rate: 10_000 }],
      ['a text of units is none', { price: 100, available: '1' }, { availability: 0, rate: 10_000 }],
      ['units of null are none', { price: 100, available: null }, { availability: 0, rate: 10_000 }],
      ['units that are not said are none', { price: 100 }, { availability: 0, rate: 10_000 }],
      ['a date of null is closed', null, { availability: 0 }],
      ['a price of null is none', { price: null, available: 1 }, { availability: 1 }],
      ['a price that is not said is none', { available: 1 }, { availability: 1 }],
      ['a price of 0 is none', { price: 0, available: 1 }, { availability: 1 }],
      ['a negative price is none', { price: -5, available: 1 }, { availability: 1 }],
      ['a price is rounded half up', { price: 8.345, available: 1 }, { availability: 1, rate: 835 }],
      ['a minimum counts for both', { min_length_of_stay: 3, available: 1 }, { availability: 1, ...both }],
      [
        'a minimum counts for the arrival by the setting',
        { min_length_of_stay: 3, available: 1 },
        { availability: 1, minStayArrival: 3 },
        { minStay: 'arrival' },
      ],
      ['a minimum of 0 is none', { min_length_of_stay: 0, available: 1 }, { availability: 1 }],
      ['a minimum of null is none', { min_length_of_stay: null, available: 1 }, { availability: 1 }],
      ['a minimum that cannot be read closes', { min_length_of_stay: -1, available: 1 }, { availability: 0 }],
    ];
  for (const [name, said, set, settings] of rows)
    it(name, async () => {
      assert.deepEqual(await nightOf(said, settings), set);
    });

  it('are those of the answer, of the range, and of one call for all flats', async () => {
    fake.account.apartments = [
      flat(12, {
        '2026-11-30': { available: 1 },
        '2026-12-03': { available: 1 },
        '2026-12-01': { available: 1 },
      }),
      flat(21, {}),
      flat(30, { [FIRST]: { available: 1 } }),
    ];
    const readings = await open().readNights([roomOf(12), roomOf(21), roomOf(22)], rangeOf(2));
    assert.deepEqual(
      [...readings].map(([room, reading]) => [room, summary(reading)]),
      [
        [
          '12',
          {
            nights: [{ date: '2026-12-01', nights: 1, set: { availability: 1 } }],
            unpriced: { no_price: 1 },
          },
        ],
        ['21', { nights: [], unpriced: {} }],
      ],
    );
    assert.deepEqual(
      fake.calls.map(({ query }) => query),
      [
        'apartments%5B%5D=12&apartments%5B%5D=21&apartments%5B%5D=22&end_date=2026-12-02&start_date=2026-12-01',
      ],
    );
  });

  it(`are asked of ${ROOMS_AT_ONCE_MAX} flats at once`, async () => {
    for (const [count, calls] of [
      [ROOMS_AT_ONCE_MAX, 1],
      [ROOMS_AT_ONCE_MAX + 1, 2],
    ] as const) {
      fake.calls.length = 0;
      fake.account.apartments = Array.from({ length: count }, (_, index) => flat(index + 1, {}));
      const rooms = fake.account.apartments.map(({ id }) => roomOf(id));
      assert.equal((await open().readNights(rooms, rangeOf(2))).size, count);
      assert.equal(fake.calls.length, calls);
    }
  });

  it('of no flat at all are an empty list, as PHP writes it', async () => {
    fake.account.apartments = [];
    assert.deepEqual(await open().readNights([roomOf(12)], rangeOf(2)), new Map());
  });

  it('with a name that is not a date fail for their flat alone', async () => {
    fake.account.apartments = [
      flat(12, { '2026-12-01x': { available: 1 } }),
      flat(21, { [FIRST]: { available: 1 } }),
    ];
    const readings = await open().readNights([roomOf(12), roomOf(21)], rangeOf(2));
    assert.deepEqual(readings.get('12'), { failure: new Wrong('roomUnread') });
    assert.ok('nights' in readings.get('21')!);
  });

  it('fail as a whole with a flat that was not asked for', async () => {
    fake.account.apartments = [flat(12, {})];
    fake.mischief = 'extraRoom';
    await assert.rejects(open().readNights([roomOf(12)], rangeOf(2)), {
      state: 'failing',
      wrong: new Wrong('answerUnasked', { system: 'Smoobu' }),
    });
  });

  it(`of ${CASES} random accounts are those of a naive reading`, async () => {
    const random = createRandom(seedOfRun(20_261_201));
    for (let index = 0; index < CASES; index += 1) {
      fake.account.apartments = randomSmoobu(random, FIRST).apartments;
      const minStay = index % 2 === 0 ? 'both' : 'arrival';
      const rooms = fake.account.apartments.map(({ id }) => roomOf(id));
      const readings = await open({ minStay }).readNights(rooms, rangeOf(RANDOM_NIGHTS));
      for (const apartment of fake.account.apartments) {
        const naive = naiveSmoobu(apartment, {
          from: FIRST,
          until: dateAfter(FIRST, RANDOM_NIGHTS),
          minStay,
        });
        const nights = naive.nights.map(({ date, set }) => ({ date, nights: 1, set }));
        const message = `case ${index}: ${JSON.stringify(apartment)}`;
        assert.deepEqual(summary(readings.get(String(apartment.id))!), { ...naive, nights }, message);
      }
    }
  });
});

describe('smoobu: a stay', () => {
  const stay = { checkIn: getLocalDate(FIRST), checkOut: getLocalDate(FIRST) + 2, guests: 2 };
  const free = { [FIRST]: { price: 100.25, available: 1 }, '2026-12-02': { price: 80, available: 1 } };

  async function ask(apartment: SmoobuApartment, room = roomOf(apartment.id)) {
    fake.account.apartments = [apartment];
    return (await open().askStay([room], stay)).get(room.room);
  }

  it('is available at its price', async () => {
    const told = { available: true, reason: null, priceMinor: 18_025, lines: [] };
    assert.deepEqual(await ask(flat(12, free)), told);
    assert.deepEqual(
      fake.calls.map(({ method, path }) => `${method} ${path}`),
      ['GET /api/me', 'POST /booking/checkApartmentAvailability'],
    );
    assert.deepEqual(fake.violations, []);
  });

  it('has a price in a currency that is certain alone', async () => {
    const priceIn = async (shownCurrency: string, currency: string | null): Promise<unknown> =>
      (await ask(flat(12, free, { shownCurrency }), roomOf(12, currency)))!.priceMinor;
    assert.equal(await priceIn('€', 'EUR'), 18_025);
    assert.equal(await priceIn('USD', 'USD'), 18_025);
    assert.equal(await priceIn('USD', 'EUR'), null);
    assert.equal(await priceIn('$', 'USD'), null);
    assert.equal(await priceIn('kr', 'SEK'), null);
    assert.equal(await priceIn('EUR', null), null);
  });

  for (const [code, reason] of [
    [400, 'guests'],
    [401, 'min_stay'],
    [402, 'arrival_day'],
    [403, 'lead_time'],
    [404, 'gap'],
    [499, 'other'],
  ] as const)
    it(`is refused with ${code} as ${reason}`, async () => {
      assert.deepEqual(await ask(flat(12, free, { refusal: code })), {
        available: false,
        reason,
        priceMinor: null,
        lines: [],
      });
    });

  it('is not available in a booked flat, which no list has', async () => {
    const told = { available: false, reason: null, priceMinor: null, lines: [] };
    assert.deepEqual(await ask(flat(12, {})), told);
  });

  it('fails with a flat that was not asked for', async () => {
    fake.mischief = 'extraRoom';
    await assert.rejects(ask(flat(12, free)), { wrong: new Wrong('answerUnasked', { system: 'Smoobu' }) });
  });
});

describe('smoobu: the limit', () => {
  const rows: readonly (readonly [headers: CallHeaders, limit: object])[] = [
    [{}, { remaining: undefined }],
    [{ 'x-ratelimit-remaining': '7' }, { remaining: 7 }],
    [{ 'x-ratelimit-remaining': 'x', 'x-ratelimit-retry-after': '-1' }, { remaining: undefined }],
    [
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-retry-after': '30' },
      { remaining: 0, resetsAtMs: NOW_MS + 30_000 },
    ],
    [
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-retry-after': '1796040000' },
      { remaining: 0, resetsAtMs: 1_796_040_000_000 },
    ],
  ];
  for (const [headers, limit] of rows)
    it(`is read of ${JSON.stringify(headers)}`, () => {
      assert.deepEqual(SMOOBU.readLimit(headers, NOW_MS), limit);
    });
});
