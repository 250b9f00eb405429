/** The bounds of every parameter, at the limit and one beyond, and the issue that each offence gets (SPEC 4, 8). */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { HOTEL_PONTE } from '../../kit/catalogue-lines.ts';
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
import { GOOD_REQUESTS } from '../../kit/partner-client.ts';

let running: Running;
before(async () => {
  running = await startInstallation([HOTEL_PONTE]);
});
after(() => running.installation.close());

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
