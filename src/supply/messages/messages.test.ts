import { presentErrors } from './message-body.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { AriSchema } from '../../contract/operator/supply-schemas.ts';
import { CHANGING_FIELDS } from '../../domain/changing-fields.ts';
import { parsePropertyChange } from '../../domain/ledger/property-change.ts';
import { mapAriValues, readAriValues } from './ari-message.ts';
import { readCalendarMessage, type ReadMessage } from './calendar-message.ts';
import { MESSAGE_ENTRIES_MAX, MESSAGE_ERRORS_MAX } from './message-limits.ts';

const DOUBLE = { propertyId: 'hotel-ponte', inventoryTypeId: 'double' };
/** 2026-12-01. */
const DAY = 20_788;

function bytesOf(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}

function readEntries(...entries: readonly unknown[]): ReadMessage {
  return readCalendarMessage(bytesOf({ entries }));
}

function readAri(...values: readonly unknown[]): ReturnType<typeof mapAriValues> {
  return readAriIn('EUR', values);
}

function readAriIn(currency: string, values: readonly unknown[]): ReturnType<typeof mapAriValues> {
  const read = readAriValues(bytesOf({ values }));
  const known = read.externalKeys.filter((key) => key !== 'unknown');
  return mapAriValues(
    read,
    known.map((externalKey) => ({ source: 'channel', externalKey, ...DOUBLE, currency })),
  );
}

/** The entries of the only type, as they will be laid over its layer. */
function setsOf(message: ReadMessage): unknown[] {
  assert.deepEqual(message.errors.named, []);
  const [type] = parsePropertyChange(message.changes[0]!).types;
  return (type?.entries ?? []).map(({ from, to, set }) => [from - DAY, to - DAY, set]);
}

