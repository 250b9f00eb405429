/** Nothing can be answered, not even who is asking, until the catalogue and the credentials are in memory and fresh. */
import type { Readiness } from '../../runtime/readiness.ts';
import type { Hook } from '../listener/exchange.ts';
import { presentUnavailable } from '../answers/present-problem.ts';

export function readinessHook(readiness: () => Readiness): Hook {
  return ({ response }) => {
    const state = readiness();
    if (state !== 'ready') presentUnavailable(response, state.reason);
  };
}
