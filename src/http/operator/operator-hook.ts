/** The operator listener's own credential: an operator token, as a bearer token. */
import type { AccessDirectory } from '../../access/access-directory.ts';
import type { Hook } from '../listener/app.ts';
import { findBearerToken } from '../hooks/bearer-token.ts';
import { presentProblem } from '../answers/present-problem.ts';

const REALM = 'Bearer realm="operator"';

export function operatorHook(access: () => AccessDirectory): Hook {
  return (request, reply, done) => {
    const token = findBearerToken(request.headers.authorization);
    if (token === undefined) {
      return presentProblem(reply.raw, 'PARTNER_AUTH_REQUIRED', {
        detail: 'The request carries no operator token.',
        headers: ['WWW-Authenticate', REALM],
      });
    }
    if (access().authenticateOperator(token) !== undefined) return done();
    presentProblem(reply.raw, 'INVALID_PARTNER_CREDENTIAL', {
      detail: 'The operator token is unknown.',
      headers: ['WWW-Authenticate', `${REALM}, error="invalid_token"`],
    });
  };
}
