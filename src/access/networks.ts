/** Networks of a credential: where its token may come from. Each has one spelling, which is stored and shown. */
import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type Network = readonly [base: Address, bits: number];

/** A credential has at most so many. */
export const NETWORKS_MAX = 20;

/** Undefined for text that is not an address. `::ffff:192.0.2.1` is 192.0.2.1; a zone (`%eth0`) is dropped. */
export function parseAddress(text: string | undefined): Address | undefined {
  if (text === undefined) return undefined;
  const bare = text.split('%', 1)[0] ?? '';
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipaddr.IPv4.parse(bare);
  if (!ipaddr.IPv6.isValid(bare)) return undefined;
  const address = ipaddr.IPv6.parse(bare);
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/** 96 zeros and ones stand before an IPv4 address that is written as IPv6. */
const MAPPED_BITS = 96;

/**
 * A CIDR, or an address alone, as it is shown: without bits of hosts, IPv6 as RFC 5952 writes it. Undefined for the
 * rest, also for what `ipaddr.parseCIDR` reads as C libraries did (`10.1/16`).
 */
export function parseNetwork(text: string): string | undefined {
  const [, addressText = '', bitsText] = /^([\da-fA-F:.]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = parseAddress(addressText);
  if (address === undefined) return undefined;
  const isMapped = addressText.includes(':') && address instanceof ipaddr.IPv4;
  const bitsMax = address instanceof ipaddr.IPv4 ? 32 : 128;
  const bits = bitsText === undefined ? bitsMax : Number(bitsText) - (isMapped ? MAPPED_BITS : 0);
  if (bits < 0 || bits > bitsMax) return undefined;
  return `${withoutHost(address, bits).toString()}/${bits}`;
}

function withoutHost(address: Address, bits: number): Address {
  const bytes = address.toByteArray().map((byte, index) => {
    const kept = Math.min(Math.max(bits - 8 * index, 0), 8);
    return byte & (0xff << (8 - kept));
  });
  return ipaddr.fromByteArray(bytes);
}

/** For texts that `parseNetwork` has made; throws on others. */
export function readNetwork(text: string): Network {
  return ipaddr.parseCIDR(text);
}

/** An address that nobody could read is in no network. */
export function isWithin(networks: readonly Network[], address: Address | undefined): boolean {
  return (
    address !== undefined &&
    networks.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits))
  );
}
