/**
 * The bounds of everything that operations beside the contract take, at the limit and one beyond, and the issue that each
 * offence gets (`/prices/v1`, `/content/v1`).
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { OperationId } from '../../../src/contract/partner/operations.ts';
import type {
  PriceCalendar,
  StayPriceList,
  StayPrices,
  StayQuote,
} from '../../../src/contract/partner/price-schemas.ts';
import type { Asked } from '../../kit/http-exchange.ts';
import { HOTEL_PONTE, hotelWith, nights } from '../../kit/catalogue-lines.ts';
import { type Running, startInstallation } from '../../kit/installation.ts';
import {
  CITY,
  COUNTRY,
  DATES,
  GOOD_STAY,
  GUESTS,
  LOCALE,
  PAGE,
  PAGE_SIZE,
  type Rows,
  UNKNOWN,
} from '../../kit/parameter-rows.ts';
import type { Answer } from '../../kit/partner-client.ts';

const BODY_LIMIT_BYTES = 16_384;
/** Today at the property, with the clock of the tests. */
const TODAY = '2026-11-20';
/** The last night that is offered, and the one behind it. */
const LAST_NIGHT = '2028-11-18';
const BEYOND = '2028-11-19';
/** On more nights than are offered. */
const ALWAYS_OPEN = hotelWith('always-open', [
  nights('2026-11-01', '2028-12-31', { availability: 1, rate: '80.00' }),
]);

let running: Running;
before(async () => {
  running = await startInstallation([HOTEL_PONTE, ALWAYS_OPEN]);
});
after(() => running.installation.close());

interface Place {
  readonly operationId: OperationId;
  readonly path: string;
  /** What is asked beside each row. */
  readonly also?: string;
}

const LIST: Place = {
  operationId: 'searchStayPrices',
  path: '/prices/v1/stays',
  also: `city=Venezia&${GOOD_STAY}`,
};
const FLEXIBLE: Place = {
  operationId: 'searchFlexibleStays',
  path: '/prices/v1/flexible-stays',
  also: 'city=Venezia&checkInFrom=2026-12-01&nights=3',
};
const DAYS: Place = { operationId: 'listPriceDays', path: '/prices/v1/days', also: 'city=Venezia' };
const CALENDAR: Place = {
  operationId: 'getPriceCalendar',
  path: '/prices/v1/properties/hotel-ponte/calendar',
};
const OFFER: Place = {
  operationId: 'getStayOffer',
  path: '/prices/v1/properties/hotel-ponte/offer',
  also: GOOD_STAY,
};
const CONTENTS: Place = {
  operationId: 'listPropertyContent',
  path: '/content/v1/properties',
  also: 'city=Venezia',
};
const CONTENT: Place = { operationId: 'getPropertyContent', path: '/content/v1/properties/hotel-ponte' };

/** Pages are numbered: no answer has a cursor, so none is taken. */
const CURSORS: Rows = ['cursor', 'after', 'pageToken', 'limit', 'offset'].flatMap((name) =>
  ['eyJwYWdlIjoyfQ', '', '2'].map((value) => [`${name}=${value}`, `${name} UNKNOWN_PARAMETER`] as const),
);

const without = (rows: Rows, name: string): Rows => rows.filter(([query]) => !query.startsWith(`${name}=`));

