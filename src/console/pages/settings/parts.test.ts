import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { partOf, placeOf } from './parts.ts';

describe('Settings of the site', () => {
  it('begin with those that most people come for, and all others follow', () => {
    const names = ['WEB_PRIVACY_URL', 'BOOKING_ORIGINS', 'WEB_NAME', 'OTHER', 'WEB_LOGO'];
    const inOrder = names.sort((one, other) => placeOf(one) - placeOf(other));
    assert.deepEqual(inOrder, ['WEB_NAME', 'WEB_LOGO', 'BOOKING_ORIGINS', 'WEB_PRIVACY_URL', 'OTHER']);
  });

  it('have the addresses of legal pages in a part of their own', () => {
    assert.deepEqual(['WEB_IMPRINT_URL', 'WEB_TERMS_URL', 'WEB_NAME'].map(partOf), [
      'legal',
      'legal',
      'site',
    ]);
  });
});
