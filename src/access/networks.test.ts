import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { isWithin, parseAddress, parseNetwork, readNetwork } from './networks.ts';

const SEED = { seed: 20261126 };

describe('A network', () => {
  const SPELLED = [
    ['192.0.2.0/24', '192.0.2.0/24'],
    ['192.0.2.77/24', '192.0.2.0/24'],
    ['192.0.2.77', '192.0.2.77/32'],
    ['192.0.2.77/32', '192.0.2.77/32'],
    ['10.255.255.255/9', '10.128.0.0/9'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['255.1.2.3/0', '0.0.0.0/0'],
    ['::/0', '::/0'],
    ['2001:DB8:0:0::1', '2001:db8::1/128'],
    ['2001:db8:ffff::/33', '2001:db8:8000::/33'],
    ['::ffff:192.0.2.77/120', '192.0.2.0/24'],
    ['::ffff:192.0.2.77', '192.0.2.77/32'],
    ['::ffff:0:0/96', '0.0.0.0/0'],
  ] as const;
  for (const [text, shown] of SPELLED)
    it(`${text} has one spelling, ${shown}`, () => {
      assert.equal(parseNetwork(text), shown);
      assert.equal(parseNetwork(shown), shown);
    });

  const REFUSED =
    '/ /8 everybody none 10.1/16 10.0.0.0/ 10.0.0.0/33 10.0.0.0/-1 10.0.0.0/8/8 010.0.0.1 0x0a.0.0.1 1.2.3.256 ' +
    '10.0.0.0/1e1 ::/129 2001:db8::1::2/64 fe80::1%eth0 fe80::1%eth0/64 ::ffff:192.0.2.0/95 [::1]/128';
  for (const text of ['', ' 10.0.0.0/8', '10.0.0.0/8 ', '10.0.0.0/8\n', ...REFUSED.split(' ')])
    it(`is not ${JSON.stringify(text)}`, () => assert.equal(parseNetwork(text), undefined));

  it('refuses or spells whatever is written', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\d.:a-f/]{1,45}$/)), (text) => {
        const shown = parseNetwork(text);
        if (shown !== undefined) assert.equal(parseNetwork(shown), shown);
      }),
      { ...SEED, numRuns: 20_000 },
    );
  });
});

/** An address as its bits, written out. */
interface Bits {
  readonly text: string;
  readonly bits: string;
}

const v4: fc.Arbitrary<Bits> = fc.array(fc.nat(255), { minLength: 4, maxLength: 4 }).map((bytes) => ({
  text: bytes.join('.'),
  bits: bytes.map((byte) => byte.toString(2).padStart(8, '0')).join(''),
}));
const v6: fc.Arbitrary<Bits> = fc
  .array(fc.oneof(fc.nat(0xffff), fc.constant(0)), { minLength: 8, maxLength: 8 })
  // IPv4 addresses written as IPv6 have their own test.
  .filter((groups) => groups.slice(0, 6).some((group) => group !== 0 && group !== 0xffff))
  .map((groups) => ({
    text: groups.map((group) => group.toString(16)).join(':'),
    bits: groups.map((group) => group.toString(2).padStart(16, '0')).join(''),
  }));
/** With an equal prefix, so that some are within. */
const pairs = fc.tuple(fc.oneof(v4, v6), fc.oneof(v4, v6), fc.nat(128), fc.nat(128));

function textOf(bits: string): string {
  const size = bits.length === 32 ? 8 : 16;
  const parts = bits.match(new RegExp(`.{${size}}`, 'g'))!.map((part) => Number.parseInt(part, 2));
  return size === 8 ? parts.join('.') : parts.map((part) => part.toString(16)).join(':');
}

describe('An address is within a network', () => {
  it('exactly when their first bits are equal, and both are IPv4 or both IPv6', () => {
    let within = 0;
    fc.assert(
      fc.property(pairs, ([one, other, length, shared]) => {
        const prefix = Math.min(length, one.bits.length);
        const isSameKind = one.bits.length === other.bits.length;
        const bits = isSameKind ? one.bits.slice(0, shared) + other.bits.slice(shared) : other.bits;
        const expected = isSameKind && one.bits.slice(0, prefix) === bits.slice(0, prefix);
        const network = parseNetwork(`${one.text}/${prefix}`);
        assert.ok(network !== undefined);
        assert.equal(isWithin([readNetwork(network)], parseAddress(textOf(bits))), expected);
        if (expected) within += 1;
      }),
      { ...SEED, numRuns: 20_000 },
    );
    assert.ok(within > 1_000, `${within}`);
  });

  it('for IPv4 in both spellings, and with the zone of a link', () => {
    const networks = ['192.0.2.0/24', 'fe80::/10'].map(readNetwork);
    for (const text of ['192.0.2.9', '::ffff:192.0.2.9', '::ffff:c000:209', 'fe80::1%eth0'])
      assert.ok(isWithin(networks, parseAddress(text)), text);
    for (const text of ['192.0.3.9', '::ffff:192.0.3.9', '::1', 'unknown', undefined])
      assert.ok(!isWithin(networks, parseAddress(text)), text);
    assert.ok(!isWithin([readNetwork('::/0')], parseAddress('::ffff:192.0.2.9')));
    assert.ok(!isWithin([], parseAddress('192.0.2.9')));
  });
});
