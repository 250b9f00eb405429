import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { parseOrigin } from './origins.ts';

describe('parseOrigin', () => {
  const accepted = {
    'https://shop.example': 'https://shop.example',
    'http://localhost:3000': 'http://localhost:3000',
    'HTTPS://Shop.Example:443/': 'https://shop.example',
    'http://shop.example:80': 'http://shop.example',
    'https://bücher.example': 'https://xn--bcher-kva.example',
    'http://127.0.0.1:5173': 'http://127.0.0.1:5173',
    'http://[::1]:8080': 'http://[::1]:8080',
  };
  for (const [text, origin] of Object.entries(accepted)) {
    it(`takes ${text} as ${origin}`, () => assert.equal(parseOrigin(text), origin));
  }

  const refused = [
    '',
    'null',
    '*',
    'shop.example',
    'https://',
    'https://*.example',
    'https://shop.example/path',
    'https://shop.example//',
    'https://shop.example?x',
    'https://shop.example#x',
    'https://user@shop.example',
    'https://shop.example:99999',
    'ftp://shop.example',
    'file:///etc',
    'https://shop.example\\x',
    ' https://shop.example',
    'https://shop.example\n',
    'https://a..b',
    `https://${'a'.repeat(300)}`,
  ];
  for (const text of refused) {
    it(`refuses ${JSON.stringify(text.slice(0, 40))}`, () => assert.equal(parseOrigin(text), undefined));
  }

  it('answers nothing but origins, and each is its own origin', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.webUrl(),
          fc.string(),
          fc.webAuthority().map((host) => `https://${host}`),
        ),
        (text) => {
          const origin = parseOrigin(text);
          if (origin === undefined) return;
          assert.equal(parseOrigin(origin), origin);
          assert.equal(new URL(origin).origin, origin);
        },
      ),
      { seed: 20261120, numRuns: 500 },
    );
  });
});
