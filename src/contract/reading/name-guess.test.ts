import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { createPartnerQuote, listPartnerProperties } from '../partner/operations.ts';
import { guessName } from './name-guess.ts';
import { validateBody, validateQuery } from './validation.ts';

const KNOWN = ['city', 'country', 'checkIn', 'checkOut', 'guests', 'page', 'pageSize', 'locale'];

describe('a name that nobody knows', () => {
  const near: readonly (readonly [string, string])[] = [
    ['checkin', 'checkIn'],
    ['check_in', 'checkIn'],
    ['CHECK-OUT', 'checkOut'],
    ['chekIn', 'checkIn'],
    ['guest', 'guests'],
    ['pagesize', 'pageSize'],
    ['page_size', 'pageSize'],
    ['citi', 'city'],
    ['local', 'locale'],
  ];
  for (const [name, meant] of near) {
    it(`is near ${meant} when it is ${name}`, () => assert.equal(guessName(name, KNOWN), meant));
  }

  for (const name of ['', 'adults', 'sort', 'q', 'nights', 'checkInDateOfTheWholeStay'.repeat(3)]) {
    it(`is near none when it is ${JSON.stringify(name.slice(0, 20))}`, () =>
      assert.equal(guessName(name, KNOWN), undefined));
  }

  it('gets one of the known names or none, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (name) => {
        const guess = guessName(name, KNOWN);
        return guess === undefined || KNOWN.includes(guess);
      }),
      { seed: 20_261_121, numRuns: 1_000 },
    );
  });

  it('is answered with the guess, in a query and in a body', () => {
    const query = validateQuery(listPartnerProperties, 'city=Roma&chekIn=2026-12-01');
    assert.ok(!query.ok);
    assert.equal(
      query.issues[0]?.detail,
      'The operation has no query parameter of this name. Did you mean checkIn?',
    );
    const stay = { checkIn: '2026-12-01', checkOut: '2026-12-02', guests: 2, check_out: 1 };
    const body = validateBody(createPartnerQuote, { propertyId: 'a', stay, locale: 'it-IT', coupon: 1 });
    assert.ok(!body.ok);
    assert.deepEqual(
      body.issues.map(({ field, detail }) => `${field}: ${detail}`),
      ['stay.check_out: There is no such field. Did you mean checkOut?', 'coupon: There is no such field.'],
    );
  });
});
