/** A browser may call only from an origin that this very partner lists (SPEC 5). */
import type { Hook } from '../listener/app.ts';
import { getCredential } from './authenticate-hook.ts';
import { presentProblem } from '../answers/present-problem.ts';

export const originHook: Hook = (request, reply, done) => {
  const { origin } = request.headers;
  if (origin === undefined || getCredential(request).origins.has(origin)) return done();
  reply.raw.isOriginRefused = true;
  presentProblem(reply.raw, 'ORIGIN_NOT_ALLOWED');
};
