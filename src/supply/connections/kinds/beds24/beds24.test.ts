/** The kind `beds24` against an invented Beds24 on a socket, whose answers its official description allows. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import {
  type Beds24Account,
  type Beds24Property,
  type Beds24Range,
  type Beds24Room,
  type Beds24Rule,
  plainAccount,
  plainRoom,
} from '../../../../../test/kit/pms/beds24-account.ts';
import { type DirectOptions, openDirectly } from '../../../../../test/kit/pms/direct-account.ts';
import { type FakeBeds24, startFakeBeds24 } from '../../../../../test/kit/pms/fake-beds24.ts';
import { naiveBeds24 } from '../../../../../test/kit/pms/naive-beds24.ts';
import { dateAfter, RANDOM_NIGHTS, randomBeds24 } from '../../../../../test/kit/pms/random-accounts.ts';
import { createRandom } from '../../../../../test/kit/mutations.ts';
import { addContractFormats } from '../../../../../test/kit/response-formats.ts';
import { seedOfRun } from '../../../../../test/kit/seeds.ts';
import { formatLocalDate, getLocalDate } from '../../../../domain/local-date.ts';
import { Wrong } from '../../../../domain/wrong.ts';
import type { Account, CallAnswer, CallHeaders, MadeToken, Room, RoomReading } from '../connection-kind.ts';
import { PAGES_MAX } from './beds24-calls.ts';
import { ROOMS_AT_ONCE_MAX } from '../read-answer.ts';
import { BEDS24 } from './beds24.ts';
import { REASONS } from './reasons.ts';

const FIRST = '2026-12-01';
const LAST = '2026-12-31';
const NOW_MS = Date.UTC(2026, 11, 1, 12);
const DAY_MS = 86_400_000;
const CASES = 600;
/** The answers to the first ones are compared with the description. */
const DESCRIBED_CASES = 100;

let fake: FakeBeds24;
let nowMs = NOW_MS;

const OPEN: Beds24Range = { from: FIRST, to: LAST, numAvail: 2, override: 'none', price1: 100 };

before(async () => {
  const account = plainAccount({ rooms: [101], range: OPEN });
  fake = await startFakeBeds24({ account, nowMs: () => nowMs });
});
after(() => fake.stop());
beforeEach(() => {
  nowMs = NOW_MS;
  fake.mischief = undefined;
  fake.calls.length = 0;
  Object.assign(fake.account, {
    pageSize: undefined,
    credits: 0,
    inviteCode: undefined,
    tokenSeconds: undefined,
    refusedStatus: undefined,
  });
  Object.assign(fake.account, plainAccount({ rooms: [101], range: OPEN }));
});

function open(options: Partial<DirectOptions> = {}): Account {
  const key = { token: fake.account.token };
  return openDirectly(BEDS24, {
    origin: fake.origin,
    key,
    nowMs: () => nowMs,
    onAnswer: assertDescribed,
    ...options,
  });
}

const rangeOf = (nights: number) => ({ from: getLocalDate(FIRST), until: getLocalDate(FIRST) + nights });

interface Summary {
  readonly nights: readonly { readonly date: string; readonly set: object }[];
  readonly unpriced: Readonly<Record<string, number>>;
}

function summary(reading: RoomReading | undefined): Summary | string | undefined {
  if (reading === undefined) return undefined;
  if ('failure' in reading) return reading.failure.code;
  return {
    nights: reading.nights.map(({ from, to, set }) => {
      assert.equal(to, from);
      return { date: formatLocalDate(from), set };
    }),
    unpriced: Object.fromEntries(
      reading.unpriced.map(({ reason, nights, isUsed }) => [
        isUsed === true ? `${reason}, used` : reason,
        nights,
      ]),
    ),
  };
}

async function read(
  nights = 1,
  options: Partial<DirectOptions> = {},
): Promise<Map<string, ReturnType<typeof summary>>> {
  const account = open(options);
  const readings = await account.readNights(await account.listRooms(), rangeOf(nights));
  return new Map([...readings].map(([room, reading]) => [room, summary(reading)]));
}

/** The first night of room 101, and why it has no price. */
async function firstNight(options: Partial<DirectOptions> = {}): Promise<{ set: object; unpriced: object }> {
  const reading = (await read(1, options)).get('101');
  assert.ok(typeof reading === 'object', JSON.stringify(reading));
  return { set: reading.nights[0]!.set, unpriced: reading.unpriced };
}

