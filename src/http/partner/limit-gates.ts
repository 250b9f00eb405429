/**
 * The limits of a request (SPEC 8), as gates: per source address, before anything is known about the caller; the quota of
 * its credential; and the quotes that one credential may have stored on a day.
 */
import type { Credential } from '../../access/access-directory.ts';
import type { BothHits, RequestLimits, WindowCounter, WindowHit } from '../../limits/request-limits.ts';
import type { LimitTally, RequestMeter } from '../../observability/metrics/request-meter.ts';
import { msUntilTomorrow } from '../../quotes/daily-quotes.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { GuardedResponse } from '../answers/guarded-response.ts';
import { presentProblem } from '../answers/present-problem.ts';
import { retryAfterHeader } from '../answers/answer-headers.ts';
import { endIfOthersWait } from '../listener/pipelining.ts';
import { getCredential, type PartnerExchange, type PartnerHook } from './partner-exchange.ts';
import { makeSourceAddress } from '../listener/source-address.ts';

interface IngressDeps extends RequestLimits {
  readonly meter: RequestMeter;
  readonly settings: { readonly ingressLimit: number; readonly trustedProxies: readonly string[] };
}

/** Undefined where one of the hooks between the two limits will answer, or the token was not accepted before. */
export type PeekCredential = (exchange: PartnerExchange) => Credential | undefined;

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

interface QuotesPerDayDeps {
  readonly meter: RequestMeter;
  readonly clock: Clock;
  /** What a credential has had stored today, UTC. */
  readonly quotesOf: (credentialId: string) => number;
  /** Of one credential; 0 is unbounded. */
  readonly settings: { readonly quotesPerDay: number };
}

/** The quota of the credential (SPEC 8). From here on every answer describes it in X-RateLimit-*. */
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

/**
 * The bound on the quotes that one credential may have stored on a day: 429 until the next day (UTC); X-RateLimit-*
 * then describe this limit. Only quotes that are stored count.
 */
export function quotesPerDayHook({ settings, quotesOf, meter, clock }: QuotesPerDayDeps): PartnerHook {
  const limit = settings.quotesPerDay;
  const tally = meter.limits.quotes_per_day;
  return (exchange) => {
    if (limit === 0) return;
    const count = quotesOf(getCredential(exchange).credentialId);
    if (count < limit) {
      tally.passed += 1;
      return;
    }
    tally.refused += 1;
    const nowMs = clock();
    const resetInMs = msUntilTomorrow(nowMs);
    const hit = { count, resetAtMs: nowMs + resetInMs, resetInMs };
    exchange.response.rateLimit = { limit, hit };
    presentProblem(exchange.response, 'RATE_LIMIT_EXCEEDED', {
      detail: `More than ${limit} quotes with this credential today (UTC).`,
      headers: retryAfterHeader(hit),
    });
  };
}

/** Judges one hit: answers when it is over the limit, and returns whether the request may continue. */
type Judge = (hit: WindowHit, exchange: PartnerExchange) => boolean;

/** A counter that answers at once costs no promise; one that asks another machine does. */
function limitHook(
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
