/** The ingress limit: per source address, before anything is known about the caller (SPEC 8). */
import type { WindowCounter } from '../limits/window-counter.ts';
import type { Hook } from './app.ts';
import { limitHook, presentLimitExceeded } from './limit-hook.ts';
import { buildSourceAddress } from './source-address.ts';

export interface IngressDeps {
  readonly ingress: WindowCounter;
  readonly settings: { readonly ingressLimit: number; readonly trustedProxies: readonly string[] };
}

export function ingressHook({ ingress, settings }: IngressDeps): Hook {
  const limit = settings.ingressLimit;
  const sourceAddress = buildSourceAddress(settings.trustedProxies);
  return limitHook(
    (request) => ingress.hit(sourceAddress(request.raw)),
    (hit, _request, response) => {
      if (hit.count <= limit) return true;
      presentLimitExceeded(response, limit, hit, 'from this address');
      return false;
    },
  );
}