const RANGE: Rows = [
  ['from=2026-12-01&until=2026-12-02'],
  ['from=2026-12-01&until=2026-12-01', 'until DATE_ORDER_INVALID'],
  ['from=2026-12-02&until=2026-12-01', 'until DATE_ORDER_INVALID'],
  ['from=2026-12-01&until=2027-03-03'],
  ['from=2026-12-01&until=2027-03-04', 'until OUT_OF_RANGE'],
  [`until=${TODAY}`, 'until DATE_ORDER_INVALID'],
  ['until=2026-11-21'],
  ['until=2027-02-20'],
  ['until=2027-02-21', 'until OUT_OF_RANGE'],
  ['from=0001-01-01'],
  ['from=9999-12-31'],
  ['from=2020-01-01&until=2020-01-02'],
  ['from=2026-02-29', 'from DATE_INVALID'],
  ['from=0000-12-31', 'from DATE_INVALID'],
  ['from=2026-12-1', 'from FORMAT_INVALID'],
  ['from=&until=', 'from FORMAT_INVALID', 'until FORMAT_INVALID'],
  ['until=2026-12-32', 'until DATE_INVALID'],
  ['from=2026-12-01&from=2026-12-01', 'from DUPLICATE_PARAMETER'],
];
const NIGHTS: Rows = [
  ['nights=1'],
  ['nights=30'],
  ['nights=0', 'nights OUT_OF_RANGE'],
  ['nights=31', 'nights OUT_OF_RANGE'],
  ['nights=-1', 'nights OUT_OF_RANGE'],
  ['nights=1.5', 'nights TYPE_INVALID'],
  ['nights=', 'nights TYPE_INVALID'],
  ['nights=2&nights=2', 'nights DUPLICATE_PARAMETER'],
];
const repeated = (count: number): string => Array<string>(count).fill('x').join(',');
const AGES: Rows = [
  ['guests=3&childAges=0,17'],
  ['guests=3&childAges=17,0'],
  ['childAges=4'],
  ['guests=30&childAges=' + Array<string>(29).fill('4').join(',')],
  ['guests=30&childAges=' + Array<string>(30).fill('4').join(','), 'childAges OUT_OF_RANGE'],
  ['childAges=4,9', 'childAges OUT_OF_RANGE'],
  ['guests=1&childAges=4', 'childAges OUT_OF_RANGE'],
  ['guests=31&childAges=4', 'guests OUT_OF_RANGE'],
  ['childAges=18', 'childAges OUT_OF_RANGE'],
  ['childAges=-1', 'childAges FORMAT_INVALID'],
  ['childAges=1.5', 'childAges FORMAT_INVALID'],
  ['childAges=04', 'childAges FORMAT_INVALID'],
  ['childAges=four', 'childAges FORMAT_INVALID'],
  ['childAges=', 'childAges FORMAT_INVALID'],
  ['guests=4&childAges=4,', 'childAges FORMAT_INVALID'],
  ['guests=4&childAges=4,+9', 'childAges FORMAT_INVALID'],
  ['guests=4&childAges=4;9', 'childAges FORMAT_INVALID'],
  ['guests=4&childAges=4&childAges=9', 'childAges DUPLICATE_PARAMETER'],
];
const FILTERS: Rows = [
  [`propertyTypes=${repeated(10)}`],
  [`propertyTypes=${repeated(11)}`, 'propertyTypes LENGTH_INVALID'],
  [`propertyTypes=${'x'.repeat(200)}`],
  [`propertyTypes=${'x'.repeat(201)}`, 'propertyTypes LENGTH_INVALID'],
  [`amenities=${repeated(20)}`],
  [`amenities=${repeated(21)}`, 'amenities LENGTH_INVALID'],
  [`areas=${repeated(20)}`],
  [`areas=${repeated(21)}`, 'areas LENGTH_INVALID'],
  ['areas=Castello%2C+Old+town'],
  ['areas=', 'areas LENGTH_INVALID'],
  ['areas=a,', 'areas LENGTH_INVALID'],
  ['areas=a,+,b', 'areas LENGTH_INVALID'],
  ['amenities=,', 'amenities LENGTH_INVALID'],
  ['amenities=wifi&amenities=lift', 'amenities DUPLICATE_PARAMETER'],
  ['amenities=wi%0Afi', 'amenities FORMAT_INVALID'],
  ['minRating=0'],
  ['minRating=5'],
  ['minRating=4.6'],
  ['minRating=5.1', 'minRating OUT_OF_RANGE'],
  ['minRating=-0.1', 'minRating OUT_OF_RANGE'],
  ['minRating=4.55', 'minRating NOT_ALLOWED'],
  ['minRating=4,5', 'minRating TYPE_INVALID'],
  ['minRating=', 'minRating TYPE_INVALID'],
  ['minBathrooms=0'],
  ['minBathrooms=1.5'],
  ['minBathrooms=10000'],
  ['minBathrooms=10000.5', 'minBathrooms OUT_OF_RANGE'],
  ['minBathrooms=1.2', 'minBathrooms NOT_ALLOWED'],
  ['minBathrooms=1e1', 'minBathrooms TYPE_INVALID'],
  ['maxTotal=0.00&currency=EUR'],
  [`maxTotal=${'9'.repeat(40)}.00&currency=EUR`],
  ['maxTotal=100.00', 'currency REQUIRED'],
  ['currency=EUR', 'maxTotal REQUIRED'],
  ['maxTotal=100&currency=EUR', 'maxTotal FORMAT_INVALID'],
  ['maxTotal=-1.00&currency=EUR', 'maxTotal FORMAT_INVALID'],
  ['maxTotal=100.00&currency=eur', 'currency FORMAT_INVALID'],
  ['maxTotal=1', 'maxTotal FORMAT_INVALID', 'currency REQUIRED'],
];
const FLAG = (name: string): Rows => [
  [`${name}=true`],
  [`${name}=false`],
  [`${name}=1`, `${name} NOT_ALLOWED`],
  [`${name}=TRUE`, `${name} NOT_ALLOWED`],
  [`${name}=`, `${name} NOT_ALLOWED`],
];
const WINDOW: Rows = [
  ['checkInFrom=2026-12-01&nights=1'],
  ['checkInFrom=2026-12-01&nights=30'],
  ['checkInFrom=2026-12-01&nights=0', 'nights OUT_OF_RANGE'],
  ['checkInFrom=2026-12-01&nights=31', 'nights OUT_OF_RANGE'],
  ['', 'checkInFrom REQUIRED', 'nights REQUIRED'],
  ['checkInFrom=2026-12-01&checkInUntil=2026-12-01&nights=1'],
  ['checkInFrom=2026-12-01&checkInUntil=2026-11-30&nights=1', 'checkInUntil DATE_ORDER_INVALID'],
  ['checkInFrom=2026-12-01&checkInUntil=2027-03-02&nights=1'],
  ['checkInFrom=2026-12-01&checkInUntil=2027-03-03&nights=1', 'checkInUntil OUT_OF_RANGE'],
  ['checkInFrom=2026-12-01&nights=3&maxNights=3'],
  ['checkInFrom=2026-12-01&nights=3&maxNights=9'],
  ['checkInFrom=2026-12-01&nights=3&maxNights=10', 'maxNights OUT_OF_RANGE'],
  ['checkInFrom=2026-12-01&nights=3&maxNights=2', 'maxNights OUT_OF_RANGE'],
  ['checkInFrom=2026-12-01&nights=30&maxNights=36'],
  ['checkInFrom=2026-12-01&nights=30&maxNights=37', 'maxNights OUT_OF_RANGE'],
  ['checkInFrom=2020-01-01&nights=3'],
  ['checkInFrom=9999-12-31&nights=3'],
  ['checkInFrom=0001-01-01&nights=3'],
  ['checkInFrom=2026-02-29&nights=3', 'checkInFrom DATE_INVALID'],
];
const WEEKDAYS: Rows = [
  ['checkInDays=mon'],
  ['checkInDays=mon,tue,wed,thu,fri,sat,sun'],
  ['checkInDays=mon,tue,wed,thu,fri,sat,sun,mon', 'checkInDays LENGTH_INVALID'],
  ['checkInDays=fri,fri'],
  ['checkInDays=Mon', 'checkInDays NOT_ALLOWED'],
  ['checkInDays=', 'checkInDays NOT_ALLOWED'],
  ['checkInDays=mon,', 'checkInDays NOT_ALLOWED'],
];
const LENGTHS: Rows = [
  ['maxNights=1'],
  ['maxNights=30'],
  ['maxNights=31', 'maxNights OUT_OF_RANGE'],
  ['nights=3&maxNights=3'],
  ['nights=3&maxNights=2', 'maxNights OUT_OF_RANGE'],
  // 40 dates and 25 lengths are 1,000 stays.
  ['from=2026-12-01&until=2027-01-10&maxNights=25'],
  ['from=2026-12-01&until=2027-01-11&maxNights=25', 'maxNights OUT_OF_RANGE'],
  ['until=2026-12-30&maxNights=25'],
  ['until=2026-12-31&maxNights=25', 'maxNights OUT_OF_RANGE'],
  ['from=9999-12-31&maxNights=30'],
];
const FLEXIBLE_SORT: Rows = [['sort=total'], ['sort=night'], ['sort=default', 'sort NOT_ALLOWED']];
const SORT: Rows = [
  ['sort=default'],
  ['sort=total'],
  ['sort=Total', 'sort NOT_ALLOWED'],
  ['sort=price', 'sort NOT_ALLOWED'],
  ['sort=', 'sort NOT_ALLOWED'],
  ['sort=total&sort=total', 'sort DUPLICATE_PARAMETER'],
];

