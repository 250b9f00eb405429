/** The quota of the credential (SPEC 8). From here on every answer describes it in X-RateLimit-*. */
import type { WindowCounter } from '../limits/window-counter.ts';
import type { AsyncHook } from './app.ts';
import { getCredential } from './authenticate-hook.ts';
import { presentProblem } from './present-problem.ts';
import { retryAfterHeader } from './rate-limit-headers.ts';

export function quotaHook(quota: WindowCounter): AsyncHook {
  return async (request, reply) => {
    const { credentialId, quota: limit } = getCredential(request);
    const hit = await quota.hit(credentialId);
    reply.raw.rateLimit = { limit, hit };
    if (hit.count <= limit) return;
    presentProblem(reply.raw, 'RATE_LIMIT_EXCEEDED', {
      detail: `More than ${limit} requests with this credential in the current window.`,
      headers: retryAfterHeader(hit),
    });
  };
}
