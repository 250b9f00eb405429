import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { makeSourceAddress } from './source-address.ts';

/** The source of a request from the connection of `peer`. */
function sourceOf(peer: string | undefined, forwarded?: string, trusted: readonly string[] = []): string {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return makeSourceAddress(trusted)({
    socket: { remoteAddress: peer },
    headers,
    rawHeaders: Object.entries(headers).flat(),
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
    ['not fooled by short forms of IPv4', '10.0.0.1', '203.1', '10.0.0.1'],
    ['not fooled by other bases of IPv4', '10.0.0.1', '0xcb.0.113.9', '10.0.0.1'],
  ];
  for (const [name, peer, forwarded, source] of chains) {
    it(`behind trusted proxies is ${name}`, () => {
      assert.equal(sourceOf(peer, forwarded, TRUSTED), source);
    });
  }

  const networks: readonly [trusted: string, address: string, isTrusted: boolean][] = [
    ['192.0.2.7', '192.0.2.7', true],
    ['192.0.2.7', '192.0.2.6', false],
    ['2001:db8::7', '2001:db8::7', true],
    ['2001:db8::7', '2001:db8::6', false],
    ['10.0.0.0/8', '10.255.255.255', true],
    ['10.0.0.0/8', '11.0.0.0', false],
    ['0.0.0.0/0', '203.0.113.1', true],
    ['0.0.0.0/0', '2001:db8::7', false],
    ['2001:db8::/32', '2001:db8:ffff::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['::/0', '2001:db8::7', true],
    // As a dual-stack socket writes IPv4, alone and as a network.
    ['::ffff:192.0.2.7', '192.0.2.7', true],
    ['::ffff:192.0.2.0/120', '192.0.2.255', true],
    ['::ffff:192.0.2.0/120', '192.0.3.0', false],
    ['::ffff:0.0.0.0/96', '203.0.113.1', true],
    // Shorter than what IPv4 is mapped to: a network of IPv6.
    ['::ffff:0.0.0.0/80', '203.0.113.1', false],
    ['::ffff:0.0.0.0/80', '::1', true],
  ];
  for (const [trusted, address, isTrusted] of networks) {
    it(`${isTrusted ? 'is read behind' : 'does not trust'} ${address} where ${trusted} is trusted`, () => {
      const behind = sourceOf(address, '198.51.100.1', [trusted]);
      assert.equal(behind, isTrusted ? '198.51.100.1' : sourceOf(address));
    });
  }

  it('is looked for in the last 32 entries, and no further', () => {
    const behind = (proxyCount: number): string =>
      sourceOf('10.0.0.1', ['203.0.113.9', ...Array.from({ length: proxyCount }, proxyAt)].join(), TRUSTED);
    const proxyAt = (_: unknown, index: number): string => `10.0.1.${index}`;
    assert.equal(behind(31), '203.0.113.9');
    assert.equal(behind(32), '10.0.1.0');
  });

  it('the source of a request is the same when it is remembered', () => {
    const peers = ['203.0.113.9', '::ffff:203.0.113.8', '2001:db8:1:2:3:4:5:6', 'fe80::1%eth0', 'no address'];
    const sources = ['203.0.113.9', '203.0.113.8', '2001:db8:1:2', 'fe80:0:0:0', 'unknown'];
    // More than are remembered, so that those in question are looked up again.
    const others = Array.from({ length: 10_001 }, (_, index) => `10.${index >> 8}.${index & 255}.1`);
    for (const round of ['new', 'remembered', 'forgotten']) {
      if (round === 'forgotten') for (const other of others) assert.equal(sourceOf(other), other);
      assert.deepEqual(
        peers.map((peer) => sourceOf(peer)),
        sources,
        round,
      );
    }
  });

  it('does not depend on the zone of a link-local address', () => {
    assert.equal(sourceOf('fe80::1%eth0', '203.0.113.9', ['fe80::/10']), '203.0.113.9');
    assert.equal(sourceOf('10.0.0.1', 'fe80::1%eth0', TRUSTED), 'fe80:0:0:0');
  });

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
    for (const network of ['everybody', '10.0.0.1/33', '10.0.0/8x', '']) {
      assert.throws(() => makeSourceAddress([network]), network);
    }
    assert.throws(() => makeSourceAddress(['everybody']), /not an address or CIDR: everybody/);
  });
});
