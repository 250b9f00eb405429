import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasUnreadBody } from './guarded-response.ts';

describe('a request with an unread body', () => {
  const of = (headers: Readonly<Record<string, string>>, complete = false): boolean =>
    hasUnreadBody({ headers, complete } as never);

  it('is one that announces bytes which have not all come', () => {
    assert.equal(of({ 'content-length': '1' }), true);
    assert.equal(of({ 'transfer-encoding': 'chunked' }), true);
  });

  it('is not one that has none, or that is complete', () => {
    assert.equal(of({}), false);
    assert.equal(of({ 'content-length': '0' }), false);
    assert.equal(of({ 'content-length': '1' }, true), false);
    assert.equal(of({ 'transfer-encoding': 'chunked' }, true), false);
  });
});
