/** What a quote request may be: its JSON, its fields, its size and its media type (SPEC 2, SPEC 4.4). */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { HOTEL_PONTE } from '../../kit/catalogue-lines.ts';
import { type Running, startInstallation } from '../../kit/installation.ts';
import { quoteBody } from '../../kit/partner-client.ts';

const BODY_LIMIT_BYTES = 16_384;

let running: Running;
before(async () => {
  running = await startInstallation([HOTEL_PONTE]);
});
after(() => running.installation.close());

const GOOD = quoteBody('hotel-ponte', '2026-12-01', '2026-12-04');
const stay = (changes: object) => ({ ...GOOD, stay: { ...GOOD.stay, ...changes } });
const without = (name: keyof typeof GOOD) =>
  Object.fromEntries(Object.entries(GOOD).filter(([key]) => key !== name));

describe('the fields of a quote request', () => {
  const accepted: readonly (readonly [name: string, body: object])[] = [
    ['as documented', GOOD],
    ['in English', { ...GOOD, locale: 'en-GB' }],
    ['for one guest', stay({ guests: 1 })],
    ['with the number of guests written as 2.0', stay({ guests: 2.0 })],
  ];
  for (const [name, body] of accepted) {
    it(`${name}: accepted`, async () => assert.equal((await running.partner.quote(body)).status, 201));
  }

  const refused: readonly (readonly [name: string, body: unknown, ...issues: string[]])[] = [
    ['no propertyId', without('propertyId'), 'propertyId REQUIRED'],
    ['no stay', without('stay'), 'stay REQUIRED'],
    ['no locale, which has no default here', without('locale'), 'locale REQUIRED'],
    ['an empty object', {}, 'propertyId REQUIRED', 'stay REQUIRED', 'locale REQUIRED'],
    [
      'an empty stay',
      { ...GOOD, stay: {} },
      'stay.checkIn REQUIRED',
      'stay.checkOut REQUIRED',
      'stay.guests REQUIRED',
    ],
    ['a propertyId of no characters', { ...GOOD, propertyId: '' }, 'propertyId LENGTH_INVALID'],
    ['a propertyId of 161 characters', { ...GOOD, propertyId: 'a'.repeat(161) }, 'propertyId LENGTH_INVALID'],
    ['a propertyId with a blank', { ...GOOD, propertyId: 'a b' }, 'propertyId FORMAT_INVALID'],
    ['a propertyId that is a number', { ...GOOD, propertyId: 7 }, 'propertyId TYPE_INVALID'],
    ['a stay that is text', { ...GOOD, stay: 'December' }, 'stay TYPE_INVALID'],
    ['a stay that is a list', { ...GOOD, stay: [] }, 'stay TYPE_INVALID'],
    ['a stay that is null', { ...GOOD, stay: null }, 'stay TYPE_INVALID'],
    ['a locale that is not offered', { ...GOOD, locale: 'de-DE' }, 'locale NOT_ALLOWED'],
    ['a locale that is null', { ...GOOD, locale: null }, 'locale TYPE_INVALID'],
    ['a date that does not exist', stay({ checkIn: '2026-11-31' }), 'stay.checkIn DATE_INVALID'],
    ['a date in another form', stay({ checkOut: '4 December' }), 'stay.checkOut FORMAT_INVALID'],
    ['a date that is a number', stay({ checkIn: 20_261_201 }), 'stay.checkIn TYPE_INVALID'],
    ['check-out on the check-in date', stay({ checkOut: '2026-12-01' }), 'stay.checkOut DATE_ORDER_INVALID'],
    ['check-out before check-in', stay({ checkOut: '2026-11-30' }), 'stay.checkOut DATE_ORDER_INVALID'],
    ['61 nights', stay({ checkOut: '2027-01-31' }), 'stay.checkOut STAY_TOO_LONG'],
    ['no guest', stay({ guests: 0 }), 'stay.guests OUT_OF_RANGE'],
    ['31 guests', stay({ guests: 31 }), 'stay.guests OUT_OF_RANGE'],
    ['guests as text', stay({ guests: '2' }), 'stay.guests TYPE_INVALID'],
    ['half a guest', stay({ guests: 1.5 }), 'stay.guests TYPE_INVALID'],
    ['guests as true', stay({ guests: true }), 'stay.guests TYPE_INVALID'],
    ['an unknown field', { ...GOOD, voucher: 'X' }, 'voucher UNKNOWN_FIELD'],
    ['an unknown field of the stay', stay({ nights: 3 }), 'stay.nights UNKNOWN_FIELD'],
    [
      'a field that JavaScript objects inherit',
      '{"__proto__":{},"propertyId":"hotel-ponte","stay":{"checkIn":"2026-12-01","checkOut":"2026-12-04","guests":2},"locale":"it-IT"}',
      '__proto__ UNKNOWN_FIELD',
    ],
    ['a list', [GOOD], 'body TYPE_INVALID'],
    ['text', '"quote"', 'body TYPE_INVALID'],
    ['null', 'null', 'body TYPE_INVALID'],
    [
      'everything wrong at once',
      { propertyId: 'a b', stay: { checkIn: '2026-02-30', guests: 31, nights: 1 }, voucher: 1 },
      'propertyId FORMAT_INVALID',
      'stay.checkIn DATE_INVALID',
      'stay.checkOut REQUIRED',
      'stay.guests OUT_OF_RANGE',
      'locale REQUIRED',
      'stay.nights UNKNOWN_FIELD',
      'voucher UNKNOWN_FIELD',
    ],
  ];
  for (const [name, body, ...issues] of refused) {
    it(`${name}: ${issues.join(', ')}`, async () => {
      assert.deepEqual((await running.partner.quote(body)).issues, issues);
    });
  }

  it('may name a stay of 60 nights, which is then decided', async () => {
    const answer = await running.partner.quote(stay({ checkOut: '2027-01-30' }));
    assert.equal(answer.outcome, '409 STAY_UNAVAILABLE');
  });

  it('may name 30 guests, which is then decided', async () => {
    assert.equal((await running.partner.quote(stay({ guests: 30 }))).outcome, '409 STAY_UNAVAILABLE');
  });
});

