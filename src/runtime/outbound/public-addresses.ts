/**
 * Which addresses requests to other servers may go to, those of calendars and of webhooks. The operator's own network is
 * not among them: a person who can make the service fetch a URL must not reach what only the service can reach.
 */
import type { LookupAddress } from 'node:dns';
import { lookup as lookupInSystem, Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
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
  const bytes = parsed.toByteArray();
  if (isIsatap(bytes) && !isPublicV4(new ipaddr.IPv4(bytes.slice(-4)))) return false;
  return parsed.match(GLOBAL_UNICAST) && parsed.range() === 'unicast';
}

/** RFC 5214: behind any prefix, `0:5efe` or `200:5efe` and an IPv4 address, to which a tunnel leads. */
function isIsatap(bytes: readonly number[]): boolean {
  const [first, second, third, fourth] = bytes.slice(8, 12);
  return (first === 0 || first === 2) && second === 0 && third === 0x5e && fourth === 0xfe;
}

/** Azure's own service, which each machine there reaches at this address and nobody else does. */
const AZURE_HOST = '168.63.129.16';

function isPublicV4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && address.toString() !== AZURE_HOST;
}

export class PrivateAddress extends Error {
  override readonly name = 'PrivateAddress';
}

/** `dns.lookup` with the option `all`. */
export type LookupAll = (
  host: string,
  done: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void;

/** Half of what a request may take, with a second try. */
const ANSWER_MS = 2_000;
const ANSWER_TRIES = 2;
const NEVER_ANSWERED: ReadonlySet<unknown> = new Set(['ETIMEOUT', 'ESERVFAIL']);

/**
 * Asks name servers without a thread: the system's own lookup has two in all, so a few names that are never answered
 * would keep every other name waiting. That lookup, one at a time, is for names that name servers do not know.
 */
export function openLookup(nameServers?: readonly string[]): LookupAll {
  let earlier: Promise<unknown> = Promise.resolve();

  return callbackify(async (host: string): Promise<readonly LookupAddress[]> => {
    const found = host.includes('.') ? await askNameServers(host, nameServers) : [];
    if (found.length > 0) return found;
    const own = earlier.then(() => lookupInSystem(host, { all: true }));
    earlier = own.catch(() => undefined);
    return own;
  });
}

/** Empty if they do not know the name; rejects if they do not answer. */
async function askNameServers(host: string, nameServers?: readonly string[]): Promise<LookupAddress[]> {
  // A new one each time knows the present servers of the system, and remembers no answer.
  const resolver = new Resolver({ timeout: ANSWER_MS, tries: ANSWER_TRIES });
  if (nameServers !== undefined) resolver.setServers(nameServers);
  const asked = [resolver.resolve4(host), resolver.resolve6(host)];
  const answers = await Promise.allSettled(asked);
  const found = answers.flatMap((answer, index) =>
    answer.status === 'rejected'
      ? []
      : answer.value.map((address) => ({ address, family: index === 0 ? 4 : 6 })),
  );
  const silence = answers.find(
    (answer) =>
      answer.status === 'rejected' && NEVER_ANSWERED.has((answer.reason as NodeJS.ErrnoException).code),
  );
  if (found.length === 0 && silence?.status === 'rejected') throw silence.reason;
  return found;
}

export const lookupAll: LookupAll = openLookup();

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
