import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseLocalDate } from '../../domain/local-date.ts';
import { ISSUES_MAX } from '../partner/limits.ts';
import { createPartnerQuote, getPartnerProperty } from '../partner/operations.ts';
import { validateBody, validatePath } from './validation.ts';

const day = (text: string) => Number(parseLocalDate(text));

function pathIssues(propertyId: string): string[] {
  const validated = validatePath(getPartnerProperty, { propertyId });
  return validated.ok ? [] : validated.issues.map(({ field, code }) => `${field} ${code}`);
}

/** The body as JSON text, as partners write it. */
function bodyIssues(json: string): string[] {
  const validated = validateBody(createPartnerQuote, JSON.parse(json));
  return validated.ok ? [] : validated.issues.map(({ field, code }) => `${field} ${code}`);
}

const VALID_BODY = {
  propertyId: 'hotel-ponte',
  stay: { checkIn: '2026-12-01', checkOut: '2026-12-04', guests: 2 },
  locale: 'it-IT',
};
/** The valid body with changed members in its stay; undefined removes one. */
const withStay = (stay: object) => JSON.stringify({ ...VALID_BODY, stay: { ...VALID_BODY.stay, ...stay } });
const withRoot = (root: object) => JSON.stringify({ ...VALID_BODY, ...root });

describe('propertyId in a path', () => {
  for (const [raw, propertyId] of [
    ['hotel-ponte', 'hotel-ponte'],
    ['A.z_0~9', 'A.z_0~9'],
    ['%68otel%2Dponte', 'hotel-ponte'],
    ['x'.repeat(160), 'x'.repeat(160)],
    ['9007199254740993', '9007199254740993'],
  ] as const) {
    it(`reads ${raw.slice(0, 24)}`, () => {
      assert.deepEqual(validatePath(getPartnerProperty, { propertyId: raw }), {
        ok: true,
        value: { propertyId },
      });
    });
  }

  for (const [raw, code] of [
    ['', 'LENGTH_INVALID'],
    ['x'.repeat(161), 'LENGTH_INVALID'],
    ['%78'.repeat(161), 'LENGTH_INVALID'],
    ['a%2Fb', 'FORMAT_INVALID'],
    ['a+b', 'FORMAT_INVALID'],
    ['a%20b', 'FORMAT_INVALID'],
    ['%zz', 'FORMAT_INVALID'],
    ['%ff', 'FORMAT_INVALID'],
    ['%00', 'FORMAT_INVALID'],
    ['caf%C3%A9', 'FORMAT_INVALID'],
    ['café', 'FORMAT_INVALID'],
    ['a%0A', 'FORMAT_INVALID'],
    ['%2541', 'FORMAT_INVALID'],
  ] as const) {
    it(`refuses ${raw.slice(0, 24)}`, () => assert.deepEqual(pathIssues(raw), [`propertyId ${code}`]));
  }
});

