/**
 * Which addresses requests to other servers may go to, those of calendars and of webhooks. The operator's own network is
 * not among them: a person who can make the service fetch a URL must not reach what only the service can reach.
 */
import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** All IPv6 addresses that are routed at all (RFC 4291). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** RFC 6052: the last four bytes are an IPv4 address. */
const NAT64_RANGE = 'rfc6052';

/** Public unicast; for an IPv6 address that stands for an IPv4 one, the same of that. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed instanceof ipaddr.IPv4) return isPublicV4(parsed);
  if (parsed.isIPv4MappedAddress()) return isPublicV4(parsed.toIPv4Address());
  if (parsed.range() === NAT64_RANGE) return isPublicV4(new ipaddr.IPv4(parsed.toByteArray().slice(-4)));
  return parsed.match(GLOBAL_UNICAST) && parsed.range() === 'unicast';
}

function isPublicV4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast';
}

export class PrivateAddress extends Error {
  override readonly name = 'PrivateAddress';
}

/** `dns.lookup` with the option `all`. */
export type LookupAll = (
  host: string,
  done: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void;

export const lookupAll: LookupAll = (host, done) => systemLookup(host, { all: true }, done);

/**
 * The lookup of one connection: the addresses that were checked are those that it connects to, so that a name can't
 * lead somewhere else a moment later. One address that is not public refuses the name.
 */
export function publicLookup(
  lookup: LookupAll,
  isPublic: (address: string) => boolean = isPublicAddress,
): LookupFunction {
  return (host, options, callback) => {
    lookup(host, (error, addresses) => {
      if (error !== null) return callback(error, []);
      const refused = addresses.find(({ address }) => !isPublic(address));
      if (refused !== undefined) return callback(new PrivateAddress(host), []);
      const [first] = addresses;
      if (options.all === true || first === undefined) return callback(null, [...addresses]);
      callback(null, first.address, first.family);
    });
  };
}