describe('a key that stands twice', () => {
  const text = JSON.stringify(GOOD);
  for (const [name, body, ...issues] of [
    ['the property', `{"propertyId":"other",${text.slice(1)}`, 'propertyId DUPLICATE_PARAMETER'],
    ['the same value twice', `{"locale":"it-IT",${text.slice(1)}`, 'locale DUPLICATE_PARAMETER'],
    ['with an escape', `{"\\u006cocale":"it-IT",${text.slice(1)}`, 'locale DUPLICATE_PARAMETER'],
    ['within the stay', text.replace('"guests":', '"guests":1,"guests":'), 'stay.guests DUPLICATE_PARAMETER'],
    ['an unknown one', `{"x":1,"x":2,${text.slice(1)}`, 'x DUPLICATE_PARAMETER'],
  ] as const) {
    it(`${name}: VALIDATION_ERROR`, async () => {
      const answer = await running.partner.quote(body);
      assert.equal(answer.outcome, '400 VALIDATION_ERROR');
      assert.deepEqual(answer.issues, issues);
    });
  }

  it('in two objects stands once in each', async () => {
    const body = text.replace('"stay":{', '"stay":{"propertyId":"x",');
    assert.deepEqual((await running.partner.quote(body)).issues, ['stay.propertyId UNKNOWN_FIELD']);
  });
});

describe('a body that is not JSON', () => {
  const text = JSON.stringify(GOOD);
  const bodies: readonly (readonly [name: string, body: string | Uint8Array])[] = [
    ['nothing', ''],
    ['blanks', '  '],
    ['half a document', text.slice(0, -1)],
    ['two documents', text + text],
    ['NaN', '{"guests":NaN}'],
    ['single quotes', `{'locale':'it-IT'}`],
    ['a comment', `/* hello */${text}`],
    ['a byte-order mark', `\uFEFF${text}`],
    ['bytes that are no UTF-8', Buffer.from('{"locale":"\xff"}', 'latin1')],
    ['UTF-16', Buffer.from(text, 'utf16le')],
    ['a form', 'propertyId=hotel-ponte'],
  ];
  for (const [name, body] of bodies) {
    it(`${name}: INVALID_JSON`, async () => {
      assert.equal((await running.partner.quote(body)).outcome, '400 INVALID_JSON');
    });
  }

  it('is distinguished from one that is absent altogether', async () => {
    const answer = await running.partner.ask('createPartnerQuote', { method: 'POST', path: '/v1/quotes' });
    assert.equal(answer.outcome, '400 INVALID_JSON');
  });
});

describe('the size of a body', () => {
  /** JSON may end in blanks. */
  const padded = (sizeBytes: number) => JSON.stringify(GOOD).padEnd(sizeBytes);
  for (const chunked of [false, true]) {
    const how = chunked ? 'sent in pieces' : 'sent with its length';
    it(`of exactly the limit is accepted, ${how}`, async () => {
      const answer = await running.partner.quote(padded(BODY_LIMIT_BYTES), { chunked });
      assert.equal(answer.status, 201);
    });

    it(`of one byte more is PAYLOAD_TOO_LARGE, ${how}`, async () => {
      const answer = await running.partner.quote(padded(BODY_LIMIT_BYTES + 1), { chunked });
      assert.equal(answer.outcome, '413 PAYLOAD_TOO_LARGE');
      assert.equal(answer.header('x-ratelimit-limit'), undefined);
    });
  }

  it('is judged before the JSON in it', async () => {
    const answer = await running.partner.quote('{'.repeat(BODY_LIMIT_BYTES + 1));
    assert.equal(answer.outcome, '413 PAYLOAD_TOO_LARGE');
  });
});

describe('the media type of a body', () => {
  for (const mediaType of ['application/json', 'APPLICATION/JSON', 'application/json; charset=utf-8']) {
    it(`${mediaType}: accepted`, async () => {
      const answer = await running.partner.quote(GOOD, { headers: { 'content-type': mediaType } });
      assert.equal(answer.status, 201);
    });
  }
  for (const mediaType of ['text/plain', 'application/xml', 'application/json; charset=latin1', 'nonsense']) {
    it(`${mediaType}: header.content-type NOT_ALLOWED`, async () => {
      const answer = await running.partner.quote(GOOD, { headers: { 'content-type': mediaType } });
      assert.deepEqual(answer.issues, ['header.content-type NOT_ALLOWED']);
    });
  }

  it('may be left out', async () => {
    const asked = { method: 'POST', path: '/v1/quotes', body: JSON.stringify(GOOD), isTyped: false };
    assert.equal((await running.partner.ask('createPartnerQuote', asked)).status, 201);
  });

  it('cannot be compressed', async () => {
    const answer = await running.partner.quote(GOOD, { headers: { 'content-encoding': 'gzip' } });
    assert.deepEqual(answer.issues, ['header.content-encoding NOT_ALLOWED']);
  });
});
