/** The bounds of every parameter, at the limit and one beyond, and the issue that each offence gets (SPEC 4, 8). */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { HOTEL_PONTE } from '../kit/catalogue-lines.ts';
import { type Running, startInstallation } from '../kit/installation.ts';
import { GOOD_REQUESTS } from '../kit/partner-client.ts';

let running: Running;
before(async () => {
  running = await startInstallation([HOTEL_PONTE]);
});
after(() => running.installation.close());

/** Each row: what follows `?`, then the issues as `field CODE`; none means that it is accepted. */
type Rows = readonly (readonly [query: string, ...issues: string[]])[];

const GOOD_STAY = 'checkIn=2026-12-01&checkOut=2026-12-04';
/** One code point, two units of UTF-16, four bytes of UTF-8. */
const ASTRAL = encodeURIComponent('𝔸');

const CITY: Rows = [
  ['city=V'],
  [`city=${'v'.repeat(120)}`],
  [`city=${'v'.repeat(121)}`, 'city LENGTH_INVALID'],
  [`city=${ASTRAL.repeat(120)}`],
  [`city=${ASTRAL.repeat(121)}`, 'city LENGTH_INVALID'],
  [`city=++${'v'.repeat(120)}%20`],
  ['city=', 'city LENGTH_INVALID'],
  ['city', 'city LENGTH_INVALID'],
  ['city=+%20+', 'city LENGTH_INVALID'],
  ['', 'city REQUIRED'],
  ['city=Venezia&city=Venezia', 'city DUPLICATE_PARAMETER'],
  ['city=%zz', 'city FORMAT_INVALID'],
  ['city=%ff', 'city FORMAT_INVALID'],
  ['city=Vene%00zia', 'city FORMAT_INVALID'],
  ['city=Vene%0Azia', 'city FORMAT_INVALID'],
];
const COUNTRY: Rows = [
  ['country=IT'],
  ['country=ZZ'],
  ['country=I', 'country FORMAT_INVALID'],
  ['country=ITA', 'country FORMAT_INVALID'],
  ['country=it', 'country FORMAT_INVALID'],
  ['country=', 'country FORMAT_INVALID'],
  ['country=IT&country=FR', 'country DUPLICATE_PARAMETER'],
];
const GUESTS: Rows = [
  ['guests=1'],
  ['guests=30'],
  ['guests=0', 'guests OUT_OF_RANGE'],
  ['guests=31', 'guests OUT_OF_RANGE'],
  ['guests=-1', 'guests OUT_OF_RANGE'],
  ['guests=99999999999999999999', 'guests OUT_OF_RANGE'],
  ['guests=two', 'guests TYPE_INVALID'],
  ['guests=', 'guests TYPE_INVALID'],
  ['guests=2.0', 'guests TYPE_INVALID'],
  ['guests=%202', 'guests TYPE_INVALID'],
  ['guests=%2B2', 'guests TYPE_INVALID'],
  ['guests=02', 'guests TYPE_INVALID'],
  ['guests=2e0', 'guests TYPE_INVALID'],
  ['guests=0x2', 'guests TYPE_INVALID'],
  ['guests=2&guests=2', 'guests DUPLICATE_PARAMETER'],
];
const PAGE: Rows = [
  ['page=1'],
  ['page=9007199254740991'],
  ['page=9007199254740992', 'page OUT_OF_RANGE'],
  ['page=0', 'page OUT_OF_RANGE'],
  ['page=one', 'page TYPE_INVALID'],
  ['page=1.5', 'page TYPE_INVALID'],
];
const PAGE_SIZE: Rows = [
  ['pageSize=1'],
  ['pageSize=50'],
  ['pageSize=0', 'pageSize OUT_OF_RANGE'],
  ['pageSize=51', 'pageSize OUT_OF_RANGE'],
  ['pageSize=all', 'pageSize TYPE_INVALID'],
];
const LOCALE: Rows = [
  ['locale=it-IT'],
  ['locale=en-GB'],
  ['locale=de-DE', 'locale NOT_ALLOWED'],
  ['locale=it', 'locale NOT_ALLOWED'],
  ['locale=en-gb', 'locale NOT_ALLOWED'],
  ['locale=', 'locale NOT_ALLOWED'],
];
const UNKNOWN: Rows = [
  ['sort=price', 'sort UNKNOWN_PARAMETER'],
  ['Locale=it-IT', 'Locale UNKNOWN_PARAMETER'],
  ['guests%5B%5D=2', 'guests[] UNKNOWN_PARAMETER'],
  ['access_token=x', 'access_token UNKNOWN_PARAMETER'],
  ['=x', '"" UNKNOWN_PARAMETER'],
  ['a=1&b=2', 'a UNKNOWN_PARAMETER', 'b UNKNOWN_PARAMETER'],
];

