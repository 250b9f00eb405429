import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatQuery, formatTimestamp, signatureOf, type SignedCall, type SigningKey } from './sign-call.ts';

const OURS: SigningKey = { key: 'key-1', secret: 'secret-1' };
const TIME = '2026-11-28T20:00:00Z';

const VECTORS: readonly (readonly [name: string, call: SignedCall, key: SigningKey, signature: string])[] = [
  [
    'the documented example',
    {
      method: 'GET',
      path: '/api/reservations',
      query: 'from=2026-04-01&to=2026-04-10',
      timestamp: '2026-04-01T12:00:00Z',
      nonce: '6ba7b810-9dad-11d1-80b4-00c04fd430c8',
      body: '',
    },
    { key: 'usr_live_abc123', secret: 'your_api_secret' },
    'Bu2/61pneyRyjQejH7PoCJC2P8iRm3NnC9R6CGFOQho=',
  ],
  [
    'a list of apartments',
    {
      method: 'GET',
      path: '/api/rates',
      query: 'apartments%5B%5D=12&apartments%5B%5D=21&end_date=2026-12-31&start_date=2026-12-01',
      timestamp: TIME,
      nonce: '00000000-0000-4000-8000-000000000001',
      body: '',
    },
    OURS,
    'neCUO013YuHN01KW6Oth5rVAREih96WasnoYx/nTyhg=',
  ],
  [
    'a body',
    {
      method: 'POST',
      path: '/booking/checkApartmentAvailability',
      query: '',
      timestamp: TIME,
      nonce: '00000000-0000-4000-8000-000000000002',
      body: '{"arrivalDate":"2026-12-01","departureDate":"2026-12-04","apartments":[12],"customerId":9,"guests":2}',
    },
    OURS,
    '2vcj/AfD+HdmTpiPqBY9EXCadCOlvBFNNdt8nZXbEzA=',
  ],
];

describe('The signature of a call to Smoobu', () => {
  for (const [name, call, key, signature] of VECTORS)
    it(`is right for ${name}`, () => {
      assert.equal(signatureOf(call, key), signature);
    });

  it('is made over a query that is sorted by name, then by value, and escaped as RFC 3986 says', () => {
    const sorted = formatQuery([
      ['start_date', '2026-12-01'],
      ['apartments[]', '21'],
      ['end_date', '2026-12-31'],
      ['apartments[]', '12'],
    ]);
    assert.equal(sorted, VECTORS[1]![1].query);
    assert.equal(formatQuery([["a'b", '(1*2)! ~é']]), 'a%27b=%281%2A2%29%21%20~%C3%A9');
    assert.equal(formatQuery([]), '');
  });

  it('is dated in UTC, in seconds', () => {
    assert.equal(formatTimestamp(Date.UTC(2026, 10, 28, 20, 0, 0, 999)), TIME);
  });
});
