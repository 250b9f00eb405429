/** Nothing can be answered, not even who is asking, until the catalogue and the credentials are in memory and fresh. */
import type { Hook } from './app.ts';
import { presentUnavailable } from './present-problem.ts';

/** `ready`, or why not, in words for the operator; partners are not told. */
export type Readiness = 'ready' | { readonly reason: string };

export function readinessHook(readiness: () => Readiness): Hook {
  return (_request, reply, done) => {
    const state = readiness();
    if (state === 'ready') done();
    else presentUnavailable(reply.raw, state.reason);
  };
}