describe('A message of calendar entries', () => {
  it('has the fields of a native calendar, each with its property and type', () => {
    const message = readEntries(
      { ...DOUBLE, dateFrom: '2026-12-01', dateTo: '2026-12-03', availability: 2, rate: '120.00' },
      { ...DOUBLE, dateFrom: '2026-12-02', dateTo: '2026-12-02', stopSell: true, minStayArrival: null },
    );
    assert.deepEqual(message.propertyIds, ['hotel-ponte']);
    assert.deepEqual(setsOf(message), [
      [0, 2, { availability: 2, rate: 12_000 }],
      [1, 1, { stopSell: 1, minStayArrival: null }],
    ]);
  });

  it('keeps the place of an entry that becomes several nights of weekdays', () => {
    const entry = { ...DOUBLE, dateFrom: '2026-12-01', dateTo: '2026-12-31', availability: 0 };
    const message = readEntries({ ...entry, weekdays: ['fri', 'sat'] }, { ...entry, maxStay: 3 });
    const [type] = parsePropertyChange(message.changes[0]!).types;
    assert.deepEqual(type?.positions, [0, 0, 0, 0, 1]);
  });

  it('gathers properties and types, whatever their order', () => {
    const of = (propertyId: string, inventoryTypeId: string) => ({
      propertyId,
      inventoryTypeId,
      dateFrom: '2026-12-01',
      dateTo: '2026-12-01',
      availability: 1,
    });
    const { changes } = readEntries(of('a', 'x'), of('b', 'x'), of('a', 'y'), of('a', 'x'));
    const found = changes.map(parsePropertyChange).map(({ propertyId, types }) => ({
      propertyId,
      types: types.map(({ inventoryTypeId, positions }) => [inventoryTypeId, positions]),
    }));
    assert.deepEqual(found, [
      {
        propertyId: 'a',
        types: [
          ['x', [0, 3]],
          ['y', [2]],
        ],
      },
      { propertyId: 'b', types: [['x', [1]]] },
    ]);
  });

  it('names every wrong entry by its place, and keeps the good ones', () => {
    const good = { ...DOUBLE, dateFrom: '2026-12-01', dateTo: '2026-12-01', availability: 1 };
    const { errors, changes, entryCount } = readEntries(
      good,
      { ...good, rate: 120 },
      { ...good, dateTo: '2026-02-30' },
      { ...good, rooms: 1 },
      { dateFrom: '2026-12-01', dateTo: '2026-12-01' },
      7,
      { ...good, dateFrom: '2026-12-02' },
    );
    assert.equal(entryCount, 7);
    assert.deepEqual(
      errors.named.map(({ pointer, code }) => [pointer, code]),
      [
        ['/entries/1/rate', 'FIELD_INVALID'],
        ['/entries/2/dateTo', 'DATE_INVALID'],
        ['/entries/3/rooms', 'FIELD_UNKNOWN'],
        ['/entries/4/propertyId', 'FIELD_REQUIRED'],
        ['/entries/5', 'FIELD_INVALID'],
        ['/entries/6/dateTo', 'FIELD_INVALID'],
      ],
    );
    assert.match(errors.named[0]?.detail ?? '', /^Must be a non-negative amount .*, not 120\.$/);
    assert.equal(changes.length, 1);
  });

  it('takes units below zero as none, a stay of 0 nights as no limit, a rate of 0 with a word', () => {
    const entry = { ...DOUBLE, dateFrom: '2026-12-01', dateTo: '2026-12-01' };
    const message = readEntries({ ...entry, availability: -1, maxStay: 0, minStayThrough: 0, rate: '0.00' });
    assert.deepEqual(setsOf(message), [
      [0, 0, { availability: 0, rate: 0, minStayThrough: null, maxStay: null }],
    ]);
    assert.deepEqual(
      message.warnings.named.map(({ pointer, code }) => [pointer, code]),
      [
        ['/entries/0/availability', 'UNITS_BELOW_ZERO'],
        ['/entries/0/rate', 'RATE_ZERO'],
      ],
    );
  });

  it('counts what it does not name', () => {
    const { errors } = readCalendarMessage(
      bytesOf({ entries: Array.from({ length: MESSAGE_ERRORS_MAX + 5 }, () => 0) }),
    );
    assert.deepEqual([errors.count, errors.named.length], [MESSAGE_ERRORS_MAX + 5, MESSAGE_ERRORS_MAX]);
  });

  it('is JSON with one list, of a bounded length', () => {
    const codesOf = (body: string | Uint8Array) =>
      readCalendarMessage(Buffer.from(body)).errors.named.map(({ pointer, code }) => [pointer, code]);
    assert.deepEqual(codesOf('{"entries":['), [['', 'JSON_INVALID']]);
    assert.deepEqual(codesOf(Buffer.from([0x22, 0xff, 0x22])), [['', 'JSON_INVALID']]);
    assert.deepEqual(codesOf('[]'), [['', 'FIELD_INVALID']]);
    assert.deepEqual(codesOf('{}'), [['/entries', 'FIELD_REQUIRED']]);
    assert.deepEqual(codesOf('{"entries":{}}'), [['/entries', 'FIELD_INVALID']]);
    assert.deepEqual(codesOf('{"entries":[],"x/y":1}'), [['/x~1y', 'FIELD_UNKNOWN']]);
    assert.deepEqual(codesOf(`{"entries":[${'7,'.repeat(MESSAGE_ENTRIES_MAX)}7]}`), [
      ['/entries', 'TOO_MANY'],
    ]);
    assert.deepEqual(codesOf('{"entries":[]}'), []);
  });
});

