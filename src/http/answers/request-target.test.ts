import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { rawPathOf, rawQueryOf, routerTarget } from './request-target.ts';

describe('the target for the router', () => {
  const cases: readonly [target: string, seen: string][] = [
    ['/v1/properties?city=%41', '/v1/properties?city=%41'],
    ['/v1/properties/%41?a=%zz', '/v1/properties/%2541?a=%zz'],
    ['http://example.org/v1/quotes?x', '/v1/quotes?x'],
    ['HTTPS://example.org', '/'],
    ['http://example.org?x', '/?x'],
    ['*', '/*'],
    ['example.org:443', '/example.org:443'],
  ];
  for (const [target, seen] of cases) {
    it(`of ${target} is ${seen}`, () => assert.equal(routerTarget(target), seen));
  }

  it('decodes to the path as it was sent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), fc.string(), (path, query) => {
        const target = routerTarget(`/${path.replaceAll(/[?#]/g, '')}?${query}`);
        assert.equal(
          decodeURIComponent(rawPathOf(target).replaceAll(/%(?!25)/g, '!')),
          `/${path.replaceAll(/[?#]/g, '')}`,
        );
        assert.equal(rawQueryOf(target), query);
      }),
      { seed: 20261120 },
    );
  });
});