interface Changes {
  readonly property?: Partial<Beds24Property>;
  readonly room?: Partial<Beds24Room>;
  readonly rule?: Partial<Beds24Rule>;
  /** Replaces all ranges. */
  readonly range?: Partial<Beds24Range>;
  readonly account?: Partial<Beds24Account>;
}

/** A property of one room with one rule, and one range of nights. */
function change({ property, room, rule, range, account }: Changes): void {
  const [plain] = fake.account.properties;
  const plainRule = plainRoom(101).priceRules![0]!;
  const roomTypes = [{ ...plainRoom(101), priceRules: [{ ...plainRule, ...rule }], ...room }];
  fake.account.properties = [{ ...plain!, ...property, roomTypes }];
  fake.account.calendars = { 101: [{ ...OPEN, ...range }] };
  Object.assign(fake.account, account);
}

const AT_100 = { ratesByGuests: [{ guests: 4, rate: 10_000 }] };

// The official description.

const description = parse(
  readFileSync(join(import.meta.dirname, '../../../../../test/fixtures/beds24/openapi-cut.yaml'), 'utf8'),
) as object;
const ajv = new Ajv2020({ strict: false, allErrors: true });
addContractFormats(ajv);
ajv.addFormat('double', true);
ajv.addSchema(description, 'beds24');
const described = new Map<string, ValidateFunction>();
let answersDescribed = 0;

function assertDescribed(path: string, { text }: CallAnswer): void {
  const pointer = path.replace('/v2', '').replaceAll('/', '~1');
  const $ref = `beds24#/paths/${pointer}/get/responses/200/content/application~1json/schema`;
  const validate = described.get(path) ?? ajv.compile({ $ref });
  described.set(path, validate);
  answersDescribed += 1;
  assert.ok(
    validate(JSON.parse(text)),
    `${path}: ${JSON.stringify(validate.errors)} in ${text.slice(0, 2_000)}`,
  );
}

describe('beds24: the key', () => {
  it('is a long life token, whose account, rights and end are said', async () => {
    assert.deepEqual(await open().identify(), {
      account: '77',
      keyEndsAtMs: NOW_MS + 90 * DAY_MS,
      warnings: [],
    });
  });

  it('may write, with a warning', async () => {
    Object.assign(fake.account, { scopes: ['read:properties', 'all:inventory', 'write:bookings'] });
    const { warnings } = await open().identify();
    assert.deepEqual(
      warnings.map(({ code, values }) => [code, values]),
      [['connectionMayWrite', { scopes: 'read:inventory, read:properties' }]],
    );
  });

  it('is refused without a right that is needed', async () => {
    Object.assign(fake.account, { scopes: ['read:properties', 'read:bookings'] });
    await assert.rejects(open().identify(), {
      state: 'refused',
      wrong: new Wrong('connectionRightMissing', { scope: 'read:inventory' }),
    });
  });

  it('is refused where it is neither a token nor an invite code', async () => {
    const wrong = new Wrong('connectionKeyWrong', { system: 'Beds24' });
    await assert.rejects(open({ key: { token: 'other' } }).identify(), { state: 'refused', wrong });
    for (const refusedStatus of [401, 400]) {
      Object.assign(fake.account, { refusedStatus });
      await assert.rejects(open({ key: { token: 'other' } }).listRooms(), { state: 'refused', wrong });
    }
  });

  it('is an invite code, exchanged once for tokens that are kept', async () => {
    fake.account.inviteCode = 'invite-code';
    const tokens = new Map<string, MadeToken>();
    const key = { token: 'invite-code' };
    const identity = await open({ key, tokens }).identify();
    assert.deepEqual([identity.account, identity.keyEndsAtMs], ['77', NOW_MS + 30 * DAY_MS]);
    assert.deepEqual(Object.fromEntries(tokens), {
      refresh: { value: 'refresh-token-of-the-account', expiresAtMs: NOW_MS + 30 * DAY_MS },
      access: { value: 'made-token-1', expiresAtMs: NOW_MS + DAY_MS },
    });
    fake.calls.length = 0;
    assert.equal((await open({ key, tokens }).listRooms()).length, 1);
    assert.deepEqual(
      fake.calls.map(({ path }) => path),
      ['/v2/properties'],
    );
  });

  it('has a token for as long as it says, and its refresh token lives on with each use', async () => {
    Object.assign(fake.account, { inviteCode: 'invite-code', tokenSeconds: 3_600 });
    const tokens = new Map<string, MadeToken>();
    const options = { key: { token: 'invite-code' }, tokens };
    await open(options).identify();
    const first = tokens.get('access')!.value;
    nowMs += 3_600_000 - 120_000;
    await open(options).listRooms();
    assert.equal(tokens.get('access')!.value, first);
    nowMs += 60_000;
    await open(options).listRooms();
    assert.notEqual(tokens.get('access')!.value, first);
    assert.equal(tokens.get('refresh')!.expiresAtMs, nowMs + 30 * DAY_MS);
  });

  it('is exchanged again, once, where a made token ended before its time', async () => {
    fake.account.inviteCode = 'invite-code';
    const tokens = new Map<string, MadeToken>();
    const options = { key: { token: 'invite-code' }, tokens };
    await open(options).identify();
    tokens.set('access', { value: 'revoked', expiresAtMs: NOW_MS + DAY_MS });
    assert.equal((await open(options).listRooms()).length, 1);
    tokens.set('refresh', { value: 'revoked', expiresAtMs: NOW_MS + DAY_MS });
    tokens.set('access', { value: 'revoked', expiresAtMs: NOW_MS + DAY_MS });
    await assert.rejects(open(options).listRooms(), { state: 'refused' });
  });
});

