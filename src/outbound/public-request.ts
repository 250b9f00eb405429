/**
 * One request to somebody else's server, which may be slow, wrong or hostile. The address is checked at each
 * connection: a person who can name a URL must not reach what only the service can reach.
 */
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import {
  isPublicAddress,
  type LookupAll,
  lookupAll,
  PrivateAddress,
  publicLookup,
} from './public-addresses.ts';

/** Where requests may go. */
export interface AddressRule {
  /** To private addresses too. */
  readonly allowsPrivate: boolean;
  readonly lookup?: LookupAll;
  /** For tests, whose servers are on the loopback interface. */
  readonly isPublic?: (address: string) => boolean;
}

export interface PublicRequest extends AddressRule {
  readonly method?: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  /** `name:password` */
  readonly auth?: string | undefined;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** A server that sends nothing for so long, from connecting on, is given up. */
  readonly silenceMs: number;
}

export class ServerSilent extends Error {
  constructor(silenceMs: number) {
    super(`the server sent nothing for ${silenceMs / 1000} s`);
  }
}

/** The address that a URL names literally, if that is one which requests may not go to. */
export function findPrivateLiteral(url: URL, isPublic = isPublicAddress): string | undefined {
  const host = hostOf(url);
  return isIP(host) !== 0 && !isPublic(host) ? host : undefined;
}

/** The answer, its body unread. Redirects are answers; certificates are checked, whatever the environment says. */
export async function requestPublic(url: URL, options: PublicRequest): Promise<IncomingMessage> {
  const { allowsPrivate, lookup = lookupAll, isPublic = isPublicAddress, signal, silenceMs } = options;
  const literal = allowsPrivate ? undefined : findPrivateLiteral(url, isPublic);
  if (literal !== undefined) throw new PrivateAddress(literal);
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const request = send({
      method: options.method ?? 'GET',
      protocol: url.protocol,
      hostname: hostOf(url),
      port: url.port,
      path: `${url.pathname}${url.search}`,
      headers: options.headers,
      // A connection that is kept could lead to an address that nobody checked.
      agent: false,
      rejectUnauthorized: true,
      signal,
      timeout: silenceMs,
      lookup: publicLookup(lookup, allowsPrivate ? () => true : isPublic),
      ...(options.auth === undefined ? {} : { auth: options.auth }),
    });
    let answered: IncomingMessage | undefined;
    request.on('response', (response) => resolve((answered = response)));
    request.on('timeout', () => (answered ?? request).destroy(new ServerSilent(silenceMs)));
    request.on('error', reject);
    request.end(options.body);
  });
}

/** The rest of the answer is not waited for. */
export function discardRest<T>(response: IncomingMessage, answer: T): T {
  response.on('error', () => undefined);
  response.destroy();
  return answer;
}

/** One sentence without the URL, which may hold a secret; `setting` lifts the rule of addresses. */
export function describeFailure(error: unknown, setting: string): string {
  if (error instanceof PrivateAddress) {
    return `it leads to a private address; ${setting}=true allows these`;
  }
  if (error instanceof ServerSilent) return error.message;
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined ? 'the connection failed' : `the connection failed (${code})`;
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}
