import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Asset } from '../web/assets.ts';
import type { TravellerPages } from '../web/handoff-page.ts';
import { assetHandler } from './asset-route.ts';

const ASSET: Asset = {
  path: '/assets/x.css',
  mediaType: 'text/css',
  body: Buffer.from('plain'),
  isForOtherSites: false,
  gzip: Buffer.from('gzip'),
  brotli: Buffer.from('br'),
};

interface Answered {
  readonly body: Uint8Array;
  readonly headers: readonly string[];
}

function answerTo(acceptEncoding: string | undefined): Answered {
  let answered: Answered | undefined;
  const response = { answer: (answer: Answered) => (answered = answer) };
  const headers = acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding };
  const pages = { assets: [ASSET] } as unknown as TravellerPages;
  void assetHandler(pages)({ request: { url: ASSET.path, headers }, response } as never);
  assert.ok(answered);
  return answered;
}

describe('a file of the page', () => {
  const encodings: readonly (readonly [string | undefined, string])[] = [
    [undefined, 'plain'],
    ['', 'plain'],
    ['identity', 'plain'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0.1, gzip;q=1', 'br'],
    ['br;q=0.01', 'br'],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['brotli, xbr', 'plain'],
    ['br;q=0', 'plain'],
    ['br; q=0.000', 'plain'],
    ['br ; Q=0', 'plain'],
    ['br;q=0, gzip', 'gzip'],
    ['gzip, br;q=0.0', 'gzip'],
    ['br;q=0, gzip;q=0', 'plain'],
    ['gzip;q=0, br', 'br'],
  ];
  for (const [accepted, expected] of encodings) {
    it(`is ${expected} for ${accepted === undefined ? 'no header' : JSON.stringify(accepted)}`, () => {
      const { body, headers } = answerTo(accepted);
      assert.equal(Buffer.from(body).toString(), expected);
      const names = headers.filter((_, index) => index % 2 === 0);
      const valueOf = (name: string): string | undefined => headers[names.indexOf(name) * 2 + 1];
      assert.equal(names.includes('Content-Encoding'), expected !== 'plain');
      if (expected !== 'plain') assert.equal(valueOf('Content-Encoding'), expected);
      assert.equal(valueOf('Vary'), 'Accept-Encoding');
      assert.equal(valueOf('Content-Security-Policy'), "default-src 'none'; sandbox");
      assert.equal(valueOf('Cross-Origin-Resource-Policy'), 'same-origin');
    });
  }
});
