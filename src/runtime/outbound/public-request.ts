/**
 * One request to somebody else's server, which may be slow, wrong or hostile. The address is checked at each
 * connection: a person who can name a URL must not reach what only the service can reach.
 */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { NoAnswer, OutOfTime, sendRequest, type SentRequest, ServerSilent } from './exchange.ts';
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

export interface PublicRequest extends AddressRule, SentRequest {
  readonly method?: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  /** `name:password` */
  readonly auth?: string | undefined;
}

/** The address that a URL names literally, if that is one which requests may not go to. */
export function findPrivateLiteral(url: URL, isPublic = isPublicAddress): string | undefined {
  const host = hostOf(url);
  return isIP(host) !== 0 && !isPublic(host) ? host : undefined;
}

/**
 * The answer, its body unread. Redirects are answers; certificates are checked, whatever the environment says. Call it
 * within `withinExchange`.
 */
export async function requestPublic(url: URL, options: PublicRequest): Promise<IncomingMessage> {
  const { allowsPrivate, lookup = lookupAll, isPublic = isPublicAddress } = options;
  const literal = allowsPrivate ? undefined : findPrivateLiteral(url, isPublic);
  if (literal !== undefined) throw new PrivateAddress(literal);
  return sendRequest(
    // Name and password are sent only where `auth` names them.
    new URL(`${url.origin}${url.pathname}${url.search}`),
    {
      method: options.method ?? 'GET',
      headers: options.headers,
      rejectUnauthorized: true,
      lookup: publicLookup(lookup, allowsPrivate ? () => true : isPublic),
      ...(options.auth === undefined ? {} : { auth: options.auth }),
    },
    options,
  );
}

/** The rest of the answer is not waited for. */
export function discardRest<T>(response: IncomingMessage, answer: T): T {
  response.on('error', () => undefined);
  response.destroy();
  return answer;
}

/** A code with values, whose row is in `domain/refusals/`: this room knows no other. */
export type RequestFailure =
  | { readonly code: 'addressPrivate'; readonly values: { readonly setting: string } }
  | { readonly code: 'serverLate' | 'serverSilent'; readonly values: { readonly seconds: number } }
  | { readonly code: 'serverStatus'; readonly values: { readonly status: number } }
  | { readonly code: 'connectionFailedWith'; readonly values: { readonly code: string } }
  | { readonly code: 'noAnswer' | 'connectionFailed'; readonly values: Record<never, never> };

/** Why a request failed, without the URL, which may hold a secret; `setting` lifts the rule of addresses. */
export function failureOf(error: unknown, setting: string): RequestFailure {
  if (error instanceof PrivateAddress) return { code: 'addressPrivate', values: { setting } };
  if (error instanceof OutOfTime) return { code: 'serverLate', values: { seconds: error.timeoutMs / 1000 } };
  if (error instanceof ServerSilent)
    return { code: 'serverSilent', values: { seconds: error.silenceMs / 1000 } };
  if (error instanceof NoAnswer) {
    const { status } = error;
    return status === undefined
      ? { code: 'noAnswer', values: {} }
      : { code: 'serverStatus', values: { status } };
  }
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined
    ? { code: 'connectionFailed', values: {} }
    : { code: 'connectionFailedWith', values: { code } };
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}
