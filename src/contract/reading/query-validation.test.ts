import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseLocalDate } from '../../domain/local-date.ts';
import { ISSUES_MAX } from '../partner/limits.ts';
import {
  createPartnerQuote,
  getPartnerProperty,
  getPartnerPropertyAvailability,
  listPartnerProperties,
  type Operation,
} from '../partner/operations.ts';
import { validateQuery } from './validation.ts';

const day = (text: string) => Number(parseLocalDate(text));

/** `field CODE` of each issue, in order. */
function issuesOf(operation: Operation, rawQuery: string): string[] {
  const validated = validateQuery(operation, rawQuery);
  return validated.ok ? [] : validated.issues.map(({ field, code }) => `${field} ${code}`);
}

const list = (rawQuery: string) => issuesOf(listPartnerProperties, rawQuery);
const availability = (rawQuery: string) => issuesOf(getPartnerPropertyAvailability, rawQuery);

describe('query of listPartnerProperties', () => {
  it('fills in every default of SPEC 4.1', () => {
    assert.deepEqual(validateQuery(listPartnerProperties, 'city=Venezia'), {
      ok: true,
      value: {
        city: 'Venezia',
        country: undefined,
        stay: undefined,
        guests: undefined,
        page: 1,
        pageSize: 20,
        locale: 'it-IT',
      },
    });
  });

  it('takes every parameter, in any order', () => {
    const query =
      'locale=en-GB&pageSize=50&page=3&guests=30&checkOut=2026-12-08&checkIn=2026-12-01&country=IT&city=Roma';
    assert.deepEqual(validateQuery(listPartnerProperties, query), {
      ok: true,
      value: {
        city: 'Roma',
        country: 'IT',
        stay: { checkIn: day('2026-12-01'), checkOut: day('2026-12-08') },
        guests: 30,
        page: 3,
        pageSize: 50,
        locale: 'en-GB',
      },
    });
  });

  it('has two guests with dates, and no filter by guests without, unless given', () => {
    const guestsOf = (rawQuery: string) => {
      const validated = validateQuery(listPartnerProperties, rawQuery);
      return validated.ok ? validated.value.guests : 'refused';
    };
    const dates = 'city=Roma&checkIn=2026-12-01&checkOut=2026-12-02';
    assert.deepEqual(['city=Roma', 'city=Roma&guests=3', dates, `${dates}&guests=3`].map(guestsOf), [
      undefined,
      3,
      2,
      3,
    ]);
  });

  const cities: [text: string, city: string][] = [
    ['New+York', 'New York'],
    ['New%20York', 'New York'],
    ['Forl%C3%AC', 'Forlì'],
    ['A%2BB', 'A+B'],
    ['a%26b%3Dc', 'a&b=c'],
    ['a=b', 'a=b'],
    ['++Roma+', 'Roma'],
    ['%C2%A0Roma', 'Roma'],
    ['a'.repeat(120), 'a'.repeat(120)],
    [`+${'a'.repeat(120)}+`, 'a'.repeat(120)],
    [encodeURIComponent('🏝'.repeat(120)), '🏝'.repeat(120)],
    ['%F0%9F%8F%9D', '🏝'],
  ];
  for (const [text, city] of cities) {
    it(`reads city=${text.slice(0, 24)} as ${city.slice(0, 24)}`, () => {
      const validated = validateQuery(listPartnerProperties, `city=${text}`);
      assert.ok(validated.ok);
      assert.equal(validated.value.city, city);
    });
  }

  const accepted = [
    'country=IT',
    'guests=1',
    'guests=30',
    'page=1',
    'page=9007199254740991',
    'pageSize=1',
    'pageSize=50',
    'locale=it-IT',
    'gu%65sts=2',
  ];
  for (const part of accepted) {
    it(`accepts ${part}`, () => assert.deepEqual(list(`city=Roma&${part}`), []));
  }

  const refused: [query: string, ...issues: string[]][] = [
    ['', 'city REQUIRED'],
    ['city', 'city LENGTH_INVALID'],
    ['city=', 'city LENGTH_INVALID'],
    ['city=+%20+', 'city LENGTH_INVALID'],
    [`city=${'a'.repeat(121)}`, 'city LENGTH_INVALID'],
    [`city=${encodeURIComponent('🏝'.repeat(121))}`, 'city LENGTH_INVALID'],
    ['city=%zz', 'city FORMAT_INVALID'],
    ['city=%', 'city FORMAT_INVALID'],
    ['city=%f', 'city FORMAT_INVALID'],
    ['city=%ff', 'city FORMAT_INVALID'],
    ['city=%C3%28', 'city FORMAT_INVALID'],
    ['city=%ED%A0%80', 'city FORMAT_INVALID'],
    ['city=%C0%AF', 'city FORMAT_INVALID'],
    ['city=Ro%00ma', 'city FORMAT_INVALID'],
    ['city=Roma%0A', 'city FORMAT_INVALID'],
    ['city=%7FRoma', 'city FORMAT_INVALID'],
    ['city=%C2%85Roma', 'city FORMAT_INVALID'],
    ['city=ForlÃ¬', 'city FORMAT_INVALID'],
    ['city=Ro ma', 'city FORMAT_INVALID'],
    ['city=Roma&city=Roma', 'city DUPLICATE_PARAMETER'],
    ['city=Roma&c%69ty=Roma', 'city DUPLICATE_PARAMETER'],
    ['city=Roma&city', 'city DUPLICATE_PARAMETER'],
    ['city=%zz&city=&city', 'city DUPLICATE_PARAMETER'],
    ['City=Roma', 'city REQUIRED', 'City UNKNOWN_PARAMETER'],
    ['city=Roma&country=it', 'country FORMAT_INVALID'],
    ['city=Roma&country=ITA', 'country FORMAT_INVALID'],
    ['city=Roma&country=IT%0A', 'country FORMAT_INVALID'],
    ['city=Roma&country=', 'country FORMAT_INVALID'],
    ['city=Roma&locale=', 'locale NOT_ALLOWED'],
    ['city=Roma&locale=it', 'locale NOT_ALLOWED'],
    ['city=Roma&locale=IT-it', 'locale NOT_ALLOWED'],
    ['city=Roma&guests=0', 'guests OUT_OF_RANGE'],
    ['city=Roma&guests=31', 'guests OUT_OF_RANGE'],
    ['city=Roma&guests=-1', 'guests OUT_OF_RANGE'],
    ['city=Roma&guests=-0', 'guests OUT_OF_RANGE'],
    ['city=Roma&page=0', 'page OUT_OF_RANGE'],
    ['city=Roma&page=9007199254740992', 'page OUT_OF_RANGE'],
    [`city=Roma&page=${'9'.repeat(400)}`, 'page OUT_OF_RANGE'],
    ['city=Roma&pageSize=0', 'pageSize OUT_OF_RANGE'],
    ['city=Roma&pageSize=51', 'pageSize OUT_OF_RANGE'],
  ];
  for (const text of [
    '',
    '1e1',
    '+2',
    '%2B2',
    '+2+',
    '%202',
    '2%20',
    '01',
    '2.0',
    '2.5',
    '0x2',
    '2,',
    'two',
    'NaN',
    'Infinity',
    'null',
    '--1',
    '٢',
    '2_0',
    '2n',
  ]) {
    refused.push([`city=Roma&guests=${encodeURI(text)}`, 'guests TYPE_INVALID']);
  }
  for (const [query, ...issues] of refused) {
    it(`refuses ${query.slice(0, 60)}`, () => assert.deepEqual(list(query), issues));
  }
});