const TABLE: readonly (readonly [name: string, place: Place, rows: Rows])[] = [
  ['city', { ...LIST, also: GOOD_STAY }, CITY],
  ['country', LIST, COUNTRY],
  ['checkIn and checkOut', { ...LIST, also: 'city=Venezia' }, DATES],
  [
    'missing dates',
    { ...LIST, also: 'city=Venezia' },
    [
      ['', 'checkIn REQUIRED', 'checkOut REQUIRED'],
      ['checkIn=2026-12-01', 'checkOut REQUIRED'],
    ],
  ],
  ['guests', LIST, GUESTS],
  ['ages of children', LIST, AGES],
  ['sort', LIST, SORT],
  ['page', LIST, PAGE],
  ['pageSize', LIST, PAGE_SIZE],
  ['locale', LIST, LOCALE],
  ['unknown parameters', LIST, without(UNKNOWN, 'sort')],
  ['cursors', LIST, CURSORS],
  ['filters', LIST, FILTERS],
  ['counts', LIST, FLAG('counts')],
  ['nearest', LIST, FLAG('nearest')],
  ['city', { ...FLEXIBLE, also: 'checkInFrom=2026-12-01&nights=3' }, CITY],
  ['country', FLEXIBLE, COUNTRY],
  ['the window', { ...FLEXIBLE, also: 'city=Venezia' }, WINDOW],
  ['checkInDays', FLEXIBLE, WEEKDAYS],
  ['guests', FLEXIBLE, GUESTS],
  ['ages of children', FLEXIBLE, AGES],
  ['sort', FLEXIBLE, FLEXIBLE_SORT],
  ['page', FLEXIBLE, PAGE],
  ['pageSize', FLEXIBLE, PAGE_SIZE],
  ['locale', FLEXIBLE, LOCALE],
  ['filters', FLEXIBLE, FILTERS],
  ['counts', FLEXIBLE, FLAG('counts')],
  [
    'unknown parameters',
    FLEXIBLE,
    [...without(UNKNOWN, 'sort'), ['nearest=true', 'nearest UNKNOWN_PARAMETER']],
  ],
  ['cursors', FLEXIBLE, CURSORS],
  ['city', { ...DAYS, also: '' }, CITY],
  ['country', DAYS, COUNTRY],
  ['from and until', DAYS, RANGE],
  ['nights', DAYS, NIGHTS],
  ['guests', DAYS, GUESTS],
  ['ages of children', DAYS, AGES],
  ['filters', DAYS, FILTERS],
  ['unknown parameters', DAYS, [...UNKNOWN, ['counts=true', 'counts UNKNOWN_PARAMETER']]],
  ['cursors', DAYS, CURSORS],
  ['maxNights', CALENDAR, LENGTHS],
  ['from and until', CALENDAR, RANGE],
  ['nights', CALENDAR, NIGHTS],
  ['guests', CALENDAR, GUESTS],
  ['ages of children', CALENDAR, AGES],
  ['unknown parameters', CALENDAR, [...UNKNOWN, ['page=1', 'page UNKNOWN_PARAMETER']]],
  ['cursors', CALENDAR, CURSORS],
  ['checkIn and checkOut', { ...OFFER, also: '' }, DATES],
  ['guests', OFFER, GUESTS],
  ['ages of children', OFFER, AGES],
  ['locale', OFFER, LOCALE],
  ['unknown parameters', OFFER, [...UNKNOWN, ['page=1', 'page UNKNOWN_PARAMETER']]],
  ['cursors', OFFER, CURSORS],
  ['city', { ...CONTENTS, also: '' }, CITY],
  ['country', CONTENTS, COUNTRY],
  ['page', CONTENTS, PAGE],
  ['pageSize', CONTENTS, PAGE_SIZE],
  ['locale', CONTENTS, LOCALE],
  ['unknown parameters', CONTENTS, [...UNKNOWN, ['guests=2', 'guests UNKNOWN_PARAMETER']]],
  ['cursors', CONTENTS, CURSORS],
  ['locale', CONTENT, LOCALE],
  ['unknown parameters', CONTENT, UNKNOWN],
  ['cursors', CONTENT, CURSORS],
];