/** Both dates wherever they are taken. */
const DATES: Rows = [
  [GOOD_STAY],
  ['checkIn=2028-02-29&checkOut=2028-03-01'],
  ['checkIn=0001-01-01&checkOut=0001-01-02'],
  ['checkIn=9999-12-30&checkOut=9999-12-31'],
  ['checkIn=2026-02-29&checkOut=2026-03-01', 'checkIn DATE_INVALID'],
  ['checkIn=2026-12-31&checkOut=2026-12-32', 'checkOut DATE_INVALID'],
  ['checkIn=2026-13-01&checkOut=2026-00-10', 'checkIn DATE_INVALID', 'checkOut DATE_INVALID'],
  ['checkIn=0000-12-31&checkOut=0001-01-01', 'checkIn DATE_INVALID'],
  ['checkIn=2026-12-1&checkOut=2026-12-04', 'checkIn FORMAT_INVALID'],
  ['checkIn=20261201&checkOut=2026-12-04', 'checkIn FORMAT_INVALID'],
  ['checkIn=2026-12-01T00:00&checkOut=2026-12-04', 'checkIn FORMAT_INVALID'],
  ['checkIn=01/12/2026&checkOut=+2026-12-04', 'checkIn FORMAT_INVALID', 'checkOut FORMAT_INVALID'],
  ['checkIn=&checkOut=', 'checkIn FORMAT_INVALID', 'checkOut FORMAT_INVALID'],
  ['checkIn=2026-12-04&checkOut=2026-12-04', 'checkOut DATE_ORDER_INVALID'],
  ['checkIn=2026-12-04&checkOut=2026-12-01', 'checkOut DATE_ORDER_INVALID'],
  ['checkIn=2026-12-01&checkOut=2027-01-30'],
  ['checkIn=2026-12-01&checkOut=2027-01-31', 'checkOut STAY_TOO_LONG'],
  [`${GOOD_STAY}&checkIn=2026-12-02`, 'checkIn DUPLICATE_PARAMETER'],
];

function describeRows(name: string, rows: Rows, path: string, also = ''): void {
  describe(name, () => {
    for (const [query, ...issues] of rows) {
      const shown = query.length > 60 ? `${query.slice(0, 20)}… (${query.length} characters)` : query;
      it(`${shown === '' ? 'nothing' : shown}: ${issues.length === 0 ? 'accepted' : issues.join(', ')}`, async () => {
        assert.deepEqual(await issuesOf(path, also === '' ? query : `${also}&${query}`), issues);
      });
    }
  });
}

async function issuesOf(path: string, query: string): Promise<readonly string[]> {
  const operationId = path.endsWith('/availability')
    ? 'getPartnerPropertyAvailability'
    : path === '/v1/properties'
      ? 'listPartnerProperties'
      : 'getPartnerProperty';
  const answer = await running.partner.ask(operationId, { path: `${path}?${query}` });
  return answer.status === 400 ? answer.issues : [];
}

describe('listPartnerProperties', () => {
  const path = '/v1/properties';
  describeRows('city', CITY, path);
  describeRows('country', COUNTRY, path, 'city=Venezia');
  describeRows('checkIn and checkOut', DATES, path, 'city=Venezia');
  describeRows('guests', GUESTS, path, 'city=Venezia');
  describeRows('page', PAGE, path, 'city=Venezia');
  describeRows('pageSize', PAGE_SIZE, path, 'city=Venezia');
  describeRows('locale', LOCALE, path, 'city=Venezia');
  describeRows('unknown parameters', UNKNOWN, path, 'city=Venezia');
  describeRows(
    'a date alone',
    [
      ['checkIn=2026-12-01', 'checkOut DATE_PAIR_REQUIRED'],
      ['checkOut=2026-12-01', 'checkIn DATE_PAIR_REQUIRED'],
      ['checkIn=nonsense', 'checkIn FORMAT_INVALID', 'checkOut DATE_PAIR_REQUIRED'],
    ],
    path,
    'city=Venezia',
  );

  it('names everything that is wrong at once', async () => {
    const query =
      'country=italy&checkIn=2026-02-30&guests=0&page=0&pageSize=99&locale=fr-FR&sort=price&city=Venezia&city=Roma';
    assert.deepEqual(await issuesOf(path, query), [
      'city DUPLICATE_PARAMETER',
      'country FORMAT_INVALID',
      'checkIn DATE_INVALID',
      'checkOut DATE_PAIR_REQUIRED',
      'guests OUT_OF_RANGE',
      'page OUT_OF_RANGE',
      'pageSize OUT_OF_RANGE',
      'locale NOT_ALLOWED',
      'sort UNKNOWN_PARAMETER',
    ]);
  });

  it('takes defaults for what is absent: 2 guests, page 1 of 20, Italian', async () => {
    const query = { city: 'Venezia', checkIn: '2026-12-01', checkOut: '2026-12-04' };
    const given = { ...query, guests: 2, page: 1, pageSize: 20, locale: 'it-IT' };
    const [absent, present] = await Promise.all([
      running.partner.search(query),
      running.partner.search(given),
    ]);
    assert.deepEqual(absent.success, present.success);
    assert.equal(absent.success.items[0]?.name, 'Hotel Ponte');
  });
});

