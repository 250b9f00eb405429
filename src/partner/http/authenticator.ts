/** Identifies the caller of a request by its token, with a cache of accepted ones. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AccessDirectory, Credential } from '../../access/access-directory.ts';
import { type Address, isWithin } from '../../access/networks.ts';
import type { Clock } from '../../runtime/clock.ts';
import { findBearerToken } from '../../http/listener/request-head.ts';

type Authentication = ReturnType<AccessDirectory['authenticate']>;
type Accepted = Authentication & { readonly ok: true };

export interface Authenticator {
  /** Undefined without a token. */
  authenticate(request: IncomingMessage): Authentication | undefined;
  /** The credential of a cached token: a look-up only. */
  findAccepted(request: IncomingMessage): Credential | undefined;
}

/** The last accepted header of a connection. */
interface ShownToken {
  readonly authorization: string;
  readonly accepted: Accepted;
  /** Number of the directory that accepted it: a connection must not keep an old directory in memory. */
  readonly generation: number;
}
/** Longer headers only have blanks before the token: thousands of connections must not keep kilobytes of them. */
const SHOWN_LENGTH_MAX = 128;
const SHOWN = Symbol('token that was accepted last');
interface TokenSocket extends Duplex {
  [SHOWN]?: ShownToken;
}

/**
 * Caches the tokens that the present directory accepted until they expire, so that a token is hashed once; and each
 * connection's last header, so that an equal header needs no look-up. A new directory empties the caches, and only a
 * change of access makes one. Only accepted tokens are cached, so their number is bounded by credentials and
 * connections.
 */
export function rememberingAuthenticator(access: () => AccessDirectory, clock: Clock): Authenticator {
  let directory: AccessDirectory | undefined;
  let generation = 0;
  const acceptedByToken = new Map<string, Accepted>();

  function follow(): AccessDirectory {
    const current = access();
    if (current === directory) return current;
    directory = current;
    generation += 1;
    acceptedByToken.clear();
    return current;
  }

  function findShown({ headers: { authorization }, socket }: IncomingMessage): Accepted | undefined {
    const shown = (socket as TokenSocket)[SHOWN];
    return shown?.generation === generation && shown.authorization === authorization
      ? shown.accepted
      : undefined;
  }

  function show({ headers: { authorization = '' }, socket }: IncomingMessage, accepted: Accepted): void {
    if (authorization.length <= SHOWN_LENGTH_MAX)
      (socket as TokenSocket)[SHOWN] = { authorization, accepted, generation };
  }

  return {
    findAccepted(request) {
      follow();
      const known =
        findShown(request) ?? acceptedByToken.get(findBearerToken(request.headers.authorization) ?? '');
      return isInForce(known, clock()) ? known.credential : undefined;
    },
    authenticate(request) {
      const current = follow();
      const nowMs = clock();
      const shown = findShown(request);
      if (isInForce(shown, nowMs)) return shown;
      const token = findBearerToken(request.headers.authorization);
      if (token === undefined) return undefined;
      const known = acceptedByToken.get(token);
      const authentication = isInForce(known, nowMs) ? known : current.authenticate(token, nowMs);
      if (authentication.ok) {
        acceptedByToken.set(token, authentication);
        show(request, authentication);
      }
      return authentication;
    },
  };
}

function isInForce(accepted: Accepted | undefined, nowMs: number): accepted is Accepted {
  return accepted !== undefined && nowMs < accepted.credential.expiresAtMs;
}

/**
 * Answers as for an unknown token where the credential has networks and the request comes from elsewhere. No address is
 * remembered: the connection of a proxy carries requests of many.
 */
export function authenticatorWithin(
  authenticator: Authenticator,
  addressOf: (request: IncomingMessage) => Address | undefined,
): Authenticator {
  const isFromWithin = (request: IncomingMessage, networks: Credential['networks']): boolean =>
    networks === undefined || isWithin(networks, addressOf(request));
  return {
    findAccepted(request) {
      const credential = authenticator.findAccepted(request);
      return credential && isFromWithin(request, credential.networks) ? credential : undefined;
    },
    authenticate(request) {
      const found = authenticator.authenticate(request);
      const known = found?.ok ? found.credential : found?.refused;
      if (known === undefined || isFromWithin(request, known.networks)) return found;
      return { ok: false, reason: 'invalid', refused: known };
    },
  };
}