describe('beds24: rooms', () => {
  it('are those of all pages, without address and people', async () => {
    const property = (id: number): Beds24Property => ({
      id,
      name: `Casa ${id}`,
      roomTypes: [plainRoom(id * 10)],
    });
    Object.assign(fake.account, { pageSize: 2, properties: [1, 2, 3, 4, 5].map(property) });
    const rooms = await open().listRooms();
    assert.deepEqual(
      rooms.map(({ room }) => room),
      ['10', '20', '30', '40', '50'],
    );
    assert.deepEqual(
      fake.calls.map(({ query }) => query.replace(/^.*Items=true/, '')),
      ['', '&page=2', '&page=3'],
    );
    assert.doesNotMatch(JSON.stringify(rooms), /Via Nuova|ada@/);
  });

  it('have names, guests, currency, and what has to be set by hand', async () => {
    change({
      property: {
        upsellItems: [
          { index: 1, type: 'obligatoryCleaning', amount: 40, per: 'booking', period: 'oneTime' },
          { index: 2, type: 'optional', amount: 10, per: 'person', period: 'daily' },
          { index: 3, type: 'obligatoryPercentTax', amount: 5.5, per: 'booking', period: 'oneTime' },
          { index: 4, type: 'obligatory', enable: false, amount: 9 },
        ],
        bookingRules: { vatRatePercentage: 10 },
      },
      room: { cleaningFee: 30, taxPercentage: 0, maxAdult: 3 },
    });
    const [{ terms, ...room }] = (await open().listRooms()) as readonly [Room];
    assert.deepEqual(room, {
      room: '101',
      name: 'Room 101',
      guests: 3,
      currency: 'EUR',
      timezone: null,
      property: { id: '500', name: 'Casa Nuova', city: 'Roma', country: 'IT' },
      byHand: [
        'obligatoryCleaning 40 per booking oneTime',
        'obligatoryPercentTax 5.5 per booking oneTime',
        'cleaningFee 30',
        'vatRatePercentage 10',
      ],
    });
    assert.deepEqual(JSON.parse(JSON.stringify(terms)), terms);
  });

  it('that are hidden are listed when the setting says so', async () => {
    change({ room: { sellPriority: null } });
    assert.deepEqual(await open().listRooms(), []);
    assert.equal((await open({ settings: { hidden: 'yes' } }).listRooms()).length, 1);
  });

  it('fail where one is there twice', async () => {
    fake.account.properties = [...fake.account.properties, ...fake.account.properties];
    await assert.rejects(open().listRooms(), { wrong: new Wrong('answerTwice', { system: 'Beds24' }) });
  });
});