/** Ages in the stay of a body. */
const AGES_OF_BODIES: readonly (readonly [name: string, stay: object, ...issues: string[]])[] = [
  ['ages of children', { guests: 4, childAges: [9, 0] }],
  ['no ages', { childAges: [] }],
  ['29 ages', { guests: 30, childAges: Array(29).fill(4) }],
  ['as many ages as guests', { childAges: [4, 9] }, 'stay.childAges OUT_OF_RANGE'],
  ['30 ages', { guests: 30, childAges: Array(30).fill(4) }, 'stay.childAges OUT_OF_RANGE'],
  ['an age of 18', { childAges: [18] }, 'stay.childAges.0 OUT_OF_RANGE'],
  ['an age below 0', { childAges: [-1] }, 'stay.childAges.0 OUT_OF_RANGE'],
  ['an age as text', { childAges: ['4'] }, 'stay.childAges.0 TYPE_INVALID'],
  ['half an age', { guests: 3, childAges: [4, 1.5] }, 'stay.childAges.1 TYPE_INVALID'],
  ['an age that is null', { childAges: [null] }, 'stay.childAges.0 TYPE_INVALID'],
  ['ages that are null', { childAges: null }, 'stay.childAges TYPE_INVALID'],
  ['ages as text', { childAges: '4' }, 'stay.childAges TYPE_INVALID'],
];

