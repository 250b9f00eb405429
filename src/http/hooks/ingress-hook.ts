/** The ingress limit: per source address, before anything is known about the caller (SPEC 8). */
import type { BothHits, RequestLimits } from '../../limits/request-limits.ts';
import type { WindowHit } from '../../limits/window-counter.ts';
import type { Credential } from '../../access/access-directory.ts';
import type { PartnerExchange, PartnerHook } from './partner-exchange.ts';
import { limitHook, presentLimitExceeded } from './limit-hook.ts';
import type { RequestMeter } from '../../observability/metrics/request-meter.ts';
import { buildSourceAddress } from './source-address.ts';

export interface IngressDeps extends RequestLimits {
  readonly meter: RequestMeter;
  readonly settings: { readonly ingressLimit: number; readonly trustedProxies: readonly string[] };
}

/** The credential whose quota a request will be counted for if the ingress limit lets it pass, where that is known. */
export type ForeseenCredential = (exchange: PartnerExchange) => Credential | undefined;

export function ingressHook(
  { ingress, hitBoth, meter, settings }: IngressDeps,
  foreseenCredential: ForeseenCredential,
): PartnerHook {
  const limit = settings.ingressLimit;
  const sourceAddress = buildSourceAddress(settings.trustedProxies);

  /** With one question for both limits, where asking costs; the quota hook finds its count on the request. */
  function count(exchange: PartnerExchange): WindowHit | Promise<WindowHit> {
    const source = sourceAddress(exchange.request);
    const credential = hitBoth === undefined ? undefined : foreseenCredential(exchange);
    if (hitBoth === undefined || credential === undefined) return ingress.hit(source);
    const { credentialId } = credential;
    const take = (hits: BothHits): WindowHit => {
      if (hits.quota !== undefined) exchange.quotaHit = { credentialId, hit: hits.quota };
      return hits.ingress;
    };
    const hits = hitBoth(source, limit, credentialId);
    return hits instanceof Promise ? hits.then(take) : take(hits);
  }

  return limitHook(
    count,
    (hit, { response }) => {
      if (hit.count <= limit) return true;
      presentLimitExceeded(response, limit, hit, 'from this address');
      return false;
    },
    meter.limits.ingress,
  );
}