describe('An ARI message', () => {
  it('has availability of a room type, and rates and restrictions of a rate plan', () => {
    const read = readAriValues(
      bytesOf({
        values: [
          {
            property_id: 'p',
            room_type_id: 'room',
            date_from: '2026-12-01',
            date_to: '2026-12-03',
            availability: 4,
          },
          { property_id: 'p', rate_plan_id: 'plan', date: '2026-12-02', rate: '120.00', stop_sell: false },
        ],
      }),
    );
    assert.deepEqual(read.externalKeys, ['room', 'plan']);
    const message = mapAriValues(read, [
      { source: 'channel', externalKey: 'room', ...DOUBLE, currency: 'EUR' },
      { source: 'channel', externalKey: 'plan', ...DOUBLE, currency: 'EUR' },
    ]);
    assert.deepEqual(setsOf(message), [
      [0, 2, { availability: 4 }],
      [1, 1, { rate: 12_000, stopSell: 0 }],
    ]);
    assert.equal(message.warnings.count, 0);
  });

  it('takes an overbooked night as one without units', () => {
    const message = readAri({ room_type_id: 'room', date: '2026-12-01', availability: -3 });
    assert.deepEqual(setsOf(message), [[0, 0, { availability: 0 }]]);
    assert.deepEqual(presentErrors(message.warnings), [
      {
        pointer: '/values/0/availability',
        code: 'UNITS_BELOW_ZERO',
        detail: 'Is -3, below zero: read as 0.',
      },
    ]);
  });

  it('takes null for a date or a name as absent, for a value as cleared', () => {
    const at = { rate_plan_id: 'plan', room_type_id: null, property_id: null, days: null };
    const message = readAri(
      { ...at, date: '2026-12-01', date_from: null, date_to: null, closed_to_departure: null },
      { ...at, date: null, date_from: '2026-12-02', date_to: '2026-12-03', max_stay: null },
    );
    assert.deepEqual(setsOf(message), [
      [0, 0, { closedToDeparture: null }],
      [1, 2, { maxStay: null }],
    ]);
    const { errors } = readAri({ ...at, date: null, date_from: '2026-12-02', date_to: null });
    assert.deepEqual(
      errors.named.map(({ pointer, code }) => [pointer, code]),
      [['/values/0/date_to', 'FIELD_REQUIRED']],
    );
  });

  it('takes rates with their currency and decimals, and one without occupancy as the rate for all', () => {
    const at = { rate_plan_id: 'plan', date: '2026-12-01' };
    const eur = { currency: 'EUR', fraction_size: 2 };
    assert.deepEqual(
      setsOf(
        readAri(
          { ...at, rates: [{ rate: '200.00', ...eur }] },
          {
            ...at,
            rates: [
              { rate: 20_000, ...eur, occupancy: 2 },
              { rate: 150, fraction_size: 0, occupancy: 1 },
            ],
          },
        ),
      ),
      [
        [0, 0, { rate: 20_000, ratesByGuests: null }],
        [
          0,
          0,
          {
            ratesByGuests: [
              { guests: 1, rate: 15_000 },
              { guests: 2, rate: 20_000 },
            ],
          },
        ],
      ],
    );
    const { errors } = readAri(
      { ...at, rates: [{ rate: '200.00', currency: 'GBP' }] },
      { ...at, rates: [{ rate: '200.00' }, { rate: '210.00', occupancy: 2 }] },
    );
    assert.deepEqual(
      errors.named.map(({ pointer }) => pointer),
      ['/values/0/rates/0/currency', '/values/1/rates'],
    );
  });

  it('refuses a rate of 0, also by guests', () => {
    const at = { rate_plan_id: 'plan', date: '2026-12-01' };
    const { errors } = readAri(
      { ...at, rate: 0 },
      { ...at, rate: '0.00' },
      { ...at, rates: [{ occupancy: 2, rate: '0' }] },
    );
    assert.deepEqual(
      errors.named.map(({ pointer }) => pointer),
      ['/values/0/rate', '/values/1/rate', '/values/2/rates/0/rate'],
    );
  });

  it('may be what Channex sends to a channel', () => {
    const dates = { date_from: '2026-12-01', date_to: '2026-12-03' };
    const both = { room_type_id: 'room', rate_plan_id: 'plan', ...dates };
    const changes = [
      { type: 'availability_changes', attributes: { ...both, availability: 10 } },
      {
        type: 'restriction_changes',
        attributes: {
          ...both,
          rates: [{ rate: '200.00', currency: 'EUR', fraction_size: 2 }],
          stop_sell: true,
          min_stay_arrival: 1,
          max_stay: 0,
        },
      },
      { type: 'restriction_changes', attributes: { ...both, rate: 'free' } },
    ];
    const notice = {
      type: 'changes_notification',
      attributes: { request_id: 'x', hotel_code: 'h', changes },
    };
    const read = readAriValues(bytesOf({ data: [notice] }));
    const message = mapAriValues(read, [
      { source: 'channel', externalKey: 'room', ...DOUBLE, currency: 'EUR' },
    ]);
    assert.deepEqual(
      message.errors.named.map(({ pointer }) => pointer),
      ['/data/0/attributes/changes/2/attributes/rate'],
    );
    assert.deepEqual(
      message.warnings.named.map(({ pointer }) => pointer),
      ['/data/0/attributes/changes/1/attributes/rate_plan_id'],
    );
    const [type] = parsePropertyChange(message.changes[0]!).types;
    assert.deepEqual(
      type?.entries.map(({ set }) => set),
      [{ availability: 10 }],
    );
    for (const wrong of [{ data: [{ attributes: {} }] }, { data: [7] }, { data: [], values: [] }])
      assert.equal(readAriValues(bytesOf(wrong)).errors.count, 1);
  });

  it('takes every field in the forms that are in use', () => {
    const at = { rate_plan_id: 'plan', date: '2026-12-01' };
    const message = readAri(
      { ...at, rate: 20_000 },
      { ...at, rate: '200' },
      { ...at, rate: null },
      {
        ...at,
        rates: [
          { occupancy: 2, rate: '120.00' },
          { occupancy: 1, rate: 9_900 },
        ],
      },
      { ...at, min_stay_arrival: 2, min_stay_through: 3, max_stay: 0 },
      { ...at, min_stay: 0 },
      { ...at, min_stay: 4, min_stay_arrival: 5 },
      { ...at, stop_sell: 1, closed_to_arrival: true, closed_to_departure: 0 },
      { ...at, stop_sell: null, availability: null },
    );
    assert.deepEqual(
      setsOf(message).map((entry) => (entry as unknown[])[2]),
      [
        { rate: 20_000 },
        { rate: 20_000 },
        { rate: null },
        {
          ratesByGuests: [
            { guests: 1, rate: 9_900 },
            { guests: 2, rate: 12_000 },
          ],
        },
        { minStayArrival: 2, minStayThrough: 3, maxStay: null },
        { minStayArrival: null },
        { minStayArrival: 5 },
        { stopSell: 1, closedToArrival: 1, closedToDeparture: 0 },
        { stopSell: null, availability: null },
      ],
    );
  });

  it('has whole minor units of each currency as ISO 4217 counts them', () => {
    const at = { rate_plan_id: 'plan', date: '2026-12-01' };
    const read = (currency: string, rate: unknown) => {
      const { errors, changes } = readAriIn(currency, [{ ...at, rate, rates: [{ occupancy: 2, rate }] }]);
      if (errors.count > 0) return errors.named.map(({ pointer, detail }) => `${pointer} ${detail}`).join();
      const [entry] = parsePropertyChange(changes[0]!).types[0]!.entries;
      assert.equal(entry?.set.ratesByGuests?.[0]?.rate, entry?.set.rate);
      return entry?.set.rate;
    };
    const rows = [
      ...([
        ['EUR', 12_000, 12_000],
        ['JPY', 12_000, 1_200_000],
        ['IDR', 150_000, 150_000],
      ] as const),
      ...([
        ['KWD', 12_340, 1_234],
        ['CLF', 12_300, 123],
        ['JPY', '12000.00', 1_200_000],
      ] as const),
      ...([
        ['JPY', 9_999_999_999, 999_999_999_900],
        ['EUR', 999_999_999_999, 999_999_999_999],
      ] as const),
    ] as const;
    for (const [currency, rate, hundredths] of rows) assert.equal(read(currency, rate), hundredths, currency);
    const refused = [
      ...([
        ['KWD', 12_345],
        ['KWD', 1],
        ['CLF', 12_350],
        ['JPY', 10_000_000_000],
      ] as const),
      ...([
        ['EUR', 1_000_000_000_000],
        ['JPY', Number.MAX_SAFE_INTEGER],
      ] as const),
    ] as const;
    for (const [currency, rate] of refused) {
      const said = String(read(currency, rate));
      assert.ok(said.startsWith('/values/0/rate Must be an amount with at most two decimals'), said);
      assert.ok(said.endsWith(`, which ${rate} minor units of ${currency} are not.`), said);
    }
  });

  it('names days of the week in a range', () => {
    const value = { room_type_id: 'room', date_from: '2026-12-01', date_to: '2026-12-13', availability: 0 };
    assert.deepEqual(setsOf(readAri({ ...value, days: ['sa', 'su'] })), [
      [4, 5, { availability: 0 }],
      [11, 12, { availability: 0 }],
    ]);
    assert.equal(setsOf(readAri({ ...value, days: ['mon'] })).length, 1);
  });

  it('warns of each value with an unmapped name, and merges it into nothing', () => {
    const at = { date: '2026-12-01', availability: 3 };
    const message = readAri(
      { room_type_id: 'unknown', ...at },
      { room_type_id: 'room', ...at },
      { rate_plan_id: 'unknown', room_type_id: 'room', ...at },
    );
    assert.deepEqual(
      message.warnings.named.map(({ pointer, code }) => [pointer, code]),
      [
        ['/values/0/room_type_id', 'SUPPLY_MAPPING_UNKNOWN'],
        ['/values/2/rate_plan_id', 'SUPPLY_MAPPING_UNKNOWN'],
      ],
    );
    assert.equal(message.unmappedCount, 2);
    assert.deepEqual(setsOf(message), [[0, 0, { availability: 3 }]]);
  });

  it('warns of a field that has no meaning here', () => {
    const { warnings, errors } = readAri({
      room_type_id: 'room',
      date: '2026-12-01',
      availability: 1,
      max_availability: 2,
      booked: 1,
    });
    assert.deepEqual(
      warnings.named.map(({ pointer, code }) => [pointer, code]),
      [
        ['/values/0/max_availability', 'FIELD_IGNORED'],
        ['/values/0/booked', 'FIELD_IGNORED'],
      ],
    );
    assert.equal(errors.count, 0);
  });

  it('refuses fields that change what a rate means, and takes those that say what it means anyway', () => {
    const at = { room_type_id: 'room', date: '2026-12-01', rate: '83.00' };
    const others = [
      { currency: 'USD' },
      { currencyCode: 'USD' },
      { 'Currency-Code': 'eur' },
      { occupancy: 2 },
      { NumberOfGuests: 2 },
      { tax_inclusive: false },
      { AmountBeforeTax: '80.00' },
      { sell_mode: 'per_person' },
      { rate_type: 'percent' },
      { length_of_stay: 7 },
    ];
    for (const other of others) {
      const { errors, changes, warnings } = readAri({ ...at, ...other });
      const [name] = Object.keys(other);
      assert.deepEqual(
        errors.named.map(({ pointer }) => pointer),
        [`/values/0/${name}`],
      );
      assert.deepEqual([changes.length, warnings.count], [0, 0]);
    }
    const same = readAri({
      ...at,
      currency: 'EUR',
      sell_mode: 'per_room',
      occupancy: null,
      fraction_size: 2,
    });
    assert.deepEqual(
      [same.errors.count, same.warnings.count, setsOf(same)],
      [0, 0, [[0, 0, { rate: 8_300 }]]],
    );
    const minor = readAri({ ...at, rate: 83_000, fraction_size: 3 });
    assert.deepEqual(setsOf(minor), [[0, 0, { rate: 8_300 }]]);
  });

  it('are in its schema as they are read or refused', () => {
    const takes = new Ajv2020({ strict: false, formats: { date: true } }).compile(AriSchema);
    const at = { room_type_id: 'room', date: '2026-12-01', rate: '83.00' };
    const values: Readonly<Record<string, readonly unknown[]>> = {
      currency: ['EUR', null, 5],
      digits: [0, 4, 5, -1, '2', null],
      perRoom: ['per_room', 'PerRoom', 'room', 'per_person', 1, null],
      refused: [null, 1, false, '1', []],
    };
    const properties = JSON.stringify(AriSchema);
    for (const { names, reading } of CHANGING_FIELDS) {
      for (const name of names) {
        assert.ok(properties.includes(`"${name}":`), name);
        for (const value of values[typeof reading === 'string' ? reading : 'refused']!) {
          const sent = { ...at, [name]: value };
          const said = `${name} ${JSON.stringify(value)}`;
          assert.equal(takes({ values: [sent] }), readAri(sent).errors.count === 0, said);
        }
      }
    }
    for (const [rate, isTaken] of [
      [{ occupancy: 2, rate: '1.00', currency: 'EUR', fraction_size: 2 }, true],
      [{ rate: '1.00', tax_inclusive: true }, false],
      [{ rate: '1.00', fraction_size: 5 }, false],
      [{ occupancy: 2 }, false],
    ] as const) {
      const sent = { ...at, rates: [rate] };
      assert.deepEqual(
        [takes({ values: [sent] }), readAri(sent).errors.count === 0],
        [isTaken, isTaken],
        JSON.stringify(rate),
      );
    }
  });

  it('refuses them around the values of a notice too', () => {
    const change = {
      type: 'restriction_changes',
      attributes: { rate_plan_id: 'room', date: '2026-12-01', rate: '83.00' },
    };
    const places = [{ source: 'channel', externalKey: 'room', ...DOUBLE, currency: 'EUR' }];
    const notice = (around: object, attributes: object): object => ({
      ...around,
      attributes: { changes: [change], ...attributes },
    });
    for (const body of [notice({ currency: 'USD' }, {}), notice({}, { currency: 'USD' })]) {
      const { errors } = mapAriValues(readAriValues(bytesOf({ data: [body] })), places);
      assert.match(errors.named[0]!.detail, /must be that of the property, EUR, not "USD"/i);
    }
    assert.equal(
      mapAriValues(readAriValues(bytesOf({ data: [notice({}, { currency: 'EUR' })] })), places).errors.count,
      0,
    );
  });

  it('names what is wrong by its place', () => {
    const at = { rate_plan_id: 'plan', date: '2026-12-01' };
    const { errors } = readAri(
      { date: '2026-12-01' },
      { ...at, rate: 120.5 },
      { ...at, date_from: '2026-12-01' },
      { rate_plan_id: 'plan', date_from: '2026-12-03', date_to: '2026-12-01' },
      { ...at, stop_sell: 'yes' },
      { ...at, days: ['xy'] },
      {
        ...at,
        rates: [
          { occupancy: 1, rate: '1.00' },
          { occupancy: 1, rate: '2.00' },
        ],
      },
      { ...at, availability: 1.5 },
    );
    assert.deepEqual(
      errors.named.map(({ pointer }) => pointer),
      [
        '/values/0/room_type_id',
        '/values/1/rate',
        '/values/2/date_from',
        '/values/3/date_to',
        '/values/4/stop_sell',
        '/values/5/days/0',
        '/values/6/rates',
        '/values/7/availability',
      ],
    );
  });
});
