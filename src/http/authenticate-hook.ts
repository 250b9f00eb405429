/** Who is asking (SPEC 5). The challenges are those of RFC 6750 3. */
import type { Clock } from '../clock.ts';
import type { ProblemCode } from '../contract/problems.ts';
import type { AccessDirectory, Credential } from '../partners/access-directory.ts';
import type { AppRequest, Hook } from './app.ts';
import { findBearerToken } from './bearer-token.ts';
import { presentProblem } from './present-problem.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `authenticateHook`; null before it ran. */
    credential: Credential | null;
  }
}

export const REALM = 'Bearer realm="stayport"';
const MISSING = ['WWW-Authenticate', REALM] as const;
const INVALID = ['WWW-Authenticate', `${REALM}, error="invalid_token"`] as const;

const CODE_BY_REASON = {
  invalid: 'INVALID_PARTNER_CREDENTIAL',
  revoked: 'PARTNER_ACCESS_REVOKED',
} as const satisfies Record<string, ProblemCode>;

type Authentication = ReturnType<AccessDirectory['authenticate']>;

export function authenticateHook(access: () => AccessDirectory, clock: Clock): Hook {
  const authenticate = rememberingAuthentication(access, clock);
  return (request, reply, done) => {
    const token = findBearerToken(request.headers.authorization);
    if (token === undefined) {
      return presentProblem(reply.raw, 'PARTNER_AUTH_REQUIRED', { headers: MISSING });
    }
    const authentication = authenticate(token);
    if (!authentication.ok) {
      return presentProblem(reply.raw, CODE_BY_REASON[authentication.reason], { headers: INVALID });
    }
    request.credential = authentication.credential;
    done();
  };
}

/**
 * Remembers the tokens that the present directory accepted, until they expire: hashing each one again would cost a
 * tenth of a whole request. A new directory, as after a revocation, forgets them all. Only accepted tokens are
 * remembered, so there are never more than credentials.
 */
function rememberingAuthentication(
  access: () => AccessDirectory,
  clock: Clock,
): (token: string) => Authentication {
  let directory: AccessDirectory | undefined;
  const accepted = new Map<string, Authentication & { ok: true }>();
  return (token) => {
    const current = access();
    if (current !== directory) {
      directory = current;
      accepted.clear();
    }
    const nowMs = clock();
    const known = accepted.get(token);
    if (known !== undefined && nowMs < known.credential.expiresAtMs) return known;
    const authentication = current.authenticate(token, nowMs);
    if (authentication.ok) accepted.set(token, authentication);
    return authentication;
  };
}

/** The credential behind `authenticateHook`; a route without that hook is a mistake in the wiring and throws. */
export function getCredential(request: AppRequest): Credential {
  if (request.credential === null) throw new Error('the route is not behind authenticateHook');
  return request.credential;
}
