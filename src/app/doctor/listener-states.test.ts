import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isPartnerAnswer } from './listener-states.ts';

const HEADERS = { 'content-type': 'application/problem+json; charset=utf-8', 'x-correlation-id': 'cr_1' };
const isOurs = (status: number, headers: Readonly<Record<string, string>> = HEADERS): boolean =>
  isPartnerAnswer({ status, headers, body: '', certificate: undefined });

describe('An answer to a request without a credential', () => {
  for (const status of [401, 429, 503])
    it(`is of a partner listener with the status ${status}`, () => assert.ok(isOurs(status)));

  for (const status of [200, 403, 404, 500])
    it(`is of another program with the status ${status}`, () => assert.ok(!isOurs(status)));

  it('is of another program without the headers of every answer', () => {
    const { 'x-correlation-id': _id, ...unnamed } = HEADERS;
    assert.ok(!isOurs(401, unnamed));
    assert.ok(!isOurs(401, { ...HEADERS, 'content-type': 'application/json' }));
  });
});