describe('beds24: nights', () => {
  it('have units and a price, asked for with every flag and without brackets', async () => {
    assert.deepEqual(await firstNight(), { set: { availability: 2, ...AT_100 }, unpriced: {} });
    const asked = fake.calls.find(({ path }) => path.endsWith('/calendar'))!.query;
    assert.equal(
      asked,
      'roomId=101&startDate=2026-12-01&endDate=2026-12-01&includeNumAvail=true&includeMinStay=true' +
        '&includeMaxStay=true&includeMultiplier=true&includeOverride=true&includePrices=true&includeLinkedPrices=true',
    );
  });

  const open1 = { availability: 2 };
  const rows: readonly (readonly [name: string, changes: Changes, set: object])[] = [
    ['fewer than 0 units are 0', { range: { numAvail: -1 } }, { availability: 0 }],
    ['no units said are 0', { range: { numAvail: undefined } as object }, { availability: 0 }],
    [
      'no check-in without a reason is 0 units',
      { account: { availability: { 101: { [FIRST]: false } } } },
      { availability: 0 },
    ],
    [
      'nothing said of check-in is 0 units',
      { account: { availability: { 101: { [FIRST]: null } } } },
      { availability: 0 },
    ],
    ['blackout stops', { range: { override: 'blackout' } }, { availability: 0, stopSell: 1 }],
    [
      'noCheckIn closes to arrival, and explains itself',
      { range: { override: 'noCheckIn' } },
      { ...open1, closedToArrival: 1 },
    ],
    [
      'noCheckOut closes to departure',
      { range: { override: 'noCheckOut' } },
      { ...open1, closedToDeparture: 1 },
    ],
    [
      'noCheckInOrCheckOut closes to both',
      { range: { override: 'noCheckInOrCheckOut' } },
      { ...open1, closedToArrival: 1, closedToDeparture: 1 },
    ],
    [
      'a property that takes no bookings stops',
      { property: { bookingRules: { bookingType: 'blackoutPeriod' } } },
      { ...open1, stopSell: 1 },
    ],
    [
      'exception of an unknown type stops',
      { range: { override: 'exception' } },
      { availability: 0, stopSell: 1 },
    ],
    [
      'exception of an open type does not',
      {
        range: { override: 'exception' },
        property: { bookingRules: { bookingExceptionalType: 'autoConfirmed' } },
        account: { availability: { 101: { [FIRST]: true } } },
      },
      open1,
    ],
    [
      'an exceptional period without a start stops until its end',
      {
        property: {
          bookingRules: { bookingExceptionalType: 'blackoutPeriod', bookingExceptionalTypeEnd: FIRST },
        },
      },
      { ...open1, stopSell: 1 },
    ],
    [
      'an exceptional period after the night does not stop it',
      {
        property: {
          bookingRules: {
            bookingExceptionalType: 'blackoutPeriod',
            bookingExceptionalTypeStart: '2026-12-02',
          },
        },
      },
      open1,
    ],
    [
      'the minimum is that of the calendar',
      { range: { minStay: 3 }, room: { minStay: 5 } },
      { ...open1, minStayArrival: 3 },
    ],
    [
      'the minimum is that of the room where the calendar has none',
      { room: { minStay: 5 } },
      { ...open1, minStayArrival: 5 },
    ],
    [
      'restrictions of a stay that passes through',
      { range: { minStay: 3, maxStay: 9 }, room: { restrictionStrategy: 'stayThrough' } },
      { ...open1, minStayThrough: 3, maxStay: 9 },
    ],
    [
      'restrictions without a strategy count for both',
      { range: { minStay: 3, maxStay: 9 }, room: { restrictionStrategy: undefined } as object },
      { ...open1, minStayArrival: 3, minStayThrough: 3, maxStay: 9 },
    ],
    [
      'conditions of the only rule are restrictions',
      { rule: { minimumStay: 4, maximumStay: 7 }, range: { minStay: 2, maxStay: 10 } },
      { ...open1, minStayArrival: 4, maxStay: 7 },
    ],
  ];
  for (const [name, changes, set] of rows)
    it(name, async () => {
      change(changes);
      const { ratesByGuests: _rates, ...others } = (await firstNight()).set as { ratesByGuests?: unknown };
      assert.deepEqual(others, set);
    });

  const unread: readonly (readonly [name: string, changes: Changes, set: object])[] = [
    ['a minimum', { range: { minStay: -1 } }, { availability: 0 }],
    ['a maximum', { range: { maxStay: 1.5 } }, { availability: 0 }],
    ['a maximum of 0', { range: { maxStay: 0 } }, { availability: 0 }],
    ['a minimum of the only rule', { rule: { minimumStay: -1 } }, { availability: 0 }],
    [
      'a number of near days',
      { property: { bookingRules: { bookingNearTypeDays: -1, bookingNearType: 'blackoutPeriod' } } },
      { ...open1, closedToArrival: 1, ...AT_100 },
    ],
    [
      'a near type',
      { property: { bookingRules: { bookingNearTypeDays: 0, bookingNearType: 'sometimes' } } },
      { ...open1, closedToArrival: 1, ...AT_100 },
    ],
    [
      'a booking type',
      { property: { bookingRules: { bookingType: 'x' } } },
      { ...open1, stopSell: 1, ...AT_100 },
    ],
  ];
  for (const [name, changes, set] of unread)
    it(`are closed by ${name} that cannot be read`, async () => {
      change(changes);
      const read = (await firstNight({ onAnswer: () => {} })).set as { availability: number };
      const { ratesByGuests: _rates, ...others } = read as { ratesByGuests?: unknown };
      assert.deepEqual(read.availability === 0 ? others : read, set);
    });

  it('are not stopped by an exceptional period of empty dates', async () => {
    const empty = { bookingExceptionalTypeStart: '', bookingExceptionalTypeEnd: '' };
    change({ property: { bookingRules: { bookingExceptionalType: 'blackoutPeriod', ...empty } } });
    assert.deepEqual((await firstNight({ onAnswer: () => {} })).set, { availability: 2, ...AT_100 });
  });

  it('are closed to arrival near today, and outside of the days of the only rule, a day early', async () => {
    const closed = async (changes: Changes): Promise<number[]> => {
      change(changes);
      const reading = (await read(8)).get('101') as Summary;
      return reading.nights.map(({ set }) => ('closedToArrival' in set ? 1 : 0));
    };
    const near = { bookingNearTypeDays: 1, bookingNearType: 'blackoutPeriod' };
    assert.deepEqual(await closed({ property: { bookingRules: near } }), [1, 1, 1, 0, 0, 0, 0, 0]);
    const soon = { ...near, bookingNearTypeDays: 0 };
    assert.deepEqual(await closed({ property: { bookingRules: soon } }), [1, 1, 0, 0, 0, 0, 0, 0]);
    assert.deepEqual(
      await closed({ rule: { minDaysUntilCheckin: 2, maxDaysUntilCheckin: 6 } }),
      [1, 1, 1, 0, 0, 0, 1, 1],
    );
  });

  it('of a stay that passes through may last as long as each of its nights allows, beyond the range as well', async () => {
    change({ room: { restrictionStrategy: 'stayThrough' } });
    fake.account.calendars = {
      101: [
        { ...OPEN, to: '2026-12-02', maxStay: 9 },
        { ...OPEN, from: '2026-12-03', to: '2026-12-05', maxStay: 4 },
        { ...OPEN, from: '2026-12-06', to: '2026-12-06', maxStay: 2 },
        { ...OPEN, from: '2026-12-07', maxStay: 364 },
      ],
    };
    const reading = (await read(6)).get('101') as Summary;
    assert.deepEqual(
      reading.nights.map(({ set }) => (set as { maxStay?: number }).maxStay),
      [4, 4, 3, 2, 2, 2],
    );
    assert.match(fake.calls.find(({ path }) => path.endsWith('/calendar'))!.query, /endDate=2027-02-04/);
  });

  it('are asked for in pieces of a year, whose ranges may exceed them', async () => {
    change({ room: { restrictionStrategy: 'stayThrough' }, range: { to: '2029-12-31' } });
    const reading = (await read(366)).get('101') as Summary;
    assert.equal(reading.nights.length, 366);
    assert.deepEqual(
      fake.calls
        .filter(({ path }) => path.endsWith('/calendar'))
        .map(({ query }) => /startDate.*?&endDate=[\d-]*/.exec(query)![0]),
      ['startDate=2026-12-01&endDate=2027-12-01', 'startDate=2027-12-02&endDate=2028-01-30'],
    );
  });

  it(`are asked of ${ROOMS_AT_ONCE_MAX} rooms at once`, async () => {
    for (const [count, calls] of [
      [ROOMS_AT_ONCE_MAX, 4],
      [ROOMS_AT_ONCE_MAX + 1, 7],
    ] as const) {
      fake.calls.length = 0;
      const rooms = Array.from({ length: count }, (_, index) => index + 1);
      Object.assign(fake.account, plainAccount({ rooms, range: OPEN }));
      assert.equal((await read()).size, count);
      assert.equal(fake.calls.length, calls);
    }
  });

  it('whose ranges overlap fail for their room alone', async () => {
    fake.account.properties = plainAccount({ rooms: [101, 102], range: OPEN }).properties;
    fake.account.calendars = { 101: [OPEN, { ...OPEN, from: '2026-12-03' }], 102: [OPEN] };
    const readings = await read(5);
    assert.equal(readings.get('101'), 'roomNightTwice');
    assert.equal(typeof readings.get('102'), 'object');
  });

  for (const [name, range] of [
    ['does not begin on a date', { from: '2026-12-01x' }],
    ['ends before it begins', { from: '2026-12-02', to: '2026-12-01' }],
  ] as const)
    it(`with a range that ${name} fail for their room`, async () => {
      fake.account.calendars = { 101: [{ ...OPEN, ...range }] };
      assert.equal((await read(5, { onAnswer: () => {} })).get('101'), 'roomUnread');
    });

  const empty = JSON.stringify({ success: true, count: 0, pages: { nextPageExists: false }, data: [] });
  for (const [name, list] of [
    ['calendar', /calendar.*startDate=2026-12-01/],
    ['later piece of a calendar', /calendar.*startDate=2027-12-02/],
    ['list of check-in days', /availability/],
  ] as const)
    it(`of a room that the ${name} alone lacks fail`, async () => {
      change({ room: { restrictionStrategy: 'stayThrough' } });
      const onAnswer = (path: string, { text }: CallAnswer, query: string): string =>
        list.test(`${path}?${query}`) ? empty : text;
      assert.equal((await read(366, { onAnswer })).get('101'), 'roomHalf');
    });

  it('of a room that the answer does not hold are not there', async () => {
    fake.account.calendars = {};
    assert.deepEqual(await read(2), new Map());
  });
});