describe('getPartnerProperty', () => {
  const path = '/v1/properties/hotel-ponte';
  describeRows('locale', LOCALE, path);
  describeRows('unknown parameters', [...UNKNOWN, ['city=Venezia', 'city UNKNOWN_PARAMETER']], path);

  const unknown = '404 PROPERTY_NOT_FOUND';
  const paths: readonly (readonly [segment: string, outcome: string, ...issues: string[]])[] = [
    ['a', unknown],
    ['a'.repeat(160), unknown],
    ['a'.repeat(161), '400 VALIDATION_ERROR', 'propertyId LENGTH_INVALID'],
    ['-._~', unknown],
    ['..a', unknown],
    ['.', unknown],
    ['..', unknown],
    ['%61', unknown],
    ['hotel+ponte', '400 VALIDATION_ERROR', 'propertyId FORMAT_INVALID'],
    ['hotel%20ponte', '400 VALIDATION_ERROR', 'propertyId FORMAT_INVALID'],
    ['hotel%2Fponte', '400 VALIDATION_ERROR', 'propertyId FORMAT_INVALID'],
    ['%zz', '400 VALIDATION_ERROR', 'propertyId FORMAT_INVALID'],
    ['%c3%a8', '400 VALIDATION_ERROR', 'propertyId FORMAT_INVALID'],
    ['__proto__', unknown],
    ['constructor', unknown],
  ];
  for (const [segment, outcome, ...issues] of paths) {
    it(`propertyId ${segment.slice(0, 20)} (${segment.length} characters): ${outcome}`, async () => {
      const answer = await running.partner.property(segment);
      assert.equal(answer.outcome, outcome);
      if (issues.length > 0) assert.deepEqual(answer.issues, issues);
    });
  }

  it('reads a propertyId with escapes as the same one', async () => {
    assert.equal((await running.partner.property('%68otel%2Dponte')).success.propertyId, 'hotel-ponte');
  });

  it('names what is wrong in path and query at once', async () => {
    const answer = await running.partner.property('a%20b', 'locale=fr&x=1');
    const issues = ['propertyId FORMAT_INVALID', 'locale NOT_ALLOWED', 'x UNKNOWN_PARAMETER'];
    assert.deepEqual(answer.issues, issues);
  });
});

describe('getPartnerPropertyAvailability', () => {
  const path = '/v1/properties/hotel-ponte/availability';
  describeRows('checkIn and checkOut', DATES, path);
  describeRows(
    'missing dates',
    [
      ['', 'checkIn REQUIRED', 'checkOut REQUIRED'],
      ['guests=2', 'checkIn REQUIRED', 'checkOut REQUIRED'],
      ['checkIn=2026-12-01', 'checkOut REQUIRED'],
      ['checkOut=2026-12-01', 'checkIn REQUIRED'],
    ],
    path,
  );
  describeRows('guests', GUESTS, path, GOOD_STAY);
  describeRows(
    'unknown parameters',
    [...UNKNOWN, ['locale=it-IT', 'locale UNKNOWN_PARAMETER']],
    path,
    GOOD_STAY,
  );

  it('takes 2 guests when none are given', async () => {
    const answer = await running.partner.availability('hotel-ponte', GOOD_STAY);
    assert.equal(answer.success.stay.guests, 2);
  });

  it('names what is wrong in path and query at once', async () => {
    const answer = await running.partner.availability(
      'a%20b',
      'checkIn=2026-12-04&checkOut=2026-12-01&guests=99',
    );
    const issues = ['propertyId FORMAT_INVALID', 'checkOut DATE_ORDER_INVALID', 'guests OUT_OF_RANGE'];
    assert.deepEqual(answer.issues, issues);
  });
});

describe('every issue', () => {
  it('is explained to people, without the value that was sent', async () => {
    const answer = await running.partner.search('city=Venezia&locale=s3cret');
    const [issue] = answer.problem.errors ?? [];
    assert.match(issue?.detail ?? '', /it-IT.*en-GB/);
    assert.doesNotMatch(answer.text, /s3cret/);
  });
});

it('createPartnerQuote takes no notice of a query: only the GET operations refuse parameters', async () => {
  const asked = GOOD_REQUESTS.createPartnerQuote;
  const answer = await running.partner.ask('createPartnerQuote', { ...asked, path: `${asked.path}?x=1` });
  assert.equal(answer.status, 201);
});
