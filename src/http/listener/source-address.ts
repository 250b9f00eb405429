/**
 * The address that the ingress limit counts (SPEC 8): the source of a request.
 *
 * Behind trusted proxies, X-Forwarded-For is read from the right: each proxy appends the address that it saw, so the
 * first untrusted address is the last one that nobody could invent.
 */
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { type Address, isWithin, type Network, parseAddress } from '../../access/networks.ts';
import { countUntrustedForwarded } from '../../limits/untrusted-forwarded.ts';

/** An IPv6 source owns its whole /64: single addresses would give it 2^64 limits. */
const IPV6_SOURCE_BITS = 64;

/** Stands for an unreadable address. */
const UNKNOWN_SOURCE = 'unknown';

/** X-Forwarded-For entries read; longer chains of trusted proxies do not exist. */
const FORWARDED_MAX = 32;

export type SourceAddress = (request: IncomingMessage) => string;

/** `trustedProxies` are CIDRs or single addresses. Throws on anything else: settings are already checked. */
export function makeSourceAddress(trustedProxies: readonly string[]): SourceAddress {
  const ranges = trustedProxies.map(parseRange);
  if (ranges.length === 0)
    return (request) => {
      if (isForwarded(request)) countUntrustedForwarded();
      return sourceOfSocket(request.socket.remoteAddress);
    };
  return (request) => {
    const peer = parseAddress(request.socket.remoteAddress);
    if (peer === undefined) return UNKNOWN_SOURCE;
    const forwarded = request.headers[FORWARDED_FOR];
    if (forwarded === undefined) return sourceKey(peer);
    if (!isWithin(ranges, peer)) countUntrustedForwarded();
    return sourceKey(firstUntrusted(peer, forwarded, ranges));
  };
}

const FORWARDED_FOR = 'x-forwarded-for';

/** Reads raw headers: the parsed ones are not needed yet. */
function isForwarded({ rawHeaders }: IncomingMessage): boolean {
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === FORWARDED_FOR.length && name.toLowerCase() === FORWARDED_FOR) return true;
  }
  return false;
}

/** The address itself that the limits count; undefined where none can be read. */
export function makeCallerAddress(
  trustedProxies: readonly string[],
): (request: IncomingMessage) => Address | undefined {
  const ranges = trustedProxies.map(parseRange);
  return ({ socket, headers }) => {
    const peer = parseAddress(socket.remoteAddress);
    const forwarded = headers[FORWARDED_FOR];
    return peer === undefined || forwarded === undefined ? peer : firstUntrusted(peer, forwarded, ranges);
  };
}

/**
 * The source of a peer's connections; undefined for a trusted proxy, which carries many. `text` is the address that a
 * socket reports.
 */
export function makePeerAddress(
  trustedProxies: readonly string[],
): (text: string | undefined) => string | undefined {
  const ranges = trustedProxies.map(parseRange);
  return (text) => {
    const peer = ranges.length === 0 ? undefined : parseAddress(text);
    return peer !== undefined && isWithin(ranges, peer) ? undefined : sourceOfSocket(text);
  };
}

export function isLoopback(text: string | undefined): boolean {
  return text !== undefined && sourceOf(text).isLoopback;
}

interface Source {
  readonly key: string;
  readonly isLoopback: boolean;
}

const sourcesByText = new Map<string, Source>();
const SOURCES_CACHED_MAX = 10_000;

function sourceOfSocket(text: string | undefined): string {
  return text === undefined ? UNKNOWN_SOURCE : sourceOf(text).key;
}

/** Parsing costs more than the rest, and the same peers connect again. */
function sourceOf(text: string): Source {
  const cached = sourcesByText.get(text);
  if (cached !== undefined) return cached;
  const address = parseAddress(text);
  const source = {
    key: address === undefined ? UNKNOWN_SOURCE : sourceKey(address),
    isLoopback: address?.range() === 'loopback',
  };
  if (sourcesByText.size >= SOURCES_CACHED_MAX) sourcesByText.clear();
  sourcesByText.set(text, source);
  return source;
}

/** Walks from right to left through trusted addresses; text that is not an address ends the walk. */
function firstUntrusted(peer: Address, forwarded: string | string[], ranges: readonly Network[]): Address {
  const entries = String(forwarded).split(',').slice(-FORWARDED_MAX);
  let current = peer;
  while (isWithin(ranges, current)) {
    const entry = entries.pop();
    const next = entry === undefined ? undefined : parseAddress(stripPort(entry.trim()));
    if (next === undefined) break;
    current = next;
  }
  return current;
}

/** `192.0.2.1:4711` and `[2001:db8::1]:4711` as some proxies write them. */
function stripPort(text: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(text);
  if (bracketed !== null) return bracketed[1] ?? '';
  return text.replace(/^([\d.]+):\d+$/, '$1');
}

function parseRange(text: string): Network {
  if (!text.includes('/')) {
    const address = parseAddress(text);
    if (address === undefined) throw new Error(`not an address or CIDR: ${text}`);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  }
  const [base, bits] = ipaddr.parseCIDR(text);
  const isMapped = base instanceof ipaddr.IPv6 && base.isIPv4MappedAddress() && bits >= 96;
  return isMapped ? [base.toIPv4Address(), bits - 96] : [base, bits];
}

function sourceKey(address: Address): string {
  if (address instanceof ipaddr.IPv4) return address.toString();
  return address.parts
    .slice(0, IPV6_SOURCE_BITS / 16)
    .map((part) => part.toString(16))
    .join(':');
}