describe('beds24: prices', () => {
  const upTo = { priceFor: { type: 'upToPerson', upToPersonValue: 2 } };
  const rows: readonly (readonly [
    name: string,
    changes: Changes,
    rates: readonly (readonly [number, number])[],
  ])[] = [
    ['for the whole room', {}, [[4, 10_000]]],
    [
      'for each guest',
      { rule: { priceFor: { type: 'perPerson' } }, room: { maxPeople: 3 } },
      [
        [1, 10_000],
        [2, 20_000],
        [3, 30_000],
      ],
    ],
    [
      'for two guests, and an amount for each more',
      { rule: { ...upTo, extraPerson: 12.5 } },
      [
        [2, 10_000],
        [3, 11_250],
        [4, 12_500],
      ],
    ],
    ['for two guests, and not more', { rule: upTo }, [[2, 10_000]]],
    ['for two guests, and nothing for each more', { rule: { ...upTo, extraPerson: 0 } }, [[2, 10_000]]],
    [
      'rounded half up once',
      { range: { price1: 33.335 }, rule: { priceFor: { type: 'perPerson' } }, room: { maxPeople: 2 } },
      [
        [1, 3_334],
        [2, 6_667],
      ],
    ],
    [
      'that is linked, from the linked amount alone',
      { rule: { priceLinking: { priceId: 2 } }, range: { price1: 1, linkedPrice1: 80 } },
      [[4, 8_000]],
    ],
  ];
  for (const [name, changes, rates] of rows)
    it(name, async () => {
      change(changes);
      const ratesByGuests = rates.map(([guests, rate]) => ({ guests, rate }));
      assert.deepEqual((await firstNight()).set, { availability: 2, ratesByGuests });
    });

  const none: readonly (readonly [reason: string, name: string, changes: Changes])[] = [
    ['no_price', 'without a price', { range: { price1: undefined } as object }],
    ['no_price', 'with a price of 0', { range: { price1: 0 } }],
    ['no_price', 'with a price that no rule has', { range: { price1: undefined, price2: 50 } as object }],
    ['no_rule', 'with a rule for agents', { rule: { bookingPage: { direct: false, agent: true } } }],
    ['no_rule', 'with a rule for some agents', { rule: { agentCodes: ['A'] } }],
    ['no_rule', 'with a rule of another offer', { rule: { offer: 2 } }],
    ['no_rule', 'with an offer that is not sold', { room: { offers: [{ offerId: 1, enable: 'internal' }] } }],
    ['no_capacity', 'without a number of guests', { room: { maxPeople: undefined } as object }],
    ['units_by_guest', 'with a unit for each guest', { room: { unitAllocation: 'perGuest' } }],
    [
      'price_rule',
      'with a rule that is not understood',
      { rule: { priceFor: { type: 'upToPerson', upToPersonValue: null } } },
    ],
    [
      'linked_price',
      'that is linked, and whose amount is not said',
      { rule: { priceLinking: { roomId: 102 } } },
    ],
    [
      'fixed_price',
      'under a fixed price',
      {
        account: {
          fixedPrices: [
            { id: 1, roomId: 101, firstNight: FIRST, lastNight: FIRST, bookingPage: { direct: true } },
          ],
        },
      },
    ],
    [
      'fixed_price',
      'under a fixed price without dates',
      { account: { fixedPrices: [{ id: 1, roomId: 101, bookingPage: {} }] } },
    ],
  ];
  for (const [reason, name, changes] of none)
    it(`are not there ${name}: ${reason}`, async () => {
      change(changes);
      const { set, unpriced } = await firstNight();
      assert.deepEqual([set, unpriced], [{ availability: 2 }, { [reason]: 1 }]);
    });

  it('are not hidden by a fixed price of other nights, or one that is not for direct bookings', async () => {
    change({
      account: {
        fixedPrices: [
          { id: 1, roomId: 101, firstNight: '2026-12-02' },
          { id: 2, roomId: 101, bookingPage: { direct: false } },
        ],
      },
    });
    assert.deepEqual((await firstNight()).set, { availability: 2, ...AT_100 });
  });

  const allowable: readonly (readonly [reason: string, changes: Changes, rate: number])[] = [
    ['multiplier', { range: { multiplier: 1.105 } }, 11_050],
    ['booking_page_multiplier', { property: { bookingPageMultiplier: '0.95' } }, 10_000],
    ['price_rounding', { property: { bookingRules: { priceRounding: 'nearestTen' } } }, 10_000],
    ['min_price', { room: { minPrice: 20 } }, 10_000],
    ['block_after_check_out', { room: { blockAfterCheckOutDays: 1 } }, 10_000],
  ];
  for (const [reason, changes, rate] of allowable)
    it(`are there with ${reason} once it is allowed`, async () => {
      change(changes);
      assert.deepEqual(await firstNight(), { set: { availability: 2 }, unpriced: { [reason]: 1 } });
      assert.ok(BEDS24.allows.includes(reason));
      const set = { availability: 2, ratesByGuests: [{ guests: 4, rate }] };
      assert.deepEqual(await firstNight({ allowed: [reason] }), { set, unpriced: {} });
    });

  it('are the lowest of several rules, for each number of guests', async () => {
    const [plain] = plainRoom(101).priceRules!;
    change({
      room: {
        priceRules: [
          { ...plain!, ...upTo },
          { ...plain!, id: 2 },
        ],
      },
      range: { price1: 70, price2: 120 },
    });
    assert.deepEqual((await firstNight()).set, {
      availability: 2,
      ratesByGuests: [
        { guests: 2, rate: 7_000 },
        { guests: 4, rate: 12_000 },
      ],
    });
  });

  it('of a rule for longer stays are not read; those of the others are an upper bound', async () => {
    const [plain] = plainRoom(101).priceRules!;
    const longer = { ...plain!, id: 2, minimumStay: 7 };
    change({ room: { priceRules: [plain!, longer] }, range: { price1: 100, price2: 80 } });
    assert.deepEqual(await firstNight(), {
      set: { availability: 2, ...AT_100 },
      unpriced: { 'conditional_rule, used': 1 },
    });
    change({ room: { priceRules: [plain!, longer] }, range: { price1: 0, price2: 80 } });
    assert.deepEqual(await firstNight(), { set: { availability: 2 }, unpriced: { conditional_rule: 1 } });
  });

  it('of a rule whose conditions cannot be read are not read either', async () => {
    const [plain] = plainRoom(101).priceRules!;
    change({
      room: { priceRules: [plain!, { ...plain!, id: 2, minimumStay: -1 }] },
      range: { price1: 100, price2: 80 },
    });
    assert.deepEqual(await firstNight({ onAnswer: () => {} }), {
      set: { availability: 2, ...AT_100 },
      unpriced: { 'price_rule, used': 1 },
    });
  });

  it('are those of the offer that the setting names', async () => {
    const [plain] = plainRoom(101).priceRules!;
    const offers = [1, 2].map((offerId) => ({ offerId, enable: 'onlyIfAvailable' }));
    change({ room: { offers, priceRules: [plain!, { ...plain!, id: 2, offer: 2 }] }, range: { price2: 90 } });
    assert.deepEqual((await firstNight()).set, { availability: 2, ...AT_100 });
    const { set } = await firstNight({ settings: { offer: '2' } });
    assert.deepEqual(set, { availability: 2, ratesByGuests: [{ guests: 4, rate: 9_000 }] });
  });

  it('are not missing on nights that are closed', async () => {
    change({ range: { numAvail: 0, price1: 0 } });
    assert.deepEqual(await firstNight(), { set: { availability: 0 }, unpriced: {} });
  });
});

