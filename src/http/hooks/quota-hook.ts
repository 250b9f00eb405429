/** The quota of the credential (SPEC 8). From here on every answer describes it in X-RateLimit-*. */
import type { WindowCounter } from '../../limits/window-counter.ts';
import { getCredential, type PartnerHook } from './partner-exchange.ts';
import type { LimitTally } from '../../observability/metrics/request-meter.ts';
import { limitHook, presentLimitExceeded } from './limit-hook.ts';

export function quotaHook(quota: WindowCounter, tally: LimitTally): PartnerHook {
  return limitHook(
    (exchange) => {
      const { credentialId } = getCredential(exchange);
      const { quotaHit } = exchange;
      return quotaHit?.credentialId === credentialId ? quotaHit.hit : quota.hit(credentialId);
    },
    (hit, exchange) => {
      const { response } = exchange;
      const { quota: limit } = getCredential(exchange);
      response.rateLimit = { limit, hit };
      if (hit.count <= limit) return true;
      presentLimitExceeded(response, limit, hit, 'with this credential');
      return false;
    },
    tally,
  );
}
