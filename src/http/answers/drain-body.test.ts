import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasUnreadBody } from './drain-body.ts';

describe('a request with an unread body', () => {
  const of = (headers: Readonly<Record<string, string>>, complete = false): boolean =>
    hasUnreadBody({ headers, complete } as never);

  it('a body is unread while announced bytes are still to come', () => {
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