/** None where it was answered, or the stay of a single property can't be had. */
function issuesOf(answer: Answer<unknown>): readonly string[] {
  return answer.outcome === '200' || answer.outcome === '409 STAY_UNAVAILABLE' ? [] : answer.issues;
}

for (const [name, { operationId, path, also = '' }, rows] of TABLE) {
  it(`${operationId}: ${name}`, async () => {
    for (const [query, ...issues] of rows) {
      const whole = [also, query].filter(Boolean).join('&');
      const answer = await running.partner.ask(operationId, { path: `${path}?${whole}` });
      assert.deepEqual(issuesOf(answer), issues, whole.slice(0, 300));
    }
  });
}

describe('propertyId in a path', () => {
  const LONGEST = 'a'.repeat(160);
  const rows: readonly (readonly [segment: string, outcome: string, ...issues: string[]])[] = [
    [LONGEST, '404 PROPERTY_NOT_FOUND'],
    [`${LONGEST}a`, '400 VALIDATION_ERROR', 'propertyId LENGTH_INVALID'],
    ['HOTEL-PONTE', '404 PROPERTY_NOT_FOUND'],
    ['hotel%2Fponte', '400 VALIDATION_ERROR', 'propertyId FORMAT_INVALID'],
    ['%zz', '400 VALIDATION_ERROR', 'propertyId FORMAT_INVALID'],
    ['__proto__', '404 PROPERTY_NOT_FOUND'],
    ['%68otel%2Dponte', '200'],
  ];
  for (const { operationId, path } of [CALENDAR, CONTENT]) {
    it(operationId, async () => {
      for (const [segment, outcome, ...issues] of rows) {
        const asked = { path: path.replace('hotel-ponte', segment) };
        const answer = await running.partner.ask(operationId, asked);
        assert.equal(answer.outcome, outcome, segment);
        if (issues.length > 0) assert.deepEqual(answer.issues, issues);
      }
    });
  }
});

