/** The quota of the credential (SPEC 8). From here on every answer describes it in X-RateLimit-*. */
import type { WindowCounter } from '../limits/window-counter.ts';
import type { Hook } from './app.ts';
import { getCredential } from './authenticate-hook.ts';
import { limitHook, presentLimitExceeded } from './limit-hook.ts';

export function quotaHook(quota: WindowCounter): Hook {
  return limitHook(
    (request) => quota.hit(getCredential(request).credentialId),
    (hit, request, response) => {
      const { quota: limit } = getCredential(request);
      response.rateLimit = { limit, hit };
      if (hit.count <= limit) return true;
      presentLimitExceeded(response, limit, hit, 'with this credential');
      return false;
    },
  );
}
