/** Who is asking (SPEC 5). The challenges are those of RFC 6750 3. */
import type { Clock } from '../../runtime/clock.ts';
import { NO_BEARER_DETAIL, type ProblemCode } from '../../contract/partner/problems.ts';
import type { AccessDirectory, Credential } from '../../access/access-directory.ts';
import type { PartnerHook } from './partner-exchange.ts';
import { findBearerToken } from '../listener/bearer-token.ts';
import { presentProblem } from '../answers/present-problem.ts';

export const REALM = 'Bearer realm="stayport"';
const MISSING = ['WWW-Authenticate', REALM] as const;
/** RFC 6750 3.1. */
export const INVALID_TOKEN_CHALLENGE = ['WWW-Authenticate', `${REALM}, error="invalid_token"`] as const;

const CODE_BY_REASON = {
  invalid: 'INVALID_PARTNER_CREDENTIAL',
  revoked: 'PARTNER_ACCESS_REVOKED',
} as const satisfies Record<string, ProblemCode>;

type Authentication = ReturnType<AccessDirectory['authenticate']>;

export function authenticateHook(authenticator: Authenticator): PartnerHook {
  return (exchange) => {
    const { request, response } = exchange;
    const token = findBearerToken(request.headers.authorization);
    if (token === undefined) {
      const detail = request.headers.authorization === undefined ? undefined : NO_BEARER_DETAIL;
      return presentProblem(response, 'PARTNER_AUTH_REQUIRED', { headers: MISSING, detail });
    }
    const authentication = authenticator.authenticate(token);
    if (!authentication.ok) {
      response.caller = authentication.refused;
      return presentProblem(response, CODE_BY_REASON[authentication.reason], {
        headers: INVALID_TOKEN_CHALLENGE,
      });
    }
    exchange.credential = authentication.credential;
    response.caller = authentication.credential;
    if (!authentication.credential.isTest) response.liveAsker = authentication.credential;
  };
}

export interface Authenticator {
  authenticate(token: string): Authentication;
  /** The credential of a token that was accepted before and still is: a look-up, without the cost of a judgement. */
  findAccepted(token: string): Credential | undefined;
}

/**
 * Remembers the tokens that the present directory accepted, until they expire, so that a token is hashed once and not
 * with each request. A new directory forgets them all; there is one only when access changed, so an import of
 * properties forgets none. Only accepted tokens are remembered, so there are never more than credentials.
 */
export function rememberingAuthenticator(access: () => AccessDirectory, clock: Clock): Authenticator {
  let directory: AccessDirectory | undefined;
  const accepted = new Map<string, Authentication & { ok: true }>();
  const find = (token: string, nowMs: number): (Authentication & { ok: true }) | undefined => {
    const current = access();
    if (current !== directory) {
      directory = current;
      accepted.clear();
    }
    const known = accepted.get(token);
    return known !== undefined && nowMs < known.credential.expiresAtMs ? known : undefined;
  };
  return {
    findAccepted: (token) => find(token, clock())?.credential,
    authenticate(token) {
      const nowMs = clock();
      const known = find(token, nowMs);
      if (known !== undefined) return known;
      const authentication = access().authenticate(token, nowMs);
      if (authentication.ok) accepted.set(token, authentication);
      return authentication;
    },
  };
}