describe('priceStays', () => {
  const STAY = { checkIn: '2026-12-01', checkOut: '2026-12-04', guests: 2 };
  const ids = (count: number): string[] => Array.from({ length: count }, (_, index) => `${index}`);
  const of = (stay: object): object => ({ propertyIds: ['hotel-ponte'], stay: { ...STAY, ...stay } });
  const ask = (body: unknown, asked: Partial<Asked> = {}) =>
    running.partner.ask<StayPrices>('priceStays', {
      method: 'POST',
      path: '/prices/v1/stays',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...asked,
    });

  const rows: readonly (readonly [name: string, body: unknown, ...issues: string[]])[] = [
    ['100 ids', { propertyIds: ids(100), stay: STAY }],
    ['101 ids', { propertyIds: ids(101), stay: STAY }, 'propertyIds LENGTH_INVALID'],
    ['no ids', { propertyIds: [], stay: STAY }, 'propertyIds LENGTH_INVALID'],
    ['ids that are absent', { stay: STAY }, 'propertyIds REQUIRED'],
    ['ids that are null', { propertyIds: null, stay: STAY }, 'propertyIds TYPE_INVALID'],
    ['an id of 160 characters', { propertyIds: ['a'.repeat(160)], stay: STAY }],
    ['one of 161', { propertyIds: ['a'.repeat(161)], stay: STAY }, 'propertyIds.0 LENGTH_INVALID'],
    ['an empty one', { propertyIds: ['a', ''], stay: STAY }, 'propertyIds.1 LENGTH_INVALID'],
    ['one with a blank', { propertyIds: ['a b'], stay: STAY }, 'propertyIds.0 FORMAT_INVALID'],
    ['a stay that is absent', { propertyIds: ['a'] }, 'stay REQUIRED'],
    ['1 guest', of({ guests: 1 })],
    ['30 guests', of({ guests: 30 })],
    ['0 guests', of({ guests: 0 }), 'stay.guests OUT_OF_RANGE'],
    ['31 guests', of({ guests: 31 }), 'stay.guests OUT_OF_RANGE'],
    ['guests as text', of({ guests: '2' }), 'stay.guests TYPE_INVALID'],
    ['half a guest', of({ guests: 1.5 }), 'stay.guests TYPE_INVALID'],
    ...AGES_OF_BODIES.map(([name, stay, ...issues]) => [name, of(stay), ...issues] as const),
    ['ages beside the stay', { ...of({}), childAges: [4] }, 'childAges UNKNOWN_FIELD'],
    ['60 nights', of({ checkOut: '2027-01-30' })],
    ['61 nights', of({ checkOut: '2027-01-31' }), 'stay.checkOut STAY_TOO_LONG'],
    ['no night', of({ checkOut: '2026-12-01' }), 'stay.checkOut DATE_ORDER_INVALID'],
    ['reversed dates', of({ checkOut: '2026-11-30' }), 'stay.checkOut DATE_ORDER_INVALID'],
    ['no date', of({ checkIn: '2026-02-29' }), 'stay.checkIn DATE_INVALID'],
    ['a date of another form', of({ checkIn: '1 Dec' }), 'stay.checkIn FORMAT_INVALID'],
    ['another field of the stay', of({ nights: 3 }), 'stay.nights UNKNOWN_FIELD'],
    ['a locale', { ...of({}), locale: 'en-GB' }],
    ['another locale', { ...of({}), locale: 'de-DE' }, 'locale NOT_ALLOWED'],
    ['why', { ...of({}), why: true }],
    ['why as text', { ...of({}), why: 'true' }, 'why TYPE_INVALID'],
    ['why that is null', { ...of({}), why: null }, 'why TYPE_INVALID'],
    ['why of the stay', of({ why: true }), 'stay.why UNKNOWN_FIELD'],
    ['a cursor', { ...of({}), cursor: 'eyJwYWdlIjoyfQ' }, 'cursor UNKNOWN_FIELD'],
    ['a list', [], 'body TYPE_INVALID'],
  ];
  for (const [name, body, ...issues] of rows) {
    it(`${name}: ${issues.length === 0 ? 'accepted' : issues.join(', ')}`, async () => {
      assert.deepEqual(issuesOf(await ask(body)), issues);
    });
  }

  it('answers an id that stands twice twice, and one in other letters as unknown', async () => {
    const propertyIds = ['hotel-ponte', 'Hotel-Ponte', 'hotel-ponte'];
    const { items } = (await ask({ propertyIds, stay: STAY })).success;
    assert.deepEqual(
      items.map(({ propertyId, code }) => [propertyId, code]),
      [
        ['hotel-ponte', null],
        ['Hotel-Ponte', 'PROPERTY_NOT_FOUND'],
        ['hotel-ponte', null],
      ],
    );
    assert.deepEqual(items[0], items[2]);
  });

  it('refuses what is no JSON', async () => {
    for (const body of ['{"propertyIds":', '', `\ufeff${JSON.stringify(of({}))}`])
      assert.equal((await ask(body)).outcome, '400 INVALID_JSON', body);
  });

  it('refuses a key that stands twice, and names its place', async () => {
    for (const [body, field] of [
      ['{"propertyIds":["a"],"propertyIds":["a"]}', 'propertyIds'],
      ['{"stay":{"guests":2,"guests":2}}', 'stay.guests'],
      ['{"propertyIds":["a",{"b":1,"b":1}]}', 'propertyIds.1.b'],
      ['[{"b":1,"b":1}]', '0.b'],
    ] as const)
      assert.deepEqual((await ask(body)).issues, [`${field} DUPLICATE_PARAMETER`]);
  });

  it('takes a body of twice the limit, and not of one byte more', async () => {
    const padded = (bytes: number): string => JSON.stringify(of({})).padEnd(bytes);
    for (const chunked of [false, true]) {
      assert.equal((await ask(padded(2 * BODY_LIMIT_BYTES), { chunked })).outcome, '200');
      const longer = await ask(padded(2 * BODY_LIMIT_BYTES + 1), { chunked });
      assert.equal(longer.outcome, '413 PAYLOAD_TOO_LARGE');
    }
  });

  it('takes nothing beside its body', async () => {
    const asked = { path: '/prices/v1/stays?sort=total&locale=en-GB' };
    assert.deepEqual((await ask(of({}), asked)).issues, [
      'sort UNKNOWN_PARAMETER',
      'locale UNKNOWN_PARAMETER',
    ]);
    assert.deepEqual((await ask({ propertyIds: ['a'] }, { path: '/prices/v1/stays?x' })).issues, [
      'x UNKNOWN_PARAMETER',
      'stay REQUIRED',
    ]);
  });

  it('takes JSON, or a body without a media type, and no other', async () => {
    const typed = (mediaType: string) => ask(of({}), { headers: { 'content-type': mediaType } });
    for (const mediaType of ['application/json', 'APPLICATION/JSON; charset=utf-8'])
      assert.equal((await typed(mediaType)).outcome, '200', mediaType);
    assert.equal((await ask(of({}), { isTyped: false })).outcome, '200');
    for (const mediaType of ['text/plain', 'application/problem+json', 'application/json; charset=latin1'])
      assert.deepEqual((await typed(mediaType)).issues, ['header.content-type NOT_ALLOWED'], mediaType);
  });
});