const USED_DOUBTS = ['conditional_rule, used', 'linked_price, used', 'price_rule, used'];

describe('beds24: random accounts', () => {
  it(`${CASES} of them are read as a naive reading reads them`, async () => {
    const random = createRandom(seedOfRun(20_261_202));
    const met = new Set<string>();
    for (let index = 0; index < CASES; index += 1) {
      const isWeird = index >= DESCRIBED_CASES;
      Object.assign(fake.account, randomBeds24(random, FIRST, isWeird));
      const allowed = new Set(BEDS24.allows.filter(() => random(2) === 0));
      const onAnswer = isWeird ? () => {} : assertDescribed;
      const readings = await read(RANDOM_NIGHTS, { allowed, onAnswer });
      const options = {
        from: FIRST,
        until: dateAfter(FIRST, RANDOM_NIGHTS),
        today: FIRST,
        offer: 1,
        allowed,
      };
      for (const room of Object.keys(fake.account.calendars)) {
        const naive = naiveBeds24(fake.account, Number(room), options) ?? 'roomNightTwice';
        const message = `case ${index}, room ${room}: ${JSON.stringify(fake.account)}`;
        assert.deepEqual(readings.get(room), naive, message);
        for (const reason of naive === 'roomNightTwice' ? [naive] : Object.keys(naive.unpriced))
          met.add(reason);
      }
    }
    assert.deepEqual([...met].toSorted(), [...REASONS, ...USED_DOUBTS, 'roomNightTwice'].toSorted());
    assert.ok(answersDescribed > 4 * DESCRIBED_CASES, `${answersDescribed}`);
  });
});