describe('dates of listPartnerProperties', () => {
  const judged: [dates: string, ...issues: string[]][] = [
    ['checkIn=2026-12-01&checkOut=2026-12-02'],
    ['checkIn=2026-12-01&checkOut=2027-01-30'],
    ['checkIn=1999-12-31&checkOut=2000-01-01'],
    ['checkIn=9999-12-30&checkOut=9999-12-31'],
    ['checkIn=2026-12-01&checkOut=2027-01-31', 'checkOut STAY_TOO_LONG'],
    ['checkIn=0001-01-01&checkOut=9999-12-31', 'checkOut STAY_TOO_LONG'],
    ['checkIn=2026-12-01&checkOut=2026-12-01', 'checkOut DATE_ORDER_INVALID'],
    ['checkIn=2026-12-02&checkOut=2026-12-01', 'checkOut DATE_ORDER_INVALID'],
    ['checkIn=2026-12-01', 'checkOut DATE_PAIR_REQUIRED'],
    ['checkOut=2026-12-01', 'checkIn DATE_PAIR_REQUIRED'],
    ['checkIn=2026-02-30&checkOut=2026-03-02', 'checkIn DATE_INVALID'],
    ['checkIn=0000-12-01&checkOut=2026-02-3', 'checkIn DATE_INVALID', 'checkOut FORMAT_INVALID'],
    ['checkIn=2026-2-3', 'checkIn FORMAT_INVALID', 'checkOut DATE_PAIR_REQUIRED'],
    ['checkIn=&checkOut=', 'checkIn FORMAT_INVALID', 'checkOut FORMAT_INVALID'],
    ['checkIn=2026-12-01&checkIn=2026-12-02&checkOut=2026-12-01', 'checkIn DUPLICATE_PARAMETER'],
    ['checkIn=2026-12-01&checkOut=2026-12-04T00:00', 'checkOut FORMAT_INVALID'],
  ];
  for (const [dates, ...issues] of judged) {
    it(`${issues.length === 0 ? 'accepts' : 'refuses'} ${dates}`, () => {
      assert.deepEqual(list(`city=Roma&${dates}`), issues);
    });
  }
});