describe('dates outside of what is offered', () => {
  const STAYS = [
    ['2020-01-01', '2020-01-03'],
    ['2026-11-19', TODAY],
    [LAST_NIGHT, '2028-11-20'],
    [BEYOND, '2028-11-20'],
    ['9999-12-30', '9999-12-31'],
  ] as const;

  const ids = ['hotel-ponte', 'always-open'];
  const foundOf = async (checkIn: string, checkOut: string): Promise<readonly string[]> => {
    const query = `city=Venezia&checkIn=${checkIn}&checkOut=${checkOut}&sort=total`;
    const path = `/prices/v1/stays?${query}`;
    const { items } = (await running.partner.ask<StayPriceList>('searchStayPrices', { path })).success;
    return items.map(({ propertyId }) => propertyId);
  };
  const codesOf = async (checkIn: string, checkOut: string): Promise<readonly unknown[]> => {
    const body = JSON.stringify({ propertyIds: ids, stay: { checkIn, checkOut, guests: 2 } });
    const asked = { method: 'POST', path: '/prices/v1/stays', body };
    const { items } = (await running.partner.ask<StayPrices>('priceStays', asked)).success;
    return items.map(({ code }) => code);
  };

  it('are found in no list, and are not available by ids', async () => {
    for (const [checkIn, checkOut] of STAYS) {
      assert.deepEqual(await foundOf(checkIn, checkOut), [], checkIn);
      assert.deepEqual(await codesOf(checkIn, checkOut), ['STAY_UNAVAILABLE', 'STAY_UNAVAILABLE'], checkIn);
    }
  });

  it('begin after today and the last night, which are both offered', async () => {
    for (const [checkIn, checkOut] of [
      [TODAY, '2026-11-21'],
      [LAST_NIGHT, BEYOND],
    ] as const) {
      assert.deepEqual(await foundOf(checkIn, checkOut), ['always-open']);
      assert.deepEqual(await codesOf(checkIn, checkOut), ['STAY_UNAVAILABLE', null]);
    }
    const path = '/prices/v1/properties/always-open/calendar?from=2028-11-17&until=2028-11-20';
    const { days } = (await running.partner.ask<PriceCalendar>('getPriceCalendar', { path })).success;
    assert.deepEqual(
      days.map(({ total }) => total),
      ['80.00', '80.00', null],
    );
  });

  it('are not available in a calendar, which may reach across the end of the calendar of the world', async () => {
    for (const from of ['0001-01-01', '2020-01-01', BEYOND, '9999-12-20', '9999-12-31']) {
      const path = `${CALENDAR.path}?from=${from}&nights=30`;
      const { days } = (await running.partner.ask<PriceCalendar>('getPriceCalendar', { path })).success;
      assert.ok(
        days.every(({ available, total }) => !available && total === null),
        from,
      );
    }
  });
});

