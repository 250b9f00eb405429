import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { buildSourceAddress } from './source-address.ts';

/** The source of a request whose connection comes from `peer`. */
function sourceOf(peer: string | undefined, forwarded?: string, trusted: readonly string[] = []): string {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return buildSourceAddress(trusted)({
    socket: { remoteAddress: peer },
    headers,
  } as unknown as IncomingMessage);
}

const TRUSTED = ['10.0.0.0/8', '192.0.2.7', 'fd00::/8'];

describe('the source of a request', () => {
  it('is the peer when nobody is trusted', () => {
    assert.equal(sourceOf('203.0.113.9', '198.51.100.1'), '203.0.113.9');
  });

  it('is an IPv4 address however the socket writes it', () => {
    assert.equal(sourceOf('::ffff:203.0.113.9'), '203.0.113.9');
    assert.equal(sourceOf('::ffff:10.1.1.1', '203.0.113.9', TRUSTED), '203.0.113.9');
  });

  it('is a /64 for IPv6', () => {
    assert.equal(sourceOf('2001:db8:1:2:3:4:5:6'), sourceOf('2001:db8:1:2::1'));
    assert.notEqual(sourceOf('2001:db8:1:2::1'), sourceOf('2001:db8:1:3::1'));
    assert.equal(sourceOf('fe80::1%eth0'), sourceOf('fe80::2'));
  });

  const chains: readonly [name: string, peer: string, forwarded: string | undefined, source: string][] = [
    ['the peer, when it is not trusted', '203.0.113.9', '198.51.100.1', '203.0.113.9'],
    [
      'the last entry that no trusted proxy wrote',
      '10.0.0.1',
      '198.51.100.1, 203.0.113.9, 10.0.0.2',
      '203.0.113.9',
    ],
    ['not what the client wrote in front', '10.0.0.1', '1.1.1.1, 203.0.113.9', '203.0.113.9'],
    ['the first entry when all of them are trusted', '10.0.0.1', '10.9.9.9, 10.0.0.2', '10.9.9.9'],
    ['the proxy when the entry is not an address', '10.0.0.1', 'unknown', '10.0.0.1'],
    ['the proxy when there is no entry', '10.0.0.1', undefined, '10.0.0.1'],
    ['read through ports and brackets', '192.0.2.7', '203.0.113.9:4711', '203.0.113.9'],
    ['read through ports and brackets of IPv6', '10.0.0.1', '[2001:db8::1]:443', '2001:db8:0:0'],
    ['found behind IPv6 proxies', 'fd00::1', '203.0.113.9', '203.0.113.9'],
    ['not fooled by short forms of IPv4', '10.0.0.1', '10.1', '10.0.0.1'],
  ];
  for (const [name, peer, forwarded, source] of chains) {
    it(`behind trusted proxies is ${name}`, () => {
      assert.equal(sourceOf(peer, forwarded, TRUSTED), source);
    });
  }

  it('can always be told', () => {
    assert.equal(sourceOf(undefined), sourceOf('no address'));
    fc.assert(
      fc.property(fc.string(), fc.option(fc.string(), { nil: undefined }), (peer, forwarded) => {
        assert.equal(typeof sourceOf(peer, forwarded, TRUSTED), 'string');
      }),
      { seed: 20261120 },
    );
  });

  it('does not depend on what an untrusted client writes', () => {
    fc.assert(
      fc.property(fc.array(fc.ipV4()), (forged) => {
        const forwarded = [...forged, '203.0.113.9'].join(', ');
        assert.equal(sourceOf('10.0.0.1', forwarded, ['10.0.0.1/32']), '203.0.113.9');
      }),
      { seed: 20261120 },
    );
  });

  it('is refused with networks that are none', () => {
    assert.throws(() => buildSourceAddress(['everybody']));
  });
});