describe('body of createPartnerQuote', () => {
  it('comes out with its dates as days', () => {
    assert.deepEqual(validateBody(createPartnerQuote, VALID_BODY), {
      ok: true,
      value: {
        propertyId: 'hotel-ponte',
        stay: { checkIn: day('2026-12-01'), checkOut: day('2026-12-04'), guests: 2 },
        locale: 'it-IT',
      },
    });
  });

  for (const text of ['null', '[]', '"hotel-ponte"', '2', 'true', '[{"propertyId":"a"}]']) {
    it(`${text} is not an object`, () => assert.deepEqual(bodyIssues(text), ['body TYPE_INVALID']));
  }

  const judged: [name: string, json: string, ...issues: string[]][] = [
    ['2.0 and 2e0 are the integer 2', withStay({ guests: 7 }).replace('7', '2.0')],
    ['an integer with an exponent', withStay({ guests: 7 }).replace('7', '1e1')],
    ['60 nights', withStay({ checkOut: '2027-01-30' })],
    ['nothing at all', '{}', 'propertyId REQUIRED', 'stay REQUIRED', 'locale REQUIRED'],
    [
      'an empty stay',
      withRoot({ stay: {} }),
      'stay.checkIn REQUIRED',
      'stay.checkOut REQUIRED',
      'stay.guests REQUIRED',
    ],
    ['a missing date', withStay({ checkOut: undefined }), 'stay.checkOut REQUIRED'],
    ['no locale: there is no default here', withRoot({ locale: undefined }), 'locale REQUIRED'],
    ['61 nights', withStay({ checkOut: '2027-01-31' }), 'stay.checkOut STAY_TOO_LONG'],
    ['no night', withStay({ checkOut: '2026-12-01' }), 'stay.checkOut DATE_ORDER_INVALID'],
    ['dates in reverse', withStay({ checkOut: '2026-11-01' }), 'stay.checkOut DATE_ORDER_INVALID'],
    ['a date that is none', withStay({ checkIn: '2026-02-30' }), 'stay.checkIn DATE_INVALID'],
    ['a date of another form', withStay({ checkIn: '2026-2-3' }), 'stay.checkIn FORMAT_INVALID'],
    ['a date as a number', withStay({ checkIn: 20261201 }), 'stay.checkIn TYPE_INVALID'],
    ['a date that is null', withStay({ checkIn: null }), 'stay.checkIn TYPE_INVALID'],
    ['guests as text', withStay({ guests: '2' }), 'stay.guests TYPE_INVALID'],
    ['half a guest', withStay({ guests: 2.5 }), 'stay.guests TYPE_INVALID'],
    ['guests true', withStay({ guests: true }), 'stay.guests TYPE_INVALID'],
    ['guests null', withStay({ guests: null }), 'stay.guests TYPE_INVALID'],
    ['no guest', withStay({ guests: 0 }), 'stay.guests OUT_OF_RANGE'],
    ['31 guests', withStay({ guests: 31 }), 'stay.guests OUT_OF_RANGE'],
    ['-1 guests', withStay({ guests: -1 }), 'stay.guests OUT_OF_RANGE'],
    [
      'more guests than a number holds',
      withStay({ guests: 7 }).replace('7', '1e400'),
      'stay.guests OUT_OF_RANGE',
    ],
    ['stay as a list', withRoot({ stay: [] }), 'stay TYPE_INVALID'],
    ['stay null', withRoot({ stay: null }), 'stay TYPE_INVALID'],
    ['stay as text', withRoot({ stay: '2026-12-01/3' }), 'stay TYPE_INVALID'],
    ['an empty propertyId', withRoot({ propertyId: '' }), 'propertyId LENGTH_INVALID'],
    ['a propertyId of 161', withRoot({ propertyId: 'x'.repeat(161) }), 'propertyId LENGTH_INVALID'],
    ['a propertyId with a slash', withRoot({ propertyId: 'a/b' }), 'propertyId FORMAT_INVALID'],
    ['a propertyId with a line end', withRoot({ propertyId: 'a\n' }), 'propertyId FORMAT_INVALID'],
    ['a propertyId with NUL', withRoot({ propertyId: 'a\u0000' }), 'propertyId FORMAT_INVALID'],
    ['a lone surrogate', withRoot({ propertyId: '\ud800' }), 'propertyId FORMAT_INVALID'],
    ['a propertyId as a number', withRoot({ propertyId: 1 }), 'propertyId TYPE_INVALID'],
    ['another locale', withRoot({ locale: 'de-DE' }), 'locale NOT_ALLOWED'],
    ['locale null', withRoot({ locale: null }), 'locale TYPE_INVALID'],
    ['an unknown field', withRoot({ coupon: 'X' }), 'coupon UNKNOWN_FIELD'],
    ['an unknown field in the stay', withStay({ foo: 1 }), 'stay.foo UNKNOWN_FIELD'],
    ['an unknown field that is null', withRoot({ coupon: null }), 'coupon UNKNOWN_FIELD'],
    ['a field of another case', withRoot({ Locale: 'it-IT' }), 'Locale UNKNOWN_FIELD'],
    ['an empty name', withRoot({ '': 1 }), '"" UNKNOWN_FIELD'],
    ['__proto__', withRoot({}).replace('{', '{"__proto__":{"locale":"it-IT"},'), '__proto__ UNKNOWN_FIELD'],
    [
      'a required field behind __proto__',
      '{"__proto__":{"propertyId":"a"}}',
      'propertyId REQUIRED',
      'stay REQUIRED',
      'locale REQUIRED',
      '__proto__ UNKNOWN_FIELD',
    ],
    [
      'constructor and toString',
      withRoot({ constructor: 1, toString: 1 }),
      'constructor UNKNOWN_FIELD',
      'toString UNKNOWN_FIELD',
    ],
    ['a name with a lone surrogate', withRoot({ '\ud800': 1 }), '\ufffd UNKNOWN_FIELD'],
    ['a long name', withStay({ ['n'.repeat(65)]: 1 }), `stay.${'n'.repeat(64)}… UNKNOWN_FIELD`],
  ];
  for (const [name, json, ...issues] of judged) {
    it(`${issues.length === 0 ? 'accepts' : 'refuses'} ${name}`, () =>
      assert.deepEqual(bodyIssues(json), issues));
  }

  it('names all issues at once: known fields in their order, then unknown ones', () => {
    const json = '{"x":1,"stay":{"y":1,"guests":"2","checkOut":"2026-13-01"},"locale":"fr"}';
    assert.deepEqual(bodyIssues(json), [
      'propertyId REQUIRED',
      'stay.checkIn REQUIRED',
      'stay.checkOut DATE_INVALID',
      'stay.guests TYPE_INVALID',
      'locale NOT_ALLOWED',
      'stay.y UNKNOWN_FIELD',
      'x UNKNOWN_FIELD',
    ]);
  });

  it('names 50 issues at most, the known fields first', () => {
    const unknown = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`u${index}`, 1]));
    const withUnknown = (count: number, root: object = {}): readonly string[] =>
      bodyIssues(JSON.stringify({ ...(JSON.parse(withRoot({})) as object), ...root, ...unknown(count) }));
    assert.equal(withUnknown(49).length, 49);
    assert.equal(withUnknown(50).length, 50);
    assert.equal(withUnknown(51).length, 50);
    assert.deepEqual(withUnknown(51).at(-1), 'u49 UNKNOWN_FIELD');
    const wrong = withUnknown(50, { locale: 7 });
    assert.equal(wrong.length, 50);
    assert.match(wrong[0]!, /^locale /);
    assert.deepEqual(wrong.at(-1), 'u48 UNKNOWN_FIELD');
  });

  it('bounds the number of issues and keeps those of known fields', () => {
    const unknown = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`u${index}`, 1]));
    const issues = bodyIssues(JSON.stringify({ ...unknown, stay: { ...unknown } }));
    assert.equal(issues.length, ISSUES_MAX);
    assert.deepEqual(issues.slice(0, 5), [
      'propertyId REQUIRED',
      'stay.checkIn REQUIRED',
      'stay.checkOut REQUIRED',
      'stay.guests REQUIRED',
      'locale REQUIRED',
    ]);
  });
});