describe('createStayQuote', () => {
  const STAY = { checkIn: '2026-12-01', checkOut: '2026-12-04', guests: 2 };
  const of = (stay: object, more: object = {}): object => ({
    propertyId: 'hotel-ponte',
    stay: { ...STAY, ...stay },
    locale: 'en-GB',
    ...more,
  });
  const ask = (body: unknown, query = '') =>
    running.partner.ask<StayQuote>('createStayQuote', {
      method: 'POST',
      path: `/prices/v1/quotes${query}`,
      body: JSON.stringify(body),
    });

  const rows: readonly (readonly [name: string, body: unknown, ...issues: string[]])[] = [
    ...AGES_OF_BODIES.map(([name, stay, ...issues]) => [name, of(stay), ...issues] as const),
    ['ages beside the stay', of({}, { childAges: [4] }), 'childAges UNKNOWN_FIELD'],
    ['0 guests', of({ guests: 0 }), 'stay.guests OUT_OF_RANGE'],
    ['31 guests', of({ guests: 31 }), 'stay.guests OUT_OF_RANGE'],
    ['61 nights', of({ checkOut: '2027-01-31' }), 'stay.checkOut STAY_TOO_LONG'],
    ['no night', of({ checkOut: '2026-12-01' }), 'stay.checkOut DATE_ORDER_INVALID'],
    ['a date that is none', of({ checkIn: '2026-02-29' }), 'stay.checkIn DATE_INVALID'],
    ['another field of the stay', of({ nights: 3 }), 'stay.nights UNKNOWN_FIELD'],
    ['an id with a blank', of({}, { propertyId: 'a b' }), 'propertyId FORMAT_INVALID'],
    ['another locale', of({}, { locale: 'de-DE' }), 'locale NOT_ALLOWED'],
    ['why', of({}, { why: true }), 'why UNKNOWN_FIELD'],
    ['no stay', { propertyId: 'hotel-ponte', locale: 'en-GB' }, 'stay REQUIRED'],
    ['a list', [], 'body TYPE_INVALID'],
  ];
  for (const [name, body, ...issues] of rows) {
    it(`${name}: ${issues.length === 0 ? 'accepted' : issues.join(', ')}`, async () => {
      const answer = await ask(body);
      if (issues.length > 0) assert.deepEqual(answer.issues, issues);
      else assert.match(answer.outcome, /^(201|409 STAY_UNAVAILABLE)$/);
    });
  }

  it('takes no parameters', async () => {
    assert.deepEqual((await ask(of({}), '?childAges=4')).issues, ['childAges UNKNOWN_PARAMETER']);
  });

  it('answers any ages with the price of adults, on a property without bands', async () => {
    const quotes = await Promise.all([[], [1], [17]].map((childAges) => ask(of({ childAges }))));
    const [adults, ...families] = quotes.map(({ success }) => success.pricing);
    for (const pricing of families) assert.deepEqual(pricing, adults);
  });
});
