import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { findBearerToken, originFormOf, rawPathOf, rawQueryOf } from './request-head.ts';

describe('the target of a request', () => {
  const cases: readonly [target: string, seen: string][] = [
    ['/v1/properties?city=%41', '/v1/properties?city=%41'],
    ['/v1/properties/%41?a=%zz', '/v1/properties/%41?a=%zz'],
    ['http://example.org/v1/quotes?x', '/v1/quotes?x'],
    ['HTTPS://example.org', '/'],
    ['http://example.org?x', '/?x'],
    ['*', '/*'],
    ['example.org:443', '/example.org:443'],
  ];
  for (const [target, seen] of cases) {
    it(`of ${target} is ${seen}`, () => assert.equal(originFormOf(target), seen));
  }

  it('is taken apart as it was sent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), fc.string(), (text, query) => {
        const path = `/${text.replaceAll(/[?#]/g, '')}`;
        const target = originFormOf(`${path}?${query}`);
        assert.equal(rawPathOf(target), path);
        assert.equal(rawQueryOf(target), query);
      }),
      { seed: 20261120 },
    );
  });
});

describe('the token of a request', () => {
  for (const [authorization, token] of [
    ['Bearer sp_live_1', 'sp_live_1'],
    ['bEARER  sp_live_1 ', 'sp_live_1'],
    ['Bearer a b', 'a b'],
    ['Bearer x', 'x'],
    // Without a token it is missing, not wrong: another problem code.
    ['Bearer ', undefined],
    ['Bearer   ', undefined],
    ['Bearer', undefined],
    ['Basic c3A6', undefined],
    ['Bearers sp_live_1', undefined],
    ['sp_live_1', undefined],
    ['', undefined],
    [undefined, undefined],
  ] as const)
    it(`of ${JSON.stringify(authorization)} is ${token ?? 'missing'}`, () => {
      assert.equal(findBearerToken(authorization), token);
    });
});