describe('beds24: a stay', () => {
  const stay = { checkIn: getLocalDate(FIRST), checkOut: getLocalDate(FIRST) + 2, guests: 2 };

  async function ask(): Promise<unknown> {
    const account = open();
    return (await account.askStay(await account.listRooms(), stay)).get('101');
  }

  it('is available at the price of the chosen offer', async () => {
    const told = { available: true, reason: null, priceMinor: 20_000, lines: [] };
    assert.deepEqual(await ask(), told);
    assert.match(
      fake.calls.at(-1)!.query,
      /^roomId=101&offerId=1&arrival=2026-12-01&departure=2026-12-03&numAdults=2$/,
    );
  });

  it('is not available without an offer, with another one, or without units', async () => {
    const told = { available: false, reason: null, priceMinor: null, lines: [] };
    for (const stays of [[], [{ offerId: 2, price: 90 }], [{ offerId: 1, price: 90, unitsAvailable: 0 }]]) {
      fake.account.stays = { 101: stays };
      assert.deepEqual(await ask(), told);
    }
  });
});

describe('beds24: lists', () => {
  it(`are given up after ${PAGES_MAX} pages`, async () => {
    fake.mischief = 'endlessPages';
    await assert.rejects(open({ onAnswer: () => {} }).listRooms(), {
      wrong: new Wrong('answerPages', { system: 'Beds24', max: PAGES_MAX }),
    });
    assert.equal(fake.calls.length, PAGES_MAX);
  });

  it('are refused once the credits are spent, as the server says', async () => {
    Object.assign(fake.account, { credits: 60 });
    const account = open();
    nowMs += 1_000_000;
    await account.listRooms();
    nowMs += 10_000;
    await assert.rejects(account.listRooms(), { retryAfterMs: 290_000 });
  });
});

describe('beds24: the limit', () => {
  const limit = { remaining: 12, cost: 3, resetsAtMs: NOW_MS + 90_000 };
  const rows: readonly (readonly [headers: CallHeaders, limit: object])[] = [
    [{}, { remaining: undefined, cost: undefined, resetsAtMs: undefined }],
    [
      {
        'x-fivemincreditlimit-remaining': '12',
        'x-fivemincreditlimit-resetsin': '90',
        'x-requestcost': '3',
      },
      limit,
    ],
    [
      { 'x-five-min-limit-remaining': '12', 'x-five-min-limit-resets-in': '90', 'x-request-cost': '3' },
      limit,
    ],
    [{ 'x-requestcost': 'much' }, { remaining: undefined, cost: undefined, resetsAtMs: undefined }],
  ];
  for (const [headers, said] of rows)
    it(`is read of ${JSON.stringify(headers)}`, () => {
      assert.deepEqual(BEDS24.readLimit(headers, NOW_MS), said);
    });
});
