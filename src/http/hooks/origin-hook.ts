/**
 * A browser may call only from an origin that this very partner lists (SPEC 5), or from our own pages: the reference
 * makes calls with the token that its reader has pasted.
 */
import type { Hook } from '../listener/app.ts';
import { getCredential } from './authenticate-hook.ts';
import { presentProblem } from '../answers/present-problem.ts';

export function originHook(publicUrl: string): Hook {
  const ownOrigin = new URL(publicUrl).origin;
  return (request, reply, done) => {
    const { origin } = request.headers;
    if (origin === undefined || origin === ownOrigin) return done();
    if (getCredential(request).origins.has(origin)) return done();
    reply.raw.isOriginRefused = true;
    presentProblem(reply.raw, 'ORIGIN_NOT_ALLOWED');
  };
}
