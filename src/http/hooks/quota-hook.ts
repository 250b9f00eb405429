/** The quota of the credential (SPEC 8). From here on every answer describes it in X-RateLimit-*. */
import type { WindowCounter, WindowHit } from '../../limits/window-counter.ts';
import type { Hook } from '../listener/app.ts';
import { getCredential } from './authenticate-hook.ts';
import type { LimitTally } from '../../observability/metrics/request-meter.ts';
import { limitHook, presentLimitExceeded } from './limit-hook.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What `ingressHook` counted for the quota in one step with its own; null when it did not. */
    quotaHit: { readonly credentialId: string; readonly hit: WindowHit } | null;
  }
}

export function quotaHook(quota: WindowCounter, tally: LimitTally): Hook {
  return limitHook(
    (request) => {
      const { credentialId } = getCredential(request);
      const { quotaHit } = request;
      return quotaHit?.credentialId === credentialId ? quotaHit.hit : quota.hit(credentialId);
    },
    (hit, request, response) => {
      const { quota: limit } = getCredential(request);
      response.rateLimit = { limit, hit };
      if (hit.count <= limit) return true;
      presentLimitExceeded(response, limit, hit, 'with this credential');
      return false;
    },
    tally,
  );
}
