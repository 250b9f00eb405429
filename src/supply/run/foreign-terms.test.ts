import { inEnglish, Wrong } from '../../domain/wrong.ts';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LEAST_DOCUMENT } from '../../../test/kit/property-details.ts';
import { parsePropertyDocument } from '../native/property-document.ts';
import { findForeignSite } from './foreign-terms.ts';

const SITE = 'https://book.example/{propertyId}?from={checkIn}';

function read(bookingUrl: unknown) {
  return parsePropertyDocument({ ...LEAST_DOCUMENT, bookingUrl });
}

describe('bookingUrl of a property', () => {
  it('is read as it is written, and null says nothing', () => {
    const document = read(SITE);
    assert.ok(document.ok && document.details.bookingUrl === SITE);
    const none = read(null);
    assert.ok(none.ok && !('bookingUrl' in none.details));
  });

  it('is refused with the reason where it is not a template', () => {
    for (const [given, reason] of [
      ['http://book.example/', /is not an https:\/\/ URL/],
      ['https://book.example/{who}', /holds \{who\}/],
      ['https://book.example/a b', /holds a blank/],
      [`https://book.example/${'x'.repeat(1_500)}`, /at most 1500/],
      [1, /must be a string/],
    ] as const) {
      const document = read(given);
      assert.ok(!document.ok && document.field === 'bookingUrl', String(given));
      assert.match(inEnglish(document.reason), reason);
    }
  });

  it('is refused where its origin is not listed', () => {
    assert.equal(findForeignSite({ bookingUrl: SITE }, ['https://book.example']), undefined);
    assert.equal(findForeignSite(undefined, []), undefined);
    assert.deepEqual(findForeignSite({ bookingUrl: SITE }, ['https://book.example:444']), {
      field: 'bookingUrl',
      reason: new Wrong('foreignSite', { origin: 'https://book.example' }),
    });
  });
});