describe('names in a query', () => {
  it('names each unknown parameter once, behind the known ones', () => {
    assert.deepEqual(list('a&b=&a=2&city=&=x&%ff=1&__proto__=1&toString'), [
      'city LENGTH_INVALID',
      'a UNKNOWN_PARAMETER',
      'b UNKNOWN_PARAMETER',
      '"" UNKNOWN_PARAMETER',
      '%ff FORMAT_INVALID',
      '__proto__ UNKNOWN_PARAMETER',
      'toString UNKNOWN_PARAMETER',
    ]);
  });

  it('passes over empty parts', () => assert.deepEqual(list('&&city=Roma&&guests=2&'), []));

  it('shows a long name cut, in code points', () => {
    assert.deepEqual(list(`city=Roma&${encodeURIComponent('🏝'.repeat(65))}`), [
      `${'🏝'.repeat(64)}… UNKNOWN_PARAMETER`,
    ]);
    assert.deepEqual(list(`city=Roma&${'n'.repeat(64)}`), [`${'n'.repeat(64)} UNKNOWN_PARAMETER`]);
  });

  it('bounds the number of issues and keeps those of known parameters', () => {
    const unknown = Array.from({ length: 5000 }, (_, index) => `u${index}=1`).join('&');
    const issues = list(`${unknown}&guests=x`);
    assert.equal(issues.length, ISSUES_MAX);
    assert.deepEqual(issues.slice(0, 2), ['city REQUIRED', 'guests TYPE_INVALID']);
  });
});

describe('query of the other operations', () => {
  it('getPartnerProperty has locale and nothing else', () => {
    assert.deepEqual(validateQuery(getPartnerProperty, ''), { ok: true, value: { locale: 'it-IT' } });
    assert.deepEqual(validateQuery(getPartnerProperty, 'locale=en-GB'), {
      ok: true,
      value: { locale: 'en-GB' },
    });
    assert.deepEqual(issuesOf(getPartnerProperty, 'guests=2&locale=de'), [
      'locale NOT_ALLOWED',
      'guests UNKNOWN_PARAMETER',
    ]);
  });

  it('availability needs both dates and has no locale', () => {
    assert.deepEqual(
      validateQuery(getPartnerPropertyAvailability, 'checkIn=2026-12-01&checkOut=2026-12-02'),
      {
        ok: true,
        value: { stay: { checkIn: day('2026-12-01'), checkOut: day('2026-12-02') }, guests: 2 },
      },
    );
    assert.deepEqual(availability(''), ['checkIn REQUIRED', 'checkOut REQUIRED']);
    assert.deepEqual(availability('checkIn=2026-12-01'), ['checkOut REQUIRED']);
    assert.deepEqual(availability('checkIn=2026-12-01&checkOut=2026-12-02&locale=it-IT'), [
      'locale UNKNOWN_PARAMETER',
    ]);
    assert.deepEqual(availability('checkIn=2026-12-01&checkOut=2027-12-02&guests=0'), [
      'checkOut STAY_TOO_LONG',
      'guests OUT_OF_RANGE',
    ]);
  });

  it('createPartnerQuote reads no query: SPEC 4 refuses unknown parameters of the GET operations', () => {
    assert.deepEqual(validateQuery(createPartnerQuote, 'trace=1&%zz'), { ok: true, value: {} });
  });
});
