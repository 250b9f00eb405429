/**
 * The ingress limit: per source address, before anything is known about the caller; and what it has in common with the
 * quota (SPEC 8).
 */
import type { Credential } from '../../access/access-directory.ts';
import type { BothHits, RequestLimits, WindowHit } from '../../limits/request-limits.ts';
import type { LimitTally, RequestMeter } from '../../observability/metrics/request-meter.ts';
import type { Readiness } from '../../runtime/readiness.ts';
import type { GuardedResponse } from '../answers/guarded-response.ts';
import { presentProblem } from '../answers/present-problem.ts';
import { retryAfterHeader } from '../answers/answer-headers.ts';
import { findBearerToken } from '../listener/bearer-token.ts';
import { endIfOthersWait } from '../listener/pipelining.ts';
import { makeSourceAddress } from '../listener/source-address.ts';
import type { Authenticator } from './authenticate-hook.ts';
import { isOperation, type PartnerExchange, type PartnerHook } from './partner-exchange.ts';

export interface IngressDeps extends RequestLimits {
  readonly meter: RequestMeter;
  readonly settings: { readonly ingressLimit: number; readonly trustedProxies: readonly string[] };
}

/** Undefined where one of the hooks between the two limits will answer, or the token was not accepted before. */
type PeekCredential = (exchange: PartnerExchange) => Credential | undefined;

export function ingressHook(
  { ingress, hitBoth, meter, settings }: IngressDeps,
  peek: PeekCredential,
): PartnerHook {
  const limit = settings.ingressLimit;
  const sourceAddress = makeSourceAddress(settings.trustedProxies);

  /** With one question for both limits, where asking costs; the quota hook finds its count on the request. */
  function count(exchange: PartnerExchange): WindowHit | Promise<WindowHit> {
    const source = sourceAddress(exchange.request);
    const credential = hitBoth === undefined ? undefined : peek(exchange);
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
      endIfOthersWait(response);
      presentLimitExceeded(response, limit, hit, 'from this address');
      return false;
    },
    meter.limits.ingress,
  );
}

/**
 * Tells which credential's quota a request will be counted for, before the ingress limit has judged it: so that both
 * can be counted with one question where the windows are held elsewhere. Nothing is decided here, and nothing that
 * costs anything is done: a token that was not accepted before is left to its turn.
 */
export function peekCredential(authenticator: Authenticator, readiness: () => Readiness): PeekCredential {
  return ({ request, route }) => {
    if (route.found !== 'operation' || !isOperation(route.operation)) return undefined;
    const token = findBearerToken(request.headers.authorization);
    if (token === undefined || readiness() !== 'ready') return undefined;
    return authenticator.findAccepted(token);
  };
}

/** Judges one hit: answers when it is over the limit, and returns whether the request may continue. */
type Judge = (hit: WindowHit, exchange: PartnerExchange) => boolean;

/** A counter that answers at once costs no promise; one that asks another machine does. */
export function limitHook(
  count: (exchange: PartnerExchange) => WindowHit | Promise<WindowHit>,
  judge: Judge,
  tally: LimitTally,
): PartnerHook {
  function decide(hit: WindowHit, exchange: PartnerExchange): void {
    if (judge(hit, exchange)) tally.passed += 1;
    else tally.refused += 1;
  }
  return (exchange) => {
    const hit = count(exchange);
    if (hit instanceof Promise) return hit.then((late) => decide(late, exchange));
    decide(hit, exchange);
  };
}

/** 429. X-RateLimit-* describe the limit that refused. */
export function presentLimitExceeded(
  response: GuardedResponse,
  limit: number,
  hit: WindowHit,
  whose: string,
): void {
  response.rateLimit = { limit, hit };
  presentProblem(response, 'RATE_LIMIT_EXCEEDED', {
    detail: `More than ${limit} requests ${whose} in the current window.`,
    headers: retryAfterHeader(hit),
  });
}
