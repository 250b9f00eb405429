/** The ingress limit: per source address, before anything is known about the caller (SPEC 8). */
import type { WindowCounter } from '../limits/window-counter.ts';
import type { AsyncHook } from './app.ts';
import { presentProblem } from './present-problem.ts';
import { retryAfterHeader } from './rate-limit-headers.ts';
import { buildSourceAddress } from './source-address.ts';

export interface IngressDeps {
  readonly ingress: WindowCounter;
  readonly settings: { readonly ingressLimit: number; readonly trustedProxies: readonly string[] };
}

export function ingressHook({ ingress, settings }: IngressDeps): AsyncHook {
  const limit = settings.ingressLimit;
  const sourceAddress = buildSourceAddress(settings.trustedProxies);
  return async (request, reply) => {
    const hit = await ingress.hit(sourceAddress(request.raw));
    if (hit.count <= limit) return;
    reply.raw.rateLimit = { limit, hit };
    presentProblem(reply.raw, 'RATE_LIMIT_EXCEEDED', {
      detail: `More than ${limit} requests from this address in the current window.`,
      headers: retryAfterHeader(hit),
    });
  };
}
